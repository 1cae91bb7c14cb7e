// Sends acts to the server, one after the other, in the order in which they were made.
// A refusal (4xx) is the server's last word on an act; anything else that goes wrong is tried again, and not before the
// server wants it. Loaded with the first act.

const SHORTEST_WAIT = 500;
const LONGEST_WAIT = 30_000;
const LATE = 5_000; // ms without an answer, after which what is sent counts as not saved
export const DEADLINE = 30_000; // ms without an answer, after which it is sent again
const OLD = 86_400_000; // ms: what was made longer ago is sent only if the user still wants it

/** The server (or the page) said no. */
export class Refusal extends Error {
  name = 'Refusal';

  constructor(message, status = 400) {
    super(message);
    this.status = status;
  }
}

/** How long a server that has too much to do wants to be left alone, in ms: its `Retry-After`; undefined if it says nothing. */
export function waitWanted(header) {
  if (!header) return undefined;
  const wait = /^\d+$/.test(header) ? header * 1000 : Date.parse(header) - Date.now();
  // Not all at the same moment.
  return Number.isNaN(wait) ? undefined : Math.max(0, wait) * (1 + Math.random() / 5);
}

/**
 * Posts an act as JSON. Throws a `Refusal` on 4xx and another error on what may pass, with the `wait` that is wanted.
 * @param signal gives the request up. It may have arrived all the same: the server knows an act that comes again by its id
 * @returns what the server says of the act as JSON; null if it says nothing
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

/** Reads what a server says of an act, and leaves the response to be read by the page. @throws as `post` does */
export async function read(response) {
  // What may not be read, and was not asked to be, cannot be judged.
  if (response.type === 'opaque') return null;
  const said = await (response.bodyUsed ? response : response.clone()).json().catch(() => null);
  if (response.ok) return said;
  const message = said?.error?.message ?? `${response.status} ${response.statusText}`.trim();
  const { status } = response;
  // Who has to log in first loses nothing by it.
  const passes = status >= 500 || [401, 408, 425, 429].includes(status);
  if (!passes) throw new Refusal(message, status);
  throw Object.assign(new Error(message), { status, wait: waitWanted(response.headers.get('Retry-After')) });
}

/**
 * The queue of one list. Given a name, it keeps what waits in the browser's own storage (outbox-store.js), so that it
 * outlives the page, and takes over what closed pages have left.
 */
export class Outbox {
  #waiting = [];
  #busy = false;
  #isFailing = false;
  #wait = SHORTEST_WAIT;
  #timer = 0;
  /** Gives up the request that has been open for too long to expect an answer; else null. */
  #late = null;
  /** When the server wants to be asked again, by the clock. */
  #notBefore = 0;
  #store = null;
  #on;

  /**
   * @param on `onAccepted(act, answer, said)` with what was answered and what that says, `onRefused(act, Refusal, left)` with what an earlier page left, and
   *   `onWaiting(count, message)`: how many wait since a request failed or was late, and why; 0 when all have been sent; and
   *   `onOld({count, since, send, discard})` with what is so old that the user is to decide
   */
  constructor(on, name) {
    this.#on = on;
    if (!name) return;
    // Without a store to keep them they are sent all the same.
    this.#store = import('./outbox-store.js').then(({ openStore }) => openStore(name)).catch(() => null);
    this.#takeOver();
  }

  /**
   * @param about `{url, body, …}`, what is posted where, as JSON, so that it can be kept and sent by another page
   * @param send instead of that: `(post) => Promise`, sends the act, and may be called again; a `Response` is judged by its status
   */
  add(act, about, send = (post) => post(about.url, about.body)) {
    const kept = about && this.#store?.then((store) => store?.keep(act, about));
    this.#waiting.push({ act, send, kept });
    this.#next();
    if (this.#isFailing) this.#tell();
  }

  /**
   * Tries again at once, unless the server wants to be left alone.
   * @param isBack whether it is heard again: what is late may be on a connection that is gone
   */
  wake(isBack = false) {
    this.#wait = SHORTEST_WAIT;
    if (isBack) this.#late?.abort();
    this.#next();
    this.#takeOver();
  }

  /** Counts what waits for an answer as not saved: the server is not heard. */
  doubt() {
    if (this.#isFailing || this.#waiting.length === 0) return;
    this.#isFailing = true;
    this.#tell();
  }

  /** Takes over what closed pages have left; it is sent before what this page has to send. */
  async #takeOver() {
    const store = await this.#store;
    const left = (await store?.takeLeft()) ?? [];
    const old = left.filter(({ made }) => made < Date.now() - OLD);
    this.#addLeft(left.filter((one) => !old.includes(one)));
    if (old.length === 0) return;
    const discard = () => old.forEach(({ key }) => store.letGo(key));
    this.#on.onOld({ count: old.length, since: old[0].made, send: () => this.#addLeft(old), discard });
  }

  #addLeft(left) {
    const entries = left.map(({ key, act, about }) => ({
      act, left: about, kept: Promise.resolve(key), send: (post) => post(about.url, about.body),
    }));
    this.#waiting.splice(this.#busy ? 1 : 0, 0, ...entries);
    if (this.#isFailing) this.#tell();
    this.#next();
  }

  #tell(message) {
    this.#on.onWaiting(this.#isFailing ? this.#waiting.length : 0, message);
  }

  async #next() {
    if (this.#busy || this.#waiting.length === 0 || Date.now() < this.#notBefore) return;
    clearTimeout(this.#timer);
    this.#busy = true;
    const one = this.#waiting[0];
    const { act, send, kept, left } = one;
    let settle = null;
    let failure;
    const abort = new AbortController();
    const { signal } = abort;
    let late;
    let deadline;
    try {
      const sent = Promise.resolve(send((url, body) => post(url, body, signal)));
      late = setTimeout(() => {
        this.#late = abort;
        this.doubt();
      }, LATE);
      deadline = setTimeout(() => abort.abort(), DEADLINE);
      // What is given up may be answered all the same, while it is sent again.
      one.answered ??= new Promise((answer) => (one.answer = answer));
      const givenUp = new Promise((_, fail) => signal.addEventListener('abort', () => {
        sent.then(one.answer, () => {});
        fail(signal.reason);
      }));
      const answer = await Promise.race([sent, givenUp, one.answered]);
      const said = answer instanceof Response ? await read(answer) : answer;
      settle = () => this.#on.onAccepted(act, answer, said);
    } catch (error) {
      failure = error ?? {};
      // Unless it was given up this was its answer, from whichever try, and it is of no use another time.
      if (!signal.aborted) one.answered = undefined;
      // By its name: the page may have another copy of this module.
      if (failure.name === 'Refusal') settle = () => this.#on.onRefused(act, error, left);
    }
    clearTimeout(late);
    clearTimeout(deadline);
    this.#late = null;
    this.#busy = false;
    if (settle) {
      this.#waiting.shift();
      kept?.then(async (key) => (await this.#store)?.letGo(key));
      this.#wait = SHORTEST_WAIT;
      settle();
      const wasFailing = this.#isFailing;
      if (this.#waiting.length === 0) this.#isFailing = false;
      if (wasFailing) this.#tell();
      this.#next();
    } else {
      this.#isFailing = true;
      this.#tell(failure.status && failure.message);
      const { wait } = failure;
      this.#notBefore = wait === undefined ? 0 : Date.now() + wait;
      this.#timer = setTimeout(() => {
        this.#notBefore = 0;
        this.#next();
      }, wait ?? this.#wait);
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    }
  }
}
