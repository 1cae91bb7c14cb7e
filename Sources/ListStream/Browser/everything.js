// Everything of a list that is too long to name it, except some items: what Ctrl+A selects there, and acts are done with.
// Selecting, moving or deleting it costs what is excepted, however long the list is.

import { Order, isGap } from './order.js';

export class Everything {
  #order;
  /** The version of the list that this is everything of: what arrives later is not in it. */
  version;
  /** Whether changes were missed since: then it is not known what is in it. */
  isStale = false;

  /**
   * @param order `() => Order`, as it is shown
   * @param except ids of items of that version
   */
  constructor(order, version, except) {
    this.#order = order;
    this.version = version;
    this.except = new Set(except);
  }

  /** How many items these are. */
  get length() {
    return this.#order().count - this.#rest.length;
  }

  /** Also of an item that is not known: those that are excepted are. */
  has(id) {
    return !this.except.has(id);
  }

  /** The ids that are known of it, in list order. */
  *[Symbol.iterator]() {
    const order = this.#order();
    for (const id of order.slice(0, order.count)) if (id !== undefined && this.has(id)) yield id;
  }

  toJSON() {
    return { version: this.version, except: [...this.except] };
  }

  /** Leads it to a newer version, at which some items have arrived; undefined if it is not known which have. */
  follow(version, arrived) {
    if (!arrived) this.isStale = true;
    if (this.isStale) return;
    this.version = version;
    for (const id of arrived) this.except.add(id);
  }

  get #rest() {
    return this.restIn(this.#order());
  }

  /** The flat positions of all that is not in it, ascending. */
  restIn(order) {
    return [...this.except].map((id) => order.indexOf(id)).filter((at) => at >= 0).sort((a, b) => a - b);
  }

  /** The flat position of its first item. */
  get first() {
    const rest = this.#rest;
    const n = rest.findIndex((at, place) => at !== place);
    return n < 0 ? rest.length : n;
  }

  /** The order after an act on it, with the act's `edits`; the order itself if that cannot be told. */
  perform(order, act) {
    act.edits = { items: {} };
    if (this.isStale) return order;
    const rest = this.restIn(order);
    if (act.kind === 'delete') {
      const items = rest.map((at) => order.at(at));
      return new Order(order.sections.map(({ id }) => ({ id, items: items.filter((one) => order.sectionIDOf(one) === id) })));
    }
    // To move it all to a gap is to move the rest: those before the gap to the front, the others to the end.
    const after = rest.indexOf(order.indexOf(act.after));
    const gap = after >= 0 ? after + 1 : rest.indexOf(order.indexOf(act.before));
    if (order.sections.length !== 1 || gap < 0) return order;
    const place = (n) => (n < gap ? n : order.count - rest.length + n);
    act.edits = { items: { moved: rest.map((at, n) => [order.at(at), 0, at, 0, place(n)]) } };
    const moved = copy(order);
    moved.apply(act.edits);
    return moved;
  }
}

/** An order that can be changed without changing this one. */
function copy(order) {
  return new Order(order.sections.map(({ id, count, start, blocks }) => ({
    id, count, windows: blocks.filter((block) => !isGap(block)).map((block) => [block.start - start, block.ids]),
  })));
}
