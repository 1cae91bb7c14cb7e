// A store of the browser's own (IndexedDB), of entries with keys that it numbers. It may go at any time: a browser that is
// told to forget a site closes what its pages have open. Then it is made anew; where nothing can be kept, nothing is.

export class Database {
  #name;
  #store;
  /** @type {Promise<IDBDatabase> | null} */
  #opening = null;

  /**
   * @param {string} name
   * @param {string} store
   */
  constructor(name, store) {
    this.#name = name;
    this.#store = store;
  }

  /**
   * Does `work(store)` in a transaction. @returns a promise of its request's result; of undefined if nothing can be kept
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest | void} work
   * @returns {Promise<any>} of what was put there, whatever that is
   */
  async run(mode, work) {
    // Of a transaction that was aborted nothing is kept, so it can be done once more.
    const done = (await this.#try(mode, work)) ?? (await this.#try(mode, work));
    return done?.result;
  }

  /**
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest | void} work
   * @returns {Promise<{ result: any } | undefined>} of undefined if it could not be done, or was undone
   */
  async #try(mode, work) {
    const opening = (this.#opening ??= this.#open());
    try {
      const transaction = (await opening).transaction(this.#store, mode);
      return await new Promise((done, fail) => {
        const request = work(transaction.objectStore(this.#store));
        transaction.oncomplete = () => done({ result: request?.result });
        transaction.onabort = fail;
      });
    } catch {
      // It is closed, which a transaction that has begun may hear of only now, or could not be opened: the next one opens it anew.
      if (this.#opening === opening) this.#opening = null;
      opening.then((database) => database.close(), () => {});
      return undefined;
    }
  }

  /** @returns {Promise<IDBDatabase>} */
  #open() {
    return new Promise((done, fail) => {
      const request = indexedDB.open(this.#name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(this.#store, { autoIncrement: true });
      request.onsuccess = () => done(request.result);
      request.onerror = request.onblocked = fail;
    });
  }
}
