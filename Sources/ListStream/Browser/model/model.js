// The server's list, and on top of it the user's mutations that the server has not confirmed yet. There is one order, the
// one that is shown. When a frame comes, pending mutations are undone, the frame is applied to the server's list, and they
// are done again: a rebase, at the cost of what changed.
//
// No DOM here, no network and no clock: every event is a method that changes the value and says what happened.

import { wrongIn } from './frames.js';
import { Items } from './items.js';
import { Order, OrderError, inverse } from './order.js';

export const FORMAT = 1;
const RECENT = 64; // changes

/** @typedef {import('./frames.js').Frame} Frame */
/** @typedef {import('./frames.js').Content} Content */
/** @typedef {import('./items.js').Mutation} Mutation */

/**
 * A mutation that is shown before the server has performed it. `ids` are the items as the page names them.
 * @typedef {Omit<Mutation, 'items'> & { mutationID: string, ids?: unknown, items?: Items, label?: unknown, accepted?: boolean }} NewMutation
 * @typedef {NewMutation & Mutation} PendingMutation
 */

/**
 * The changes of a frame.
 * @typedef {object} Change
 * @property {boolean} initial
 * @property {boolean} own whether all of it was made here
 * @property {(id: string) => boolean} isNew
 * @property {Set<string> | null} updated null: all
 * @property {string[]} reloaded
 * @property {string[]} moved
 * @property {string[]} inserted
 * @property {string[]} deleted
 * @property {Set<string>} others the ids of its mutations that are none of ours
 */

/**
 * The outcome of a frame: see `ListModel.receive`.
 * @typedef {object} Receipt
 * @property {'ignored' | 'unsupported' | 'resync' | 'applied'} outcome
 * @property {string} [reason]
 * @property {boolean} [isWrong]
 * @property {string[]} [mutationIDs]
 * @property {Change} [change]
 */

/** @type {Receipt} */
const ignored = Object.freeze({ outcome: 'ignored' });
/**
 * @param {string} reason
 * @returns {Receipt}
 */
const resync = (reason, isWrong = false) => ({ outcome: 'resync', reason, isWrong });

export class ListModel {
  order = new Order();
  /** @type {Map<string, Content | undefined>} */
  content = new Map();
  /** @type {string | null} */
  epoch = null;
  seq = -1;
  /** Whether a first snapshot has come. */
  loaded = false;
  /** Whether that snapshot counts items instead of naming them: then not all ids and contents are here. */
  sparse = false;
  /** @type {string | null} the trouble that the source of the list reports */
  message = null;
  /** @type {PendingMutation[]} the mutations that are shown but not confirmed, oldest first */
  pending = [];
  /** @type {Mutation | null} what is being tried out by `try` (a drag, a keyboard move), on top of everything else */
  tentative = null;
  /** @type {import('./frames.js').ChangeFrame[]} recent changes of a sparse list, which lead late answers on */
  recent = [];

  /** The version to resume from: `epoch.seq`, or null before the first frame. */
  get version() {
    return this.epoch === null ? null : `${this.epoch}.${this.seq}`;
  }

  /**
   * Applies a frame. The `outcome` is `ignored`, `unsupported` (another format), `resync` (frames are
   * missing or do not fit: ask for a snapshot; `isWrong` if this one is no frame, or contradicts the list, with a
   * `reason`) or `applied`. If the list may have changed, `change` says how:
   * `initial`, `isNew(id)`, `updated`, `reloaded`, `moved`, `inserted`, `deleted`, whether it was all our `own`,
   * and the `others` of its mutations that are none of ours.
   * @param {Frame} frame what should be one
   * @returns {Receipt}
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
        return { outcome: 'applied', mutationIDs: [] };
      default:
        return ignored;
    }
  }

  /**
   * @param {import('./frames.js').Rows} frame
   * @returns {Receipt}
   */
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
    const confirmed = new Set(frame.acts);
    for (const { items } of this.#stack) items.follow();
    // The undone mutations still name the former order: it is released.
    this.pending = this.pending.filter(({ mutationID }) => !confirmed.has(mutationID));
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
    /** @type {Change} */
    const change = {
      initial, own: false, isNew: (id) => !before.has(id), updated: null, reloaded: [], moved: [], inserted: [], deleted: [], others: new Set(),
    };
    return { outcome: 'applied', mutationIDs: [...confirmed], change };
  }

