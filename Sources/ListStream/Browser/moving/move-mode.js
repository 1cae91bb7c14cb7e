// Move mode: an item waits for its new position, which a tap on a tile, the arrow keys or a button gives.
// It allows reordering with single clicks; the item's menu starts it.

import { slotAt } from './slots.js';

/** @typedef {Pick<import('../controller.js').Controller, 'host' | 'view' | 'model' | 'focus' | 'strings'>} List */

export class MoveMode {
  #list;
  #host;
  #session;
  /** @type {HTMLElement | null} */
  #bar = null;

  /**
   * @param {List} list
   * @param {import('./move-session.js').MoveSession} session
   */
  constructor(list, session) {
    this.#list = list;
    this.#host = list.host;
    this.#session = session;
  }

  get isActive() {
    return this.#bar !== null;
  }

  /** @param {import('../model/items.js').Items} items */
  start(items) {
    const { strings, model } = this.#list;
    if (this.#session.isActive || items.length === 0) return;
    const bar = document.createElement('div');
    bar.className = 'll-bar';
    bar.setAttribute('role', 'region');
    bar.ariaLabel = strings.move;
    const text = document.createElement('p');
    text.textContent = strings.placing(this.#session.what(items), matchMedia('(pointer: coarse)').matches);
    bar.append(
      text,
      this.#button(strings.moveToStart, () => this.#tryAt(0)),
      this.#button(strings.moveToEnd, () => this.#tryAt(model.order.count)),
      this.#button(strings.cancel, () => this.cancel()),
    );
    this.#bar = bar;
    this.#host.after(bar);
    this.#host.toggleAttribute('data-ll-placing', true);
    this.#makeRoom();
    addEventListener('resize', this.#makeRoom);
    this.#session.begin(items);
    this.#focus(items);
  }

  /**
   * A tile was tapped: the gap is before or after it, by the half that was hit.
   * @param {MouseEvent} event
   * @param {number} index the flat position of the tile
   */
  place({ clientX, clientY }, index) {
    const slot = slotAt(this.#list.view, this.#host, clientX, clientY);
    const after = slot?.index === index ? slot.after : this.#session.positionOf() < index;
    this.#session.tryBeside(index, after);
    this.end();
    return true;
  }

  /** @param {number} position */
  #tryAt(position) {
    this.#session.tryAt(position, () => this.end());
  }

  end() {
    const { items } = this.#session;
    this.close();
    this.#session.end();
    this.#list.view.motion.flash(items.ids);
    this.#focus(items);
  }

  cancel() {
    if (!this.isActive) return;
    const { items } = this.#session;
    this.close();
    this.#session.cancel();
    this.#focus(items);
  }

  /** Lets the list end where the bar begins, so that no item is behind it. */
  #makeRoom = () => {
    const { style } = this.#host;
    style.maxHeight = '';
    const { bottom } = this.#host.getBoundingClientRect();
    const covered = bottom - /** @type {HTMLElement} */ (this.#bar).getBoundingClientRect().top;
    if (covered > 0) style.maxHeight = `${Math.max(0, this.#host.clientHeight - covered)}px`;
    this.#list.view.resized();
  };

  /** Puts the bar away. */
  close() {
    if (!this.#bar) return;
    removeEventListener('resize', this.#makeRoom);
    this.#host.style.maxHeight = '';
    this.#bar.remove();
    this.#bar = null;
    this.#host.removeAttribute('data-ll-placing');
  }

  /** @param {import('../model/items.js').Items} items */
  #focus({ ids: [id] }) {
    const { focus } = this.#list;
    focus.to(id ?? focus.id);
  }

  /**
   * @param {string} label
   * @param {() => void} action
   */
  #button(label, action) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.addEventListener('click', action);
    button.addEventListener('keydown', (event) => event.key === 'Escape' && this.cancel());
    return button;
  }
}
