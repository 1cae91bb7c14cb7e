// The stack of undo: steps that this tab has made and not taken back, newest last. Kept for the tab, so that it is there after a reload and in other albums.

import { base } from './api.js';

const KEY = `contact-sheet-undo${base}`;
const MAXIMUM_COUNT = 50;

/** @typedef {{ method: string, path: string, body?: { act?: string, [member: string]: unknown } }} Way the request that takes something back */

/**
 * A step: `id` is the first photo that left the album by it, `back` the way back of an album that was moved, `way` that of what
 * is no mutation of photos, such as a title; null where there is no way back.
 * @typedef {{ act: string, text: string, id?: string, back?: import('./albums.js').Back, way?: Way | null, album: string, title: string, at: number }} Entry
 */

export class UndoStack {
  /** @type {Entry[]} the last value, for where storage is forbidden */
  #entries = [];

  /**
   * The entries; read each time, as pages of this tab that were open meanwhile may have changed them.
   * @type {Entry[]}
   */
  get #all() {
    try {
      return JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    } catch {
      return this.#entries;
    }
  }

  set #all(entries) {
    this.#entries = entries;
    try {
      sessionStorage.setItem(KEY, JSON.stringify(entries));
    } catch {
      // Then the entries end with the page.
    }
  }

  /** The newest entry. */
  get last() {
    return this.#all.at(-1);
  }

  /** @param {Entry} entry */
  push(entry) {
    this.#all = [...this.#all, entry].slice(-MAXIMUM_COUNT);
  }

  /** Takes out the entry of a mutation, or the newest. @returns it, if there is one */
  take(mutationID = this.last?.act) {
    const all = this.#all;
    this.#all = all.filter((one) => one.act !== mutationID);
    return all.find((one) => one.act === mutationID);
  }

  /**
   * Says something else of a mutation. @returns its entry, if it is still there
   * @param {string} mutationID
   * @param {string} text
   */
  tell(mutationID, text) {
    const all = this.#all;
    const entry = all.find((one) => one.act === mutationID);
    if (entry) entry.text = text;
    this.#all = all;
    return entry;
  }

  /**
   * Puts an entry back behind all others.
   * @param {Entry} entry
   */
  putLast(entry) {
    this.#all = [entry, ...this.#all].slice(-MAXIMUM_COUNT);
  }
}
