// The rows in the document: their items, nodes and positions.
// Nodes of items that stay are never made anew; as few nodes as possible are moved (difference.js).

import { staying } from '../model/difference.js';

const POOL = 60;

/** @typedef {HTMLElement & { row?: Row | null }} RowNode */

/**
 * A row that should be in the document: an item, a header (no `id`) or a row that is still to come.
 * @typedef {object} Entry
 * @property {string} key
 * @property {string | null} id
 * @property {boolean} [isWaiting]
 * @property {number} index
 * @property {number} section
 * @property {number} ordinal
 * @property {number} [count]
 * @property {number} x
 * @property {number} y
 * @property {number} shift
 * @property {number} width
 * @property {number} height
 */

/**
 * One mounted row: an item (`id`), the header of a section, or the slot of an item that is still to come.
 * @typedef {object} Row
 * @property {RowNode} node
 * @property {HTMLElement} cell
 * @property {string} key
 * @property {string | null} id
 * @property {boolean} isWaiting
 * @property {number} index
 * @property {number} section
 * @property {number} ordinal
 * @property {number | undefined} count of a header's section
 * @property {number} x
 * @property {number} y
 * @property {string} shown the position of its node, as style
 * @property {Animation | null} animation
 */

export class Rows {
  #canvas;
  #list;
  /** @type {Map<string | null, Row>} */
  #mounted = new Map();
  /** @type {Row[]} */
  #pool = [];
  /** Counts of DOM operations, for the tests of minimal moves. */
  counts = { inserted: 0, removed: 0, moved: 0 };

  /**
   * @param {HTMLElement} canvas
   * @param {{ draw(row: Row): void, discard(row: Row): void }} list `draw(row)` draws the content of a row into its cell; `discard(row)` is called before its node is put away
   */
  constructor(canvas, list) {
    this.#canvas = canvas;
    this.#list = list;
  }

  get size() {
    return this.#mounted.size;
  }

  /** @param {string | null} id */
  get(id) {
    return this.#mounted.get(id);
  }

  [Symbol.iterator]() {
    return this.#mounted.values();
  }

  /**
   * The row that an event's target is in.
   * @param {EventTarget | null} target
   */
  rowOf(target) {
    /** @type {RowNode | null} */
    const node = target instanceof Element ? target.closest('[data-ll-row]') : null;
    return node?.parentNode === this.#canvas ? node?.row : undefined;
  }

