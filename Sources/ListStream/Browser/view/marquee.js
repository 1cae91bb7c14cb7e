// Selects by a rectangle that a mouse or a pen draws. It begins where nothing can be dragged: between and below the items, and in
// edit mode on items of a list whose order cannot be changed. Fetched when a mouse comes to the list.

import { Autoscroll } from '../moving/autoscroll.js';
import { takePresses } from './press.js';
import { CONTROL } from './rows.js';
import { itemsIn } from './rectangle.js';

const START_DISTANCE = 4; // px
const BAND = 24; // px within the upper and the lower edge in which it scrolls
const FASTEST = 1200; // px/s, at BAND beyond the edge

/** @typedef {import('./keyboard.js').Point} Point */
/** @typedef {Pick<import('../controller.js').Controller, 'host' | 'model' | 'view' | 'selection' | 'settings' | 'strings' | 'announcer' | 'known' | 'measured' | 'moving' | 'press' | 'focus'>} List */

/** @param {List} list */
export const part = (list) => new Marquee(list);

export class Marquee {
  #list;
  /** @type {{ pointer: number, x: number, y: number, isAdding: boolean } | null} a press that may become a rectangle, in the list's coordinates */
  #press = null;
  /** @type {{ ids: Set<string>, isInverted: boolean } | null} what was selected before */
  #before = null;
  /** @type {HTMLElement | null} */
  #box = null;
  /** @type {Point} of the screen */
  #at = { x: 0, y: 0 };
  #covered = '';
  /** @type {string[]} those within the rectangle */
  #ids = [];
  #swallowClick = false;
  #autoscroll = new Autoscroll((distance) => this.#scroll(distance));

