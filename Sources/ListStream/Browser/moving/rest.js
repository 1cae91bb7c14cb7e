// The positions of the items that are not being moved.

/** @typedef {import('../model/items.js').Items} Items */
/** @typedef {import('../model/order.js').Order} Order */

/**
 * The flat positions of the items that are named, ascending: those that are being moved, or all others.
 * @param {Items} items
 * @param {Order} order
 */
const positions = (items, order) => [...items.named].map((id) => order.indexOf(id)).filter((at) => at >= 0).sort((a, b) => a - b);

/**
 * The flat position of the first item that is being moved.
 * @param {Items} items
 * @param {Order} order
 */
export function firstOf(items, order) {
  if (!items.isInverted) return order.indexOf(items.ids[0]);
  const rest = positions(items, order);
  const n = rest.findIndex((at, index) => at !== index);
  return n < 0 ? rest.length : n;
}

/**
 * How many stay before a flat position.
 * @param {Items} items
 * @param {Order} order
 * @param {number} index
 */
export function restBefore(items, order, index) {
  const before = positions(items, order).filter((at) => at < index).length;
  return items.isInverted ? before : index - before;
}

/**
 * The flat position of the nth that stays.
 * @param {Items} items
 * @param {Order} order
 * @param {number} n
 */
export function restAt(items, order, n) {
  const named = positions(items, order);
  if (items.isInverted) return named[n];
  let index = n;
  for (const position of named) {
    if (position > index) break;
    index++;
  }
  return index;
}

/**
 * The flat position of the next that stays, before or after one that does; -1 or the count of all if there is none.
 * @param {Items} items
 * @param {Order} order
 * @param {number} index
 * @param {1 | -1} step
 */
export function restBeside(items, order, index, step) {
  if (items.isInverted) {
    const rest = positions(items, order);
    return rest[rest.indexOf(index) + step] ?? -1;
  }
  let n = index;
  do n += step;
  while (n >= 0 && n < order.count && items.has(/** @type {string} */ (order.at(n))));
  return n;
}
