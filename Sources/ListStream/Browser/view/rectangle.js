// Which items a rectangle touches, by arithmetic.

/** @typedef {{ left: number, right: number, upper: number, lower: number }} Rectangle in the list's own coordinates */

/**
 * The flat positions `[from, to)` of the items that a rectangle touches, one pair for each row of tiles; whole rows that follow one another are one.
 * @param {import('./layout.js').Layout} layout
 * @param {Rectangle} rectangle
 * @returns {[from: number, to: number][]}
 */
export function itemsIn(layout, { left, right, upper, lower }) {
  const { columns, gap, padding, tileWidth, tileHeight } = layout.metrics;
  const first = Math.max(0, Math.ceil((left - padding - tileWidth) / (tileWidth + gap)));
  const last = Math.min(columns - 1, Math.floor((right - padding) / (tileWidth + gap)));
  /** @type {[number, number][]} */
  const spans = [];
  if (first > last) return spans;
  const [s0, s1] = layout.sectionsBetween(upper, lower);
  for (let s = s0; s < s1; s++) {
    const { start, count } = layout.sections[s];
    const top = layout.tops[s] + layout.header;
    const rows = Math.ceil(count / columns);
    const from = Math.max(0, Math.ceil((upper - top - tileHeight) / layout.pitch));
    const to = Math.min(rows - 1, Math.floor((lower - top) / layout.pitch));
    for (let row = from; row <= to; row++) {
      const [a, b] = [start + row * columns + first, start + Math.min(count, row * columns + last + 1)];
      const before = spans.at(-1);
      if (a >= b) continue;
      if (before?.[1] === a) before[1] = b;
      else spans.push([a, b]);
    }
  }
  return spans;
}
