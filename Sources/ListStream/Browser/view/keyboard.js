// Keys and clicks: focus, selection, the menu. Moving by keys is in key-moves.js. Fetched when there are items.

import { CONTROL } from './rows.js';
import { Selecting } from './selecting.js';

/** @typedef {import('./rows.js').Row & { id: string }} ItemRow */
/** @typedef {{ x: number, y: number }} Point of the screen */

/**
 * How many columns there are, rows in a page, and items.
 * @typedef {{ columns: number, pageRows: number, count: number }} Extent
 */

/** @param {import('../controller.js').Controller} list */
export const part = (list) => new Keyboard(list);

/**
 * Where each key leads from an item: its flat position → another.
 * @param {KeyboardEvent} event
 * @param {number} index
 * @param {Extent} extent
 */
export function destination({ key, ctrlKey, metaKey }, index, { columns, pageRows, count }) {
  const last = count - 1;
  const step = /** @type {Record<string, number | undefined>} */ ({ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns })[key];
  if (step !== undefined) {
    const to = index + step;
    // A last row may not have this column.
    if (key === 'ArrowDown' && to > last) return Math.max(index, last);
    return to < 0 || to > last ? index : to;
  }
  const column = index % columns;
  const isOfList = ctrlKey || metaKey || columns === 1;
  if (key === 'Home') return isOfList ? 0 : index - column;
  if (key === 'End') return isOfList ? last : Math.min(last, index - column + columns - 1);
  // With Control these two change the browser's tab.
  if (ctrlKey) return undefined;
  if (key === 'PageUp') return Math.max(column, index - pageRows * columns);
  if (key === 'PageDown') return Math.min(last, index + pageRows * columns);
  return undefined;
}

/**
 * @typedef {Pick<import('../controller.js').Controller, 'host' | 'model' | 'view' | 'selection' | 'focus' | 'cells' | 'mutations' | 'moving' | 'settings' | 'strings'
 *   | 'announcer' | 'known' | 'dispatch' | 'diagnose' | 'parts' | 'takenWith' | 'selectAll' | 'withMoving'>} List
 */

export class Keyboard {
  #list;
  #selecting;

  /** @param {List} list */
  constructor(list) {
    this.#list = list;
    this.#selecting = new Selecting(list.selection, () => list.model.order);
  }

  /** Returns where a key leads from an item: the flat position of another. */
  destination = destination;

  /** @type {{ id?: string, to: string | null }} the item that late events were of, and where they have led */
  #late = { to: null };

