// The unknown parts of a long list: finds them, says what to ask for, and takes the answers in.

import { FORMAT } from '../model/model.js';
import { Order, OrderError, gap, isGap, lastStartingAtOrBefore } from '../model/order.js';

/** @typedef {import('../model/model.js').ListModel} ListModel */
/** @typedef {import('../model/frames.js').Rows} Rows */

/** @param {Order} order */
function* gaps(order) {
  for (const { blocks } of order.sections) for (const block of blocks) if (isGap(block)) yield block;
}

/** @param {import('../model/order.js').Block[]} blocks */
const knownBlocks = (blocks) => blocks.flatMap((block) => (isGap(block) ? [] : [block]));

/**
 * How many ids before a flat position are not known.
 * @param {Order} order
 * @param {number} index
 */
function unknownBefore(order, index) {
  let unknown = 0;
  for (const { start, ids: { length } } of gaps(order)) {
    if (start >= index) break;
    unknown += Math.min(index - start, length);
  }
  return unknown;
}

/**
 * The flat position of the nth id that is not known.
 * @param {Order} order
 * @param {number} n
 */
function unknownAt(order, n) {
  for (const { start, ids: { length } } of gaps(order)) {
    if (n < length) return start + n;
    n -= length;
  }
  return order.count;
}

/**
 * The range to ask for to know what is shown at positions: `[from, to)` in the server's list, or null.
 * @param {ListModel} model
 * @param {number} from
 * @param {number} to
 * @param {boolean} [idsAlone] whether contents do not matter
 * @returns {[number, number] | null}
 */
export function missing(model, from, to, idsAlone = false) {
  if (!model.sparse) return null;
  const { order, content } = model;
  const [first, end] = [unknownBefore(order, from), unknownBefore(order, to)];
  const bare = idsAlone ? [] : order.slice(from, to).filter((id) => id !== undefined && !content.has(id));
  if (first === end && bare.length === 0) return null;
  // Pending mutations move known items alone: unknown ones keep their order, and so are found in the list below.
  return model.below((below) => {
    const positions = bare.map((id) => below.indexOf(id));
    if (first < end) positions.push(unknownAt(below, first), unknownAt(below, end - 1));
    /** @type {[number, number]} */
    const none = [Infinity, 0];
    return positions.reduce(([lowest, highest], at) => [Math.min(lowest, at), Math.max(highest, at + 1)], none);
  });
}

/**
 * Takes in rows that were asked for: a list of their own, to which the changes since are applied.
 * @param {ListModel} model
 * @param {Rows} answer what should be one
 * @returns {'applied' | 'later' | 'again'} `later`: it is newer than the list; `again`: it is of no use
 */
export function fill(model, answer) {
  if (answer?.format !== FORMAT || answer.kind !== 'range' || answer.epoch !== model.epoch) return 'again';
  if (answer.seq > model.seq) return 'later';
  try {
    const rows = new Order(answer.sections);
    const content = new Map(Object.entries(answer.content ?? {}));
    let at = answer.seq;
    for (const frame of model.recent) {
      if (frame.from < answer.seq) continue;
      if (frame.from !== at) return 'again';
      rows.apply(frame);
      for (const id in frame.content) content.set(id, frame.content[id]);
      at = frame.seq;
    }
    if (at !== model.seq) return 'again';
    model.below((order) => takeOver(order, rows));
    for (const id of rows.known) {
      if (answer.content || content.has(id)) model.content.set(id, content.get(id));
    }
  } catch (error) {
    if (error instanceof OrderError) return 'again';
    throw error;
  }
  return 'applied';
}

/**
 * Forgets rows, those first that were not seen for longest, until `limit` are known.
 * @param {ListModel} model
 * @param {number} limit
 * @param {Set<string | null | undefined>} retained the ids that stay
 */
export function forget(model, limit, retained) {
  model.below((order) => {
    const { content } = model;
    const known = [...order.known];
    /** @type {Set<string>} */
    const gone = new Set();
    for (const id of [...known.filter((id) => !content.has(id)), ...content.keys()]) {
      if (known.length - gone.size <= limit) break;
      if (!retained.has(id)) gone.add(id);
    }
    /**
     * The ranges of ids in a block that stay, with their positions.
     * @param {import('../model/order.js').Known} block
     * @param {number} first
     * @returns {[from: number, ids: string[]][]}
     */
    const runs = ({ ids, start }, first) => ids.flatMap((id, n) => {
      if (gone.has(id)) return [];
      const isFirst = n === 0 || gone.has(ids[n - 1]);
      let end = n;
      while (isFirst && end < ids.length && !gone.has(ids[end])) end++;
      return isFirst ? [[start - first + n, ids.slice(n, end)]] : [];
    });
    model.order = new Order(order.sections.map(({ id, count, start, blocks }) => ({
      id, count, windows: knownBlocks(blocks).flatMap((block) => runs(block, start)),
    })));
    for (const id of gone) content.delete(id);
  });
}

/**
 * Takes over what another order of the same list knows, or throws an `OrderError` and changes nothing.
 * @param {Order} order
 * @param {Order} rows
 */
function takeOver(order, rows) {
  const { sections } = order;
  /**
   * @param {import('../model/order.js').Section} section
   * @param {number} s
   */
  const isSame = ({ id, count }, s) => sections[s]?.id === id && sections[s].count === count;
  if (rows.sections.length !== sections.length || !rows.sections.every(isSame)) throw new OrderError('another list');
  /** @type {[at: number, ids: string[]][]} */
  const runs = [];
  for (const { blocks } of rows.sections) {
    for (const { ids, start } of knownBlocks(blocks)) {
      const mine = order.slice(start, start + ids.length);
      /** @type {string[] | null} */
      let run = null;
      ids.forEach((id, n) => {
        if (mine[n] === id) run = null;
        else if (mine[n] !== undefined || order.has(id)) throw new OrderError(`item ${id} is not at ${start + n}`);
        else if (run) run.push(id);
        else runs.push([start + n, (run = [id])]);
      });
    }
  }
  for (let [at, ids] of runs) {
    const section = sections[lastStartingAtOrBefore(sections, at)];
    while (ids.length > 0) {
      // A range may reach over several gaps.
      const b = lastStartingAtOrBefore(section.blocks, at);
      const { start, ids: { length } } = section.blocks[b];
      const some = ids.slice(0, start + length - at);
      const end = at + some.length;
      section.blocks.splice(
        b, 1, gap(at - start, section, start), ...order.blocks(some, section, at),
        gap(start + length - end, section, end),
      );
      section.blocks = section.blocks.filter((block) => block.ids.length > 0);
      ids = ids.slice(some.length);
      at = end;
    }
  }
}
