// Move mode: an item is lifted and waits for its new position, which a tap on a tile, the arrow keys or a button gives.
// It is the way to reorder with single clicks, and the one that the item's menu leads to.

import { slotAt } from './slots.js';

/** @typedef {Pick<import('../controller.js').Controller, 'host' | 'view' | 'model' | 'focus' | 'strings'>} List */

export class MoveMode {
  #list;
  #host;
  #mover;
  /** @type {HTMLElement | null} */
  #bar = null;

  /**
   * @param {List} list
   * @param {import('./mover.js').Mover} mover
   */
  constructor(list, mover) {
    this.#list = list;
    this.#host = list.host;
    this.#mover = mover;
  }

  get isActive() {
    return this.#bar !== null;
  }

  /** @param {import('../model/items.js').Items} items */
  start(items) {
    const { strings, model } = this.#list;
    if (this.#mover.isLifted || items.length === 0) return;
    const bar = document.createElement('div');
    bar.className = 'll-bar';
    bar.setAttribute('role', 'region');
    bar.ariaLabel = strings.move;
    const text = document.createElement('p');
    text.textContent = strings.placing(this.#mover.what(items), matchMedia('(pointer: coarse)').matches);
    bar.append(
      text,
      this.#button(strings.moveToStart, () => this.#placeAt(0)),
      this.#button(strings.moveToEnd, () => this.#placeAt(model.order.count)),
      this.#button(strings.cancel, () => this.cancel()),
    );
    this.#bar = bar;
    this.#host.after(bar);
    this.#host.toggleAttribute('data-ll-placing', true);
    this.#makeRoom();
    addEventListener('resize', this.#makeRoom);
    this.#mover.lift(items);
    this.#focus(items);
  }

  /**
   * A tile was tapped: the gap is before or after it, by the half that was hit.
   * @param {MouseEvent} event
   * @param {number} index the flat position of the tile
   */
  place({ clientX, clientY }, index) {
    const slot = slotAt(this.#list.view, this.#host, clientX, clientY);
    const after = slot?.index === index ? slot.after : this.#mover.positionOf() < index;
    this.#mover.tryBeside(index, after);
    this.drop();
    return true;
  }

  /** @param {number} position */
  #placeAt(position) {
    this.#mover.placeAt(position, () => this.drop());
  }

  drop() {
    const { items } = this.#mover;
    this.end();
    this.#mover.drop();
    this.#list.view.motion.flash(items.ids);
    this.#focus(items);
  }

  cancel() {
    if (!this.isActive) return;
    const { items } = this.#mover;
    this.end();
    this.#mover.cancel();
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
  end() {
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
