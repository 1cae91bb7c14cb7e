// Everything of a list that is too long to name it, except some items: what Ctrl+A selects there, and mutations can be about.
// Selecting, moving or deleting it costs what is excepted, however long the list is.

import { Items } from '../model/items.js';
import { Order, isGap } from '../model/order.js';

/** @param {import('../controller.js').Controller} list */
export const part = ({ model, selection }) => () => new AllExcept(() => model.order, model.version, selection.ids);

export class AllExcept extends Items {
  #order;
  /** The version of the list that this means: what arrives later is not in it. */
  version;
  isInverted = true;

  /**
   * @param {() => Order} order as it is shown
   * @param {string | null} version
   * @param {Iterable<string>} except ids of items of that version
   */
  constructor(order, version, except) {
    super([]);
    this.#order = order;
    this.version = version;
    this.except = new Set(except);
    this.ids = this;
    this.named = this.except;
  }

  /** @override */
  get body() {
    return { all: this };
  }

  /**
   * How many items these are.
   * @override
   */
  get length() {
    return this.#order().count - this.#rest.length;
  }

  /**
   * Also for items that are not known: the excepted ones are.
   * @override
   * @param {string} id
   */
  has(id) {
    return !this.except.has(id);
  }

  /** @override */
  stillIn() {
    return this;
  }

  /** Those of its ids that are known, in list order. */
  *[Symbol.iterator]() {
    const order = this.#order();
    for (const id of order.slice(0, order.count)) if (id !== undefined && this.has(id)) yield id;
  }

  toJSON() {
    return { version: this.version, except: [...this.except] };
  }

  /**
   * Moves it to a newer version, with the ids that have arrived since; undefined if they are not known.
   * @override
   * @param {string | null} [version]
   * @param {string[]} [arrived]
   */
  follow(version, arrived) {
    this.isStale ||= !arrived;
    if (!arrived || this.isStale) return;
    this.version = version ?? null;
    for (const id of arrived) this.except.add(id);
  }

  get #rest() {
    return this.restIn(this.#order());
  }

  /**
   * The flat positions of the items that are not in it, ascending.
   * @param {Order} order
   */
  restIn(order) {
    return [...this.except].map((id) => order.indexOf(id)).filter((at) => at >= 0).sort((a, b) => a - b);
  }

  /** The flat position of its first item. */
  get first() {
    const rest = this.#rest;
    const n = rest.findIndex((at, index) => at !== index);
    return n < 0 ? rest.length : n;
  }

  /**
   * Returns the order after a mutation of it, and stores the mutation's `edits`; the order itself, and no edits, if the outcome is not known.
   * @override
   * @param {Order} order
   * @param {import('../model/items.js').Mutation} mutation
   */
  perform(order, mutation) {
    mutation.edits = undefined;
    if (this.isStale) return order;
    const rest = this.restIn(order);
    if (mutation.kind === 'delete') {
      mutation.edits = { items: {} };
      const items = rest.map((at) => String(order.at(at)));
      return new Order(order.sections.map(({ id }) => ({ id, items: items.filter((one) => order.sectionIDOf(one) === id) })));
    }
    // Moving it to a gap means moving the rest: the items before the gap to the front, the others to the end.
    const after = rest.indexOf(order.indexOf(mutation.after));
    const gap = after >= 0 ? after + 1 : rest.indexOf(order.indexOf(mutation.before));
    if (order.sections.length !== 1 || gap < 0) return order;
    /** @param {number} n */
    const target = (n) => (n < gap ? n : order.count - rest.length + n);
    mutation.edits = { items: { moved: rest.map((at, n) => [String(order.at(at)), 0, at, 0, target(n)]) } };
    const moved = copy(order);
    moved.apply(mutation.edits);
    return moved;
  }
}

/**
 * Returns a copy of an order.
 * @param {Order} order
 */
function copy(order) {
  return new Order(order.sections.map(({ id, count, start, blocks }) => ({
    id, count, windows: blocks.flatMap((block) => (isGap(block) ? [] : [[block.start - start, block.ids]])),
  })));
}
