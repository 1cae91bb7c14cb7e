// Keys and clicks: focus, selection, the menu. Moving by keys is in key-moves.js. Fetched when there are items.

/** Where each key leads from an item: its flat position → another. */
export function destination({ key, ctrlKey, metaKey }, index, { columns, pageRows, count }) {
  const last = count - 1;
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key];
  if (step !== undefined) {
    const to = index + step;
    // A row that is not full ends where it ends.
    if (key === 'ArrowDown' && to > last) return Math.max(index, last);
    return to < 0 || to > last ? index : to;
  }
  const column = index % columns;
  const isOfList = ctrlKey || metaKey || columns === 1;
  if (key === 'Home') return isOfList ? 0 : index - column;
  if (key === 'End') return isOfList ? last : Math.min(last, index - column + columns - 1);
  // With Control these two are the browser's: another tab.
  if (ctrlKey) return undefined;
  if (key === 'PageUp') return Math.max(column, index - pageRows * columns);
  if (key === 'PageDown') return Math.min(last, index + pageRows * columns);
  return undefined;
}

export class Keyboard {
  #list;

  constructor(list) {
    this.#list = list;
  }

  /** Returns where a key leads from an item: the flat position of another. */
  destination = destination;

  /** Takes a key that was pressed in the list. */
  take(event) {
    const row = this.#list.view.rows.rowOf(event.target);
    if (!row || row.id === null || event.defaultPrevented || event.isComposing) return;
    // Inside a cell, its own controls have the keys; Escape leads back out.
    if (event.target !== row.cell) {
      if (event.key === 'Escape') row.cell.focus();
      return;
    }
    if (this.#handle(event, row)) event.preventDefault();
  }

  /** Takes the focus that something in the list has got. */
  focused({ target }) {
    const row = this.#list.view.rows.rowOf(target);
    if (!row || row.id === null) return;
    this.#list.setActive(row.id);
    // A press on a link gives it the focus, but the keys are the cell's.
    if (target.matches('[data-live-list-link]')) row.cell.focus({ preventScroll: true });
  }

  /** Takes a click in the list. */
  click(event) {
    const list = this.#list;
    const row = list.view.rows.rowOf(event.target);
    if (!row || row.id === null) return;
    const { shiftKey } = event;
    const hasKey = event.ctrlKey || event.metaKey;
    if (event.target.closest('[data-live-list-link]')) {
      // With a key a link is the browser's, to open it elsewhere, unless keys select.
      if (!list.canSelect && (hasKey || shiftKey)) return;
      event.preventDefault();
    }
    if (list.moveMode.isActive) {
      list.moveMode.place(row, event);
      return;
    }
    if (event.target.closest('[data-live-list-menu]')) {
      this.openMenu(row.id, event.target);
      return;
    }
    if (event.target.closest('[data-live-list-select]')) {
      if (shiftKey) this.#extend(row.id);
      else list.selection.toggle(row.id);
      return;
    }
    if (event.target.closest('[data-live-list-handle]')) {
      list.startMoving(list.takenWith(row.id));
      return;
    }
    if (list.isControl(event.target)) return;
    list.focusItem(row.id);
    if (list.canSelect && shiftKey) this.#extend(row.id);
    else if (list.canSelect && (hasKey || list.settings.editing)) list.selection.toggle(row.id);
    else this.#activate(row.id);
  }

  #handle(event, row) {
    const { selection } = this.#list;
    if (this.#list.drag.isActive) return false;
    const to = destination(event, this.#list.goal ?? row.index, this.extent);
    const isMove = this.#list.keyMoves.handle(event, row, to);
    if (isMove !== undefined) return isMove;
    if (event.altKey) return false;
    if (to !== undefined) {
      const extends_ = event.shiftKey && this.#list.canSelect;
      this.#list.focusAt(to, (id) => extends_ && this.#extend(id, row.id));
      return true;
    }
    switch (event.key) {
      case ' ':
        if (!this.#list.canSelect) return false;
        if (event.shiftKey) this.#extend(row.id);
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
        this.#activate(row.id);
        return true;
      case 'Backspace':
        if (!/^Mac|^iP/.test(navigator.platform)) return false;
      // Falls through: it is what a Mac's key of that name sends.
      case 'Delete':
        return this.#delete(this.#list.takenWith(row.id));
      case 'F10':
      case 'ContextMenu':
        if (event.key === 'F10' && !event.shiftKey) return false;
        return this.openMenu(row.id, null);
      default:
        return false;
    }
  }

  /** Takes a right click, or what asks for a menu otherwise. */
  askForMenu(event) {
    const row = this.#list.view.rows.rowOf(event.target);
    if (!row || row.id === null || event.defaultPrevented || this.#list.drag.isActive) return;
    if (this.openMenu(row.id, { x: event.clientX, y: event.clientY })) event.preventDefault();
  }

  /** Opens the menu of an item. @returns whether there is one */
  openMenu(id, anchor) {
    const ids = this.#list.takenWith(id);
    const { menuItems } = this.#list.settings;
    let entries = (menuItems && this.#list.ask(id, () => menuItems(ids), undefined, 'menu')) ?? [];
    if (!Array.isArray(entries)) {
      this.#list.diagnose('menu', { entries });
      entries = [];
    }
    if (entries.length === 0 && !this.#list.canReorder) return false;
    this.#list.withReordering(() => this.#list.menu.open(id, ids, entries, anchor));
    return true;
  }

  #activate(id) {
    if (this.#list.settings.editing && this.#list.canSelect) this.#list.selection.toggle(id);
    else this.#list.tell('live-list-activate', { id });
  }

  #delete(ids) {
    if (!this.#list.settings.deletes) return false;
    this.#list.act('delete', { ids });
    return true;
  }

  /** Selects from the item that was selected last to this one, whether those between are known yet or not. */
  #extend(id, from) {
    const list = this.#list;
    const extend = () => list.selection.extend(id, from);
    if (list.selection.isInverted) extend();
    else list.known(...list.selection.span(id, from), extend, undefined, true);
  }

  get extent() {
    const { view, model } = this.#list;
    const pageRows = Math.max(1, Math.floor(view.viewport / view.layout.pitch));
    return { columns: view.columns, pageRows, count: model.order.count };
  }
}
