// Keeps unsaved mutations beyond their page, in IndexedDB: the next page of this origin takes them over.
// Each page holds a lock for its own, which the browser releases when the page ends. Where there are no locks (a page that is
// not a secure context) a new page takes all there is: a mutation that is sent twice is performed once.

import { Database } from './database.js';
import { uuid } from '../uuid.js';

const page = uuid();
/** @type {Map<string, Store>} */
const stores = new Map();

/** @typedef {import('./outbox.js').About} About */
/** @typedef {{ page: string, act: string, made: number, about: About }} Stored */
/** @typedef {Stored & { key: number }} Left what a page has left */

/**
 * The store of a name, the same for all lists of the page.
 * @param {string} name
 */
export function openStore(name) {
  const store = stores.get(name) ?? new Store(name);
  stores.set(name, store);
  return store;
}

export class Store {
  #name;
  #database;
  #isNew = true;
  #isHolding = false;

  /** @param {string} name */
  constructor(name) {
    this.#name = name;
    this.#database = new Database(name, 'mutations');
  }

  /**
   * Stores a mutation. @returns a promise of its key; of undefined if there was no room
   * @param {string} mutationID
   * @param {About} about
   * @returns {Promise<number | undefined>}
   */
  async add(mutationID, about) {
    this.#hold();
    // A copy of now: an `AllExcept` changes with each version, for as long as this page is there.
    const plain = JSON.parse(JSON.stringify({ ...about, url: new URL(about.url, document.baseURI) }));
    const value = { page, act: mutationID, made: Date.now(), about: plain };
    return this.#database.run('readwrite', (store) => store.add(value));
  }

  /**
   * Forgets a mutation that was answered.
   * @param {number | undefined} key
   */
  async remove(key) {
    if (key !== undefined) await this.#database.run('readwrite', (store) => store.delete(key));
  }

  /** Takes over what closed pages have left. @returns it, oldest first */
  async takeLeft() {
    const isNew = this.#isNew;
    this.#isNew = false;
    const pages = new Set((await this.#all()).map((one) => one.page));
    pages.delete(page);
    /** @type {Left[]} */
    const taken = [];
    for (const other of pages) {
      if (navigator.locks) {
        await navigator.locks.request(this.#lock(other), { ifAvailable: true }, async (lock) => {
          if (lock) taken.push(...(await this.#takeFrom(other)));
        });
      } else if (isNew) {
        taken.push(...(await this.#takeFrom(other)));
      }
    }
    return taken.sort((one, other) => one.key - other.key);
  }

  /** @param {string} other */
  async #takeFrom(other) {
    const left = (await this.#all()).filter((one) => one.page === other);
    this.#hold();
    for (const { key, ...value } of left) {
      await this.#database.run('readwrite', (store) => store.put({ ...value, page }, key));
    }
    return left;
  }

  /** @returns {Promise<Left[]>} */
  async #all() {
    const [values, keys] = await Promise.all([
      this.#database.run('readonly', (store) => store.getAll()), this.#database.run('readonly', (store) => store.getAllKeys()),
    ]);
    return (values ?? []).map((/** @type {Stored} */ value, /** @type {number} */ n) => ({ ...value, key: keys?.[n] }));
  }

  /** @param {string} of */
  #lock(of) {
    return `live-list outbox ${this.#name} ${of}`;
  }

  /** Takes this page's lock, so that no other page takes over what it keeps while it lives. */
  #hold() {
    if (this.#isHolding || !navigator.locks) return;
    this.#isHolding = true;
    navigator.locks.request(this.#lock(page), () => new Promise(() => {})).catch(() => {});
  }
}
