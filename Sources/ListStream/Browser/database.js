// A store of the browser's own (IndexedDB), of entries with keys that it numbers. It may go at any time: a browser that is
// told to forget a site closes what its pages have open. Then it is made anew; where nothing can be kept, nothing is.

export class Database {
  #name;
  #store;
  #opening = null;

  constructor(name, store) {
    this.#name = name;
    this.#store = store;
  }

  /** Does `work(store)` in a transaction. @returns a promise of its request's result; of undefined if nothing can be kept */
  async run(mode, work) {
    const transaction = (await this.#begin(mode)) ?? (await this.#begin(mode));
    return transaction && new Promise((done) => {
      const request = work(transaction.objectStore(this.#store));
      transaction.oncomplete = () => done(request?.result);
      transaction.onerror = transaction.onabort = () => done(undefined);
    });
  }

  async #begin(mode) {
    const opening = (this.#opening ??= this.#open().catch(() => null));
    try {
      return (await opening)?.transaction(this.#store, mode);
    } catch {
      // It is closed, or about to be.
      if (this.#opening === opening) this.#opening = null;
      return undefined;
    }
  }

  #open() {
    return new Promise((done) => {
      const request = indexedDB.open(this.#name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(this.#store, { autoIncrement: true });
      request.onsuccess = () => done(request.result);
      request.onerror = request.onblocked = () => done(null);
    });
  }
}