  /** @param {List} list */
  constructor(list) {
    this.#list = list;
    const { host } = list;
    takePresses(list, (event) => this.#down(event), (event) => this.#move(event), ({ pointerId }) => pointerId === this.#press?.pointer && this.#end());
    for (const type of ['pointercancel', 'lostpointercapture']) host.addEventListener(type, ({ target }) => target === host && this.cancel());
    host.addEventListener('click', (event) => this.#click(event), { capture: true });
    host.addEventListener('scroll', () => this.#box && this.#follow());
  }

  /** @param {PointerEvent} event */
  #down(event) {
    this.#swallowClick = false;
    const { host, view, settings } = this.#list;
    const { target, pointerType, button, clientX: x, clientY: y } = event;
    if (this.#press || !settings.selectable || pointerType === 'touch' || button !== 0 || this.#list.moving?.isActive) return;
    const row = view.rows.rowOf(target);
    const isFree = !row || (row.id === null && !row.isWaiting);
    if (!isFree && (!settings.editing || settings.reorder || /** @type {Element} */ (target).closest(CONTROL))) return;
    const box = host.getBoundingClientRect();
    if (x >= box.left + host.clientLeft + host.clientWidth) return; // the scroll bar
    const isAdding = event.shiftKey || event.ctrlKey || event.metaKey || settings.editing === true;
    this.#press = { pointer: event.pointerId, ...this.#within({ x, y }), isAdding };
    addEventListener('keydown', this.#key, { capture: true });
    addEventListener('blur', this.#leave);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const press = this.#press;
    if (event.pointerId !== press?.pointer) return;
    this.#at = { x: event.clientX, y: event.clientY };
    if (!this.#box) {
      const { x, y } = this.#within(this.#at);
      if (Math.hypot(x - press.x, y - press.y) < START_DISTANCE) return;
      this.#begin(press);
    }
    this.#list.measured('marquee', () => this.#follow());
  }

  /** @param {{ pointer: number, isAdding: boolean }} press */
  #begin({ pointer, isAdding }) {
    const { host, selection } = this.#list;
    host.setPointerCapture(pointer);
    this.#before = { ids: new Set(selection.ids), isInverted: selection.isInverted };
    if (!isAdding) selection.set([]);
    this.#covered = '';
    this.#ids = [];
    const box = (this.#box = document.createElement('div'));
    box.className = 'll-marquee';
    box.ariaHidden = 'true';
    const accent = 'var(--ll-accent, Highlight)';
    Object.assign(box.style, {
      position: 'absolute', inset: '0 auto auto 0', zIndex: '3', boxSizing: 'border-box', pointerEvents: 'none', borderRadius: '4px',
      border: `1px solid ${accent}`, background: `color-mix(in srgb, ${accent} 18%, transparent)`,
    });
    // Neither text nor pictures are marked by the browser meanwhile.
    host.style.userSelect = host.style.webkitUserSelect = 'none';
    getSelection()?.removeAllRanges();
    host.append(box);
  }

  /** Takes the rectangle to where the pointer is. */
  #follow() {
    const { host, view } = this.#list;
    const box = /** @type {HTMLElement} */ (this.#box);
    const press = /** @type {Point} */ (this.#press);
    const { top, bottom } = host.getBoundingClientRect();
    const { layout, viewport } = view;
    const to = this.#within(this.#at);
    const [left, right] = ordered(press.x, clamp(to.x, 0, host.clientWidth));
    const [upper, lower] = ordered(press.y, clamp(to.y, 0, Math.max(layout.height, viewport)));
    box.style.transform = `translate(${left}px,${upper - view.scroller.offset}px)`;
    box.style.width = `${right - left}px`;
    box.style.height = `${lower - upper}px`;
    const outside = Math.max(0, this.#at.y - bottom + BAND) - Math.max(0, top + BAND - this.#at.y);
    this.#autoscroll.speed = clamp(outside / (2 * BAND), -1, 1) * FASTEST;
    const spans = itemsIn(layout, { left, right, upper, lower });
    const covered = spans.join();
    if (covered === this.#covered) return;
    this.#covered = covered;
    this.#select(spans);
  }

  /** @param {[from: number, to: number][]} spans of flat positions that are within the rectangle */
  #select(spans) {
    const { model: { order }, known } = this.#list;
    const covered = this.#covered;
    const first = spans[0]?.[0] ?? 0;
    const end = spans.at(-1)?.[1] ?? 0;
    const select = () => {
      // The rectangle may be another by the time rows come.
      if (!this.#before || covered !== this.#covered) return;
      this.#take(spans.flatMap(([from, to]) => /** @type {string[]} */ (order.slice(from, to).filter((id) => id !== undefined))));
    };
    if (this.#before?.isInverted && this.#press?.isAdding) select();
    else known(first, end, select, select, true);
  }

  /** @param {string[]} ids those within the rectangle */
  #take(ids) {
    const { selection } = this.#list;
    this.#ids = ids;
    const { ids: before, isInverted } = /** @type {{ ids: Set<string>, isInverted: boolean }} */ (this.#before);
    if (!this.#press?.isAdding) selection.set(ids);
    else if (isInverted) selection.set([...before].filter((id) => !ids.includes(id)), true);
    else selection.set([...before, ...ids]);
  }

  #end() {
    const { announcer, strings, selection } = this.#list;
    const isDrawn = this.#box !== null;
    this.#forget();
    if (!isDrawn) return;
    this.#swallowClick = true;
    this.#focus();
    announcer.say(strings.selected(selection.size));
  }

  /** Gives one of the items that were selected the focus, so that keys are about them; nothing is scrolled by that. */
  #focus() {
    const { focus, selection, view } = this.#list;
    const id = this.#ids.find((one) => selection.has(one) && view.rows.get(one));
    if (id === undefined) return;
    focus.become(id);
    view.rows.get(id)?.cell.focus({ preventScroll: true });
  }

  /** Ends it, and selects again what was selected before. */
  cancel() {
    const before = this.#box && this.#before;
    this.#forget();
    if (before) this.#list.selection.set(before.ids, before.isInverted);
  }

  #forget() {
    const { host } = this.#list;
    const press = this.#press;
    this.#autoscroll.stop();
    this.#box?.remove();
    this.#box = this.#press = this.#before = null;
    host.style.userSelect = host.style.webkitUserSelect = '';
    removeEventListener('keydown', this.#key, { capture: true });
    removeEventListener('blur', this.#leave);
    if (press && host.hasPointerCapture(press.pointer)) host.releasePointerCapture(press.pointer);
  }

  /** @param {number} distance */
  #scroll(distance) {
    const { view } = this.#list;
    view.scroller.scrollTo(view.top + distance);
    view.scrolled();
    this.#follow();
  }

  /**
   * A point of the screen in the list's own coordinates.
   * @param {Point} point
   */
  #within({ x, y }) {
    const { host, view } = this.#list;
    const box = host.getBoundingClientRect();
    return { x: x - box.left - host.clientLeft, y: y - box.top + view.top };
  }

  #leave = () => this.cancel();

  /** @param {KeyboardEvent} event */
  #key = (event) => {
    if (event.key !== 'Escape' || !this.#box) return;
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
}

/**
 * @param {number} a
 * @param {number} b
 */
const ordered = (a, b) => [Math.min(a, b), Math.max(a, b)];

/**
 * @param {number} value
 * @param {number} least
 * @param {number} most
 */
const clamp = (value, least, most) => Math.min(most, Math.max(least, value));
