// The keyboard: focus, selection, and moving with Alt and the arrows or in move mode.

const BURST = 400; // ms: moves with Alt that follow one another are one request

/** Where each key leads from an item: its flat position → another. */
function destination(event, index, { columns, pageRows, count }) {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
  if (step !== undefined) {
    const to = index + step;
    // A row that is not full ends where it ends.
    if (event.key === 'ArrowDown' && to >= count) return Math.max(index, count - 1);
    return to < 0 || to >= count ? index : to;
  }
  switch (event.key) {
    case 'Home':
      return event.ctrlKey || event.metaKey || columns === 1 ? 0 : index - (index % columns);
    case 'End':
      if (event.ctrlKey || event.metaKey || columns === 1) return count - 1;
      return Math.min(count - 1, index - (index % columns) + columns - 1);
    case 'PageUp':
      return Math.max(index % columns, index - pageRows * columns);
    case 'PageDown':
      return Math.min(count - 1, index + pageRows * columns);
    default:
      return undefined;
  }
}

export class Keyboard {
  #list;
  #burst = 0;

  constructor(list, host) {
    this.#list = list;
    host.addEventListener('keydown', (event) => {
      const row = list.view.rows.rowOf(event.target);
      if (!row || row.id === null || event.defaultPrevented || event.isComposing) return;
      // Inside a cell, its own controls have the keys; Escape leads back out.
      if (event.target !== row.cell) {
        if (event.key === 'Escape') row.cell.focus();
        return;
      }
      if (this.#handle(event, row)) event.preventDefault();
    });
  }

  #handle(event, row) {
    const { mover, selection } = this.#list;
    if (this.#list.drag.isActive) return false;
    const to = destination(event, this.#list.goal ?? row.index, this.#extent);
    if (mover.isLifted && !this.#burst) return this.#moveMode(event, to);
    if (event.altKey) return to !== undefined && this.#list.canReorder && this.#nudge(row, event);
    this.settle();
    if (to !== undefined) {
      const extends_ = event.shiftKey && this.#list.canSelect;
      this.#list.focusAt(to, (id) => extends_ && this.#list.extendSelection(id, row.id));
      return true;
    }
    switch (event.key) {
      case ' ':
        if (!this.#list.canSelect) return false;
        if (event.shiftKey) this.#list.extendSelection(row.id);
        else selection.toggle(row.id);
        this.#list.announcer.say(this.#list.strings.selected(selection.size));
        return true;
      case 'a':
        if (!(event.ctrlKey || event.metaKey) || !this.#list.canSelect) return false;
        this.#list.selectAll(() => this.#list.announcer.say(this.#list.strings.selected(selection.size)));
        return true;
      case 'Escape':
        if (selection.size === 0) return false;
        selection.clear();
        return true;
      case 'Enter':
        this.#list.activate(row.id);
        return true;
      case 'Delete':
        return this.#list.askDelete(mover.takenWith(row.id));
      case 'F10':
      case 'ContextMenu':
        if (event.key === 'F10' && !event.shiftKey) return false;
        return this.#list.openMenu(row.id, null);
      default:
        return false;
    }
  }

  get #extent() {
    const { view, model } = this.#list;
    const pageRows = Math.max(1, Math.floor(view.viewport / view.layout.pitch));
    return { columns: view.columns, pageRows, count: model.order.count };
  }

  /** Moves without a mode: shown at once, sent when the burst is over. */
  #nudge(row, event) {
    const { mover } = this.#list;
    if (!mover.isLifted) mover.lift(mover.takenWith(row.id), { silent: true });
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
    const { mover } = this.#list;
    const { count, ...extent } = this.#extent;
    const toEdge = { Home: 0, End: count }[event.key];
    const places = count - mover.ids.length + 1;
    const to = toEdge ?? destination(event, mover.position, { ...extent, count: places });
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
