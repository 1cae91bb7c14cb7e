// Fingers on a photo that is not zoomed: it follows one of them to its neighbours, and down to be closed.

import { isMotionReduced } from './morph.js';

const SLOP = 8; // px before the direction of a finger is known
const FAR = 50; // px after which a swipe counts, however slow
const QUICK = 0.4; // px per ms with which a swipe counts, however short
const GAP = 24; // px between two photos, as in viewer.css
const SETTLE = { duration: 220, easing: 'cubic-bezier(0.2, 0, 0, 1)' };
const TAP = 400; // ms

/**
 * @typedef {object} Answers
 * @property {() => boolean} isFree whether one finger moves from photo to photo
 * @property {(by: number) => boolean} canStep whether there is a neighbour
 * @property {(by: number) => void} step
 * @property {(from: string) => void} close `from` is the transform that the photo has then
 * @property {(event: PointerEvent) => void} tap
 */

export class Swipes {
  #track;
  #dialog;
  #answers;
  /** @type {PointerEvent | null} */
  #press = null;
  /** @type {PointerEvent | null} what came before the last move, for the speed */
  #before = null;
  /** @type {'x' | 'y' | null} */
  #axis = null;
  #shift = 0;

  /**
   * @param {HTMLElement} stage
   * @param {HTMLElement} track what holds the photos
   * @param {HTMLDialogElement} dialog
   * @param {Answers} answers
   */
  constructor(stage, track, dialog, answers) {
    this.#track = track;
    this.#dialog = dialog;
    this.#answers = answers;
    stage.addEventListener('pointerdown', (event) => this.#down(event));
    stage.addEventListener('pointermove', (event) => this.#move(event));
    stage.addEventListener('pointerup', (event) => this.#up(event));
    stage.addEventListener('pointercancel', () => this.#settle());
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.pointerType === 'mouse') return;
    if (!event.isPrimary) {
      this.#settle(); // a second finger: that is a zoom
      return;
    }
    for (const animation of this.#track.getAnimations()) animation.finish();
    this.#press = this.#before = event;
    this.#axis = null;
    this.#shift = 0;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const press = this.#press;
    if (!press || event.pointerId !== press.pointerId) return;
    const [dx, dy] = [event.clientX - press.clientX, event.clientY - press.clientY];
    if (!this.#axis) {
      if (Math.hypot(dx, dy) < SLOP) return;
      if (!this.#answers.isFree() || (Math.abs(dy) >= Math.abs(dx) && dy < 0)) {
        this.#press = null;
        return;
      }
      this.#axis = Math.abs(dx) > Math.abs(dy) ? 'x' : 'y';
      this.#dialog.classList.add('swiping');
    }
    if (event.timeStamp - (this.#before?.timeStamp ?? 0) > 30) this.#before = event;
    if (this.#axis === 'x') {
      // Without a neighbour the photo follows by a third.
      this.#shift = this.#answers.canStep(dx < 0 ? 1 : -1) ? dx : dx / 3;
      this.#track.style.transform = `translateX(${this.#shift}px)`;
    } else {
      this.#shift = Math.max(0, dy);
      const away = Math.min(1, this.#shift / innerHeight);
      this.#track.style.transform = `translate(${dx}px, ${this.#shift}px) scale(${1 - away * 0.4})`;
      this.#dialog.style.setProperty('--shade', `${1 - Math.min(1, away * 1.6)}`);
    }
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const [press, before, axis] = [this.#press, this.#before, this.#axis];
    if (!press || event.pointerId !== press.pointerId) return;
    this.#press = null;
    const [dx, dy] = [event.clientX - press.clientX, event.clientY - press.clientY];
    if (!axis && Math.hypot(dx, dy) < SLOP) {
      if (event.timeStamp - press.timeStamp < TAP) this.#answers.tap(event);
      return;
    }
    if (!this.#answers.isFree()) {
      this.#settle();
      return;
    }
    const time = Math.max(1, event.timeStamp - (before?.timeStamp ?? 0));
    const speed = axis === 'y' ? (event.clientY - (before?.clientY ?? 0)) / time : (event.clientX - (before?.clientX ?? 0)) / time;
    // A quick finger may send no move between down and up.
    const isDown = axis ? axis === 'y' : dy > Math.abs(dx);
    const way = isDown ? dy : dx;
    const isMeant = Math.abs(way) > FAR || (Math.abs(way) > SLOP && Math.abs(speed) > QUICK && Math.sign(speed) === Math.sign(way));
    const by = dx < 0 ? 1 : -1;
    if (isDown && isMeant && dy > 0) {
      const from = this.#track.style.transform || 'none';
      this.#rest();
      this.#answers.close(from);
    } else if (!isDown && isMeant && this.#answers.canStep(by)) {
      // The neighbour goes on from where it is seen.
      const left = dx + by * (innerWidth + GAP);
      this.#answers.step(by);
      this.#settle(`translateX(${left}px)`);
    } else this.#settle();
  }

  /**
   * Animates the photo to its position.
   * @param {string} from the transform that it is seen with
   */
  #settle(from = this.#track.style.transform) {
    this.#press = null;
    this.#rest();
    if (from && !isMotionReduced()) this.#track.animate([{ transform: from }, { transform: 'none' }], SETTLE);
  }

  #rest() {
    this.#track.style.transform = '';
    this.#dialog.style.removeProperty('--shade');
    this.#dialog.classList.remove('swiping');
  }
}
