// The menu of an item: the ways to move it, and what the page adds.

import { MenuBox } from './menu-box.js';

/** @typedef {import('../model/items.js').Items} Items */
/** @typedef {import('../view/keyboard.js').Point} Point */
/** @typedef {import('./menu-box.js').Entry | null} Entry null is a line between */
/** @typedef {Pick<import('../controller.js').Controller, 'host' | 'model' | 'view' | 'focus' | 'settings' | 'strings' | 'diagnose' | 'dispatch'>} List */

/** @typedef {import('../reordering.js').Reordering} Reordering */

/** @param {import('../controller.js').Controller} list */
export const part = (list) => new Menu(list);

export class Menu extends MenuBox {
  #list;
  #model;
  /** The item that it is about, and its position. */
  #itemID = '';
  #index = 0;

  /** @param {List} list */
  constructor(list) {
    super();
    this.#list = list;
    this.#model = list.model;
  }

  /**
   * Opens the menu of an item.
   * @param {Reordering} moving
   * @param {string} id
   * @param {Items} items what the entries are about: the item, or the selection that it is part of
   * @param {Entry[]} added the page's own entries
   * @param {Element | Point | null} at what it opens beside; null: the item
   */
  about(moving, id, items, added, at) {
    this.close();
    const { host, strings, view, settings, diagnose } = this.#list;
    const entries = added.filter((entry) => {
      const isRight = !entry || (typeof entry.label === 'string' && (entry.isDisabled || typeof entry.action === 'function'));
      if (!isRight) diagnose('menu', { entry });
      return isRight;
    }).filter((entry, n, all) => entry || all[n - 1]); // one line is left of several in a row
    // A destructive entry comes last, so that nobody chooses it by mistake.
    const last = entries.at(-1)?.isDestructive ? entries.splice(-1) : [];
    if (entries.length > 0 && !entries.at(-1)) entries.pop();
    if (settings.reorder) {
      if (entries.length > 0) entries.push(null);
      entries.push(
        { label: strings.move, icon: 'M12 4v16M4 12h16M9 7l3-3 3 3M9 17l3 3 3-3M7 9l-3 3 3 3M17 9l3 3-3 3', action: () => moving.mode.start(items) },
        { label: strings.moveToStart, icon: 'M5 4h14M12 20V9M7 13l5-5 5 5', shortcut: 'Alt+Home', action: () => this.#moveTo(moving, items, 0) },
        { label: strings.moveToEnd, icon: 'M5 20h14M12 4v11M7 11l5 5 5-5', shortcut: 'Alt+End', action: () => this.#moveTo(moving, items, this.#model.order.count) },
        { label: strings.moveToPosition, icon: 'M9 4L7 20M17 4l-2 16M4 9h16M4 15h16', action: () => this.#askPosition(moving, items) },
      );
    }
    if (last.length > 0 && entries.length > 0) entries.push(null);
    entries.push(...last);
    if (!entries.some((entry) => entry)) return;
    this.#itemID = id;
    this.#index = this.#model.order.indexOf(id);
    host.addEventListener('live-list-change', this.#closeIfDeleted);
    this.open(moving.what(items), entries, host, at ?? view.rows.get(id)?.cell);
  }

  /** Closes the menu when its item is deleted elsewhere. */
  #closeIfDeleted = () => {
    if (!this.#model.order.has(this.#itemID)) this.close();
  };

  /**
   * @override
   * @param {boolean} hadFocus
   */
  closed(hadFocus) {
    this.#list.host.removeEventListener('live-list-change', this.#closeIfDeleted);
    if (hadFocus) this.#restoreFocus();
  }

  /** Gives the focus to the item of the menu, or if it is gone to the one in its position. */
  #restoreFocus() {
    const { focus } = this.#list;
    const { order } = this.#model;
    if (order.has(this.#itemID)) focus.to(this.#itemID);
    else focus.toIndex(Math.min(this.#index, order.count - 1));
  }

  /**
   * @param {Reordering} moving
   * @param {Items} items
   * @param {number} position
   */
  #moveTo(moving, items, position) {
    const { view, focus } = this.#list;
    const [id] = items.ids;
    if (id === undefined) return;
    moving.begin(items, { silent: true });
    moving.tryAt(position, () => {
      moving.end();
      view.motion.flash(items.ids);
      focus.to(id);
    });
  }

  /**
   * @param {Reordering} moving
   * @param {Items} items
   */
  #askPosition(moving, items) {
    const { strings } = this.#list;
    const dialog = document.createElement('dialog');
    dialog.className = 'll-dialog';
    dialog.setAttribute('aria-label', strings.moveToPosition);
    const form = document.createElement('form');
    form.method = 'dialog';
    const label = document.createElement('label');
    const input = document.createElement('input');
    const last = this.#model.order.count - items.length + 1;
    Object.assign(input, { type: 'number', min: 1, max: last, required: true, value: moving.positionOf(items) + 1 });
    input.inputMode = 'numeric';
    label.append(strings.position(last), input);
    const buttons = document.createElement('div');
    const cancel = Object.assign(document.createElement('button'), { type: 'button', textContent: strings.cancel });
    const done = Object.assign(document.createElement('button'), { textContent: strings.done });
    cancel.addEventListener('click', () => dialog.close());
    buttons.append(cancel, done);
    form.append(label, buttons);
    let isDone = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault(); // It is closed here, so that the move comes before the dialog's event.
      isDone = true;
      dialog.close();
      // A key between the closing and its event, such as that of undo, is about the move.
      const left = items.stillIn(this.#model.order);
      if (left.length > 0) return this.#moveTo(moving, left, Number(input.value) - 1);
      this.#restoreFocus();
      const refused = { act: '', kind: 'move', ids: items.ids, message: strings.gone, status: 404, retry: null };
      this.#list.dispatch('live-list-refused', refused);
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      if (!isDone) this.#restoreFocus();
    });
    dialog.append(form);
    this.#list.host.after(dialog);
    dialog.showModal();
    input.select();
  }
}
