// The visible part of the list: layout, scrolling, the rows in the document, and motion, in that order.

import { staying } from '../model/difference.js';
import { Layout, readMetrics } from './layout.js';
import { Rows } from './rows.js';
import { Scroller } from './scroller.js';

/** @typedef {import('./rows.js').Row} Row */
/** @typedef {import('./rows.js').Entry} Entry */
/** @typedef {Pick<import('./motion.js').Motion, 'capture' | 'leave' | 'play' | 'flash'> & { isReduced?: boolean }} Moves */

/** @type {Moves} what stands for motion until it has been fetched: nothing moves */
const still = { capture: () => new Map(), leave: (rows, painted, top, offset, done) => done(rows), play() {}, flash() {} };
const STEP = 32;
const MAXIMUM_BEYOND = 40; // rows mounted above and below what is visible, each

export class View {
  #host;
  #model;
  /** @type {import('./layout.js').Metrics | null} */
  #metrics = null;
  /** The width of the element when it was shown last. */
  #width = 0;
  #list;
  #shown = '';
  canvas = element('ll-canvas');
  layer = element('ll-leaving');
  motion = still;
  /** @type {[from: number, to: number]} the flat positions that are mounted */
  range = [0, 0];

  /**
   * @param {HTMLElement} host
   * @param {import('../model/model.js').ListModel} model
   * @param {import('./cells.js').Cells} cells
   * @param {{ headed(): boolean, kept(): Iterable<string | null | undefined>, onShown(): void }} list `headed()` is whether sections have
   *   headers; `kept()` has the ids that must stay mounted; `onShown()` is called when other positions are mounted, or what is there is another
   */
  constructor(host, model, cells, list) {
    this.#host = host;
    this.#model = model;
    this.#list = list;
    this.layer.ariaHidden = 'true';
    this.rows = new Rows(this.canvas, cells);
    this.scroller = new Scroller(host, this.canvas, () => this.#sync());
    this.layout = new Layout({ width: 0, columns: 1, gap: 0, padding: 0, tileHeight: 1, tileWidth: 1, header: 0 }, [], false);
  }

  mount() {
    this.scroller.isAway = true;
    this.#host.append(this.canvas, this.layer);
  }

  get top() {
    return this.scroller.top;
  }

  get viewport() {
    return this.scroller.viewport;
  }

  get columns() {
    return this.layout.metrics.columns;
  }

  /** The rows to ask a server for at first: as many as can be mounted, in steps that readers share. */
  get window() {
    const { columns } = this.layout.metrics;
    const rows = Math.ceil((this.viewport + 2 * this.#beyond) / this.layout.pitch) + 1;
    const from = Math.floor(this.range[0] / STEP) * STEP;
    return `${from},${Math.ceil((rows * columns + this.range[0] - from) / STEP) * STEP}`;
  }

  /** The rows that can be seen, from first to last. */
  get visibleRows() {
    const bottom = this.top + this.viewport;
    const height = this.layout.metrics.tileHeight;
    return [...this.rows]
      .filter((row) => row.id !== null && row.y < bottom && row.y + height > this.top)
      .sort((a, b) => a.index - b.index);
  }

  /** The element got another size, or the page other metrics. */
  resized() {
    // A hidden list stays as it is.
    if (!this.scroller.follow()) return;
    const { top } = this;
    const first = top > 0 ? this.#firstPosition() : null;
    this.#metrics = null;
    this.#lay();
    // As far below the edge as it was, but not so far that another row has room above it.
    if (first) this.scroller.scrollTo(this.layout.pointOf(first.index).y - Math.min(first.y - top, this.layout.pitch - 1));
    this.#sync();
  }

  scrolled() {
    this.scroller.follow();
    this.#sync({ lazily: true });
  }

  /**
   * Shows the model's new state.
   * @param {object} change
   * @param {(id: string) => boolean} [change.isNew] whether an item has just come into the list
   * @param {Set<string> | null} [change.stale] ids to draw again; null: all
   * @param {Set<string>} [change.fresh] ids that get a new node
   * @param {boolean} [change.anchored] whether the first visible item that stays is to stay where it is on screen
   * @param {boolean} [change.animated]
   */
  update({ isNew = () => false, stale, fresh, anchored = false, animated = true } = {}) {
    // A script may have scrolled, which is told with the next animation frame.
    this.scroller.follow();
    const { tileHeight } = this.layout.metrics;
    const before = { top: this.top, offset: this.scroller.offset };
    const painted = animated
      ? this.motion.capture(this.rows, before.top, this.viewport, tileHeight)
      : new Map();
    const anchor = anchored && this.top > 0 ? this.#anchor() : null;
    this.#lay();
    if (anchor) this.scroller.scrollTo(this.top + this.layout.pointOf(anchor.index).y - anchor.y);
    const all = stale === null ? new Set([...this.rows].map(({ key }) => key)) : stale;
    const left = this.#sync({ stale: all, fresh, keepLeft: true });
    // Rows that fade out stay where they were on screen, whatever was scrolled.
    /** @param {Row[]} rows */
    const done = (rows) => this.rows.release(rows);
    this.motion.leave(left, painted, this.top, this.scroller.offset, done);
    if (animated) this.motion.play(this.rows, painted, this.top, this.viewport, tileHeight, isNew);
  }

  /**
   * Scrolls until an item is wholly visible.
   * @param {string | null | undefined} id
   */
  reveal(id) {
    this.revealAt(this.#model.order.indexOf(id));
  }

  /** @param {number} index */
  revealAt(index) {
    if (index < 0) return;
    // A new size is reported only with the next frame: it is read here.
    if (this.#host.clientWidth !== this.#metrics?.width) this.resized();
    this.scroller.follow();
    const { y } = this.layout.pointOf(index);
    const { tileHeight, padding } = this.layout.metrics;
    const margin = Math.max(padding, this.layout.header);
    if (y - margin < this.top) this.scroller.scrollTo(y - margin);
    else if (y + tileHeight + padding > this.top + this.viewport) {
      this.scroller.scrollTo(y + tileHeight + padding - this.viewport);
    }
    this.#sync();
  }

  /** Draws everything again, in new nodes, by the metrics of now. */
  redraw() {
    this.scroller.follow();
    // Outside of the document there is no style to read.
    if (this.#host.isConnected) this.#metrics = null;
    this.rows.drain();
    this.rows.release(this.rows.sync([]));
    this.#lay();
    this.#sync();
  }

  #lay() {
    if (!this.scroller.isAway) this.#width = this.#host.clientWidth;
    this.#metrics ??= readMetrics(getComputedStyle(this.#host), this.#width);
    const { sections, count } = this.#model.order;
    this.layout = new Layout(this.#metrics, sections, this.#list.headed());
    this.scroller.resize(this.layout.height, this.#host.clientHeight);
    this.#host.ariaRowCount = count ? String(count + (this.layout.header ? sections.length : 0)) : null;
  }

  /** @param {{ stale?: Set<string>, fresh?: Set<string>, keepLeft?: boolean, lazily?: boolean }} options */
  #sync({ stale, fresh, keepLeft = false, lazily = false } = {}) {
    const wanted = this.#wanted(lazily);
    if (!wanted) return [];
    const left = this.rows.sync(wanted, { stale, fresh });
    if (!keepLeft) this.rows.release(left);
    this.#list.onShown();
    return left;
  }

  /**
   * Returns the rows that should be in the document now; null if that is just what is there.
   * @param {boolean} lazily
   */
  #wanted(lazily) {
    const { layout } = this;
    const { order } = this.#model;
    const { columns, tileWidth, tileHeight, padding, gap } = layout.metrics;
    const beyond = this.#beyond;
    const [top, bottom] = [this.top - beyond, this.top + this.viewport + beyond];
    const [from, to] = layout.itemsBetween(top, bottom);
    const shift = this.scroller.offset;
    const shown = `${from},${to},${shift}`;
    if (lazily && shown === this.#shown) return null;
    this.#shown = shown;
    this.range = [from, to];
    /** @type {Entry[]} */
    const wanted = [];
    const headed = layout.header > 0;
    /**
     * @param {string | undefined} id
     * @param {number} index
     */
    const add = (id, index) => {
      const s = layout.sectionOf(index);
      const ordinal = index + 1 + (headed ? s + 1 : 0);
      const { x, y } = layout.pointOf(index);
      const isWaiting = !this.#model.knows(id);
      wanted.push({
        key: isWaiting ? `\x01${index}` : id, id: isWaiting ? null : id, isWaiting,
        index, section: s, ordinal, x, y, shift, width: tileWidth, height: tileHeight,
      });
    };
    if (headed) {
      const [first, last] = layout.sectionsBetween(top, bottom);
      for (let s = first; s < last; s++) {
        const { id, start, count } = layout.sections[s];
        const width = columns * (tileWidth + gap) - gap;
        wanted.push({
          key: `\0${id}`, id: null, index: start - 0.5, section: s, ordinal: start + s + 1, count,
          x: padding, y: layout.tops[s], shift, width, height: layout.header,
        });
      }
    }
    order.slice(from, to).forEach((id, n) => add(id, from + n));
    for (const id of this.#list.kept()) {
      const index = order.indexOf(id);
      if (id && index >= 0 && (index < from || index >= to) && this.#model.knows(id)) add(id, index);
    }
    return wanted.sort((a, b) => a.index - b.index || a.section - b.section);
  }

  /** How far beyond what is visible rows are mounted. */
  get #beyond() {
    const { pitch, metrics: { columns } } = this.layout;
    const rows = Math.max(1, Math.min(Math.ceil(this.viewport / 2 / pitch), MAXIMUM_BEYOND / columns));
    return Math.ceil(rows) * pitch;
  }

  #firstFullyVisible() {
    const { tileHeight } = this.layout.metrics;
    return this.visibleRows.filter((row) => row.y >= this.top && row.y + tileHeight <= this.top + this.viewport);
  }

  /** The first wholly visible item, or where none is known (they are still to come, or a script has just scrolled here) the
   * first position: `{index, y}`. */
  #firstPosition() {
    const [row] = this.#firstFullyVisible();
    const index = row ? this.#model.order.indexOf(row.id) : -1;
    if (index >= 0) return { index, y: row.y };
    const [from] = this.layout.itemsBetween(this.top, this.top);
    return from < this.#model.order.count ? { index: from, y: this.top } : null;
  }

  /** The first wholly visible item that the change does not move: its new position and its old offset. */
  #anchor() {
    const rows = this.#firstFullyVisible();
    const positions = rows.map(({ id }) => this.#model.order.indexOf(id));
    const n = staying(positions).indexOf(1);
    return n < 0 ? null : { index: positions[n], y: rows[n].y };
  }
}

/** @param {string} className */
function element(className) {
  return Object.assign(document.createElement('div'), { className });
}
