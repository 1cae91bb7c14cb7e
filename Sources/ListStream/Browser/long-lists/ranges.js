// Asks for rows of a long list when they come into view, or when something needs them, and gives up those that were scrolled past.
// Documentation/Frames.md, 4.1.

import { wrongIn } from '../model/frames.js';
import { fill, forget, missing } from './gaps.js';
import { addressOf } from '../network/stream.js';

const MAXIMUM = 1000; // rows with contents in one answer
const MAXIMUM_IDS = 50_000; // ids alone
const PAUSE = 50; // ms between giving up rows that were scrolled past and asking for others
const MINIMUM_WAIT = 500; // ms after a failure, doubled each time
const MAXIMUM_WAIT = 15_000;
const AGAIN = 100; // ms before another try after an answer of no use
const PATIENCE = 2_000; // ms for which an answer that is newer than the list is kept
const TRIES = 4;
const SLOW = 10_000;
const CLOSED = 'cannot be reached, or its server does not allow this page to (Access-Control-Allow-Origin).';
const MAXIMUM_KNOWN = 4_000; // rows that are kept; beyond, those that were not seen for longest are forgotten
const MINIMUM_KNOWN = 3_000;

/** @typedef {import('../model/frames.js').Rows} Rows */
/** @typedef {{ from: number, to: number, abort: AbortController }} Asking */

/**
 * @typedef {Pick<import('../controller.js').Controller,
 *   'model' | 'view' | 'selection' | 'moving' | 'focus' | 'kept' | 'settings' | 'isConnected' | 'rowsArrived' | 'diagnose'>} List
 */

/** @param {import('../controller.js').Controller} list */
export const part = (list) => new Ranges(list);

export class Ranges {
  #list;
  /** @type {Asking | null} */
  #asking = null;
  #timer = 0;
  #wait = MINIMUM_WAIT;
  /** @type {Rows | null} an answer of the future */
  #held = null;
  #loading = 0;
  /** @type {Set<(value?: unknown) => void>} */
  #onFrame = new Set();
  /** Whether another list is on its way: answers would not fit what is shown. */
  #isStopped = false;

  /** @param {List} list */
  constructor(list) {
    this.#list = list;
  }

