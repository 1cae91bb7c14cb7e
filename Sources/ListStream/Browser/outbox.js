// Sends acts to the server, one after the other, in the order in which they were made.
// A refusal (4xx) is the server's last word on an act; anything else that goes wrong is tried again, and not before the
// server wants it. Loaded with the first act.

const SHORTEST_WAIT = 500;
const LONGEST_WAIT = 30_000;

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
 * @returns what the server says of the act as JSON; null if it says nothing
 */
export async function post(url, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    keepalive: JSON.stringify(body).length < 60_000,
  });
  const said = await response.json().catch(() => null);
  if (response.ok) return said;
  const message = said?.error?.message ?? `${response.status} ${response.statusText}`.trim();
  const passes = response.status >= 500 || response.status === 408 || response.status === 429;
  if (!passes) throw new Refusal(message, response.status);
  throw Object.assign(new Error(message), { wait: waitWanted(response.headers.get('Retry-After')) });
}

export class Outbox {
  #waiting = [];
  #busy = false;
  #wait = SHORTEST_WAIT;
  #timer = 0;
  /** When the server wants to be asked again, by the clock. */
  #notBefore = 0;
  #onAccepted;
  #onRefused;

  /** @param onAccepted `(act, answer)`; `onRefused` `(act, Refusal)` */
  constructor({ onAccepted, onRefused }) {
    this.#onAccepted = onAccepted;
    this.#onRefused = onRefused;
  }

  /** @param send `(post) => Promise`, sends the act, and may be called again */
  add(act, send) {
    this.#waiting.push({ act, send });
    this.#next();
  }

  /** Tries again at once, now that the server is heard again, unless it wants to be left alone. */
  wake() {
    this.#wait = SHORTEST_WAIT;
    this.#next();
  }

  async #next() {
    if (this.#busy || this.#waiting.length === 0 || Date.now() < this.#notBefore) return;
    clearTimeout(this.#timer);
    this.#busy = true;
    const { act, send } = this.#waiting[0];
    let settle = null;
    let wait;
    try {
      const answer = await send(post);
      settle = () => this.#onAccepted(act, answer);
    } catch (error) {
      wait = error.wait;
      // By its name: the page may have another copy of this module.
      if (error.name === 'Refusal') settle = () => this.#onRefused(act, error);
    }
    this.#busy = false;
    if (settle) {
      this.#waiting.shift();
      this.#wait = SHORTEST_WAIT;
      settle();
      this.#next();
    } else {
      this.#notBefore = wait === undefined ? 0 : Date.now() + wait;
      this.#timer = setTimeout(() => {
        this.#notBefore = 0;
        this.#next();
      }, wait ?? this.#wait);
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    }
  }
}
