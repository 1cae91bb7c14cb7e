// The menu of an item: the ways to move it, and what the page adds.

export class Menu {
  #list;
  #host;
  #menu = null;
  #back = null;
  #at = 0;
  #watcher = null;

  constructor(list, host) {
    this.#list = list;
    this.#host = host;
  }

  /**
   * @param ids what the entries are about: the item, or the selection that it is part of
   * @param added the page's own entries
   * @param at an element or a point to open beside; null: the item
   */
  open(id, ids, added, at) {
    this.close();
    const { strings, model, view } = this.#list;
    const entries = added.filter((entry) => {
      const isRight = !entry || (typeof entry.label === 'string' && (entry.isDisabled || typeof entry.action === 'function'));
      if (!isRight) this.#list.diagnose('menu', { entry });
      return isRight;
    });
    if (this.#list.canReorder) {
      if (entries.length > 0) entries.push(null);
      entries.push(
        { label: strings.move, action: () => this.#list.startMoving(ids) },
        { label: strings.moveToStart, action: () => this.#moveTo(ids, 0) },
        { label: strings.moveToEnd, action: () => this.#moveTo(ids, model.order.count) },
        { label: strings.moveToPosition, action: () => this.#askPosition(ids) },
      );
    }
    if (!entries.some((entry) => entry)) return;
    this.#back = id;
    this.#at = model.order.indexOf(id);
    const menu = (this.#menu = document.createElement('div'));
    menu.className = 'll-menu';
    menu.setAttribute('role', 'menu');
    menu.ariaLabel = ids.length === 1 ? this.#list.labelOf(id) : strings.items(ids.length);
    // Not `auto`: a menu that a press has opened would be dismissed by the release of the button.
    menu.popover = 'manual';
    menu.tabIndex = -1;
    menu.append(...entries.map((entry) => (entry ? this.#item(entry) : separator())));
    menu.addEventListener('keydown', (event) => this.#key(event));
    menu.addEventListener('focusout', ({ relatedTarget }) => relatedTarget && this.#leave({ target: relatedTarget }));
    addEventListener('pointerdown', this.#press, { capture: true });
    this.#host.addEventListener('live-list-change', this.#seeWhetherGone);
    this.#host.after(menu);
    menu.showPopover();
    this.#put(menu, at ?? view.rows.get(id)?.cell);
    menu.querySelector('[role=menuitem]').focus();
    // The gesture or button with which a system goes back.
    this.#watcher = globalThis.CloseWatcher && new CloseWatcher();
    this.#watcher?.addEventListener('close', () => this.close());
  }

  // In a shadow root, the window hears only of its host.
  #press = (event) => this.#leave({ target: event.composedPath()[0] });

  #leave = ({ target }) => {
    if (this.#menu && !this.#menu.contains(target)) this.close();
  };

  /** What is done with an item ends when it is deleted elsewhere. */
  #seeWhetherGone = () => {
    if (!this.#list.model.order.has(this.#back)) this.close();
  };

  get #focused() {
    return this.#host.getRootNode().activeElement;
  }

  close() {
    const menu = this.#menu;
    this.#menu = null;
    if (!menu) return;
    removeEventListener('pointerdown', this.#press, { capture: true });
    this.#host.removeEventListener('live-list-change', this.#seeWhetherGone);
    this.#watcher?.destroy();
    const hadFocus = menu.contains(this.#focused);
    menu.remove();
    if (hadFocus) this.#giveBack();
  }

  /** Gives the focus to the item that the menu was about, or where it is gone to that in its position. */
  #giveBack() {
    const { order } = this.#list.model;
    if (order.has(this.#back)) this.#list.focusItem(this.#back);
    else this.#list.focusAt(Math.min(this.#at, order.count - 1));
  }

  #moveTo(ids, position) {
    const { mover } = this.#list;
    const [id] = ids;
    if (id === undefined) return;
    mover.lift(ids, { silent: true });
    mover.placeAt(position, () => {
      mover.drop();
      this.#list.flash(ids);
      this.#list.focusItem(id);
    });
  }

  #askPosition(ids) {
    const { strings, model } = this.#list;
    const [id] = ids;
    const dialog = document.createElement('dialog');
    dialog.className = 'll-dialog';
    dialog.setAttribute('aria-label', strings.moveToPosition);
    const form = document.createElement('form');
    form.method = 'dialog';
    const label = document.createElement('label');
    const input = document.createElement('input');
    const last = model.order.count - ids.length + 1;
    Object.assign(input, { type: 'number', min: 1, max: last, required: true, value: (ids.first ?? model.order.indexOf(id)) + 1 });
    input.inputMode = 'numeric';
    label.append(strings.position(last), input);
    const buttons = document.createElement('div');
    const cancel = Object.assign(document.createElement('button'), { type: 'button', textContent: strings.cancel });
    const done = Object.assign(document.createElement('button'), { textContent: strings.done });
    cancel.addEventListener('click', () => dialog.close());
    buttons.append(cancel, done);
    form.append(label, buttons);
    form.addEventListener('submit', (event) => {
      event.preventDefault(); // else the button's value, which is none, becomes the answer
      dialog.close('done');
    });
    dialog.append(form);
    dialog.addEventListener('close', () => {
      const left = Array.isArray(ids) ? ids.filter((one) => model.order.has(one)) : ids;
      dialog.remove();
      if (left.length > 0 && dialog.returnValue === 'done') this.#moveTo(left, Number(input.value) - 1);
      else this.#giveBack();
    });
    this.#host.after(dialog);
    dialog.showModal();
    input.select();
  }

  #item({ label, action, isDestructive = false, isDisabled = false }) {
    const item = document.createElement('button');
    item.type = 'button';
    item.setAttribute('role', 'menuitem');
    item.tabIndex = -1;
    item.textContent = label;
    item.disabled = isDisabled;
    item.classList.toggle('ll-destructive', isDestructive);
    item.addEventListener('click', () => {
      this.close();
      action();
    });
    return item;
  }

  #key(event) {
    const items = [...this.#menu.querySelectorAll('[role=menuitem]:not(:disabled)')];
    const now = items.indexOf(this.#focused);
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 }[event.key];
    if (to !== undefined) items.at(to % items.length).focus();
    else if (event.key === 'Escape' || event.key === 'Tab') this.close();
    else if (event.key.length === 1) {
      const key = event.key.toLowerCase();
      const next = [...items.slice(now + 1), ...items].find((item) => item.textContent.toLowerCase().startsWith(key));
      next?.focus();
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #put(menu, at) {
    const point = at instanceof Element ? { x: at.getBoundingClientRect().left, y: at.getBoundingClientRect().bottom } : at;
    const { x = 0, y = 0 } = point ?? {};
    const { offsetWidth: width, offsetHeight: height } = menu;
    menu.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
    menu.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`;
  }
}

function separator() {
  const node = document.createElement('div');
  node.setAttribute('role', 'separator');
  return node;
}
