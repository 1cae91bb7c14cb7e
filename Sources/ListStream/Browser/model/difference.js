import { partitionPoint } from './order.js';

/**
 * Finds which of `positions` can stay where they are: a longest increasing subsequence, so that as few as possible move. Negative
 * positions are inserted items, and never stay.
 * @param {number[]} positions
 * @returns {Uint8Array} 1 for each entry that stays
 * Complexity: O(n log n).
 */
export function staying(positions) {
  /** @type {number[]} */
  const tails = []; // tails[l]: the entry that ends the best subsequence of length l + 1
  const before = new Int32Array(positions.length);
  for (let n = 0; n < positions.length; n++) {
    if (positions[n] < 0) continue;
    const low = partitionPoint(tails.length, (at) => positions[tails[at]] < positions[n]);
    before[n] = low > 0 ? tails[low - 1] : -1;
    tails[low] = n;
  }
  const stays = new Uint8Array(positions.length);
  for (let n = tails.length > 0 ? tails[tails.length - 1] : -1; n >= 0; n = before[n]) stays[n] = 1;
  return stays;
}
