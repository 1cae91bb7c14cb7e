// Sends mutations to the server, one after the other, in the order in which they were made.
// A refusal (4xx) is final; any other failure is tried again, and not before the server wants it. Loaded with the first mutation.

import { Later } from '../later.js';
import { LATE } from '../reach.js'; // without an answer for so long, what is sent counts as not saved

const MINIMUM_WAIT = 500;
const MAXIMUM_WAIT = 30_000;
export const DEADLINE = 30_000; // ms without an answer, after which it is sent again
const OLD = 86_400_000; // ms: what was made longer ago is sent only if the user still wants it

/**
 * A server's answer to a mutation.
 * @typedef {{ changed?: boolean, error?: { message?: string } } | null | undefined} Said
 */

/** @typedef {{ [member: string]: unknown, act?: string, ids?: string[], all?: object, section?: string }} Body */
/** @typedef {{ url: string, body: Body, kind?: string, label?: unknown }} About a request to post as JSON, which can be kept and sent by another page */
/** @typedef {(url: string | URL, body: object) => Promise<Said>} Poster posts as JSON, as this module does */
/** @typedef {Error & { status?: number, wait?: number }} Failure */

/**
 * Something that waits: `left` is what an earlier page left of it, if it was one of an earlier page's; `answered` settles with the
 * answer to any of its tries.
 * @typedef {object} Waiting
 * @property {string} mutationID
 * @property {(post: Poster) => unknown} send
 * @property {Promise<number | undefined>} [storedKey] its key in the store
 * @property {About} [left]
 * @property {Promise<unknown>} [answered]
 * @property {(answer: unknown) => void} [answer]
 */

/**
 * Receives what becomes of mutations.
 * @typedef {object} Listener
 * @property {(mutationID: string, answer: unknown, said: Said) => void} onAccepted with what was answered and what that says
 * @property {(mutationID: string, error: Refusal, left?: About) => void} onRefused with what an earlier page left
 * @property {(count: number, message?: string) => void} onWaiting how many wait since a request failed or was late, and why; 0 when all are sent
 * @property {(old: { count: number, since: number, send: () => void, discard: () => void }) => void} onOld mutations so old that the user has to decide
 */

/** @typedef {import('./outbox-store.js').Left} Left */

// Mutations made before the module is here are kept when it comes; if it is missing, nothing is reported.
const stores = new Later({ 'outbox-store': () => import('./outbox-store.js') }, import.meta.url?.endsWith('outbox.js') ? import.meta.url : '', () => {});

/** The server (or the page) said no. */
export class Refusal extends Error {
  name = 'Refusal';

  /**
   * @param {string} message
   * @param {number} [status]
   */
  constructor(message, status = 400) {
    super(message);
    this.status = status;
  }
}

/**
 * How long a busy server wants to be left alone, in ms, by its `Retry-After`; undefined without one.
 * @param {string | null} header
 */
export function waitWanted(header) {
  if (!header) return undefined;
  const wait = /^\d+$/.test(header) ? +header * 1000 : Date.parse(header) - Date.now();
  // Random, so that clients do not come back at the same moment.
  return Number.isNaN(wait) ? undefined : Math.max(0, wait) * (1 + Math.random() / 5);
}

/**
 * Posts a mutation as JSON. Throws a `Refusal` on 4xx, and another error on a failure that may pass, with the `wait` that the server wants.
 * @param {string | URL} url
 * @param {object} body
 * @param {AbortSignal} [signal] gives the request up. It may have arrived all the same: the server knows a repeated mutation by its id
 * @returns what the server says of the mutation as JSON; null if it says nothing
 */
export async function post(url, body, signal) {
  const response = await fetch(url, {
    method: 'POST',
    signal,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    keepalive: JSON.stringify(body).length < 60_000,
  });
  return read(response);
}

/**
 * Reads what a server says of a mutation, and leaves the response to be read by the page. @throws as `post` does
 * @param {Response} response
 * @returns {Promise<Said>}
 */
export async function read(response) {
  // An opaque response cannot be read; the page wanted it so.
  if (response.type === 'opaque') return null;
  const said = await (response.bodyUsed ? response : response.clone()).json().catch(() => null);
  if (response.ok) return said;
  const message = said?.error?.message ?? `${response.status} ${response.statusText}`.trim();
  const { status } = response;
  // A mutation is kept until the user has logged in again (401).
  const passes = status >= 500 || [401, 408, 425, 429].includes(status);
  if (!passes) throw new Refusal(message, status);
  throw Object.assign(new Error(message), { status, wait: waitWanted(response.headers.get('Retry-After')) });
}

/**
 * The queue of one list. Given a name, it keeps what waits in the browser's own storage (outbox-store.js), so that it
 * outlives the page, and takes over what closed pages have left.
 */
export class Outbox {
  /** @type {Waiting[]} */
  #waiting = [];
  #busy = false;
  #isFailing = false;
  #wait = MINIMUM_WAIT;
  #timer = 0;
  /** @type {AbortController | null} gives up the request that has been open for too long to expect an answer */
  #late = null;
  /** When the server wants to be asked again, by the clock. */
  #notBefore = 0;
  /** @type {Promise<import('./outbox-store.js').Store | null> | null} */
  #store = null;
  #on;

