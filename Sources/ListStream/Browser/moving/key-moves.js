// Moving by keys: with Alt and the arrows, or in move mode.

const BURST = 400; // ms: moves with Alt that follow one another are one request

/** @typedef {Pick<import('../view/keyboard.js').Keyboard, 'destination' | 'extent'>} Keys where keys lead */
/** @typedef {Pick<import('../controller.js').Controller, 'model' | 'view' | 'focus' | 'settings' | 'takenWith'>} List */

/**
 * Where a key leads from the nth gap of a section; `rests` says how many items stay in each. Undefined if the key is no step.
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
  // A last row may not have this column.
  if (by > 0 && n - (n % columns) < rest - (rest % columns)) return [s, rest];
  const next = rests[s + Math.sign(by)];
  if (next === undefined) return [s, n];
  const column = isSideways ? 0 : n % columns;
  if (by > 0) return [s + 1, Math.min(column, next)];
  return [s - 1, isSideways ? next : Math.min(next - (next % columns) + column, next)];
}

export class KeyMoves {
  #list;
  #session;
  #mode;
  #burst = 0;

  /**
   * @param {List} list
   * @param {import('./move-session.js').MoveSession} session
   * @param {import('./move-mode.js').MoveMode} mode
   */
  constructor(list, session, mode) {
    this.#list = list;
    this.#session = session;
    this.#mode = mode;
  }

  /**
   * @param {KeyboardEvent} event
   * @param {string} id the item that has the focus
   * @param {number | undefined} to the position that the key leads to, if any
   * @param {Keys} keys
   * @returns whether the key was handled; undefined if it is not about moving
   */
  handle(event, id, to, keys) {
    if (this.#session.isActive && !this.#burst) return this.#moveMode(event, to, keys);
    if (event.altKey) return to !== undefined && this.#list.settings.reorder === true && this.#nudge(id, event, keys);
    this.end();
    return undefined;
  }

  /**
   * Moves without a mode: shown at once, sent when the burst is over.
   * @param {string} id
   * @param {KeyboardEvent} event
   * @param {Keys} keys
   */
  #nudge(id, event, keys) {
    const session = this.#session;
    if (!session.isActive) session.begin(this.#list.takenWith(id), { silent: true });
    const rest = () => {
      clearTimeout(this.#burst);
      this.#burst = setTimeout(() => this.end(), BURST);
    };
    rest();
    this.#step(event, keys, rest);
    return true;
  }

  /** Ends a burst now. */
  end() {
    if (!this.#burst) return;
    clearTimeout(this.#burst);
    this.#burst = 0;
    const session = this.#session;
    if (!session.isActive) return;
    const { items } = session;
    session.end({ silent: true });
    this.#list.view.motion.flash(items.ids);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {Keys} keys
   */
  #step(event, { extent, destination }, then = () => {}) {
    const { model: { order }, view, focus } = this.#list;
    const session = this.#session;
    const { items } = session;
    const done = () => {
      const [id] = session.items.ids;
      view.reveal(focus.id && session.items.has(focus.id) ? focus.id : id);
      then();
    };
    // “Everything but” is in no single section.
    const start = order.sections.length > 1 && order.indexPathOf(items.ids[0]);
    const gap = start && gapBeside(event.key, start, session.rests, extent.columns);
    if (gap) {
      session.tryInSection(...gap, done);
      return;
    }
    const edge = /** @type {Record<string, number | undefined>} */ ({ Home: 0, End: extent.count })[event.key];
    const count = extent.count - items.length + 1;
    const to = edge ?? destination(event, session.positionOf(), { ...extent, count });
    if (to === undefined) return;
    session.tryAt(to, done);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {number | undefined} to
   * @param {Keys} keys
   */
  #moveMode(event, to, keys) {
    if (to !== undefined) this.#step(event, keys);
    else if (event.key === 'Enter' || event.key === ' ') this.#mode.end();
    else if (event.key === 'Escape') this.#mode.cancel();
    else return event.key !== 'Tab';
    return true;
  }
}
