// Zoom in the viewer: double click or tap, the wheel, two fingers; a zoomed photo is dragged around.

const LARGEST = 8;

export class Zoom {
  scale = 1;
  #x = 0;
  #y = 0;
  #stage;
  #image;
  /** @type {Map<number, PointerEvent>} */
  #pointers = new Map();

  /** @param {HTMLElement} stage */
  constructor(stage) {
    this.#stage = stage;
    this.#image = /** @type {HTMLImageElement} */ (stage.querySelector('img'));
    stage.addEventListener('dblclick', (event) => this.#toggle(event));
    stage.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    stage.addEventListener('pointerdown', (event) => this.#down(event));
    stage.addEventListener('pointermove', (event) => this.#move(event));
    for (const type of /** @type {const} */ (['pointerup', 'pointercancel'])) {
      stage.addEventListener(type, ({ pointerId }) => this.#pointers.delete(pointerId));
    }
  }

  get isZoomed() {
    return this.scale > 1;
  }

  reset() {
    this.#pointers.clear();
    this.#set(1, 0, 0);
  }

  /**
   * Zooms by a factor about the middle.
   * @param {number} factor
   */
  by(factor) {
    this.#about({ clientX: innerWidth / 2, clientY: innerHeight / 2 }, this.scale * factor);
  }

  /** @param {MouseEvent} event */
  #toggle(event) {
    this.#about(event, this.isZoomed ? 1 : 2.5);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    this.#about(event, this.scale * Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    this.#pointers.set(event.pointerId, event);
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

  /**
   * Zooms so that what is under a point stays there.
   * @param {{ clientX: number, clientY: number }} point
   * @param {number} scale
   */
  #about({ clientX, clientY }, scale) {
    const next = Math.min(LARGEST, Math.max(1, scale));
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
    const [mostX, mostY] = [((scale - 1) * innerWidth) / 2, ((scale - 1) * innerHeight) / 2];
    this.scale = scale;
    this.#x = Math.min(mostX, Math.max(-mostX, x));
    this.#y = Math.min(mostY, Math.max(-mostY, y));
    this.#image.style.transform = scale === 1 ? '' : `translate(${this.#x}px,${this.#y}px) scale(${scale})`;
    this.#stage.classList.toggle('zoomed', scale > 1);
  }
}