  /**
   * Makes the document hold exactly `wanted`, in this order: entries `{key, id, section, index, x, y, width,
   * height}`. Those in `stale` are drawn again; those in `fresh` get a new node.
   * @param {Entry[]} wanted
   * @param {{ stale?: Set<string>, fresh?: Set<string> }} options
   * @returns {Row[]} rows that left; their nodes are still in the document, and belong to the caller
   */
  sync(wanted, { stale = none, fresh = none } = {}) {
    const keys = new Set(wanted.map(({ key }) => key));
    /** @type {Row[]} */
    const left = [];
    for (const [key, row] of /** @type {Map<string, Row>} */ (this.#mounted)) {
      if (keys.has(key) && !fresh.has(key)) continue;
      this.#mounted.delete(key);
      left.push(row);
      this.counts.removed++;
    }
    /** @type {Row[]} */
    const drawn = [];
    const rows = wanted.map((entry) => {
      let row = this.#mounted.get(entry.key);
      if (!row) {
        row = this.#make(entry);
        this.#mounted.set(entry.key, row);
        drawn.push(row);
      } else if (stale.has(entry.key) || row.count !== entry.count) {
        drawn.push(row);
      }
      row.count = entry.count; // of a header's section: headers say it
      this.#place(row, entry);
      return row;
    });
    this.#arrange(rows);
    for (const row of drawn) this.#list.draw(row);
    return left;
  }

  /**
   * Puts the nodes of rows that left away; they may be used again.
   * @param {Row[]} rows
   */
  release(rows) {
    for (const row of rows) {
      row.animation?.cancel();
      this.#list.discard(row);
      row.node.remove();
      row.node.row = null;
      if (row.id !== null && this.#pool.length < POOL) this.#pool.push(row);
    }
  }

  /** Drops the nodes that were kept for use, when cells are drawn in another way. */
  drain() {
    this.#pool = [];
  }

  /** @param {Entry} entry */
  #make(entry) {
    let row = entry.id === null ? undefined : this.#pool.pop();
    if (row) {
      row.shown = '';
      row.node.removeAttribute('style');
      row.node.className = row.cell.className = '';
    } else {
      /** @type {RowNode} */
      const node = document.createElement('div');
      const cell = document.createElement('div');
      node.setAttribute('role', 'row');
      const isHeader = entry.id === null && !entry.isWaiting;
      node.dataset.llRow = entry.isWaiting ? 'waiting' : isHeader ? 'header' : 'item';
      if (entry.isWaiting) node.ariaBusy = 'true';
      cell.setAttribute('role', isHeader ? 'rowheader' : 'gridcell');
      cell.dataset.llCell = '';
      node.append(cell);
      row = /** @type {Row} */ (/** @type {unknown} */ ({ node, cell }));
    }
    row.key = entry.key;
    row.id = entry.id;
    row.isWaiting = entry.isWaiting === true;
    row.node.row = row;
    return row;
  }

  /**
   * @param {Row} row
   * @param {Entry} entry
   */
  #place(row, { index, section, ordinal, x, y, shift, width, height }) {
    row.index = index;
    row.section = section;
    row.x = x;
    row.y = y;
    const shown = `${x},${y - shift},${width},${height}`;
    if (row.shown !== shown) {
      row.shown = shown;
      const { style } = row.node;
      // Headers are in the flow, so that they can be sticky.
      if (row.count !== undefined) style.margin = `${y - shift}px 0 0 ${x}px`;
      else style.transform = `translate(${x}px,${y - shift}px)`;
      style.width = `${width}px`;
      style.height = `${height}px`;
    }
    if (row.ordinal !== ordinal) {
      row.ordinal = ordinal;
      row.node.setAttribute('aria-rowindex', `${ordinal}`);
    }
  }

  /**
   * Brings the nodes into the order of `rows`, moving as few as can be.
   * @param {Row[]} rows
   */
  #arrange(rows) {
    const canvas = this.#canvas;
    const now = new Map();
    let n = 0;
    for (let node = canvas.firstElementChild; node; node = node.nextElementSibling) now.set(node, n++);
    const stays = staying(rows.map(({ node }) => now.get(node) ?? -1));
    /** @type {Node | null} */
    let next = null;
    for (let r = rows.length - 1; r >= 0; r--) {
      const { node } = rows[r];
      if (!now.has(node)) {
        canvas.insertBefore(node, next);
        this.counts.inserted++;
      } else if (!stays[r]) {
        move(canvas, node, next);
        this.counts.moved++;
      }
      next = node;
    }
  }
}

/** The controls in a cell, as a selector; a link to the item is none. */
export const CONTROL = 'button, a[href]:not([data-live-list-link]), input, select, textarea';

/**
 * Returns what has the focus in the document or shadow root of a node.
 * @param {Node} node
 */
export const focusedBeside = (node) => /** @type {Document} */ (node.getRootNode()).activeElement;

/** @type {Set<string>} */
const none = new Set();

/**
 * Moves a node without losing its state: with `moveBefore` where there is one, else with focus restored.
 * @param {HTMLElement} parent
 * @param {HTMLElement} node
 * @param {Node | null} next
 */
function move(parent, node, next) {
  if (parent.moveBefore) {
    parent.moveBefore(node, next);
    return;
  }
  const activeElement = focusedBeside(parent);
  const focused = /** @type {HTMLElement | null} */ (node.contains(activeElement) ? activeElement : null);
  parent.insertBefore(node, next);
  focused?.focus({ preventScroll: true });
}
