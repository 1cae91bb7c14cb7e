// Moving by keys: with Alt and the arrows, or in move mode.

const BURST = 400; // ms: moves with Alt that follow one another are one request

/** Where a key leads from the nth gap of a section, by how many items stay in each: `[section, n]`; undefined if the key is no step. */
function gapBeside(key, [s, n], rests, columns) {
  if (key === 'Home') return [0, 0];
  if (key === 'End') return [rests.length - 1, rests.at(-1)];
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key];
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
  #burst = 0;

  constructor(list) {
    this.#list = list;
  }

  /**
   * @param to the position that the key leads to, if any
   * @returns whether the key is used up; undefined if it is not about moving
   */
  handle(event, row, to) {
    const { mover } = this.#list;
    if (mover.isLifted && !this.#burst) return this.#moveMode(event, to);
    if (event.altKey) return to !== undefined && this.#list.canReorder && this.#nudge(row, event);
    this.settle();
    return undefined;
  }

  /** Moves without a mode: shown at once, sent when the burst is over. */
  #nudge(row, event) {
    const { mover } = this.#list;
    if (!mover.isLifted) mover.lift(this.#list.takenWith(row.id), { silent: true });
    const rest = () => {
      clearTimeout(this.#burst);
      this.#burst = setTimeout(() => this.settle(), BURST);
    };
    rest();
    this.#step(event, rest);
    return true;
  }

  /** Ends a burst now. */
  settle() {
    if (!this.#burst) return;
    clearTimeout(this.#burst);
    this.#burst = 0;
    const { mover } = this.#list;
    if (!mover.isLifted) return;
    const { ids } = mover;
    mover.drop({ silent: true });
    this.#list.flash(ids);
  }

  #step(event, then = () => {}) {
    const { mover, keyboard } = this.#list;
    const { count, ...extent } = keyboard.extent;
    const { order } = this.#list.model;
    const done = () => {
      const [id] = mover.ids;
      this.#list.view.reveal(mover.has(this.#list.activeID) ? this.#list.activeID : id);
      then();
    };
    const gap = order.sections.length > 1 && Array.isArray(mover.ids)
      && gapBeside(event.key, order.placeOf(mover.ids[0]), mover.rests, extent.columns);
    if (gap) {
      mover.placeIn(...gap, done);
      return;
    }
    const toEdge = { Home: 0, End: count }[event.key];
    const places = count - mover.ids.length + 1;
    const to = toEdge ?? keyboard.destination(event, mover.position, { ...extent, count: places });
    if (to === undefined) return;
    mover.placeAt(to, done);
  }

  #moveMode(event, to) {
    if (to !== undefined) this.#step(event);
    else if (event.key === 'Enter' || event.key === ' ') this.#list.moveMode.drop();
    else if (event.key === 'Escape') this.#list.moveMode.cancel();
    else return event.key !== 'Tab';
    return true;
  }
}
