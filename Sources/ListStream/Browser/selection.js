// Which items are selected: a set of ids, so that it survives what changes elsewhere.

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
    return [...this.ids].map((id) => [order.indexOf(id), id]).sort((a, b) => a[0] - b[0]).map(([, id]) => id);
  }

  toggle(id) {
    if (!this.ids.delete(id)) this.ids.add(id);
    this.#anchor = id;
    this.#range = [];
    this.#onChange();
  }

  /** Selects from the item that was toggled last to this one, in place of the range of before. */
  extend(id, from = id) {
    const order = this.#order();
    if (this.#anchor === null || !order.has(this.#anchor)) this.#anchor = from;
    for (const old of this.#range) this.ids.delete(old);
    const [a, b] = [order.indexOf(this.#anchor), order.indexOf(id)];
    this.#range = order.slice(Math.min(a, b), Math.max(a, b) + 1);
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

  /** Forgets ids that are no longer in the list. */
  prune() {
    const order = this.#order();
    const before = this.ids.size;
    for (const id of this.ids) if (!order.has(id)) this.ids.delete(id);
    if (this.ids.size !== before) this.#onChange();
  }
}
