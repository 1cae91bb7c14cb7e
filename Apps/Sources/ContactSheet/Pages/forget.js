// What the browser keeps for this server is cleared when somebody logs out. Where the server has the whole name, its answer
// sees to that; below a path it cannot: it would clear what other programs at the same name keep.

import { base } from './api.js';

/** Empties the databases of this server's pages. */
export async function forget() {
  if (base === '') return;
  await Promise.all(['changes', 'imports'].map((what) => empty(`contact-sheet-${what}${base}`)));
}

function empty(name) {
  return new Promise((done) => {
    const request = indexedDB.open(name);
    request.onupgradeneeded = () => request.transaction.abort(); // there was none
    request.onerror = request.onblocked = done;
    request.onsuccess = () => {
      const { result: database } = request;
      const stores = [...database.objectStoreNames];
      if (stores.length === 0) {
        done();
        return;
      }
      const transaction = database.transaction(stores, 'readwrite');
      for (const store of stores) transaction.objectStore(store).clear();
      transaction.oncomplete = transaction.onabort = done;
    };
  });
}
