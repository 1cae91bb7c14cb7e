// Finds the slot under a pointer, and an item on the screen, for drags and taps.

import { lastAtMost } from '../model/order.js';

/** @typedef {import('../view/view.js').View} View */
/** @typedef {import('../view/keyboard.js').Point} Point */
/** @typedef {{ index: number, section: number, after: boolean }} Slot the nearest item, -1 in an empty section, and whether a point is in its second half */

/**
 * The slot at a point of the screen.
 * @param {View} view
 * @param {HTMLElement} host
 * @param {number} clientX
 * @param {number} clientY
 */
export function slotAt(view, host, clientX, clientY) {
  const box = host.getBoundingClientRect();
  return slotIn(view.layout, clientX - box.left - host.clientLeft, clientY - box.top + view.top);
}

/**
 * The position of an item on the screen.
 * @param {View} view
 * @param {HTMLElement} host
 * @param {number} index
 * @returns {Point}
 */
export function screenPointOf(view, host, index) {
  const box = host.getBoundingClientRect();
  const { x, y } = view.layout.pointOf(index);
  return { x: x + box.left + host.clientLeft, y: y - view.top + box.top };
}

/**
 * Returns the drop target of the page at a point of the screen, also within shadow roots; undefined if there is none.
 * @param {Point} point
 */
export function dropTargetAt({ x, y }) {
  /** @type {Element | null | undefined} */
  let at = document.elementFromPoint(x, y);
  /** @param {ShadowRoot | null | undefined} root */
  const within = (root) => root?.elementsFromPoint(x, y).find((one) => root.contains(one));
  for (let inner; (inner = within(at?.shadowRoot)); ) at = inner;
  while (at && !at.matches('[data-live-list-drop]')) at = at.assignedSlot ?? at.parentElement ?? /** @type {ShadowRoot} */ (at.getRootNode()).host;
  return at;
}

/**
 * @param {import('../view/layout.js').Layout} layout
 * @param {number} x
 * @param {number} y
 * @returns {Slot | null}
 */
function slotIn(layout, x, y) {
  const { columns, gap, padding, tileWidth, tileHeight } = layout.metrics;
  const last = layout.sections.length - 1;
  if (last < 0) return null;
  const s = lastAtMost(layout.sections.length, (n) => layout.tops[n], y);
  const { start, count } = layout.sections[s];
  if (count === 0) return { index: -1, section: s, after: false };
  const row = Math.max(0, Math.floor((y - layout.tops[s] - layout.header) / layout.pitch));
  const column = Math.min(columns - 1, Math.max(0, Math.floor((x - padding + gap / 2) / (tileWidth + gap))));
  const n = row * columns + column;
  if (n >= count) return { index: start + count - 1, section: s, after: true };
  const point = layout.pointOf(start + n);
  const after = columns > 1 ? x > point.x + tileWidth / 2 : y > point.y + tileHeight / 2;
  return { index: start + n, section: s, after };
}
