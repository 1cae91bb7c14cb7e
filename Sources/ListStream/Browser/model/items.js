// The items that an operation is about, by their ids. In a long list they can also be all but these: a class of its own
// (long-lists/all-except.js).

/** @typedef {string[] | (Items & Iterable<string> & { 0?: string })} PageItems */
/** @typedef {import('./order.js').Order} Order */
/** @typedef {import('./order.js').LocatedItem} LocatedItem */
/** @typedef {import('./order.js').Edits} Edits */
/** @typedef {import('./order.js').ItemEdits} ItemEdits */

/**
 * Where items should go: after an item, or else before one, or else to the end of a section.
 * @typedef {object} Destination
 * @property {string | null} [after]
 * @property {string | null} [before]
 * @property {string} [section]
 */

/**
 * A move or a deletion, as it is done to an order.
 * @typedef {Destination & { kind: 'move' | 'delete', items: Items, edits?: Edits, under?: Order }} Mutation
 */

export class Items {
  /** @type {PageItems} what pages are given for them: an array, or what goes through the ids that are here */
  ids;
  /** @type {Iterable<string>} the ids that it takes to say which these are */
  named;
  #ids;
  /** @type {Set<string> | undefined} */
  #set;
  /** @type {boolean | undefined} whether these are all but the ones that are named */
  isInverted;
  /** @type {boolean | undefined} whether changes were missed since: then it is not known which these are */
  isStale;

  /** @param {string[]} ids in list order */
  constructor(ids) {
    this.ids = this.named = this.#ids = ids;
  }

  /**
   * Returns the items that a page names: by an array of ids, or by an object that the list gave it.
   * @param {unknown} ids
   * @throws {TypeError} if they are neither, or none
   */
  static of(ids) {
    const items = Array.isArray(ids) && ids.every((id) => typeof id === 'string') ? new Items([...ids]) : ids;
    if (items instanceof Items && items.length > 0) return items;
    throw new TypeError(`live-list: not an array of ids: ${JSON.stringify(ids)}`);
  }

  /**
   * Returns the members of a request that name these items.
   * @returns {object}
   */
  get body() {
    return { ids: this.#ids };
  }

  /** How many these are. */
  get length() {
    return this.#ids.length;
  }

  /** @param {string} id */
  has(id) {
    return (this.#set ??= new Set(this.#ids)).has(id);
  }

  /**
   * Returns those that are in an order.
   * @param {Order} order
   * @returns {Items}
   */
  stillIn(order) {
    const ids = this.#ids.filter((id) => order.has(id));
    return ids.length < this.#ids.length ? new Items(ids) : this;
  }

  /**
   * Takes note of a newer version, with the ids that have arrived in it; undefined if they are not known.
   * @param {string | null} [version]
   * @param {string[]} [arrived]
   */
  follow(version, arrived) {}

  /**
   * Performs a mutation of them on an order, and stores the mutation's `edits` if the outcome is known.
   * @param {Order} order
   * @param {Mutation} mutation
   * @returns {Order} the order after it, which may be another
   */
  perform(order, mutation) {
    mutation.edits = { items: mutation.kind === 'delete' ? { deleted: this.#indexPathsIn(order) } : this.#move(order, mutation) };
    order.apply(mutation.edits);
    return order;
  }

  /**
   * The edits of a move: side by side after the item `after`, or else before `before`, or else at the end of the section `section`.
   * No edits if none of these is there.
   * @param {Order} order
   * @param {Destination} destination
   * @returns {ItemEdits}
   */
  #move(order, { after, before, section }) {
    const moving = this.#indexPathsIn(order);
    /** @param {string | null | undefined} id */
    const beside = (id) => (id == null || this.has(id) ? null : order.indexPathOf(id));
    let target = beside(after);
    if (target) target[1]++;
    else target = beside(before);
    const n = order.sections.findIndex(({ id }) => id === section);
    if (!target && n >= 0) target = [n, order.sections[n].count];
    if (!target || moving.length === 0) return {};
    const [s, i] = target;
    const start = i - moving.filter(([, s1, i1]) => s1 === s && i1 < i).length;
    return { moved: moving.map(([id, s1, i1], n) => [id, s1, i1, s, start + n]) };
  }

  /** @param {Order} order */
  #indexPathsIn(order) {
    return this.stillIn(order).#ids.map((id) => /** @type {LocatedItem} */ ([id, ...(order.indexPathOf(id) ?? [])]));
  }
}

/** No items. */
export const none = new Items([]);
