// The law of sparse lists: a model that knows some of a list, takes frames, gets rows late and has mutations of its own on
// top, of some items or of everything but some, never knows anything wrong, also when it has let go of rows; and when it
// has asked for everything, it has the list.

import { AllExcept } from '/live-list/long-lists/all-except.js';
import { fill, forget, missing } from '/live-list/long-lists/gaps.js';
import { ListModel } from '/live-list/model/model.js';
import { sectionsOf } from './sections.js';

/** A generator of numbers from 0 up to 1 that a seed repeats. */
function generator(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const positions = (sections) =>
  new Map(sections.flatMap(({ items }, s) => items.map((id, i) => [id, [s, i]])));

/** The list as the server has it: plain arrays. */
class Server {
  seq = 1;
  #names = 0;

  constructor(dice) {
    this.dice = dice;
    this.sections = Array.from({ length: 1 + this.below(3) }, (_, s) => ({
      id: `s${s}`, items: Array.from({ length: this.below(20) }, () => this.#fresh()),
    }));
  }

  below(n) {
    return Math.floor(this.dice() * n);
  }

  #fresh() {
    return `i${this.#names++}`;
  }

  get items() {
    return this.sections.flatMap(({ items }) => items);
  }

  /**
   * A counted frame with the rows at some flat positions.
   * @returns {any}
   */
  counted(from, count, kind) {
    let start = 0;
    const content = {};
    const sections = this.sections.map(({ id, items }) => {
      const [a, b] = [Math.max(0, from - start), Math.min(items.length, from + count - start)];
      start += items.length;
      const ids = a < b ? items.slice(a, b) : [];
      for (const one of ids) content[one] = { name: one };
      return { id, count: items.length, ...(ids.length > 0 ? { windows: [[a, ids]] } : {}) };
    });
    return { format: 1, kind, epoch: 'e', seq: this.seq, sections, content };
  }

  /**
   * Makes random changes, performs a mutation, and returns the frame for it.
   * @returns {any}
   */
  change(mutation) {
    const before = positions(this.sections);
    if (mutation) this.perform(mutation);
    for (let n = this.below(4); n > 0; n--) {
      const { items } = this.sections[this.below(this.sections.length)];
      if (this.dice() < 0.6 && items.length > 0) {
        const [one] = items.splice(this.below(items.length), 1);
        const other = this.sections[this.below(this.sections.length)].items;
        if (this.dice() < 0.6) other.splice(this.below(other.length + 1), 0, one);
      } else items.splice(this.below(items.length + 1), 0, this.#fresh());
    }
    const now = positions(this.sections);
    const moved = this.#moved(before);
    this.seq++;
    const entries = (of, isOne, entry) => [...of].filter(([id]) => isOne(id)).map(entry);
    const isNew = (id) => !before.has(id);
    return {
      format: 1, kind: 'change', epoch: 'e', from: this.seq - 1, seq: this.seq, acts: mutation ? [mutation.mutationID] : [],
      items: {
        deleted: entries(before, (id) => !now.has(id), ([id, position]) => [id, ...position]),
        inserted: entries(now, isNew, ([id, position]) => [id, ...position]),
        moved: entries(now, (id) => moved.has(id), ([id, position]) => [id, ...before.get(id), ...position]),
      },
      content: Object.fromEntries(entries(now, isNew, ([id]) => [id, { name: id }])),
    };
  }

  /** Items that have to be named to move; now and then also what could stay. */
  #moved(before) {
    const moved = new Set();
    this.sections.forEach(({ items }, s) => {
      let last = -1;
      for (const id of items) {
        const was = before.get(id);
        if (!was) continue;
        if (was[0] !== s || was[1] < last || this.dice() < 0.1) moved.add(id);
        else [, last] = was;
      }
    });
    return moved;
  }

  perform({ kind, ids, after, before }) {
    const all = this.items;
    if (ids instanceof AllExcept) ids = all.filter((id) => ids.has(id));
    const moving = ids.filter((id) => all.includes(id));
    const target = [[after, 1], [before, 0]].find(([id]) => all.includes(id) && !ids.includes(id));
    if (kind === 'move' && !target) return;
    for (const section of this.sections) section.items = section.items.filter((id) => !moving.includes(id));
    if (kind === 'delete') return;
    const [id, offset] = target ?? [];
    const items = this.sections.find((section) => section.items.includes(id))?.items ?? [];
    items.splice(items.indexOf(id) + offset, 0, ...moving);
  }
}

function expect(condition, what) {
  if (!condition) throw new Error(what);
}

/** Checks the model against the server's list. */
function check(model, server, what) {
  const shown = sectionsOf(model.order);
  const flat = shown.flatMap(({ items }) => items);
  expect(model.order.count === flat.length, `${what}: the count`);
  flat.forEach((id, n) => expect(id === undefined || model.order.indexOf(id) === n, `${what}: the position of ${id}`));
  if (model.pending.length > 0) return;
  shown.forEach(({ id, items }, s) => {
    const expected = server.sections[s];
    expect(id === expected.id && items.length === expected.items.length, `${what}: section ${s}`);
    items.forEach((one, i) => expect(one === undefined || one === expected.items[i], `${what}: ${s}/${i}`));
  });
}

/** Checks that the list shows what the server will have: everything but some, moved or deleted. */
function checkMutation(model, server, mutation, what) {
  const { sections } = server;
  if (mutation.kind === 'move' && sections.length > 1) return; // not shown before it is done
  server.sections = sections.map(({ id, items }) => ({ id, items: [...items] }));
  server.perform(mutation);
  const expected = server.sections;
  server.sections = sections;
  sectionsOf(model.order).forEach(({ items }, s) => {
    expect(items.length === expected[s].items.length, `${what}: section ${s} with the mutation`);
    items.forEach((one, i) => expect(one === undefined || one === expected[s].items[i], `${what}: ${s}/${i} with the mutation`));
  });
  const moving = server.items.filter((id) => mutation.ids.has(id));
  if (mutation.kind === 'delete') expect(mutation.ids.length === 0, `${what}: what is left of it`);
  else {
    expect(mutation.ids.length === moving.length, `${what}: how many they are`);
    const first = expected.flatMap(({ items }) => items).findIndex((id) => mutation.ids.has(id));
    if (first >= 0) expect(mutation.ids.first === first, `${what}: the first of them`);
  }
}

/** One random history. */
export function run(seed, steps = 150) {
  const dice = generator(seed);
  const server = new Server(dice);
  const below = (n) => server.below(n);
  const model = new ListModel();
  const answers = [];
  model.receive(server.counted(below(20), below(8), 'snapshot'));
  for (let step = 0; step < steps; step++) {
    const what = `SEED=${seed}, step ${step}`;
    const kind = below(11);
    if (kind < 4) {
      const mutation = below(3) === 0 ? model.pending[0] : undefined;
      const { outcome, reason } = model.receive(server.change(mutation));
      expect(outcome === 'applied', `${what}: ${outcome}, ${reason}`);
    } else if (kind < 6) {
      answers.push(server.counted(below(server.items.length + 2), below(8), 'range'));
    } else if (kind < 8) {
      const [answer] = answers.splice(below(answers.length), 1);
      const outcome = answer && fill(model, answer);
      expect(outcome !== 'later', `${what}: an answer of the future`);
      expect(outcome !== 'again' || server.seq - answer.seq >= 64, `${what}: an answer that does not fit`);
    } else if (kind === 10) {
      const needed = model.pending.flatMap(({ items, after, before }) => [...(items?.named ?? []), after, before]);
      const before = model.order.knownCount;
      forget(model, below(before + 1), new Set(needed));
      expect(model.order.knownCount <= before, `${what}: let go of rows`);
    } else {
      const known = [...model.order.known];
      const one = () => known[below(known.length)];
      if (known.length > 2 && model.pending.length === 0 && dice() < 0.4) {
        const except = known.filter(() => dice() < 0.3);
        const beside = () => (dice() < 0.5 ? except[below(except.length)] ?? null : null);
        const ids = new AllExcept(() => model.order, model.version, except);
        /** @type {import('../../../../Sources/ListStream/Browser/model/model.js').NewMutation & { ids: AllExcept }} */
        const mutation = { mutationID: `a${step}`, kind: dice() < 0.7 ? 'move' : 'delete', ids, items: ids, after: beside(), before: beside() };
        const before = [...mutation.ids].length + mutation.ids.except.size;
        expect(before === known.length, `${what}: what is known of everything`);
        model.add(mutation);
        checkMutation(model, server, mutation, what);
      } else if (known.length > 2 && dice() < 0.7) {
        model.add({
          mutationID: `a${step}`, kind: dice() < 0.8 ? 'move' : 'delete', ids: [...new Set([one(), one()])],
          after: dice() < 0.5 ? one() : null, before: one(),
        });
      } else if (model.pending.length > 0) model.withdraw(model.pending[below(model.pending.length)].mutationID);
    }
    check(model, server, what);
    const [mutation] = model.pending;
    if (mutation?.ids instanceof AllExcept && model.pending.length === 1) checkMutation(model, server, mutation, what);
  }
  for (const { mutationID } of [...model.pending]) model.withdraw(mutationID);
  for (let span; (span = missing(model, 0, model.order.count)); ) {
    const [from, to] = span;
    expect(fill(model, server.counted(from, Math.min(5, to - from), 'range')) === 'applied', `SEED=${seed}: the end`);
  }
  check(model, server, `SEED=${seed}, at the end`);
  const ids = model.order.slice(0, model.order.count);
  expect(ids.every((id) => id !== undefined && model.content.get(id)?.name === id), `SEED=${seed}: not everything is known`);
}