  /**
   * @param {Listener} on
   * @param {string | null} [name]
   */
  constructor(on, name) {
    this.#on = on;
    if (!name) return;
    // Without a store mutations are sent all the same.
    this.#store = stores.fetch('outbox-store').then((module) => module?.openStore(name) ?? null).catch(() => null);
    this.#takeOver();
  }

  /**
   * @param {string} mutationID
   * @param {About | undefined} about
   * @param {(post: Poster) => unknown} [send] instead of that: sends the mutation, and may be called again; a `Response` is read by its status
   */
  add(mutationID, about, send = (post) => about && post(about.url, about.body)) {
    const storedKey = about && this.#store?.then((store) => store?.add(mutationID, about));
    this.#waiting.push({ mutationID, send, storedKey });
    this.#next();
    if (this.#isFailing) this.#notify();
  }

  /**
   * Tries again at once, unless the server wants to be left alone.
   * @param isBack whether the server is heard again: late requests may be on a connection that is gone
   */
  wake(isBack = false) {
    stores.retry();
    this.#wait = MINIMUM_WAIT;
    if (isBack) this.#late?.abort();
    this.#next();
    this.#takeOver();
  }

  /** Counts requests without an answer as not saved: the server is not heard. */
  doubt() {
    if (this.#isFailing || this.#waiting.length === 0) return;
    this.#isFailing = true;
    this.#notify();
  }

  /** Takes over what closed pages have left; it is sent before what this page has to send. */
  async #takeOver() {
    const store = await this.#store;
    const left = (await store?.takeLeft()) ?? [];
    const old = left.filter(({ made }) => made < Date.now() - OLD);
    this.#addLeft(left.filter((one) => !old.includes(one)));
    if (old.length === 0) return;
    const discard = () => old.forEach(({ key }) => store?.remove(key));
    this.#on.onOld({ count: old.length, since: old[0].made, send: () => this.#addLeft(old), discard });
  }

  /** @param {Left[]} left */
  #addLeft(left) {
    // Nothing is no reason to send again what has just failed.
    if (left.length === 0) return;
    /** @type {Waiting[]} */
    const entries = left.map(({ key, act: mutationID, about }) => ({
      mutationID, left: about, storedKey: Promise.resolve(key), send: (post) => post(about.url, about.body),
    }));
    this.#waiting.splice(this.#busy ? 1 : 0, 0, ...entries);
    if (this.#isFailing) this.#notify();
    this.#next();
  }

  /** @param {string} [message] */
  #notify(message) {
    this.#on.onWaiting(this.#isFailing ? this.#waiting.length : 0, message);
  }

  async #next() {
    if (this.#busy || this.#waiting.length === 0 || Date.now() < this.#notBefore) return;
    clearTimeout(this.#timer);
    this.#busy = true;
    const one = this.#waiting[0];
    const { mutationID, send, storedKey, left } = one;
    /** @type {(() => void) | null} */
    let report = null;
    /** @type {Failure | undefined} */
    let failure;
    const abort = new AbortController();
    const { signal } = abort;
    /** @type {number | undefined} */
    let late;
    /** @type {number | undefined} */
    let deadline;
    try {
      const sent = Promise.resolve(send((url, body) => post(url, body, signal)));
      late = setTimeout(() => {
        this.#late = abort;
        this.doubt();
      }, LATE);
      deadline = setTimeout(() => abort.abort(), DEADLINE);
      // A try that was given up may still be answered, while the next one is sent.
      one.answered ??= new Promise((answer) => (one.answer = answer));
      const givenUp = new Promise((_, fail) => signal.addEventListener('abort', () => {
        sent.then(one.answer, () => {});
        fail(signal.reason);
      }));
      const answer = await Promise.race([sent, givenUp, one.answered]);
      const said = answer instanceof Response ? await read(answer) : /** @type {Said} */ (answer);
      report = () => this.#on.onAccepted(mutationID, answer, said);
    } catch (error) {
      failure = /** @type {Failure} */ (error ?? {});
      // Unless it was given up, `answered` has settled, and the next try needs another.
      if (!signal.aborted) one.answered = undefined;
      // By its name: the page may have another copy of this module.
      if (failure.name === 'Refusal') report = () => this.#on.onRefused(mutationID, /** @type {Refusal} */ (error), left);
    }
    clearTimeout(late);
    clearTimeout(deadline);
    this.#late = null;
    this.#busy = false;
    if (report) {
      this.#waiting.shift();
      storedKey?.then(async (key) => (await this.#store)?.remove(key));
      this.#wait = MINIMUM_WAIT;
      report();
      const wasFailing = this.#isFailing;
      if (this.#waiting.length === 0) this.#isFailing = false;
      if (wasFailing) this.#notify();
      this.#next();
    } else {
      this.#isFailing = true;
      this.#notify(failure?.status ? failure.message : undefined);
      const wait = failure?.wait;
      this.#notBefore = wait === undefined ? 0 : Date.now() + wait;
      this.#timer = setTimeout(() => {
        this.#notBefore = 0;
        this.#next();
      }, wait ?? this.#wait);
      this.#wait = Math.min(this.#wait * 2, MAXIMUM_WAIT);
    }
  }
}
