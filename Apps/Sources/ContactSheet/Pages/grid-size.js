// How large photos are in the grid, and whether they are squares or whole: chosen for this device, in all its windows at once.

import { readMetrics } from '../live-list/view/layout.js';
import { GRID, keptChoice, showChoice } from './photo-cell.js';

/** @typedef {import('../../../../Packaging/live-list/live-list.js').LiveList<any>} List */
/** @typedef {{ x: number, y: number }} Point of the screen */
/** @typedef {import('./photo-cell.js').Choice} Choice */

const NARROW = 700; // px: narrower lists are on devices held nearer to the eyes, where smaller tiles will do
const [SMALLEST, SMALLEST_NARROW, LARGEST] = [96, 60, 400]; // px

export class GridSize {
  #list;
  #choice = keptChoice();

  /** @param {List} list */
  constructor(list) {
    this.#list = list;
    addEventListener('storage', ({ key }) => {
      if (key !== GRID) return;
      this.#choice = keptChoice();
      showChoice(list, this.#choice);
      list.invalidateLayout();
      this.onChange();
    });
  }

  /** Called when there are other columns, or another shape, than before. */
  onChange = () => {};

  get isWhole() {
    return this.#choice.isWhole === true;
  }

  set isWhole(isWhole) {
    this.#choose({ ...this.#choice, isWhole });
    this.onChange();
  }

  get #metrics() {
    return readMetrics(getComputedStyle(this.#list), this.#list.clientWidth);
  }

  /** How many photos are in a row. */
  get columns() {
    return this.#metrics.columns;
  }

  /** The least and the most photos that a row can have. @returns {[least: number, most: number]} */
  get range() {
    const { width } = this.#metrics;
    return [this.#fitting(LARGEST), this.#fitting(width < NARROW ? SMALLEST_NARROW : SMALLEST)];
  }

  /** @param {number} tile */
  #fitting(tile) {
    const { width, gap, padding } = this.#metrics;
    return Math.max(1, Math.floor((width - 2 * padding + gap) / (tile + gap)));
  }

  /**
   * Sets how many photos are in a row, within the range. What is at a point stays there.
   * @param {number} columns
   * @param {Point} [point]
   */
  setColumns(columns, point) {
    const { width, gap, padding, columns: before } = this.#metrics;
    const [least, most] = this.range;
    const wanted = Math.min(most, Math.max(least, Math.round(columns)));
    if (wanted === before) return;
    const tile = Math.floor((width - 2 * padding - gap * (wanted - 1)) / wanted);
    this.#choose({ ...this.#choice, tile }, point);
  }

  /**
   * Sets the width of photos, as near as whole rows allow.
   * @param {number} tile
   * @param {Point} [point]
   */
  setTile(tile, point) {
    const { width, gap, padding } = this.#metrics;
    this.setColumns((width - 2 * padding + gap) / (tile + gap), point);
  }

  /** The width of a photo, in pixels. */
  get tile() {
    return this.#metrics.tileWidth;
  }

  /** Sets the size back to that of the style sheet. */
  reset() {
    this.#choose({ isWhole: this.#choice.isWhole });
  }

  /**
   * @param {Choice} choice
   * @param {Point} [point]
   */
  #choose(choice, point) {
    this.#choice = choice;
    try {
      localStorage.setItem(GRID, JSON.stringify(choice));
    } catch {
      // Where storage is forbidden, the choice is for this page alone.
    }
    showChoice(this.#list, choice);
    this.#list.invalidateLayout(point);
    this.onChange();
  }
}
