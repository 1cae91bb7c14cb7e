// Lays the rows out by other metrics, such as another size of tiles, around a point that stays. Fetched when a page asks for it.

import { focusedBeside } from './rows.js';
import { slotAt } from '../moving/slots.js';

const TRAVEL = { duration: 200, easing: 'cubic-bezier(.2,0,0,1)' }; // beyond MAXIMUM_GROWING nothing travels, as in motion.js
const MAXIMUM_GROWING = 60;

/** @typedef {import('./keyboard.js').Point} Point of the screen */
/** @typedef {Pick<import('../controller.js').Controller, 'host' | 'model' | 'view' | 'cells' | 'measured'>} List */

/** @param {List} list */
export const part = (list) => (/** @type {Point | undefined} */ point) => list.measured('layout', () => relayout(list, point));

/**
 * @param {List} list
 * @param {Point} [point]
 */
function relayout(list, point) {
  const { host, view } = list;
  view.scrolled();
  const { top, viewport, layout } = view;
  const anchor = anchorAt(list, point ?? focused(list));
  const { tileHeight, width } = layout.metrics;
  const painted = view.motion.capture(view.rows, top, viewport, tileHeight);
  view.resized();
  if (anchor) {
    const { y } = view.layout.pointOf(anchor.index);
    view.scroller.scrollTo(y + anchor.part * view.layout.metrics.tileHeight - anchor.below);
    view.scrolled();
  }
  list.cells.decorate();
  const { metrics } = view.layout;
  if (metrics.columns === layout.metrics.columns || metrics.width !== width) return;
  const { motion, rows } = view;
  motion.play(rows, painted, view.top, viewport, metrics.tileHeight, () => false);
  // Those that travel grow or shrink on the way.
  if (motion.isReduced || Math.max(painted.size, view.visibleRows.length) > MAXIMUM_GROWING) return;
  const scale = [layout.metrics.tileWidth / metrics.tileWidth, 1];
  for (const { id, key, cell } of rows) {
    if (id !== null && painted.has(key)) cell.animate({ scale, transformOrigin: ['0 0', '0 0'] }, TRAVEL);
  }
}

/**
 * The item at a point, how far down in it the point is (0 … 1), and how far below the upper edge.
 * @param {List} list
 * @param {Point | undefined} point
 */
function anchorAt({ host, view }, point) {
  const slot = point && slotAt(view, host, point.x, point.y);
  if (!slot || slot.index < 0) return undefined;
  const below = point.y - host.getBoundingClientRect().top;
  const part = (below + view.top - view.layout.pointOf(slot.index).y) / view.layout.metrics.tileHeight;
  return { index: slot.index, part: Math.min(1, Math.max(0, part)), below };
}

/**
 * The middle of the item that has the focus, where that is seen.
 * @param {List} list
 * @returns {Point | undefined}
 */
function focused({ host, view }) {
  const row = view.rows.rowOf(focusedBeside(host));
  if (!row || row.id === null || !view.visibleRows.includes(row)) return undefined;
  const { tileWidth, tileHeight } = view.layout.metrics;
  const box = host.getBoundingClientRect();
  return { x: box.left + host.clientLeft + row.x + tileWidth / 2, y: box.top + row.y - view.top + tileHeight / 2 };
}