  /**
   * @param {import('./frames.js').ChangeFrame} frame
   * @returns {Receipt}
   */
  #receiveChange(frame) {
    if (!this.loaded) return resync('a change came before a snapshot');
    if (frame.epoch !== this.epoch) return resync('the epoch is another');
    if (frame.seq <= this.seq) return ignored;
    if (frame.from !== this.seq) return resync(`from ${frame.from}, not ${this.seq}`);
    const mutationIDs = new Set(frame.acts);
    const others = new Set(mutationIDs);
    for (const { mutationID } of this.pending) others.delete(mutationID);
    const deleting = this.#stack.filter(({ kind }) => kind === 'delete');
    let left;
    this.#undoAll();
    try {
      left = this.order.apply(frame);
    } catch (error) {
      if (!(error instanceof OrderError)) throw error;
      this.#redoAll();
      return resync(error.message, true);
    }
    this.pending = this.pending.filter(({ mutationID }) => !mutationIDs.has(mutationID));
    for (const id of left) if (!this.order.has(id)) this.content.delete(id);
    this.#take(frame.content);
    this.seq = frame.seq;
    this.message = null;
    /** @param {[string, ...unknown[]][]} [entries] */
    const ids = (entries = []) => entries.map(([id]) => id);
    const inserted = ids(frame.items?.inserted);
    for (const { items } of this.#stack) items.follow(this.version, inserted);
    this.#redoAll();
    if (this.sparse) {
      // An inserted item without content in the frame has none.
      for (const id of inserted) this.content.set(id, this.content.get(id));
      this.recent.push(frame);
      if (this.recent.length > RECENT) this.recent.shift();
    }
    const fresh = new Set(inserted);
    /** @type {Change} */
    const change = {
      initial: false, inserted, moved: ids(frame.items?.moved), deleted: left,
      own: mutationIDs.size > 0 && others.size === 0, others,
      isNew: (id) => fresh.has(id) || deleting.some(({ items }) => items.has(id)),
      updated: new Set([...Object.keys(frame.content ?? {}), ...(frame.reconfigured ?? [])]),
      reloaded: frame.reloaded ?? [],
    };
    return { outcome: 'applied', mutationIDs: [...mutationIDs], change };
  }

  /**
   * Whether an item is known with its content, so that nothing has to be asked for.
   * @param {string | undefined} id
   * @returns {id is string}
   */
  knows(id) {
    return id !== undefined && (!this.sparse || this.content.has(id));
  }

  /**
   * Works on the list as the server has it, without the pending mutations; those still pending are performed again after it.
   * @template Result
   * @param {(order: Order) => Result} work
   */
  below(work) {
    this.#undoAll();
    try {
      return work(this.order);
    } finally {
      this.#redoAll();
    }
  }

  /** @param {Record<string, Content>} [content] */
  #take(content = {}) {
    for (const id in content) if (this.order.has(id)) this.content.set(id, content[id]);
  }

  /**
   * Shows a mutation before the server has performed it.
   * @param {NewMutation} added
   */
  add(added) {
    const mutation = /** @type {PendingMutation} */ (added);
    const tentative = this.tentative;
    this.try(null);
    this.pending.push(mutation);
    this.#perform(mutation);
    this.try(tentative);
  }

  /**
   * Takes a mutation back.
   * @param {string} mutationID
   * @returns the mutation, or undefined if it is not pending
   */
  withdraw(mutationID) {
    const found = this.pending.find((pending) => pending.mutationID === mutationID);
    if (found) this.below(() => (this.pending = this.pending.filter((pending) => pending !== found)));
    return found;
  }

  /**
   * Tries a move out instead of what was tried before; null ends the trial.
   * @param {import('./items.js').Destination & { items?: Items, ids?: unknown } | null} intent
   */
  try(intent) {
    if (this.tentative) this.#undo(this.tentative);
    this.tentative = intent && /** @type {Mutation} */ ({ kind: 'move', ...intent });
    if (this.tentative) this.#perform(this.tentative);
  }

  /** @returns {Mutation[]} */
  get #stack() {
    return this.tentative ? [...this.pending, this.tentative] : this.pending;
  }

  #undoAll() {
    for (const mutation of this.#stack.toReversed()) this.#undo(mutation);
  }

  #redoAll() {
    for (const mutation of this.#stack) this.#perform(mutation);
  }

  /** @param {Mutation} mutation */
  #undo(mutation) {
    // A mutation of “everything but” made another order: the former one comes back.
    if (mutation.under !== this.order) this.order = /** @type {Order} */ (mutation.under);
    else if (mutation.edits) this.order.apply(inverse(mutation.edits));
  }

  /** @param {Mutation & { ids?: unknown }} mutation */
  #perform(mutation) {
    mutation.items ??= Items.of(mutation.ids);
    mutation.under = this.order;
    this.order = mutation.items.perform(this.order, mutation);
  }
}