  /** Asks for the rows in view that are missing; called when others are in view, or known. */
  want() {
    if (this.#isStopped) return;
    this.#keep();
    const span = this.#missing;
    const asking = this.#asking;
    if (asking && span && asking.from < span[1] && span[0] < asking.to) return;
    clearTimeout(this.#timer);
    asking?.abort.abort();
    this.#asking = null;
    if (span) this.#timer = setTimeout(() => this.#ask(), asking ? PAUSE : 0);
  }

  /** Takes note of a frame: answers that were ahead of it may fit now. */
  framed() {
    const held = this.#held;
    this.#held = null;
    if (held) this.#take(held);
    for (const done of this.#onFrame) done();
    this.#onFrame.clear();
  }

  start() {
    this.#isStopped = false;
    this.want();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#asking?.abort.abort();
    this.#asking = this.#held = null;
    this.#isStopped = true;
  }

  /**
   * Calls `then` when what is shown at positions is known, at once if it is; `otherwise` if it can't be fetched.
   * @param {number} from
   * @param {number} to
   * @param {() => void} then
   * @param {(reason?: unknown) => void} [otherwise]
   * @param {boolean} [idsAlone]
   */
  know(from, to, then, otherwise = () => {}, idsAlone) {
    if (!missing(this.#list.model, from, to, idsAlone)) {
      then();
      return;
    }
    this.#loading++;
    this.#load(from, to, idsAlone).then(then, otherwise).finally(() => this.#loading--);
  }

  /** Forgets rows beyond the limit, but none that are visible or needed. While something is loaded, all are kept. */
  #keep() {
    const { model, view, selection, moving, focus, kept } = this.#list;
    const seen = model.order.slice(...view.range);
    for (const id of seen) {
      if (id === undefined || !model.content.has(id)) continue;
      // Keeps the contents in the order in which they were last seen.
      const content = model.content.get(id);
      model.content.delete(id);
      model.content.set(id, content);
    }
    // Counts the selection as a whole, so that a long one is not gone through each time.
    const selected = selection.ids.size;
    if (this.#loading > 0 || model.order.knownCount <= MAXIMUM_KNOWN + selected) return;
    const needed = [...model.pending, ...(moving ? [{ items: moving.items, ...moving.intent }] : [])].flatMap(({ items, after, before }) => [...items.named, after, before]);
    forget(model, MINIMUM_KNOWN + selected, new Set([...seen, ...selection.ids, ...needed, ...kept, focus.id]));
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {boolean} [idsAlone]
   */
  async #load(from, to, idsAlone) {
    const { model } = this.#list;
    for (let failures = 0, span; (span = missing(model, from, to, idsAlone)); ) {
      const end = Math.min(span[1], span[0] + (idsAlone ? MAXIMUM_IDS : MAXIMUM));
      let outcome;
      try {
        const answer = await this.#fetch(span[0], end, idsAlone);
        outcome = this.#fill(answer);
        if (outcome === 'later') {
          await this.#nextFrame();
          outcome = this.#fill(answer);
        }
      } catch (error) {
        if (++failures === TRIES) throw error;
        await pause(MINIMUM_WAIT * failures);
        continue;
      }
      if (outcome !== 'applied') {
        if (++failures > 5 * TRIES) throw new Error('The rows do not fit the list.');
        await pause(AGAIN);
      }
    }
  }

  get #missing() {
    const { model, view } = this.#list;
    return missing(model, ...view.range);
  }

  async #ask() {
    const span = this.#missing;
    if (!span) return;
    // As much again before and after, for further scrolling.
    const [first, last] = this.#list.view.range;
    const margin = Math.ceil((last - first) / 2);
    const from = Math.max(0, span[0] - margin);
    const to = Math.min(span[1] + margin, from + MAXIMUM);
    const asking = (this.#asking = { from, to, abort: new AbortController() });
    let answer;
    try {
      answer = await this.#fetch(from, to, false, asking.abort.signal);
    } catch {
      if (this.#asking !== asking) return;
      this.#asking = null;
      this.#timer = setTimeout(() => this.want(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, MAXIMUM_WAIT);
      return;
    }
    if (this.#asking !== asking) return;
    this.#asking = null;
    this.#wait = MINIMUM_WAIT;
    this.#take(answer);
  }

  /** @param {Rows} answer */
  #take(answer) {
    const outcome = this.#fill(answer);
    if (outcome === 'applied') return;
    if (outcome === 'later') this.#held = answer;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.want(), outcome === 'later' ? PATIENCE : AGAIN);
  }

  /** @param {Rows} answer */
  #fill(answer) {
    const outcome = fill(this.#list.model, answer);
    if (outcome === 'applied') this.#list.rowsArrived(Object.keys(answer.content ?? {}));
    return outcome;
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {boolean | undefined} idsAlone
   * @param {AbortSignal} [signal]
   * @returns {Promise<Rows>}
   */
  async #fetch(from, to, idsAlone, signal) {
    const url = addressOf(this.#list.settings.items);
    if (!url) return this.#fail('is none.');
    url.searchParams.set('from', `${from}`);
    url.searchParams.set('count', `${to - from}`);
    if (idsAlone) url.searchParams.set('content', '0');
    const slow = setTimeout(() => this.#list.diagnose('items', 'has not answered within 10 seconds.'), SLOW);
    let response;
    try {
      response = await fetch(url, { signal });
    } catch (error) {
      // Neither a request that was given up nor a lost network is a fault of the address.
      const isElsewhere = url.origin !== location.origin && this.#list.isConnected;
      if (isElsewhere && /** @type {Error} */ (error).name !== 'AbortError') this.#list.diagnose('items', CLOSED);
      throw error;
    } finally {
      clearTimeout(slow);
    }
    const { status } = response;
    if (status >= 500 || status === 429) throw new Error(`The server answered ${status}.`);
    if (!response.ok) this.#fail(`was answered with status ${status}.`);
    let answer;
    try {
      answer = await response.json();
    } catch (error) {
      if (error instanceof SyntaxError) this.#fail('was not answered with JSON.');
      throw error;
    }
    if (answer?.kind !== 'range' || wrongIn(answer) !== undefined) this.#fail('was not answered with rows.');
    return answer;
  }

  /**
   * Throws, and says why in the console: this fault does not pass by itself.
   * @param {string} text
   * @returns {never}
   */
  #fail(text) {
    this.#list.diagnose('items', text);
    throw new Error(`The rows' address ${text}`);
  }

  #nextFrame() {
    return Promise.race([new Promise((done) => this.#onFrame.add(done)), pause(PATIENCE)]);
  }
}

/** @param {number} time */
const pause = (time) => new Promise((done) => setTimeout(done, time));
