// The order of a list: sections of blocks of ids, and a map from each id to its block.
//
// Of a long list only some ids are known. What is not known is a gap: a block that has a length and no ids. Positions are right all
// the same; an unknown id is `undefined`.
//
// Positions are found by arithmetic over the blocks, so an edit costs what it touches plus one pass over the
// blocks (a few hundred at 100,000 items). Edits have the form that frames have (Documentation/Frames.md):
// deletes and the sources of moves are positions before, inserts and the targets of moves are positions after.

/** @typedef {[id: string, section: number, item: number]} LocatedItem */
/** @typedef {[id: string, section: number, item: number, toSection: number, toItem: number]} Move */
/** @typedef {{ deleted?: LocatedItem[], inserted?: LocatedItem[], moved?: Move[] }} ItemEdits */
/** @typedef {{ deleted?: [id: string, index: number][], inserted?: [id: string, index: number][], moved?: [id: string, index: number, to: number][] }} SectionEdits */
/** @typedef {{ sections?: SectionEdits, items?: ItemEdits }} Edits */

/**
 * A section; `start` is the flat position of its first item.
 * @typedef {object} Section
 * @property {string} id
 * @property {Block[]} blocks
 * @property {number} count
 * @property {number} start
 * @property {boolean} [dirty] whether some of its blocks may be empty
 */

/** @typedef {{ ids: string[], section: Section, start: number }} Known */
/** @typedef {{ ids: { length: number, [index: number]: undefined }, section: Section, start: number }} Gap */
/** @typedef {Known | Gap} Block */
/** @typedef {string | null | undefined} MaybeID */
/** @typedef {Omit<Map<string, Known>, 'has' | 'get'> & { has(id: MaybeID): boolean, get(id: MaybeID): Known | undefined }} Blocks */

/**
 * @param {string[]} items
 * @returns {[from: number, ids: string[]][]}
 */
const whole = (items) => [[0, items]];
const BLOCK_CAPACITY = 512;

/** Thrown where edits do not fit an order, which is left as it was. */
export class OrderError extends Error {
  name = 'OrderError';
}

/** @type {never[]} */
const none = [];
/**
 * Whether a block is a gap: it has a length and no ids.
 * @param {Block} block
 * @returns {block is Gap}
 */
export const isGap = (block) => !Array.isArray(block.ids);
/**
 * @param {number} length
 * @param {Section} section
 * @returns {Gap}
 */
export const gap = (length, section, start = 0) => ({ ids: { length }, section, start });

/**
 * The edits that undo `edits`. Deleted sections lose their items, so such edits cannot be inverted.
 * @param {Edits} edits
 * @returns {Edits}
 */
export function inverse({ items = {} }) {
  return {
    items: {
      deleted: items.inserted,
      inserted: items.deleted,
      moved: items.moved?.map(([id, s, i, s2, i2]) => [id, s2, i2, s, i]),
    },
  };
}

export class Order {
  /** @type {Section[]} */
  #sections = [];
  /** @type {Map<string, Section>} */
  #sectionByID = new Map();
  /** @type {Blocks} */
  #blockOf = new Map();
  #count = 0;
  #stale = false;

