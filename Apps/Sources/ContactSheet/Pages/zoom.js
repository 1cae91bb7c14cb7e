// Zoom in the viewer: double click or tap, the wheel, two fingers, keys; a zoomed photo is dragged around. Two fingers also make a
// photo smaller than the window, and whoever lets go of it then puts it away.

import { isMotionReduced } from './morph.js';

const LARGEST = 8;
const SMALLEST = 0.3; // between two fingers
const AWAY = 0.75; // times the size at which a photo that is let go is put away
const SETTLE = { duration: 220, easing: 'cubic-bezier(0.2, 0, 0, 1)' };
const CLOSE = 2.5; // times, by a double click or tap
const PAN = 80; // px for an arrow key
const TAPS = 300; // ms between the taps of a double tap
const SAME = 30; // px between them

/** @typedef {import('./slides.js').Slides['current']} Slide */

export class Zoom {
  scale = 1;
  #x = 0;
  #y = 0;
  #stage;
  #current;
  #onChange;
  #onAway;
  #least = 1; // how small two fingers make a photo
  /** @type {Map<number, PointerEvent>} */
  #pointers = new Map();
  /** @type {PointerEvent | null} the tap before */
  #tap = null;
  #tapped = -Infinity; // when a double tap was seen: browsers may send a double click for it, too

  /**
   * @param {HTMLElement} stage
   * @param {() => Slide} current gives the photo that is shown
   * @param {() => void} onChange
   * @param {() => void} onAway is called when two fingers have made a photo small and let it go
   */
  constructor(stage, current, onChange, onAway) {
    this.#stage = stage;
    this.#current = current;
    this.#onChange = onChange;
    this.#onAway = onAway;
    stage.addEventListener('dblclick', (event) => event.timeStamp - this.#tapped > 2 * TAPS && this.#toggle(event));
    stage.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    stage.addEventListener('pointerdown', (event) => this.#down(event));
    stage.addEventListener('pointermove', (event) => this.#move(event));
    for (const type of /** @type {const} */ (['pointerup', 'pointercancel'])) {
      stage.addEventListener(type, (event) => this.#up(event));
    }
  }

  get isZoomed() {
    return this.scale > 1;
  }

  /** How many fingers or buttons are down. */
  get pointerCount() {
    return this.#pointers.size;
  }

  reset() {
    this.#set(1, 0, 0);
  }

  /**
   * Zooms by a factor about the middle.
   * @param {number} factor
   */
  by(factor) {
    this.#about({ clientX: innerWidth / 2, clientY: innerHeight / 2 }, this.scale * factor);
  }

  /**
   * Moves a zoomed photo by steps, as the arrow keys do: the right arrow shows more of its right.
   * @param {number} x
   * @param {number} y
   */
  pan(x, y) {
    this.#set(this.scale, this.#x - x * PAN, this.#y - y * PAN);
  }

  /**
   * Remembers a tap; two taps at one point zoom.
   * @param {PointerEvent} event
   * @returns {boolean} whether it was the second
   */
  tapped(event) {
    const before = this.#tap;
    this.#tap = event;
    if (!before || event.timeStamp - before.timeStamp > TAPS) return false;
    if (Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) > SAME) return false;
    this.#tap = null;
    this.#tapped = event.timeStamp;
    this.#toggle(event);
    return true;
  }

  /** @param {MouseEvent} event */
  #toggle(event) {
    this.#about(event, this.isZoomed ? 1 : CLOSE);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    this.#about(event, this.scale * Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.pointerType === 'mouse' && event.button !== 0) return;
    this.#pointers.set(event.pointerId, event);
    this.#least = this.isZoomed ? 1 : SMALLEST;
    if (this.isZoomed || this.#pointers.size > 1) this.#stage.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const other = [...this.#pointers.values()].find(({ pointerId }) => pointerId !== event.pointerId);
    this.#pointers.set(event.pointerId, event);
    if (other) {
      /** @param {PointerEvent} point */
      const distance = (point) => Math.hypot(point.clientX - other.clientX, point.clientY - other.clientY);
      const middle = { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 };
      this.#about(middle, (this.scale * distance(event)) / Math.max(1, distance(before)));
    } else if (this.isZoomed) {
      this.#set(this.scale, this.#x + event.clientX - before.clientX, this.#y + event.clientY - before.clientY);
    }
  }

  /** @param {PointerEvent} event */
  #up({ pointerId, type }) {
    this.#pointers.delete(pointerId);
    if (this.scale >= 1) return;
    if (type === 'pointerup' && this.scale < AWAY) {
      this.#pointers.clear(); // the other finger is lifted when the viewer is closed
      this.#onAway();
      return;
    }
    const frame = this.#current()?.frame;
    const from = frame?.style.transform;
    this.reset();
    if (from && !isMotionReduced()) frame.animate([{ transform: from }, { transform: 'none' }], SETTLE);
  }

  /**
   * Zooms so that what is under a point stays there.
   * @param {{ clientX: number, clientY: number }} point
   * @param {number} scale
   */
  #about({ clientX, clientY }, scale) {
    const next = Math.min(LARGEST, Math.max(this.#pointers.size > 1 ? this.#least : 1, scale));
    const [cx, cy] = [clientX - innerWidth / 2, clientY - innerHeight / 2];
    const ratio = next / this.scale;
    this.#set(next, cx - (cx - this.#x) * ratio, cy - (cy - this.#y) * ratio);
  }

  /**
   * @param {number} scale
   * @param {number} x
   * @param {number} y
   */
  #set(scale, x, y) {
    const slide = this.#current();
    const { width = innerWidth, height = innerHeight } = slide?.photo ?? {};
    const fit = Math.min(innerWidth / width, innerHeight / height);
    // Not beyond its edges.
    const [maximumX, maximumY] = [(scale * width * fit - innerWidth) / 2, (scale * height * fit - innerHeight) / 2].map((most) => Math.max(0, most));
    this.scale = scale;
    // What is smaller than the window follows the fingers.
    this.#x = scale < 1 ? x : Math.min(maximumX, Math.max(-maximumX, x));
    this.#y = scale < 1 ? y : Math.min(maximumY, Math.max(-maximumY, y));
    if (slide) slide.frame.style.transform = scale === 1 ? '' : `translate(${this.#x}px,${this.#y}px) scale(${scale})`;
    this.#stage.classList.toggle('zoomed', scale > 1);
    this.#onChange();
  }
}
