// Moving by keys: with Alt and the arrows, or in move mode.

const BURST = 400; // ms: moves with Alt that follow one another are one request

/** @typedef {Pick<import('../view/keyboard.js').Keyboard, 'destination' | 'extent'>} Keys where keys lead */
/** @typedef {Pick<import('../controller.js').Controller, 'model' | 'view' | 'focus' | 'settings' | 'takenWith'>} List */

/**
 * Where a key leads from the nth gap of a section, by how many items stay in each; undefined if the key is no step.
 * @param {string} key
 * @param {[section: number, n: number]} gap
 * @param {number[]} rests
 * @param {number} columns
 * @returns {[section: number, n: number] | undefined}
 */
function gapBeside(key, [s, n], rests, columns) {
  if (key === 'Home') return [0, 0];
  if (key === 'End') return [rests.length - 1, rests[rests.length - 1]];
  const by = /** @type {Record<string, number | undefined>} */ ({ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns })[key];
  if (!by) return undefined;
  const isSideways = key === 'ArrowLeft' || key === 'ArrowRight';
  const [to, rest] = [n + by, rests[s]];
  if (to >= 0 && to <= rest) return [s, to];
  // A row that is not full ends where it ends.
  if (by > 0 && n - (n % columns) < rest - (rest % columns)) return [s, rest];
  const next = rests[s + Math.sign(by)];
  if (next === undefined) return [s, n];
  const column = isSideways ? 0 : n % columns;
  if (by > 0) return [s + 1, Math.min(column, next)];
  return [s - 1, isSideways ? next : Math.min(next - (next % columns) + column, next)];
}

export class KeyMoves {
  #list;
  #mover;
  #mode;
  #burst = 0;

  /**
   * @param {List} list
   * @param {import('./mover.js').Mover} mover
   * @param {import('./move-mode.js').MoveMode} mode
   */
  constructor(list, mover, mode) {
    this.#list = list;
    this.#mover = mover;
    this.#mode = mode;
  }

  /**
   * @param {KeyboardEvent} event
   * @param {string} id the item that has the focus
   * @param {number | undefined} to the position that the key leads to, if any
   * @param {Keys} keys
   * @returns whether the key is used up; undefined if it is not about moving
   */
  handle(event, id, to, keys) {
    if (this.#mover.isLifted && !this.#burst) return this.#moveMode(event, to, keys);
    if (event.altKey) return to !== undefined && this.#list.settings.reorder === true && this.#nudge(id, event, keys);
    this.settle();
    return undefined;
  }

  /**
   * Moves without a mode: shown at once, sent when the burst is over.
   * @param {string} id
   * @param {KeyboardEvent} event
   * @param {Keys} keys
   */
  #nudge(id, event, keys) {
    const mover = this.#mover;
    if (!mover.isLifted) mover.lift(this.#list.takenWith(id), { silent: true });
    const rest = () => {
      clearTimeout(this.#burst);
      this.#burst = setTimeout(() => this.settle(), BURST);
    };
    rest();
    this.#step(event, keys, rest);
    return true;
  }

  /** Ends a burst now. */
  settle() {
    if (!this.#burst) return;
    clearTimeout(this.#burst);
    this.#burst = 0;
    const mover = this.#mover;
    if (!mover.isLifted) return;
    const { items } = mover;
    mover.drop({ silent: true });
    this.#list.view.motion.flash(items.ids);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {Keys} keys
   */
  #step(event, { extent, destination }, then = () => {}) {
    const { model: { order }, view, focus } = this.#list;
    const mover = this.#mover;
    const { items } = mover;
    const done = () => {
      const [id] = mover.items.ids;
      view.reveal(focus.id && mover.items.has(focus.id) ? focus.id : id);
      then();
    };
    // Everything is in no section of its own.
    const start = order.sections.length > 1 && order.placeOf(items.ids[0]);
    const gap = start && gapBeside(event.key, start, mover.rests, extent.columns);
    if (gap) {
      mover.placeIn(...gap, done);
      return;
    }
    const edge = /** @type {Record<string, number | undefined>} */ ({ Home: 0, End: extent.count })[event.key];
    const places = extent.count - items.length + 1;
    const to = edge ?? destination(event, mover.positionOf(), { ...extent, count: places });
    if (to === undefined) return;
    mover.placeAt(to, done);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {number | undefined} to
   * @param {Keys} keys
   */
  #moveMode(event, to, keys) {
    if (to !== undefined) this.#step(event, keys);
    else if (event.key === 'Enter' || event.key === ' ') this.#mode.drop();
    else if (event.key === 'Escape') this.#mode.cancel();
    else return event.key !== 'Tab';
    return true;
  }
}
