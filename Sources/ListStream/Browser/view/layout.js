// Computes all positions: nothing here measures an element.
// All positions are in the list's own coordinates, which begin at its top and may be longer than a browser's
// longest box (see scroller.js).

import { lastAtMost, lastStartingAtOrBefore } from '../model/order.js';

/** The least value of the metrics that may not be 0. */
/** @type {{ [name: string]: number }} */
const least = { tile: 1, columns: 1, 'least-columns': 1, 'row-height': 1, 'tile-aspect': 0.01 };

/**
 * Returns a metric; `NaN` if it is invalid, such as `3rem`, or too small.
 * @param {CSSStyleDeclaration} style
 * @param {string} name
 */
export function metric(style, name) {
  const text = style.getPropertyValue(`--ll-${name}`).trim();
  const value = /^[\d.e+]+(px)?$/.test(text) ? parseFloat(text) : NaN;
  return value >= (least[name] ?? 0) ? value : NaN;
}

/**
 * The sizes of the layout, in CSS pixels, and the number of columns.
 * @typedef {object} Metrics
 * @property {number} width
 * @property {number} columns
 * @property {number} gap
 * @property {number} padding
 * @property {number} tileWidth
 * @property {number} tileHeight
 * @property {number} header
 */

/**
 * Reads the metrics that the page set as custom properties on the element.
 * @param {CSSStyleDeclaration} style
 * @param {number} width
 * @returns {Metrics}
 */
export function readMetrics(style, width) {
  /**
   * @param {string} name
   * @param {number} fallback
   */
  const number = (name, fallback) => {
    const value = metric(style, name);
    return value >= 0 ? value : fallback;
  };
  const padding = number('padding', 0);
  const gap = number('gap', 0);
  const inner = Math.max(1, width - 2 * padding);
  const fitting = Math.floor((inner + gap) / (number('tile', 160) + gap));
  const columns = Math.floor(number('columns', Math.max(fitting, number('least-columns', 1), 1)));
  const tileWidth = (inner - gap * (columns - 1)) / columns;
  const tileHeight = number('row-height', tileWidth / number('tile-aspect', 1));
  return { width, columns, gap, padding, tileWidth, tileHeight, header: number('header-height', 40) };
}

export class Layout {
  /**
   * @param {Metrics} metrics
   * @param {{ id: string, count: number, start: number }[]} sections
   * @param {boolean} headed whether sections have headers
   */
  constructor(metrics, sections, headed) {
    this.metrics = metrics;
    this.sections = sections;
    this.header = headed ? metrics.header : 0;
    this.tops = new Float64Array(sections.length + 1);
    const { columns, gap, padding, tileHeight } = metrics;
    this.pitch = tileHeight + gap;
    let top = padding;
    sections.forEach(({ count }, s) => {
      this.tops[s] = top;
      top += this.header + Math.ceil(count / columns) * this.pitch;
    });
    this.tops[sections.length] = top;
    this.height = Math.max(0, top - gap + padding);
  }

  /**
   * The section of a flat position.
   * @param {number} index
   */
  sectionOf(index) {
    return lastStartingAtOrBefore(this.sections, index);
  }

  /**
   * The position of an item: that of its upper left corner.
   * @param {number} index
   */
  pointOf(index) {
    const { columns, gap, padding, tileWidth } = this.metrics;
    const s = this.sectionOf(index);
    const n = index - this.sections[s].start;
    return {
      x: padding + (n % columns) * (tileWidth + gap),
      y: this.tops[s] + this.header + Math.floor(n / columns) * this.pitch,
    };
  }

  /**
   * The flat positions `[from, to)` of the items that touch `top ..< bottom`.
   * @param {number} top
   * @param {number} bottom
   * @returns {[from: number, to: number]}
   */
  itemsBetween(top, bottom) {
    if (this.sections.length === 0) return [0, 0];
    const { columns } = this.metrics;
    /**
     * @param {number} y
     * @param {(row: number) => number} rounding
     */
    const bound = (y, rounding) => {
      const s = lastAtMost(this.sections.length, (n) => this.tops[n], y);
      const { start, count } = this.sections[s];
      const row = rounding((y - this.tops[s] - this.header) / this.pitch);
      return start + Math.min(count, Math.max(0, row * columns));
    };
    const from = bound(top, Math.floor);
    return [from, Math.max(from, bound(bottom, Math.ceil))];
  }

  /**
   * The sections `[from, to)` that touch `top ..< bottom`.
   * @param {number} top
   * @param {number} bottom
   */
  sectionsBetween(top, bottom) {
    const from = lastAtMost(this.sections.length, (n) => this.tops[n], top);
    let to = from;
    while (to < this.sections.length && this.tops[to] < bottom) to++;
    return [from, to];
  }
}
