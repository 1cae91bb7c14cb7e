// Move mode: an item is lifted and waits for its new position, which a tap on a tile, the arrow keys or a button gives.
// It is the way to reorder with single clicks, and the one that the item's menu leads to.

import { slotAt } from './slots.js';

export class MoveMode {
  #list;
  #host;
  #bar = null;

  constructor(list, host) {
    this.#list = list;
    this.#host = host;
  }

  get isActive() {
    return this.#bar !== null;
  }

  start(ids) {
    const { mover, strings } = this.#list;
    if (mover.isLifted || ids.length === 0) return;
    const what = ids.length === 1 ? this.#list.labelOf(ids[0]) : strings.items(ids.length);
    const bar = document.createElement('div');
    bar.className = 'll-bar';
    bar.setAttribute('role', 'region');
    bar.ariaLabel = strings.move;
    const text = document.createElement('p');
    text.textContent = strings.placing(what, matchMedia('(pointer: coarse)').matches);
    bar.append(
      text,
      this.#button(strings.moveToStart, () => this.#placeAt(0)),
      this.#button(strings.moveToEnd, () => this.#placeAt(this.#list.model.order.count)),
      this.#button(strings.cancel, () => this.cancel()),
    );
    this.#bar = bar;
    this.#host.after(bar);
    this.#host.toggleAttribute('data-ll-placing', true);
    this.#makeRoom();
    addEventListener('resize', this.#makeRoom);
    mover.lift(ids);
    this.#focus(ids);
  }

  /** A tile was tapped: the gap is before or after it, by the half that was hit. */
  place(row, { clientX, clientY }) {
    const { view, mover } = this.#list;
    const slot = slotAt(view, this.#host, clientX, clientY);
    const after = slot?.index === row.index ? slot.after : mover.position < row.index;
    mover.tryBeside(row.index, after);
    this.drop();
  }

  #placeAt(position) {
    this.#list.mover.placeAt(position, () => this.drop());
  }

  drop() {
    const { mover } = this.#list;
    const { ids } = mover;
    this.end();
    mover.drop();
    this.#list.flash(ids);
    this.#focus(ids);
  }

  cancel() {
    if (!this.isActive) return;
    const { ids } = this.#list.mover;
    this.end();
    this.#list.mover.cancel();
    this.#focus(ids);
  }

  /** Lets the list end where the bar begins, so that no item is behind it. */
  #makeRoom = () => {
    const { style } = this.#host;
    style.maxHeight = '';
    const { bottom } = this.#host.getBoundingClientRect();
    const covered = bottom - this.#bar.getBoundingClientRect().top;
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

  #focus([id = this.#list.activeID]) {
    this.#list.focusItem(id);
  }

  #button(label, action) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.addEventListener('click', action);
    button.addEventListener('keydown', (event) => event.key === 'Escape' && this.cancel());
    return button;
  }
}
