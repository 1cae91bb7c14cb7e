// Reordering by pointer: mouse and pen after a few pixels, touch after a long press, a handle at once.

import { Autoscroll, speedAt } from './autoscroll.js';
import { Preview } from './preview.js';
import { takePresses } from '../view/press.js';
import { CONTROL } from '../view/rows.js';
import { dropTargetAt, screenPointOf, slotAt } from './slots.js';

const START_DISTANCE = 4; // px, mouse and pen
const LONG_PRESS = 250; // ms, touch
const SLOP = 8; // px that a finger may move during a long press
const MAXIMUM_MAKING_ROOM = 100; // visible tiles; beyond, a line shows the gap

/**
 * A press that may become a drag.
 * @typedef {{ id: string, pointer: number, type: string, x: number, y: number, handle: Element | null, timer: number }} Press
 */

/** @typedef {import('../view/keyboard.js').Point} Point */
/** @typedef {Pick<import('../controller.js').Controller, 'host' | 'model' | 'view' | 'settings' | 'parts' | 'known' | 'measured' | 'takenWith' | 'dispatch' | 'press'>} List */

export class Drag {
  #list;
  #host;
  #view;
  #session;
  #mode;
  #endKeyMove;
  /** @type {Press | null} */
  #press = null;
  /** @type {Preview | null} */
  #preview = null;
  /** @type {Point | null} */
  #at = null;
  /** @type {HTMLElement | null} */
  #line = null;
  /** @type {import('./slots.js').Slot | null} */
  #slot = null;
  /** Whether it is over a row that is still to come. */
  #isUnsure = false;
  /** @type {Element | null} */
  #over = null;
  #autoscroll = new Autoscroll((distance) => this.#scroll(distance));
  #swallowClick = false;
  /** @type {(Press & { isStill: boolean }) | null} where a finger was let go, whose touch has not ended yet */
  #released = null;
  /** Whether it was dropped where rows are still to come. */
  #isEnding = false;

