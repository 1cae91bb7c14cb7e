// Which items are selected: a set of ids, so that it survives what changes elsewhere. Of a list that is too long to
// travel whole, everything is selected as everything except some: then the set is of those.

const MANY = 1000;

export class Selection {
  #order;
  #onChange;
  /** @type {string | null} */
  #anchor = null;
  /** @type {string[]} */
  #range = [];
  #size = 0;
  /** @type {Set<string>} */
  ids = new Set();
  /** Whether everything is selected except `ids`. */
  isInverted = false;

  /**
   * @param {() => import('./order.js').Order} order
   * @param {() => void} onChange called after each change
   */
  constructor(order, onChange) {
    this.#order = order;
    this.#onChange = onChange;
  }

  /** @param {string} id */
  has(id) {
    return this.ids.has(id) !== this.isInverted;
  }

  get size() {
    return this.isInverted ? this.#order().count - this.ids.size : this.ids.size;
  }

  /** The selected ids in the order of the list; of a list of which not all is known, those that are. */
  get inOrder() {
    const order = this.#order();
    if (!this.isInverted && this.size <= MANY) {
      return [...this.ids].map((id) => /** @type {const} */ ([order.indexOf(id), id])).sort((a, b) => a[0] - b[0]).map(([, id]) => id);
    }
    const shown = /** @type {string[]} */ (order.slice(0, order.count).filter((id) => id !== undefined && this.has(id)));
    return shown.length === this.size || this.isInverted ? shown : [...shown, ...[...this.ids].filter((id) => !order.has(id))];
  }

  /** @param {string} id */
  toggle(id) {
    this.#mark(id, !this.has(id));
    this.#anchor = id;
    this.#range = [];
    this.#changed();
  }

  /**
   * @param {string} id
   * @param {boolean} isSelected
   */
  #mark(id, isSelected) {
    if (isSelected === this.isInverted) this.ids.delete(id);
    else this.ids.add(id);
  }

  /**
   * The flat positions `[from, to)` that `extend` would select.
   * @param {string} id
   * @returns {[from: number, to: number]}
   */
  span(id, from = id) {
    const order = this.#order();
    const places = [order.has(this.#anchor) ? this.#anchor : from, id].map((one) => order.indexOf(one));
    return [Math.min(...places), Math.max(...places) + 1];
  }

  /**
   * Selects from the item that was toggled last to this one, instead of the former range.
   * @param {string} id
   */
  extend(id, from = id) {
    const order = this.#order();
    if (this.#anchor === null || !order.has(this.#anchor)) this.#anchor = from;
    for (const old of this.#range) this.#mark(old, false);
    const [first, end] = this.span(id);
    // Where everything is selected, only those within matter that are not.
    /** @param {number} at */
    const isWithin = (at) => at >= first && at < end;
    this.#range = this.isInverted ? [...this.ids].filter((one) => isWithin(order.indexOf(one))) : /** @type {string[]} */ (order.slice(first, end));
    for (const one of this.#range) this.#mark(one, true);
    this.#changed();
  }

  /** @param {boolean} unseen whether there are items that are not known */
  all(unseen) {
    const order = this.#order();
    this.set(unseen ? [] : /** @type {string[]} */ (order.slice(0, order.count)), unseen);
  }

  /** @param {Iterable<string>} ids */
  set(ids, isInverted = false) {
    this.ids = new Set(ids);
    this.isInverted = isInverted;
    this.#range = [];
    this.#changed();
  }

  clear() {
    if (this.size === 0) return;
    this.#anchor = null;
    this.set([]);
  }

  /**
   * After a change: forgets ids that are no longer in the list; of a list of which not all is known, those that it is
   * told. What has arrived is not selected.
   * @param {Iterable<string>} [gone]
   * @param {Iterable<string>} [arrived]
   */
  follow(gone = this.ids, arrived = []) {
    const order = this.#order();
    for (const id of gone) if (!order.has(id)) this.ids.delete(id);
    if (this.isInverted) for (const id of arrived) this.ids.add(id);
    if (this.size !== this.#size) this.#changed();
  }

  #changed() {
    this.#size = this.size;
    this.#onChange();
  }
}
