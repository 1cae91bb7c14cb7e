// Sends acts to the server, one after the other, in the order in which they were made.
// A refusal (4xx) is the server's last word on an act; anything else that goes wrong is tried again.

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

/**
 * Posts an act as JSON; throws a `Refusal` on 4xx and another error on what may pass.
 * @returns what the server says of the act as JSON; null if it says nothing
 */
export async function post(url, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    keepalive: JSON.stringify(body).length < 60_000,
  });
  if (response.ok) return response.json().catch(() => null);
  const said = await response.json().catch(() => null);
  const message = said?.error?.message ?? `${response.status} ${response.statusText}`.trim();
  const passes = response.status >= 500 || response.status === 408 || response.status === 429;
  throw passes ? new Error(message) : new Refusal(message, response.status);
}

export class Outbox {
  #waiting = [];
  #busy = false;
  #wait = SHORTEST_WAIT;
  #timer = 0;
  #onAccepted;
  #onRefused;

  constructor({ onAccepted, onRefused }) {
    this.#onAccepted = onAccepted;
    this.#onRefused = onRefused;
  }

  /** @param {() => Promise} send sends the act, and may be called again; its value is the server's answer */
  add(act, send) {
    this.#waiting.push({ act, send });
    this.#next();
  }

  /** Tries again at once, now that the server is heard again. */
  wake() {
    this.#wait = SHORTEST_WAIT;
    this.#next();
  }

  async #next() {
    if (this.#busy || this.#waiting.length === 0) return;
    clearTimeout(this.#timer);
    this.#busy = true;
    const { act, send } = this.#waiting[0];
    let settle = null;
    try {
      const answer = await send();
      settle = () => this.#onAccepted(act, answer);
    } catch (error) {
      if (error instanceof Refusal) settle = () => this.#onRefused(act, error);
    }
    this.#busy = false;
    if (settle) {
      this.#waiting.shift();
      this.#wait = SHORTEST_WAIT;
      settle();
      this.#next();
    } else {
      this.#timer = setTimeout(() => this.#next(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    }
  }
}
