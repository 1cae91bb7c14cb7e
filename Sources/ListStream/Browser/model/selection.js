// Which items are selected: a set of ids, so that it survives what changes elsewhere. In a long list everything but some can be
// selected: then the set has those. How users select is in selecting.js.

const MANY = 1000;

export class Selection {
  #order;
  #onChange;
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

  /** @param {Iterable<string>} ids */
  set(ids, isInverted = false) {
    this.ids = new Set(ids);
    this.isInverted = isInverted;
    this.changed();
  }

  /**
   * Follows a change: forgets ids that have left the list (in a long list: those in `gone`). What has arrived is not selected.
   * @param {Iterable<string>} [gone]
   * @param {Iterable<string>} [arrived]
   */
  follow(gone = this.ids, arrived = []) {
    const order = this.#order();
    for (const id of gone) if (!order.has(id)) this.ids.delete(id);
    if (this.isInverted) for (const id of arrived) this.ids.add(id);
    if (this.size !== this.#size) this.changed();
  }

  /** Reports a change of `ids`. */
  changed() {
    this.#size = this.size;
    this.#onChange();
  }
}
