// Sends a list's mutations, keeps them beyond the page if it wants that, and dispatches events when they are refused or have
// to wait. Loaded with the first mutation, or with a list that keeps them.

import { DEADLINE, Outbox, Refusal, read } from './outbox.js';
import { addressOf } from './stream.js';
import { number } from '../strings.js';
import { focusedBeside } from '../view/rows.js';

const UNCONFIRMED = 5_000; // ms after which an accepted mutation that did not come back is dropped
const MAXIMUM_UNANSWERED = 3; // calls of a function in a row that did not settle within the deadline
// Answers that another try would get again: the request makes no sense, or not any more.
const LASTING = [400, 404, 405, 409, 410, 412, 413, 415, 422];

/** @typedef {import('./outbox.js').Refusal} RefusalError */
/** @typedef {import('./outbox.js').About} About */
/** @typedef {Pick<About, 'url' | 'body'>} Post a request to post as JSON, which can be kept beyond the page */
/** @typedef {(post: import('./outbox.js').Poster) => unknown} Send sends it, and may be called again */
/** @typedef {Send | Promise<unknown>} Answer the page's response to an event */
/** @typedef {import('../model/model.js').NewMutation & { items: import('../model/items.js').Items, send?: unknown, focus: import('../view/focus.js').Return }} SentMutation */

/**
 * Something to send: `of` is the mutation that the list shows, if any; `promise` is settled with the answer; `answer.by` is the
 * response of the page that sends it.
 * @typedef {object} Request
 * @property {SentMutation} [of]
 * @property {string} [mutationID]
 * @property {Send} [send]
 * @property {About} [about]
 * @property {{ by: Answer }} [answer]
 * @property {{ resolve: (answer: unknown) => void, reject: (error: unknown) => void }} [promise]
 */

/**
 * @typedef {Pick<import('../controller.js').Controller, 'host' | 'model' | 'view' | 'selection' | 'focus' | 'cells' | 'mutations' | 'announcer' | 'strings'
 *   | 'settings' | 'parts' | 'isConnected' | 'countChanged' | 'dispatch' | 'diagnose'>} List
 */

/** @param {import('../controller.js').Controller} list */
export const part = (list) => new Sending(list);

export const english = {
  refused: 'Move refused, order restored.',
  deleteRefused: 'Delete refused, items restored.',
  /**
   * @param {string} what
   * @param {number} count
   */
  removed: (what, count) => `${count > 1 ? `${number(count)} items` : what} removed.`,
};

export class Sending {
  #list;
  #outbox;
  /** @type {Map<string, Request['promise']>} */
  #promises = new Map();
  /** @type {Map<string, number>} */
  #timers = new Map();
  #isLost = false;

