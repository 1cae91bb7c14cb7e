// Keeps the focus: Tab reaches one item, which has the focus again after it moves.

import { focusedBeside } from './rows.js';

/** @typedef {Pick<import('../controller.js').Controller, 'host' | 'model' | 'view' | 'known'>} List */

/**
 * Brings the focus back after a change. `id` is that of the item that had it, `next` that of the one that has it then: null for none.
 * While that one is not known its position is the `goal`.
 * @typedef {(() => void) & { id?: string | null, next?: string | null, goal?: number }} Return
 */

export class Focus {
  /** @type {string | null} the item that is reached by Tab */
  id = null;
  /** @type {number | null} the flat position that the focus goes to when the item there is known; null if it is where it should be */
  goal = null;
  #list;

  /** @param {List} list */
  constructor(list) {
    this.#list = list;
  }

  /**
   * Brings an item into view and gives it the focus.
   * @param {string | null} id
   */
  to(id) {
    const { view } = this.#list;
    this.goal = null;
    this.become(id);
    view.reveal(id);
    view.rows.get(id)?.cell.focus({ preventScroll: true });
  }

  /**
   * The same for a flat position, when the item there is known; then calls back with its id.
   * @param {number} index
   * @param {(id: string) => void} [then]
   */
  toIndex(index, then = () => {}) {
    const { model, view, known } = this.#list;
    const isThere = Number.isInteger(index) && index >= 0 && index < model.order.count;
    this.goal = model.loaded && !isThere ? null : index;
    // Before the first frame only the goal is stored.
    if (!model.loaded || this.goal === null) return;
    view.revealAt(index);
    known(index, index + 1, () => {
      const id = model.order.at(index);
      if (this.goal !== index || id === undefined) return;
      then(id);
      this.to(id);
    });
  }

  /**
   * Makes an item the one that is reached by Tab.
   * @param {string | null} id
   */
  become(id) {
    if (this.id === id) return;
    const { rows } = this.#list.view;
    const before = rows.get(this.id);
    if (before) before.cell.tabIndex = -1;
    this.id = id;
    const now = rows.get(id);
    if (now) now.cell.tabIndex = 0;
  }

  /** One item can always be reached by Tab: that which had the focus, or the first that is known. */
  seeToTabStop() {
    const { model: { order }, view } = this.#list;
    if (order.has(this.id)) return;
    this.id = order.at(0) ?? [...view.rows].find(({ id }) => id !== null)?.id ?? null;
  }

  /**
   * Remembers where the focus is. @returns a function that brings it back after a change: to the other node of the item;
   * if it is gone, to the item in its position; if none is left, to the list, until one comes
   * @returns {Return}
   */
  remember() {
    const { host, model, view } = this.#list;
    const row = view.rows.rowOf(focusedBeside(host));
    const { id = null, index = 0 } = row ?? {};
    if (id === null && !host.matches('[data-empty]:focus')) return () => {};
    /** @type {Return} */
    const restore = () => {
      const { order } = model;
      const now = view.rows.get(id);
      if (order.has(id)) {
        if (now !== row) now?.cell.focus({ preventScroll: true });
        return;
      }
      restore.next = null;
      restore.goal = Math.min(index, order.count - 1);
      if (order.count) this.toIndex(restore.goal, (next) => (restore.next = next));
      else {
        host.tabIndex = -1;
        host.focus({ preventScroll: true });
      }
    };
    return Object.assign(restore, { id, next: id });
  }
}
