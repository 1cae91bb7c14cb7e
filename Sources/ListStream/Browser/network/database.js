// A store in IndexedDB, of entries with numbered keys. It may vanish at any time: a browser that is told to forget a site closes
// the databases of its pages. Then it is made anew; where storage is forbidden, nothing is kept.

/** ms before each try: a browser that is just closing a database refuses for a moment to open it anew */
const PAUSES = [0, 0, 100, 400];

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
   * @returns {Promise<any>} of whatever was stored there
   */
  async run(mode, work) {
    // An aborted transaction has kept nothing, so it can be tried again.
    for (const pause of PAUSES) {
      if (pause > 0) await new Promise((done) => setTimeout(done, pause));
      const done = await this.#try(mode, work);
      if (done) return done.result;
    }
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
      // The database was closed, which a running transaction may learn only now, or could not be opened: the next one opens it anew.
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