  /** @param {List} list */
  constructor(list) {
    this.#list = list;
    Object.assign(list.strings, { ...english, ...list.strings });
    this.#outbox = new Outbox({
      onAccepted: (...all) => this.#accepted(...all),
      onRefused: (mutationID, error, left) => this.#refused(mutationID, error, left),
      onWaiting: (count, message) => {
        list.mutations.waiting = count;
        list.dispatch('live-list-waiting', { count, message });
      },
      onOld: (old) => list.dispatch('live-list-old', old),
    }, list.settings.outbox);
  }

  /** @param {Request} request */
  add({ of, mutationID = /** @type {SentMutation} */ (of).mutationID, send, promise, about, answer }) {
    this.#follow(of, about?.body);
    const by = answer?.by ?? send;
    /** @type {Promise<unknown>} */
    let outcome;
    let unanswered = 0;
    // If several calls do not settle while the server is heard, no other will.
    const isLast = () => this.#list.isConnected && ++unanswered >= MAXIMUM_UNANSWERED;
    if (typeof by === 'function') send = (post) => this.#watch(by(post), isLast, () => (unanswered = 0));
    else if (answer) send = () => (outcome ??= this.#watch(this.#outcomeOf(by)));
    if (promise) this.#promises.set(mutationID, promise);
    this.#list.parts.use('view/elsewhere', (elsewhere) => elsewhere.own([about?.body?.act ?? mutationID]));
    if (typeof send === 'function' || addressOf(about?.url)) this.#outbox.add(mutationID, about, send);
    else {
      if (about?.kind) this.#list.diagnose('mutations', about.kind);
      this.#outbox.add(mutationID, undefined, () => Promise.reject(new Refusal('There is no address to send it to.')));
    }
    if (this.#list.host.dataset.state === 'reconnecting') this.lost();
  }

  /** Says what was taken out, and leaves the section of a move out where there is but the one that has no name. */
  /**
   * @param {SentMutation | undefined} mutation
   * @param {About['body'] | undefined} body
   */
  #follow(mutation, body) {
    const { announcer, strings, model } = this.#list;
    const [first, ...more] = model.order.sections;
    if (mutation?.kind === 'move' && !first?.id && more.length === 0) delete body?.section;
    if (mutation?.kind === 'delete') announcer.say(strings.removed(this.#list.cells.labelOf(mutation.items.ids[0]), mutation.items.length));
  }

  /**
   * Waits for the page's answer; if it takes too long, gives it up and says so in the console.
   * @param {unknown} answer
   * @param {() => boolean} [isLast] whether nothing else is tried: false for a function that is called again
   * @param {() => void} [settled]
   */
  #watch(answer, isLast, settled) {
    return new Promise((done, fail) => {
      const timer = setTimeout(() => {
        this.#list.diagnose('late', isLast ? 'function' : 'promise');
        if (isLast?.() ?? true) fail(new Refusal('The page has not answered.', 0));
      }, DEADLINE);
      Promise.resolve(answer).finally(() => {
        clearTimeout(timer);
        settled?.();
      }).then(done, fail);
    });
  }

  /**
   * Waits for a promise of the page. It cannot be made again, so its failure ends the mutation.
   * @param {unknown} promise
   */
  async #outcomeOf(promise) {
    try {
      const answer = await promise;
      return answer instanceof Response ? await read(answer) : answer;
    } catch (failure) {
      const error = /** @type {RefusalError | undefined} */ (failure);
      if (error?.name === 'Refusal') throw error;
      this.#list.diagnose('promise', String(error?.message ?? error));
      throw new Refusal(error?.message ?? String(error), error?.status ?? 0);
    }
  }

  /** Notes that the server is not heard: requests on their way may not have arrived. */
  lost() {
    this.#isLost = true;
    this.#outbox.doubt();
  }

  /** Notes that there is something to send, or that the server is heard again. */
  connected() {
    const isBack = this.#isLost && this.#list.isConnected;
    if (isBack) this.#isLost = false;
    this.#outbox.wake(isBack);
    for (const { mutationID, accepted } of this.#list.model.pending) if (accepted) this.#expire(mutationID);
  }

  /**
   * @param {string} mutationID
   * @param {unknown} answer
   * @param {import('./outbox.js').Said} said
   */
  #accepted(mutationID, answer, said) {
    this.#promises.get(mutationID)?.resolve(answer);
    this.#promises.delete(mutationID);
    this.#list.dispatch('live-list-answer', { act: mutationID, answer: said });
    if (said?.changed === false) this.#list.dispatch('live-list-unchanged', { act: mutationID });
    const shown = this.#list.model.pending.find((pending) => pending.mutationID === mutationID);
    if (!shown) return;
    // The frame with its outcome is still on its way.
    shown.accepted = true;
    this.#expire(mutationID);
  }

  /**
   * Drops a mutation that changed nothing, as no frame may come back for it.
   * @param {string} mutationID
   */
  #expire(mutationID) {
    clearTimeout(this.#timers.get(mutationID));
    const timer = setTimeout(() => {
      this.#timers.delete(mutationID);
      if (this.#list.isConnected) this.#withdraw(mutationID);
    }, UNCONFIRMED);
    this.#timers.set(mutationID, timer);
  }

  /**
   * Takes a mutation back; the focus returns to where it was, unless somebody has moved it since.
   * @param {string} id
   * @returns it; undefined if it is not shown
   */
  #withdraw(id) {
    const list = this.#list;
    const mutation = /** @type {SentMutation | undefined} */ (list.model.withdraw(id));
    if (!mutation) return undefined;
    const { items, focus: { id: focusedID, next, goal } } = mutation;
    // Nothing has the focus while the row that gets it is unknown.
    const isLeft = list.focus.goal === goal
      ? document.activeElement === document.body : list.focus.id === next && list.host.contains(focusedBeside(list.host));
    // Of “everything but”, the excepted items were not selected, and are not now.
    if (!items.isInverted) list.selection.follow([], items.named);
    list.view.update({ isNew: () => true });
    list.countChanged();
    if (isLeft && focusedID && list.model.order.has(focusedID)) list.focus.to(focusedID);
    return mutation;
  }

  /**
   * @param {string} id
   * @param {RefusalError} error
   * @param {About} [left] what an earlier page left of it, if it was one of an earlier page's
   */
  #refused(id, error, left) {
    const list = this.#list;
    this.#promises.get(id)?.reject(error);
    this.#promises.delete(id);
    const { message, status } = error;
    if (left) {
      const { act: mutationID, ids, all } = left.body;
      list.dispatch('live-list-refused', { ...left, act: mutationID, ids: ids ?? all, message, status, isLeft: true, retry: null });
      return;
    }
    const mutation = this.#withdraw(id);
    if (!mutation) return;
    const { refused, deleteRefused } = list.strings;
    list.announcer.say(mutation.kind === 'delete' ? deleteRefused : refused);
    const retry = LASTING.includes(status) ? null : () => list.mutations.do(mutation.kind, /** @type {import('../mutations.js').WantedMutation} */ (mutation));
    const { kind, ids, label } = mutation;
    list.dispatch('live-list-refused', { act: id, kind, ids, label, message, status, retry });
  }
}
