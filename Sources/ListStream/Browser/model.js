// What the list holds: the server's list, and on top of it what the user has done that the server has not
// confirmed yet. There is one order, the one that is shown. When a frame comes, unconfirmed acts are undone,
// the frame is applied to what the server had, and they are done again: a rebase, at the cost of what changed.
//
// No DOM here, no network and no clock: every event is a method that changes the value and says what happened.

import { wrongIn } from './frames.js';
import { Order, OrderError, inverse } from './order.js';

export const FORMAT = 1;
const RECENT = 64; // changes

const ignored = Object.freeze({ outcome: 'ignored' });
const resync = (reason, isWrong = false) => ({ outcome: 'resync', reason, isWrong });

export class ListModel {
  order = new Order();
  content = new Map();
  epoch = null;
  seq = -1;
  /** Whether a first snapshot has come. */
  loaded = false;
  /** Whether it was one that counts: then not all ids and contents are here. */
  sparse = false;
  /** The trouble that the source of the list reports, or null. */
  message = null;
  /** Acts that are shown but not confirmed, oldest first: `{act, kind, ids, …}`. */
  pending = [];
  #tentative = null;
  /** Recent changes of a sparse list, which lead late answers on. */
  recent = [];

  /** The version to resume from: `epoch.seq`, or null before the first frame. */
  get version() {
    return this.epoch === null ? null : `${this.epoch}.${this.seq}`;
  }

  /** What is being tried out (a drag, a keyboard move), on top of everything else. */
  get tentative() {
    return this.#tentative;
  }

  /**
   * Takes a frame in. `outcome` of the result is `ignored`, `unsupported` (another format), `resync` (frames are
   * missing or do not fit: ask for a snapshot; `isWrong` if this one is no frame, or contradicts the list, with a
   * `reason`) or `applied`. If the list may have changed, `change` says how:
   * `initial`, `isNew(id)`, `updated`, `reloaded`, `moved`, `inserted`, `deleted`, whether it was all our `own`,
   * and the `others` of its mutations that are none of ours.
   */
  receive(frame) {
    const format = frame?.format;
    if (format !== FORMAT && Number.isInteger(format)) return { outcome: 'unsupported' };
    const path = format === FORMAT ? wrongIn(frame) : '.format';
    if (path !== undefined) return resync(`its member ${path} is missing or wrong`, true);
    switch (frame.kind) {
      case 'snapshot':
        return this.#receiveSnapshot(frame);
      case 'change':
        return this.#receiveChange(frame);
      case 'failure':
        this.message = frame.message ?? null;
        return { outcome: 'applied', acts: [] };
      default:
        return ignored;
    }
  }

  #receiveSnapshot(frame) {
    const before = this.order;
    let next;
    try {
      next = new Order(frame.sections ?? []);
    } catch (error) {
      if (error instanceof OrderError) return resync(error.message, true);
      throw error;
    }
    const initial = !this.loaded;
    const carried = new Set(frame.acts);
    for (const { ids } of this.#stack) ids.follow?.();
    // The undone acts belong to the order of before, which is let go.
    this.pending = this.pending.filter(({ act }) => !carried.has(act));
    this.order = next;
    this.sparse = frame.sections?.some(({ count }) => count !== undefined) ?? false;
    this.recent = [];
    this.content = new Map();
    this.#take(frame.content);
    this.message = null;
    this.epoch = frame.epoch;
    this.seq = frame.seq;
    this.loaded = true;
    this.#redoAll();
    const isNew = (id) => !before.has(id);
    const change = { initial, own: false, isNew, updated: null, reloaded: [], moved: [], inserted: [], deleted: [] };
    return { outcome: 'applied', acts: [...carried], change };
  }

