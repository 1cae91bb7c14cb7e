// Which items are selected: a set of ids, so that it survives what changes elsewhere.

const MANY = 1000;

export class Selection {
  #order;
  #onChange;
  #anchor = null;
  #range = [];
  ids = new Set();

  /**
   * @param order `() => Order`
   * @param onChange called after each change
   */
  constructor(order, onChange) {
    this.#order = order;
    this.#onChange = onChange;
  }

  has(id) {
    return this.ids.has(id);
  }

  get size() {
    return this.ids.size;
  }

  /** The selected ids in the order of the list. */
  get inOrder() {
    const order = this.#order();
    if (this.size > MANY) {
      const shown = order.slice(0, order.count).filter((id) => this.ids.has(id));
      return shown.length === this.size ? shown : [...shown, ...[...this.ids].filter((id) => !order.has(id))];
    }
    return [...this.ids].map((id) => [order.indexOf(id), id]).sort((a, b) => a[0] - b[0]).map(([, id]) => id);
  }

  toggle(id) {
    if (!this.ids.delete(id)) this.ids.add(id);
    this.#anchor = id;
    this.#range = [];
    this.#onChange();
  }

  /** The flat positions `[from, to)` that `extend` would select. */
  span(id, from = id) {
    const order = this.#order();
    const places = [order.has(this.#anchor) ? this.#anchor : from, id].map((one) => order.indexOf(one));
    return [Math.min(...places), Math.max(...places) + 1];
  }

  /** Selects from the item that was toggled last to this one, in place of the range of before. */
  extend(id, from = id) {
    const order = this.#order();
    if (this.#anchor === null || !order.has(this.#anchor)) this.#anchor = from;
    for (const old of this.#range) this.ids.delete(old);
    this.#range = order.slice(...this.span(id));
    for (const one of this.#range) this.ids.add(one);
    this.#onChange();
  }

  all() {
    const order = this.#order();
    this.set(order.slice(0, order.count));
  }

  set(ids) {
    this.ids = new Set(ids);
    this.#range = [];
    this.#onChange();
  }

  clear() {
    if (this.ids.size === 0) return;
    this.#anchor = null;
    this.set([]);
  }

  /** Forgets ids that are no longer in the list; of a list of which not all is known, those that it is told. */
  prune(gone) {
    const order = this.#order();
    const before = this.ids.size;
    for (const id of gone ?? this.ids) if (!order.has(id)) this.ids.delete(id);
    if (this.ids.size !== before) this.#onChange();
  }
}