  /**
   * Handles an event of the list.
   * @param {Event} event
   * @param {Element} target of the event: a late event has lost it, if it is in a shadow root
   * @param {ItemRow} row
   * @param {string} id of the item that the row showed then
   * @param {boolean} isLate whether it happened before this part was here
   */
  take(event, target, row, id, isLate) {
    if (!isLate) {
      if (row.id === id) this.#take(event, target, row);
      return;
    }
    if (this.#late.id !== id) this.#late = { id, to: null };
    // Keys that waited go on from one another, as the focus could not follow them.
    const to = event.type === 'keydown' && target === row.cell && /** @type {ItemRow | undefined} */ (this.#list.view.rows.get(this.#late.to));
    if (to) this.#take(event, to.cell, to);
    else if (row.id === id) this.#take(event, target, row);
    this.#late.to = this.#list.focus.id;
  }

  /**
   * @param {Event} event
   * @param {Element} target
   * @param {ItemRow} row
   */
  #take(event, target, row) {
    if (event instanceof KeyboardEvent) this.#press(event, target, row);
    else if (event.type === 'focusin') {
      this.#list.focus.become(row.id);
      // A press on a link gives it the focus, but keys belong to the cell.
      if (target.matches('[data-live-list-link]')) row.cell.focus({ preventScroll: true });
    } else if (event.type === 'click') this.#click(/** @type {MouseEvent} */ (event), target, row);
    else if (!this.#list.moving?.isDragging) {
      const { clientX: x, clientY: y } = /** @type {MouseEvent} */ (event);
      if (this.openMenu(row.id, { x, y })) event.preventDefault();
    }
  }

  /**
   * @param {KeyboardEvent} event
   * @param {Element} target
   * @param {ItemRow} row
   */
  #press(event, target, row) {
    if (event.isComposing) return;
    // Inside a cell, its own controls have the keys; Escape leads back out.
    if (target !== row.cell) {
      if (event.key === 'Escape') row.cell.focus();
      return;
    }
    if (this.#handle(event, row)) event.preventDefault();
  }

  /**
   * @param {MouseEvent} event
   * @param {Element} target
   * @param {ItemRow} row
   */
  #click(event, target, row) {
    const { id } = row;
    const list = this.#list;
    const { settings } = list;
    const { shiftKey } = event;
    const hasKey = event.ctrlKey || event.metaKey;
    if (target.closest('[data-live-list-link]')) {
      // With a modifier the browser opens a link elsewhere, unless modifiers select.
      if (!settings.selectable && (hasKey || shiftKey)) return;
      event.preventDefault();
    }
    if (list.moving?.takeClick(event, row.index)) return;
    if (target.closest('[data-live-list-menu]')) {
      this.openMenu(id, target);
      return;
    }
    if (target.closest('[data-live-list-select]')) {
      if (shiftKey) this.#extend(id);
      else this.#selecting.toggle(id);
      return;
    }
    if (target.closest('[data-live-list-handle]')) {
      const items = list.takenWith(id);
      list.withMoving(({ mode }) => mode.start(items));
      return;
    }
    if (target.closest(CONTROL)) return;
    list.focus.to(id);
    if (settings.selectable && shiftKey) this.#extend(id);
    else if (settings.selectable && (hasKey || settings.editing)) this.#selecting.toggle(id);
    else this.#activate(id);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {ItemRow} row
   * @returns whether the key was handled
   */
  #handle(event, row) {
    const list = this.#list;
    const { selection, focus, moving, settings } = list;
    const { id } = row;
    if (moving?.isDragging) return false;
    const to = destination(event, focus.goal ?? row.index, this.extent);
    const isMove = moving?.takeKey(event, id, to, this);
    if (isMove !== undefined) return isMove;
    if (event.altKey) {
      const isLate = !moving && settings.reorder === true && to !== undefined;
      if (isLate) list.withMoving((late) => list.model.order.has(id) && late.takeKey(event, id, to, this));
      return isLate;
    }
    if (to !== undefined) {
      focus.toIndex(to, (other) => event.shiftKey && settings.selectable && this.#extend(other, id));
      return true;
    }
    const say = () => list.announcer.say(list.strings.selected(selection.size));
    switch (event.key) {
      case ' ':
        if (!settings.selectable) return false;
        if (event.shiftKey) this.#extend(id);
        else this.#selecting.toggle(id);
        say();
        return true;
      case 'a':
        if (!(event.ctrlKey || event.metaKey) || !settings.selectable) return false;
        list.selectAll(say);
        return true;
      case 'Escape':
        if (selection.size === 0) return false;
        this.#selecting.clear();
        return true;
      case 'Enter':
        this.#activate(id);
        return true;
      case 'Backspace':
        if (!/^Mac|^iP/.test(navigator.platform)) return false;
      // Falls through: a Mac's Delete key sends `Backspace`.
      case 'Delete':
        if (!settings.deletes) return false;
        list.mutations.do('delete', { ids: list.takenWith(id) });
        return true;
      case 'F10':
      case 'ContextMenu':
        return (event.key !== 'F10' || event.shiftKey) && this.openMenu(id, null);
      default:
        return false;
    }
  }

  /**
   * Opens the menu of an item.
   * @param {string} id
   * @param {Element | Point | null} anchor what it opens beside; null: the item
   * @returns whether there is one
   */
  openMenu(id, anchor) {
    const list = this.#list;
    const { menuItems, reorder } = list.settings;
    const items = list.takenWith(id);
    let entries = (menuItems && list.cells.ask(id, () => menuItems(items.ids), undefined, 'menu')) ?? [];
    if (!Array.isArray(entries)) {
      list.diagnose('menu', { entries });
      entries = [];
    }
    const added = /** @type {import('../moving/menu.js').Entry[]} */ (entries);
    if (!added.length && !reorder) return false;
    list.withMoving((moving) => list.parts.use('moving/menu', (menu) => menu.about(moving, id, items, added, anchor), true));
    return true;
  }

  /** @param {string} id */
  #activate(id) {
    const { settings, dispatch } = this.#list;
    if (settings.editing && settings.selectable) this.#selecting.toggle(id);
    else dispatch('live-list-activate', { id });
  }

  /**
   * Selects from the item that was selected last to this one, whether those between are known yet or not.
   * @param {string} id
   * @param {string} [from]
   */
  #extend(id, from) {
    const { selection, known } = this.#list;
    const extend = () => this.#selecting.extend(id, from);
    if (selection.isInverted) extend();
    else known(...this.#selecting.span(id, from), extend, undefined, true);
  }

  get extent() {
    const { view, model } = this.#list;
    const pageRows = Math.max(1, Math.floor(view.viewport / view.layout.pitch));
    return { columns: view.columns, pageRows, count: model.order.count };
  }
}
