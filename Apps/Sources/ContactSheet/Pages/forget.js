// Clears what the browser keeps for this server when somebody logs out. A server with a host name of its own does so by its
// answer; below a path it cannot: that would clear what other programs of the same host keep.

import { base } from './api.js';

/** Returns how many changes wait to be saved, in all tabs of this browser. */
export async function countUnsaved() {
  let count = 0;
  await inDatabase(`contact-sheet-changes${base}`, 'readonly', (store) => {
    const request = store.count();
    request.onsuccess = () => { count += request.result; };
  });
  return count;
}

/** Empties the databases of this server's pages, and what the tab keeps of them. */
export async function forget() {
  try {
    for (const key of Object.keys(sessionStorage)) if (/^contact-sheet-(undo|own|scroll)/.test(key)) sessionStorage.removeItem(key);
  } catch {
    // Where storage is forbidden, nothing was kept.
  }
  if (base === '') return;
  /** @param {IDBObjectStore} store */
  const clear = (store) => store.clear();
  await Promise.all(['changes', 'imports'].map((what) => inDatabase(`contact-sheet-${what}${base}`, 'readwrite', clear)));
}

/**
 * Does something with each store of a database, if there is one.
 * @param {string} name
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => unknown} work
 */
function inDatabase(name, mode, work) {
  return new Promise((/** @type {(value?: unknown) => void} */ done) => {
    const request = indexedDB.open(name);
    request.onupgradeneeded = () => request.transaction?.abort(); // there was none
    request.onerror = request.onblocked = done;
    request.onsuccess = () => {
      const { result: database } = request;
      const end = () => {
        database.close();
        done();
      };
      const stores = [...database.objectStoreNames];
      if (stores.length === 0) {
        end();
        return;
      }
      let transaction;
      try {
        transaction = database.transaction(stores, mode);
      } catch {
        end(); // another tab has just logged out: the browser closes the database
        return;
      }
      for (const store of stores) work(transaction.objectStore(store));
      transaction.oncomplete = transaction.onabort = end;
    };
  });
}