  /** @param {import('./frames.js').FrameSection[]} sections */
  constructor(sections = none) {
    let known = 0;
    for (const { id, items = none, count = items.length, windows = whole(items) } of sections) {
      if (this.#sectionByID.has(id)) throw new OrderError('a section is there twice');
      /** @type {Section} */
      const section = { id, blocks: [], count, start: this.#count };
      let at = 0;
      for (const [from, ids] of windows.toSorted((a, b) => a[0] - b[0])) {
        if (!(from >= at && from + ids.length <= count)) throw new OrderError(`a window of ${id} does not fit`);
        if (from > at) section.blocks.push(gap(from - at, section, this.#count + at));
        section.blocks.push(...this.blocks(ids, section, this.#count + from));
        at = from + ids.length;
        known += ids.length;
      }
      if (at < count) section.blocks.push(gap(count - at, section, this.#count + at));
      this.#count += count;
      this.#sections.push(section);
      this.#sectionByID.set(id, section);
    }
    if (this.#blockOf.size !== known) throw new OrderError('an item is there twice');
  }

  /**
   * Blocks of ids at a flat position of a section, for which there has to be room.
   * @param {string[]} ids
   * @param {Section} section
   * @param {number} start
   */
  blocks(ids, section, start) {
    /** @type {Known[]} */
    const blocks = [];
    for (let at = 0; at < ids.length; at += BLOCK_CAPACITY >> 1) {
      const block = { ids: ids.slice(at, at + (BLOCK_CAPACITY >> 1)), section, start: start + at };
      for (const id of block.ids) this.#blockOf.set(id, block);
      blocks.push(block);
    }
    return blocks;
  }

  get count() {
    return this.#count;
  }

  get sections() {
    this.#index();
    return this.#sections;
  }

  /** @param {MaybeID} id */
  has(id) {
    return this.#blockOf.has(id);
  }

  /** The ids that are known, in no order. */
  get known() {
    return this.#blockOf.keys();
  }

  get knownCount() {
    return this.#blockOf.size;
  }

  /**
   * The flat position of an item, or -1.
   * @param {MaybeID} id
   */
  indexOf(id) {
    const block = this.#blockOf.get(id);
    if (!block || id == null) return -1;
    this.#index();
    return block.start + block.ids.indexOf(id);
  }

  /**
   * `[section, item]` of an item, or null.
   * @param {MaybeID} id
   * @returns {[section: number, item: number] | null}
   */
  indexPathOf(id) {
    const index = this.indexOf(id);
    const section = this.#blockOf.get(id)?.section;
    return section ? [this.#sections.indexOf(section), index - section.start] : null;
  }

  /** @param {MaybeID} id */
  sectionIDOf(id) {
    return this.#blockOf.get(id)?.section.id;
  }

  /**
   * The id at a flat position, or undefined where there is none or it is not known.
   * @param {number} index
   */
  at(index) {
    return this.slice(index, index + 1)[0];
  }

  /**
   * The ids at flat positions `from ..< to`; undefined for those that are not known.
   * @param {number} from
   * @param {number} to
   */
  slice(from, to) {
    this.#index();
    /** @type {(string | undefined)[]} */
    const out = [];
    from = Math.max(0, from);
    to = Math.min(to, this.#count);
    if (from >= to) return out;
    let s = lastStartingAtOrBefore(this.#sections, from);
    let b = lastStartingAtOrBefore(this.#sections[s].blocks, from);
    for (; s < this.#sections.length && from < to; s++, b = 0) {
      for (const blocks = this.#sections[s].blocks; b < blocks.length && from < to; b++) {
        const { ids, start } = blocks[b];
        while (from < to && from - start < ids.length) out.push(ids[from++ - start]);
      }
    }
    return out;
  }

  /**
   * Applies edits, or throws an `OrderError` and changes nothing.
   * @param {Edits} edits
   * @returns the ids that left the list
   */
  apply({ sections = {}, items = {} }) {
    const [after, strangers] = this.#check(sections, items);
    /** @type {string[]} */
    const left = [];
    for (const [id, s, i] of items.deleted ?? none) {
      this.#take(id, s, i);
      left.push(id);
    }
    for (const [id, s, i] of items.moved ?? none) this.#take(id, s, i);
    if (after !== this.#sections) {
      const staying = new Set(after);
      for (const section of this.#sections) {
        if (staying.has(section)) continue;
        this.#sectionByID.delete(section.id);
        for (const block of section.blocks) {
          for (const id of isGap(block) ? none : block.ids) {
            this.#blockOf.delete(id);
            left.push(id);
          }
        }
      }
      for (const section of after) this.#sectionByID.set(section.id, section);
      this.#sections = after;
    }
    this.#put(arrivals(items), strangers);
    for (const section of this.#sections) {
      if (section.dirty) section.blocks = section.blocks.filter((block) => block.ids.length > 0);
      section.dirty = false;
    }
    this.#stale = true;
    this.#index();
    return left;
  }

  /**
   * @param {number} s
   * @param {number} i
   */
  #blockAt(s, i) {
    const section = this.#sections[s];
    return section.blocks[lastStartingAtOrBefore(section.blocks, section.start + i)];
  }

  /**
   * Removes an id, or one of the unknown ids of a gap. Positions are still those before the edits.
   * @param {string} id
   * @param {number} s
   * @param {number} i
   */
  #take(id, s, i) {
    const block = this.#blockOf.get(id) ?? this.#blockAt(s, i);
    if (isGap(block)) block.ids.length--;
    else block.ids.splice(block.ids.indexOf(id), 1);
    block.section.count--;
    if (block.ids.length === 0) block.section.dirty = true;
    this.#blockOf.delete(id);
  }

  /**
   * Inserts arrivals, ascending by position: one pass over the blocks of each section that gets any.
   * @param {LocatedItem[]} arriving
   * @param {Set<string>} strangers
   */
  #put(arriving, strangers) {
    /** @type {Section} */
    let section = this.#sections[-1];
    let b = 0;
    let start = 0;
    for (const [id, s, i] of arriving) {
      if (section !== this.#sections[s]) {
        section = this.#sections[s];
        b = start = 0;
      }
      const { blocks } = section;
      while (b < blocks.length - 1 && start + blocks[b].ids.length < i) start += blocks[b++].ids.length;
      const isKnown = !strangers.has(id);
      /** @returns {Block} */
      const make = () => (isKnown ? { ids: [], section, start: 0 } : gap(0, section));
      /** @param {Block | undefined} block */
      const fits = (block) => block && isGap(block) !== isKnown;
      let block = (blocks[b] ??= make());
      let at = i - start;
      if (!fits(block)) {
        // Beside a gap, or in the middle of one: at the edge of a neighbour, or in a block of its own.
        if (at === block.ids.length && fits(blocks[b + 1])) [block, at] = [blocks[b + 1], 0];
        else if (at === 0 && fits(blocks[b - 1])) {
          block = blocks[b - 1];
          at = block.ids.length;
          start++;
        } else {
          if (at > 0 && at < block.ids.length) this.#split(section, b, at);
          const made = make();
          blocks.splice(at > 0 ? b + 1 : b, 0, made);
          [block, at] = [made, 0];
        }
      }
      section.count++;
      if (isGap(block)) {
        block.ids.length++;
        continue;
      }
      block.ids.splice(at, 0, id);
      this.#blockOf.set(id, block);
      if (block.ids.length > BLOCK_CAPACITY) this.#split(section, blocks.indexOf(block), BLOCK_CAPACITY >> 1);
    }
  }

  /**
   * @param {Section} section
   * @param {number} b
   * @param {number} at
   */
  #split(section, b, at) {
    const block = section.blocks[b];
    /** @type {Block} */
    let upper = gap(block.ids.length - at, section);
    if (isGap(block)) block.ids.length = at;
    else {
      upper = { ids: block.ids.splice(at), section, start: 0 };
      for (const id of upper.ids) this.#blockOf.set(id, upper);
    }
    section.blocks.splice(b + 1, 0, upper);
  }

  /**
   * Throws if these edits do not fit.
   * @param {SectionEdits} sections
   * @param {ItemEdits} items
   * @returns {[Section[], Set<string>]} the sections after the edits, which may be the present array, and the unknown ids that leave
   */
  #check(sections, items) {
    const after = this.#sectionsAfter(sections);
    const counts = new Map(after.map((section) => [section, section.count]));
    const leaving = new Set();
    /** @type {Set<string>} */
    const strangers = new Set();
    const unknown = new Set();
    for (const [id, s, i] of [...(items.deleted ?? none), ...(items.moved ?? none)]) {
      const indexPath = this.indexPathOf(id);
      const section = this.#sections[s];
      if (indexPath) {
        if (indexPath[0] !== s || indexPath[1] !== i) throw new OrderError(`item ${id} is not at ${s}/${i}`);
      } else {
        const isThere = section && i >= 0 && i < section.count;
        if (!isThere || !isGap(this.#blockAt(s, i)) || unknown.has(`${s}/${i}`)) throw new OrderError(`item ${id} is not at ${s}/${i}`);
        unknown.add(`${s}/${i}`);
        strangers.add(id);
      }
      if (leaving.has(id)) throw new OrderError(`item ${id} is named twice`);
      leaving.add(id);
      const count = counts.get(section);
      if (count) counts.set(section, count - 1);
    }
    const arrived = new Set();
    for (const [id, s, i] of arrivals(items)) {
      const section = after[s];
      const count = counts.get(section) ?? -1;
      if (!(i >= 0 && i <= count)) throw new OrderError(`item ${id} is not at ${s}/${i}`);
      const block = this.#blockOf.get(id);
      const stays = block && !leaving.has(id) && counts.has(block.section);
      if (stays || arrived.has(id)) throw new OrderError(`item ${id} is named twice`);
      arrived.add(id);
      counts.set(section, count + 1);
    }
    return [after, strangers];
  }

  /**
   * @param {SectionEdits} edits
   * @returns {Section[]}
   */
  #sectionsAfter({ deleted = none, inserted = none, moved = none }) {
    if (deleted.length + inserted.length + moved.length === 0) return this.#sections;
    const leaving = new Set();
    for (const [id, index] of [...deleted, ...moved]) {
      if (this.#sections[index]?.id !== id) throw new OrderError(`section ${id} is not at ${index}`);
      leaving.add(id);
    }
    const after = this.#sections.filter(({ id }) => !leaving.has(id));
    /** @type {[to: number, section: Section][]} */
    const arriving = inserted.map(([id, to]) => [to, { id, blocks: [], count: 0, start: 0 }]);
    for (const [, index, to] of moved) arriving.push([to, this.#sections[index]]);
    for (const [to, section] of arriving.sort((a, b) => a[0] - b[0])) {
      if (!(to >= 0 && to <= after.length)) throw new OrderError(`section ${section.id} is not at ${to}`);
      after.splice(to, 0, section);
    }
    if (new Set(after.map(({ id }) => id)).size !== after.length) throw new OrderError('a section is there twice');
    return after;
  }

  #index() {
    if (!this.#stale) return;
    this.#stale = false;
    let at = 0;
    for (const section of this.#sections) {
      section.start = at;
      for (const block of section.blocks) {
        block.start = at;
        at += block.ids.length;
      }
    }
    this.#count = at;
  }
}

/**
 * All items that arrive, ascending by position.
 * @param {ItemEdits} edits
 */
function arrivals({ inserted = none, moved = none }) {
  /** @type {LocatedItem[]} */
  const all = inserted.slice();
  for (const [id, , , s, i] of moved) all.push([id, s, i]);
  return all.sort((a, b) => a[1] - b[1] || a[2] - b[2]);
}

/**
 * The index of the last entry of `list` with `start <= at`; empty entries before it are passed over.
 * @param {{ start: number }[]} list
 * @param {number} at
 */
export const lastStartingAtOrBefore = (list, at) => lastAtMost(list.length, (n) => list[n].start, at);

/**
 * The last index in `0 ..< length` whose value is at most `limit`, or 0.
 * @param {number} length
 * @param {(index: number) => number} value
 * @param {number} limit
 */
export function lastAtMost(length, value, limit) {
  return Math.max(0, partitionPoint(length, (n) => value(n) <= limit) - 1);
}

/**
 * The first index that does not meet a condition, where all that do come before all that do not; the length where all do.
 * @param {number} length
 * @param {(index: number) => boolean} isBefore
 */
export function partitionPoint(length, isBefore) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
