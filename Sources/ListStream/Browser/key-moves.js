// Moving by keys: with Alt and the arrows, or in move mode.

const BURST = 400; // ms: moves with Alt that follow one another are one request

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
    const toEdge = { Home: 0, End: count }[event.key];
    const places = count - mover.ids.length + 1;
    const to = toEdge ?? keyboard.destination(event, mover.position, { ...extent, count: places });
    if (to === undefined) return;
    mover.placeAt(to, () => {
      const [id] = mover.ids;
      this.#list.view.reveal(mover.has(this.#list.activeID) ? this.#list.activeID : id);
      then();
    });
  }

  #moveMode(event, to) {
    const { mover } = this.#list;
    if (to !== undefined) this.#step(event);
    else if (event.key === 'Enter' || event.key === ' ') this.#list.moveMode.drop();
    else if (event.key === 'Escape') this.#list.moveMode.cancel();
    else return event.key !== 'Tab';
    return mover.isLifted || true;
  }
}