  /**
   * @param {List} list
   * @param {import('./move-session.js').MoveSession} session
   * @param {import('./move-mode.js').MoveMode} mode
   * @param {() => void} endKeyMove ends what keys are moving
   */
  constructor(list, session, mode, endKeyMove) {
    const { host } = list;
    this.#list = list;
    this.#host = host;
    this.#view = list.view;
    this.#session = session;
    this.#mode = mode;
    this.#endKeyMove = endKeyMove;
    takePresses(list, (event) => this.#down(event), (event) => this.#move(event), (event) => this.#up(event));
    host.addEventListener('pointercancel', () => this.#isEnding || this.cancel());
    // A drag begins by taking the finger's implicit capture from its target: that loss does not end it.
    host.addEventListener('lostpointercapture', ({ target }) => target === host && !this.#isEnding && this.cancel());
    // Not passive: it keeps the page from scrolling, but only while something is dragged.
    host.addEventListener('touchmove', (event) => this.#preview && event.cancelable && event.preventDefault(), { passive: false });
    // The end of a drag by finger is no click, not even on what has appeared under it.
    host.addEventListener('touchend', (event) => this.#touchEnded(event), { passive: false });
    host.addEventListener('contextmenu', (event) => this.#press?.type === 'touch' && event.preventDefault());
    host.addEventListener('dragstart', (event) => event.preventDefault());
    host.addEventListener('click', (event) => this.#click(event), { capture: true });
    host.addEventListener('scroll', () => this.#scrolled());
  }

  get isActive() {
    return this.#preview !== null;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    this.#swallowClick = false;
    if (this.#press) {
      this.cancel(); // a second finger
      return;
    }
    const row = this.#view.rows.rowOf(event.target);
    if (!row || row.id === null || event.button !== 0 || !this.#list.settings.reorder) return;
    const target = /** @type {Element} */ (event.target);
    const handle = target.closest('[data-live-list-handle]');
    if (!handle && target.closest(CONTROL)) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { pointerId: pointer, pointerType: type, clientX: x, clientY: y } = event;
    this.#press = { id: row.id, pointer, type, x, y, handle, timer: 0 };
    addEventListener('blur', this.#leave);
    addEventListener('keydown', this.#key, { capture: true });
    if (handle && type === 'touch') this.#begin();
    else if (type === 'touch') this.#press.timer = setTimeout(() => this.#begin(), LONG_PRESS);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const press = this.#press;
    if (!press || event.pointerId !== press.pointer || this.#isEnding) return;
    this.#list.measured('drag', () => {
      this.#at = { x: event.clientX, y: event.clientY };
      const distance = Math.hypot(event.clientX - press.x, event.clientY - press.y);
      if (!this.#preview && press.type === 'touch') {
        if (distance > SLOP) this.#forget(); // it is a scroll
      } else if (!this.#preview && distance >= START_DISTANCE) this.#begin();
      if (this.#preview) this.#follow();
    });
  }

  #begin() {
    const view = this.#view;
    const press = /** @type {Press} */ (this.#press);
    this.#endKeyMove(); // a move by keys just before is a move of its own
    const row = view.rows.get(press.id);
    if (!row || this.#session.isActive) {
      this.#forget();
      return;
    }
    try {
      this.#host.setPointerCapture(press.pointer);
    } catch {
      this.#forget(); // the pointer is gone already
      return;
    }
    clearTimeout(press.timer);
    const { tileWidth: width, tileHeight: height } = view.layout.metrics;
    const items = this.#list.takenWith(press.id);
    const count = items.length;
    const at = { x: press.x, y: press.y };
    this.#at ??= at;
    const point = screenPointOf(view, this.#host, row.index);
    this.#preview = new Preview(this.#host, row, { at, point, width, height, count });
    const manyVisible = view.visibleRows.length > MAXIMUM_MAKING_ROOM || count > MAXIMUM_MAKING_ROOM;
    if (manyVisible || view.motion.isReduced) this.#line = this.#makeLine();
    this.#host.toggleAttribute('data-ll-dragging', true);
    this.#session.begin(items, { inPlace: !this.#line });
    if (press.type === 'touch') navigator.vibrate?.(10);
  }

  /** Moves the preview to the pointer, and tries the gap there. */
  #follow() {
    const at = /** @type {Point} */ (this.#at);
    const box = this.#host.getBoundingClientRect();
    const isInside = at.x >= box.left && at.x < box.right && at.y >= box.top && at.y < box.bottom;
    this.#hover(isInside ? null : dropTargetAt(at));
    this.#preview?.move(at, this.#over !== null);
    this.#autoscroll.speed = isInside ? speedAt(at.y - box.top, box.height) : 0;
    if (!isInside) return;
    const view = this.#view;
    const session = this.#session;
    const slot = slotAt(view, this.#host, at.x, at.y);
    if (!slot) return;
    this.#slot = slot;
    this.#isUnsure = slot.index >= 0 && this.#list.model.order.at(slot.index) === undefined;
    if (slot.index < 0) session.tryIn(view.layout.sections[slot.section].id);
    else session.tryBeside(slot.index, slot.after);
    if (this.#line) this.#placeLine(this.#line, slot);
  }

  /** Rows have come: the item under the pointer may be known now. */
  follow() {
    if (this.#preview && this.#isUnsure) this.#follow();
  }

  /** The list was scrolled, by whatever means: another slot is under the pointer. */
  #scrolled() {
    if (this.#preview) {
      this.#view.scrolled();
      this.#follow();
    } else if (this.#press?.type === 'touch') {
      this.#forget();
    }
  }

  /** @param {number} distance */
  #scroll(distance) {
    const { scroller } = this.#view;
    scroller.scrollTo(scroller.top + distance);
    this.#view.scrolled();
    this.#follow();
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const press = this.#press;
    if (event.pointerId !== press?.pointer || this.#isEnding) return;
    if (!this.#preview) {
      this.#forget();
      return;
    }
    this.#swallowClick = true;
    const over = this.#over;
    const box = this.#host.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    this.#released = event.pointerType === 'touch' ? { ...press, isStill: this.#session.intent === null } : null;
    if (this.#released?.isStill) this.#end(() => this.#session.cancel(''));
    else if (over) this.#dropOn(over);
    else if (x < box.left || x >= box.right || y < box.top || y >= box.bottom) this.cancel();
    else this.#drop();
  }

  /** Lets go; of rows that are still to come, those here first, so that the neighbours can be said. */
  #drop() {
    const preview = this.#preview;
    const index = this.#slot?.index ?? -1;
    this.#isEnding = true;
    this.#autoscroll.stop();
    const finish = () => {
      if (this.#preview !== preview) return;
      this.follow();
      this.#isEnding = false;
      this.#end(() => this.#session.end());
    };
    const fail = () => this.#preview === preview && this.cancel();
    if (index < 0) finish();
    else this.#list.known(index - 1, index + 2, finish, fail);
  }

  /** @param {TouchEvent} event */
  #touchEnded(event) {
    const released = this.#released;
    this.#released = null;
    if (!released) return;
    event.preventDefault();
    this.#swallowClick = false;
    // Held and released at one point: this opens the menu for fingers. On a handle it is a tap.
    if (released.isStill && released.handle) this.#mode.start(this.#list.takenWith(released.id));
    else if (released.isStill) this.#list.parts.use('view/keyboard', (keyboard) => keyboard.openMenu(released.id, released), true);
  }

  /**
   * Ends a drop on something of the page's own, such as another list's name.
   * @param {Element} target
   */
  #dropOn(target) {
    const { ids } = this.#session.items;
    this.#end(() => this.#session.cancel(''));
    this.#list.dispatch('live-list-drop', { ids, target });
  }

  cancel() {
    if (this.#preview) this.#end(() => this.#session.cancel());
    else this.#forget();
  }

  /** Ends a drag whose items have left the list. */
  abandon() {
    if (this.#preview) this.#end(() => {});
  }

  /** @param {() => void} finish */
  #end(finish) {
    const view = this.#view;
    const preview = this.#preview;
    const [id] = this.#session.items.ids;
    const press = /** @type {Press} */ (this.#press);
    this.#forget();
    this.#preview = this.#slot = null;
    this.#isEnding = this.#isUnsure = false;
    this.#autoscroll.stop();
    this.#hover(null);
    this.#line?.remove();
    this.#line = null;
    this.#at = null;
    this.#host.removeAttribute('data-ll-dragging');
    if (this.#host.hasPointerCapture(press.pointer)) this.#host.releasePointerCapture(press.pointer);
    finish();
    const index = this.#list.model.order.indexOf(id);
    preview?.finish(index < 0 ? null : screenPointOf(view, this.#host, index), view.motion.isReduced);
  }

  #forget() {
    clearTimeout(this.#press?.timer);
    this.#press = null;
    if (!this.#preview) this.#at = null;
    removeEventListener('blur', this.#leave);
    removeEventListener('keydown', this.#key, { capture: true });
  }

  #leave = () => this.cancel();

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    if (event.key !== 'Escape' || !this.#preview) return;
    event.preventDefault();
    event.stopPropagation();
    this.#swallowClick = true;
    this.cancel();
  };

  /** @param {MouseEvent} event */
  #click(event) {
    if (!this.#swallowClick) return;
    this.#swallowClick = false;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {Element | null} [target] */
  #hover(target = null) {
    if (target === this.#over) return;
    this.#over?.removeAttribute('data-drop-hover');
    this.#over = target;
    this.#over?.setAttribute('data-drop-hover', '');
  }

  #makeLine() {
    const line = document.createElement('div');
    line.className = 'll-line';
    line.ariaHidden = 'true';
    line.hidden = true;
    this.#host.append(line);
    return line;
  }

  /**
   * @param {HTMLElement} line
   * @param {import('./slots.js').Slot} slot
   */
  #placeLine(line, { index, after }) {
    const view = this.#view;
    const { columns, gap, tileWidth, tileHeight } = view.layout.metrics;
    line.hidden = index < 0;
    if (index < 0) return;
    const { x, y } = view.layout.pointOf(index);
    const isUpright = columns > 1;
    line.classList.toggle('ll-upright', isUpright);
    const dx = isUpright ? (after ? tileWidth + gap / 2 : -gap / 2) : 0;
    const dy = isUpright ? 0 : after ? tileHeight + gap / 2 : -gap / 2;
    line.style.transform = `translate(${x + dx}px,${y + dy - view.scroller.offset}px)`;
    line.style.setProperty('--ll-line', `${isUpright ? tileHeight : tileWidth}px`);
  }
}
