// Scrolls a list that may be longer than the longest box a browser can make.
//
// The box is capped; `top` is the offset in the list, `scrollTop` the offset in the box, and `offset` what lies
// between. A small scroll moves both by the same distance, so tiles travel with the finger. A large one (the
// scroll bar was dragged) goes to the proportional offset. When scrolling rests, the box is aligned again.

const MAXIMUM_BOX = 15_000_000; // device pixels; browsers clip beyond 16.7 to 33 million
const REST = 150; // ms without a scroll event

export class Scroller {
  #host;
  #canvas;
  #length = 0;
  #box = 0;
  #seen = 0;
  #resting = 0;
  #onShift;
  top = 0;
  viewport = 0;
  /** Whether the box was hidden since: browsers then forget its offset. */
  isAway = true;

  /**
   * @param {HTMLElement} host
   * @param {HTMLElement} canvas
   * @param {() => void} onShift called when `offset` changed at rest, so that everything must be placed anew
   */
  constructor(host, canvas, onShift) {
    this.#host = host;
    this.#canvas = canvas;
    this.#onShift = onShift;
  }

  get offset() {
    return this.top - this.#seen;
  }

  get #furthest() {
    return Math.max(0, this.#length - this.viewport);
  }

  get #furthestInBox() {
    return Math.max(0, this.#box - this.viewport);
  }

  get #isCapped() {
    return this.#box < this.#length;
  }

  /**
   * Sets the length of the list and what of it is visible.
   * @param {number} length
   * @param {number} viewport
   */
  resize(length, viewport) {
    this.viewport = viewport || this.viewport;
    this.#length = length;
    const box = Math.min(length, MAXIMUM_BOX / devicePixelRatio);
    if (box !== this.#box) this.#canvas.style.height = `${box}px`;
    this.#box = box;
    if (this.top > this.#furthest) this.scrollTo(this.#furthest);
  }

  /**
   * Scrolls to an offset in the list.
   * @param {number} top
   */
  scrollTo(top) {
    this.top = Math.min(Math.max(0, top), this.#furthest);
    const seen = this.#isCapped ? (this.top / this.#furthest) * this.#furthestInBox : this.top;
    this.#set(seen);
  }

  /** Follows the box after a scroll event. @returns whether there is one: what is not shown has none, and stays where it is */
  follow() {
    const isAway = !this.#host.clientWidth || !this.#host.clientHeight;
    if (isAway || this.isAway) {
      this.isAway = isAway;
      if (!isAway) this.scrollTo(this.top);
      return !isAway;
    }
    const now = this.#host.scrollTop;
    const moved = now - this.#seen;
    this.#seen = now;
    if (!this.#isCapped) {
      this.top = Math.min(Math.max(0, now), this.#furthest);
      this.#seen = this.top;
      return true;
    }
    if (Math.abs(moved) > 2 * this.viewport) this.top = Math.min(now / this.#furthestInBox, 1) * this.#furthest;
    else this.top = Math.min(Math.max(0, this.top + moved), this.#furthest);
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      // A script may have scrolled, which is reported with the next animation frame: then scrolling does not rest.
      if (this.#host.scrollTop !== this.#seen) return;
      const before = this.offset;
      this.scrollTo(this.top);
      if (this.offset !== before) this.#onShift();
    }, REST);
    return true;
  }

  /** @param {number} seen */
  #set(seen) {
    this.#seen = seen;
    if (Math.abs(this.#host.scrollTop - seen) >= 0.5) this.#host.scrollTop = seen;
    // Browsers round; what counts is where the box really is.
    if (this.#isCapped) this.#seen = this.#host.scrollTop;
  }
}
