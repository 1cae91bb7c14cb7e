// The preview at the pointer during a drag: the item, up to two cards behind it, and their count.

import { number } from '../strings.js';

const MAXIMUM_SIZE = 280;
const SMALL = 56;
const ASIDE = 14;
const HOME = { duration: 200, easing: 'cubic-bezier(.2,0,0,1)' };

/** @typedef {import('../view/keyboard.js').Point} Point */

export class Preview {
  #node = document.createElement('div');
  #grip;

  /**
   * @param {HTMLElement} host
   * @param {import('../view/rows.js').Row} row
   * @param {{ at: Point, point: Point, width: number, height: number, count: number }} of `at` is the pointer; `point` is where the row is on the screen
   */
  constructor(host, row, { at, point, width, height, count }) {
    const scale = Math.min(1, MAXIMUM_SIZE / Math.max(width, height));
    this.#node.className = 'll-preview';
    this.#node.ariaHidden = 'true';
    this.#node.inert = true;
    this.#node.dataset.cards = `${Math.min(count, 3)}`;
    this.width = width * scale;
    this.height = height * scale;
    this.#node.style.width = `${this.width}px`;
    this.#node.style.height = `${this.height}px`;
    const card = /** @type {HTMLElement} */ (row.cell.cloneNode(true));
    card.className = `${card.className} ll-card`;
    for (const name of ['role', 'tabindex', 'aria-selected']) card.removeAttribute(name);
    this.#node.append(card);
    if (count > 1) {
      const badge = document.createElement('span');
      badge.className = 'll-badge';
      badge.textContent = number(count);
      this.#node.append(badge);
    }
    this.#grip = { x: (at.x - point.x) * scale, y: (at.y - point.y) * scale };
    this.move(at);
    host.append(this.#node);
  }

  /**
   * @param {Point} at
   * @param {boolean} [isAside] whether it is over a drop target: then it is small and beside the pointer, so as not to hide it
   */
  move({ x, y }, isAside = false) {
    if (isAside) this.#put(x + ASIDE, y + ASIDE, SMALL / Math.max(SMALL, this.width, this.height));
    else this.#put(x - this.#grip.x, y - this.#grip.y);
  }

  /**
   * Moves to the new position of the item, and disappears.
   * @param {Point | null} point
   * @param {boolean | undefined} isReduced
   */
  finish(point, isReduced) {
    const node = this.#node;
    if (!point || isReduced) {
      node.remove();
      return;
    }
    const from = node.style.transform;
    const animation = node.animate({ transform: [from, `translate(${point.x}px,${point.y}px)`] }, HOME);
    animation.onfinish = animation.oncancel = () => node.remove();
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  #put(x, y, scale = 1) {
    this.#node.style.transform = `translate(${x}px,${y}px)${scale < 1 ? ` scale(${scale})` : ''}`;
  }
}
