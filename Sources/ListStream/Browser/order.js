// The order of a list: sections of blocks of ids, and a map from each id to its block.
//
// Positions are found by arithmetic over the blocks, so an edit costs what it touches plus one pass over the
// blocks (a few hundred at 100,000 items). Edits have the form that frames have (Documentation/Frames.md):
// deletes and the sources of moves are places before, inserts and the targets of moves are places after.

const LARGEST_BLOCK = 512;

/** What cannot be applied to this order. The order is left as it was. */
export class OrderError extends Error {
  name = 'OrderError';
}

const byPlace = (s, i) => (a, b) => a[s] - b[s] || a[i] - b[i];
const none = [];

/** The edits that undo `edits`. Deleted sections lose their items, so such edits cannot be inverted. */
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
  #sections = [];
  #sectionByID = new Map();
  #blockOf = new Map();
  #count = 0;
  #stale = false;

  /** @param {{id: string, items: string[]}[]} sections */
  constructor(sections = none) {
    for (const { id, items = none } of sections) {
      if (this.#sectionByID.has(id)) throw new OrderError(`section ${id} is there twice`);
      const section = { id, blocks: [], count: items.length, start: this.#count };
      for (let at = 0; at < items.length; at += LARGEST_BLOCK >> 1) {
        const block = { ids: items.slice(at, at + (LARGEST_BLOCK >> 1)), section, start: this.#count + at };
        for (const item of block.ids) this.#blockOf.set(item, block);
        section.blocks.push(block);
      }
      this.#count += items.length;
      this.#sections.push(section);
      this.#sectionByID.set(id, section);
    }
    if (this.#blockOf.size !== this.#count) throw new OrderError('an item is there twice');
  }

  get count() {
    return this.#count;
  }

  /** `{id, count, start}` of each section; `start` is the flat position of its first item. */
  get sections() {
    this.#index();
    return this.#sections;
  }

  has(id) {
    return this.#blockOf.has(id);
  }

  /** The flat position of an item, or -1. */
  indexOf(id) {
    const block = this.#blockOf.get(id);
    if (!block) return -1;
    this.#index();
    return block.start + block.ids.indexOf(id);
  }

  /** `[section, item]` of an item, or null. */
  placeOf(id) {
    const index = this.indexOf(id);
    if (index < 0) return null;
    const section = this.#blockOf.get(id).section;
    return [this.#sections.indexOf(section), index - section.start];
  }

  sectionIDOf(id) {
    return this.#blockOf.get(id)?.section.id;
  }

  /** The id at a flat position, or undefined. */
  at(index) {
    return this.slice(index, index + 1)[0];
  }

  /** The ids at flat positions `from ..< to`. */
  slice(from, to) {
    this.#index();
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

  /** Everything, as a snapshot frame would say it. */
  toSections() {
    return this.#sections.map(({ id, blocks }) => ({ id, items: blocks.flatMap((block) => block.ids) }));
  }

  /**
   * Applies edits, or throws an `OrderError` and changes nothing.
   * @returns {string[]} the ids that left the list
   */
  apply({ sections = {}, items = {} }) {
    const after = this.#check(sections, items);
    const left = [];
    for (const [id] of items.deleted ?? none) {
      this.#take(id);
      left.push(id);
    }
    for (const [id] of items.moved ?? none) this.#take(id);
    if (after !== this.#sections) {
      const staying = new Set(after);
      for (const section of this.#sections) {
        if (staying.has(section)) continue;
        this.#sectionByID.delete(section.id);
        for (const block of section.blocks) {
          for (const id of block.ids) {
            this.#blockOf.delete(id);
            left.push(id);
          }
        }
      }
      for (const section of after) this.#sectionByID.set(section.id, section);
      this.#sections = after;
    }
    this.#put(arrivals(items));
    for (const section of this.#sections) {
      if (section.dirty) section.blocks = section.blocks.filter((block) => block.ids.length > 0);
      section.dirty = false;
    }
    this.#stale = true;
    this.#index();
    return left;
  }

  #take(id) {
    const block = this.#blockOf.get(id);
    block.ids.splice(block.ids.indexOf(id), 1);
    block.section.count--;
    if (block.ids.length === 0) block.section.dirty = true;
    this.#blockOf.delete(id);
  }

  /** Puts arrivals in, ascending by place: one walk over the blocks of each section that gets any. */
  #put(arriving) {
    let section = null;
    let b = 0;
    let start = 0;
    for (const [id, s, i] of arriving) {
      if (section !== this.#sections[s]) {
        section = this.#sections[s];
        b = start = 0;
      }
      while (b < section.blocks.length - 1 && start + section.blocks[b].ids.length < i) {
        start += section.blocks[b++].ids.length;
      }
      section.blocks[b] ??= { ids: [], section, start: 0 };
      const block = section.blocks[b];
      block.ids.splice(i - start, 0, id);
      section.count++;
      this.#blockOf.set(id, block);
      if (block.ids.length > LARGEST_BLOCK) this.#split(section, b);
    }
  }

  #split(section, b) {
    const block = section.blocks[b];
    const upper = { ids: block.ids.splice(LARGEST_BLOCK >> 1), section, start: 0 };
    for (const id of upper.ids) this.#blockOf.set(id, upper);
    section.blocks.splice(b + 1, 0, upper);
  }

  /** Throws if these edits do not fit. @returns the sections after, which may be the array of now. */
  #check(sections, items) {
    const after = this.#sectionsAfter(sections);
    const counts = new Map(after.map((section) => [section, section.count]));
    const leaving = new Set();
    for (const [id, s, i] of [...(items.deleted ?? none), ...(items.moved ?? none)]) {
      const place = this.placeOf(id);
      if (place?.[0] !== s || place[1] !== i) throw new OrderError(`item ${id} is not at ${s}/${i}`);
      if (leaving.has(id)) throw new OrderError(`item ${id} leaves twice`);
      leaving.add(id);
      const section = this.#sections[s];
      if (counts.has(section)) counts.set(section, counts.get(section) - 1);
    }
    const arrived = new Set();
    for (const [id, s, i] of arrivals(items)) {
      const section = after[s];
      const count = counts.get(section);
      if (!(i >= 0 && i <= count)) throw new OrderError(`item ${id} cannot arrive at ${s}/${i}`);
      const stays = this.#blockOf.has(id) && !leaving.has(id) && counts.has(this.#blockOf.get(id).section);
      if (stays || arrived.has(id)) throw new OrderError(`item ${id} arrives twice`);
      arrived.add(id);
      counts.set(section, count + 1);
    }
    return after;
  }

  #sectionsAfter({ deleted = none, inserted = none, moved = none }) {
    if (deleted.length + inserted.length + moved.length === 0) return this.#sections;
    const leaving = new Set();
    for (const [id, index] of [...deleted, ...moved]) {
      if (this.#sections[index]?.id !== id) throw new OrderError(`section ${id} is not at ${index}`);
      leaving.add(id);
    }
    const after = this.#sections.filter(({ id }) => !leaving.has(id));
    const arriving = [
      ...inserted.map(([id, to]) => [to, { id, blocks: [], count: 0, start: 0 }]),
      ...moved.map(([id, , to]) => [to, this.#sectionByID.get(id)]),
    ].sort((a, b) => a[0] - b[0]);
    for (const [to, section] of arriving) {
      if (!(to >= 0 && to <= after.length)) throw new OrderError(`section ${section.id} cannot arrive at ${to}`);
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

/** `[id, section, item]` of all that arrives, ascending by place. */
function arrivals({ inserted = none, moved = none }) {
  return [...inserted, ...moved.map(([id, , , s, i]) => [id, s, i])].sort(byPlace(1, 2));
}

/** The index of the last entry of `list` with `start <= at`; empty entries before it are passed over. */
function lastStartingAtOrBefore(list, at) {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle].start <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
