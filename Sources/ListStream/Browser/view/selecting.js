// How people select: one by one, and ranges from the item that was selected last.

export class Selecting {
  #selection;
  #order;
  /** @type {string | null} */
  #anchor = null;
  /** @type {string[]} */
  #range = [];
  /** @type {Set<string> | null} the ids that the range is a part of: when others are selected it is none any more */
  #ids = null;

  /**
   * @param {import('../model/selection.js').Selection} selection
   * @param {() => import('../model/order.js').Order} order
   */
  constructor(selection, order) {
    this.#selection = selection;
    this.#order = order;
  }

  /** @param {string} id */
  toggle(id) {
    this.#mark(id, !this.#selection.has(id));
    this.#anchor = id;
    this.#ids = null;
    this.#selection.changed();
  }

  /**
   * @param {string} id
   * @param {boolean} isSelected
   */
  #mark(id, isSelected) {
    const { ids, isInverted } = this.#selection;
    if (isSelected === isInverted) ids.delete(id);
    else ids.add(id);
  }

  /**
   * The flat positions `[from, to)` that `extend` would select.
   * @param {string} id
   * @returns {[from: number, to: number]}
   */
  span(id, from = id) {
    const order = this.#order();
    const positions = [order.has(this.#anchor) ? this.#anchor : from, id].map((one) => order.indexOf(one));
    return [Math.min(...positions), Math.max(...positions) + 1];
  }

  /**
   * Selects from the item that was toggled last to this one, instead of the former range.
   * @param {string} id
   */
  extend(id, from = id) {
    const { ids, isInverted } = this.#selection;
    const order = this.#order();
    if (this.#anchor === null || !order.has(this.#anchor)) this.#anchor = from;
    if (this.#ids === ids) for (const old of this.#range) this.#mark(old, false);
    const [first, end] = this.span(id);
    // Where everything is selected, only the excepted items within matter.
    /** @param {number} at */
    const isWithin = (at) => at >= first && at < end;
    this.#range = isInverted ? [...ids].filter((one) => isWithin(order.indexOf(one))) : /** @type {string[]} */ (order.slice(first, end));
    this.#ids = ids;
    for (const one of this.#range) this.#mark(one, true);
    this.#selection.changed();
  }

  clear() {
    this.#anchor = null;
    this.#selection.set([]);
  }
}
