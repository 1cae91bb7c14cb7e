// Scrolls while something is held near the upper or lower edge.

const FASTEST = 900; // px/s
const EASE_IN = 400; // ms

/**
 * The speed at a distance from the edges: full from half of the band outward, in px/s.
 * @param {number} y
 * @param {number} height
 */
export function speedAt(y, height) {
  const band = Math.min(height / 4, 180);
  /** @param {number} distance */
  const depth = (distance) => Math.min(1, Math.max(0, (band - distance) / (band / 2)));
  return FASTEST * (depth(height - y) - depth(y));
}

export class Autoscroll {
  #step;
  #frame = 0;
  #speed = 0;
  #since = 0;
  #last = 0;

  /** @param {(distance: number) => void} step called once per frame while there is something to scroll */
  constructor(step) {
    this.#step = step;
  }

  /** @param {number} speed */
  set speed(speed) {
    this.#speed = speed;
    if (speed === 0) {
      this.stop();
    } else if (!this.#frame) {
      this.#since = this.#last = performance.now();
      this.#frame = requestAnimationFrame(this.#tick);
    }
  }

  stop() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** @param {number} now */
  #tick = (now) => {
    const ease = Math.min(1, Math.max(0, now - this.#since) / EASE_IN);
    const elapsed = Math.min(100, Math.max(0, now - this.#last)) / 1000;
    this.#last = now;
    this.#frame = requestAnimationFrame(this.#tick);
    this.#step(this.#speed * ease * elapsed);
  };
}
