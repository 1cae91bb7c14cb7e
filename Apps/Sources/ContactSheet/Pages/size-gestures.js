// The size of photos in the grid by two fingers, on a screen and on a trackpad, by the wheel with Control, and by the keys + - 0.
// Control with + and − stays the browser's, which makes all of the page larger, photos and text alike (decision 0018).

/** @typedef {import('./grid-size.js').Point} Point */

const NOTCH = 25; // how much of a wheel's turn counts: as much as a pinch sends in one event
const REST = 300; // ms without an event, after which another turn begins

export class SizeGestures {
  #size;
  #list;
  /** @type {{ tile: number, scale: number } | null} the size that a gesture began with, and how far it has gone */
  #gesture = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #rest;
  /** The distance of two fingers when they were put down; 0 where there are none. */
  #distance = 0;

  /**
   * @param {import('./grid-size.js').List} list
   * @param {import('./grid-size.js').GridSize} size
   */
  constructor(list, size) {
    this.#size = size;
    this.#list = list;
    list.addEventListener('wheel', (event) => this.#turn(event), { passive: false });
    list.addEventListener('touchstart', ({ touches }) => {
      this.#distance = touches.length === 2 ? between(touches) : 0;
      this.#gesture = null;
    }, { passive: true });
    list.addEventListener('touchmove', (event) => this.#pinch(event), { passive: false });
    list.addEventListener('touchend', () => (this.#distance = 0));
    // A trackpad in WebKit on a Mac. On a screen the fingers' touches are told, too.
    for (const type of ['gesturestart', 'gesturechange']) {
      list.addEventListener(type, (event) => {
        const { scale, clientX: x, clientY: y } = /** @type {MouseEvent & { scale: number }} */ (event);
        event.preventDefault();
        if (this.#distance > 0) return;
        if (type === 'gesturestart') this.#gesture = null;
        this.#scale(scale, { x, y });
      });
    }
  }

  /** @param {WheelEvent} event */
  #turn(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const turn = Math.max(-NOTCH, Math.min(NOTCH, event.deltaY * (event.deltaMode === 1 ? 20 : 1)));
    this.#scale((this.#gesture?.scale ?? 1) * Math.exp(-turn / 100), { x: event.clientX, y: event.clientY });
  }

  /** @param {TouchEvent} event */
  #pinch(event) {
    if (this.#distance === 0 || event.touches.length !== 2) return;
    if (event.cancelable) event.preventDefault();
    const [a, b] = event.touches;
    const middle = { x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 };
    this.#scale(between(event.touches) / this.#distance, middle);
  }

  /**
   * @param {number} scale relative to the size when the gesture began
   * @param {Point} point
   */
  #scale(scale, point) {
    this.#gesture ??= { tile: this.#size.tile, scale };
    this.#gesture.scale = scale;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => (this.#gesture = null), REST);
    this.#size.setTile(this.#gesture.tile * scale, point);
  }

  /**
   * Does what a key does: one of `+` `=` `-` `0`.
   * @param {string} key
   */
  press(key) {
    const { columns } = this.#size;
    const step = Math.max(1, Math.round(columns / 8));
    if (key === '0') this.#size.reset();
    else this.#size.setColumns(key === '-' ? columns + step : columns - step);
    this.#list.announce(inARow(this.#size.columns));
  }
}

/** @param {number} columns */
export const inARow = (columns) => (columns === 1 ? '1 photo in a row' : `${columns} photos in a row`);

/** @param {TouchList} touches */
const between = ([a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
