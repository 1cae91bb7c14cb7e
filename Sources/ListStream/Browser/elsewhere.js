// Counts changes from elsewhere and announces their sums, at most every five seconds. Fetched with the first of them.

import { number } from './strings.js';

const APART = 5_000; // ms between two reports
const QUIET = 1_000; // ms that a report leaves to what was said before

const english = {
  changed: ({ inserted, deleted, moved }) => {
    const parts = [[inserted, 'added'], [deleted, 'removed'], [moved, 'moved']];
    return `${parts.filter(([n]) => n > 0).map(([n, what]) => `${number(n)} ${what}`).join(', ')} elsewhere.`;
  },
};

export class Elsewhere {
  #list;
  #counts = null;
  #timer = 0;
  #reportedAt = -Infinity;

  constructor(list) {
    this.#list = list;
    list.strings = { ...english, ...list.strings };
  }

  /** @param counts how many items were `inserted`, `deleted` and `moved` */
  add(counts) {
    this.#counts ??= { inserted: 0, deleted: 0, moved: 0 };
    for (const name in counts) this.#counts[name] += counts[name];
    if (!this.#timer) this.#report();
  }

  #report() {
    const { announcer, host, strings } = this.#list;
    const now = Date.now();
    const due = Math.max(this.#reportedAt + APART, announcer.saidAt + QUIET);
    if (due > now) {
      this.#timer = setTimeout(() => this.#report(), due - now);
      return;
    }
    this.#timer = 0;
    this.#reportedAt = now;
    if (host.isConnected) announcer.say(strings.changed(this.#counts));
    this.#counts = null;
  }
}