  #receiveChange(frame) {
    if (!this.loaded) return resync('a change came before a snapshot');
    if (frame.epoch !== this.epoch) return resync('the epoch is another');
    if (frame.seq <= this.seq) return ignored;
    if (frame.from !== this.seq) return resync(`from ${frame.from}, not ${this.seq}`);
    const acts = new Set(frame.acts);
    const others = new Set(acts);
    for (const { act } of this.pending) others.delete(act);
    const hidden = new Set(this.#stack.filter(({ kind }) => kind === 'delete').flatMap(({ ids }) => ids));
    let left;
    this.#undoAll();
    try {
      left = this.order.apply(frame);
    } catch (error) {
      if (!(error instanceof OrderError)) throw error;
      this.#redoAll();
      return resync(error.message, true);
    }
    this.pending = this.pending.filter(({ act }) => !acts.has(act));
    for (const id of left) if (!this.order.has(id)) this.content.delete(id);
    this.#take(frame.content);
    this.seq = frame.seq;
    this.message = null;
    const ids = (entries = []) => entries.map(([id]) => id);
    const inserted = ids(frame.items?.inserted);
    for (const { ids } of this.#stack) ids.follow?.(this.version, inserted);
    this.#redoAll();
    if (this.sparse) {
      // What comes without content has none.
      for (const id of inserted) this.content.set(id, this.content.get(id));
      this.recent.push(frame);
      if (this.recent.length > RECENT) this.recent.shift();
    }
    const fresh = new Set(inserted);
    const change = {
      initial: false, inserted, moved: ids(frame.items?.moved), deleted: left,
      own: acts.size > 0 && others.size === 0, others,
      isNew: (id) => fresh.has(id) || hidden.has(id),
      updated: new Set([...Object.keys(frame.content ?? {}), ...(frame.reconfigured ?? [])]),
      reloaded: frame.reloaded ?? [],
    };
    return { outcome: 'applied', acts: [...acts], change };
  }

  /** Whether there is nothing about an item that could be asked for. */
  knows(id) {
    return id !== undefined && (!this.sparse || this.content.has(id));
  }

  /** Does something with the list as the server has it, without the acts on top; they are done again after it. */
  below(work) {
    this.#undoAll();
    try {
      return work(this.order);
    } finally {
      this.#redoAll();
    }
  }

  #take(content = {}) {
    for (const id in content) if (this.order.has(id)) this.content.set(id, content[id]);
  }

  /** Shows an act before the server has carried it out. */
  add(act) {
    const tentative = this.#tentative;
    this.try(null);
    this.pending.push(act);
    this.#perform(act);
    this.try(tentative);
  }

  /** The server has said yes; the frame that says what came of it is still on its way. */
  accept(act) {
    const found = this.pending.find((pending) => pending.act === act);
    if (found) found.accepted = true;
    return found !== undefined;
  }

  /** Takes an act back. @returns the act, or undefined if it is not pending. */
  withdraw(act) {
    const found = this.pending.find((pending) => pending.act === act);
    if (!found) return undefined;
    this.#undoAll();
    this.pending = this.pending.filter((pending) => pending !== found);
    this.#redoAll();
    return found;
  }

  /** Tries `{ids, after, before, section}` out instead of what was tried before; null ends the trial. */
  try(intent) {
    if (this.#tentative) this.#undo(this.#tentative);
    this.#tentative = intent && { kind: 'move', ...intent };
    if (this.#tentative) this.#perform(this.#tentative);
  }

  get #stack() {
    return this.#tentative ? [...this.pending, this.#tentative] : this.pending;
  }

  #undoAll() {
    for (const act of this.#stack.toReversed()) this.#undo(act);
  }

  #redoAll() {
    for (const act of this.#stack) this.#perform(act);
  }

  #undo(act) {
    if (act.under) this.order = act.under;
    else this.order.apply(inverse(act.edits));
  }

  #perform(act) {
    // Of everything there is another order, which replaces this one.
    act.under = act.ids.perform && this.order;
    if (act.under) {
      this.order = act.ids.perform(this.order, act);
      return;
    }
    act.edits = { items: act.kind === 'delete' ? planDelete(this.order, act) : planMove(this.order, act) };
    this.order.apply(act.edits);
  }
}

function placed(order, ids) {
  return ids.filter((id) => order.has(id)).map((id) => [id, ...order.placeOf(id)]);
}

/** The edits of a delete, of those ids that are still there. */
export function planDelete(order, { ids }) {
  return { deleted: placed(order, ids) };
}

/**
 * The edits of a move: `ids` side by side after the item `after`, or else before `before`, or else at the end of
 * the section `section`. No edits if none of these is there.
 */
export function planMove(order, { ids, after, before, section }) {
  const moving = placed(order, ids);
  const own = new Set(ids);
  let target = null;
  if (after != null && order.has(after) && !own.has(after)) {
    const [s, i] = order.placeOf(after);
    target = [s, i + 1];
  } else if (before != null && order.has(before) && !own.has(before)) {
    target = order.placeOf(before);
  } else if (section != null) {
    const s = order.sections.findIndex(({ id }) => id === section);
    if (s >= 0) target = [s, order.sections[s].count];
  }
  if (!target || moving.length === 0) return {};
  const [s, i] = target;
  const start = i - moving.filter(([, s1, i1]) => s1 === s && i1 < i).length;
  return { moved: moving.map(([id, s1, i1], n) => [id, s1, i1, s, start + n]) };
}
