// Counts changes from elsewhere and announces their sums, at most every five seconds. Fetched with the first of them.

import { number } from '../strings.js';

const APART = 5_000; // ms between two reports
const LATE = 3_000; // ms after which a missing answer does not hold up a report
const QUIET = 1_000; // ms between another announcement and a report

/** @param {import('../controller.js').Controller} list */
export const part = (list) => new Elsewhere(list);

/** @typedef {{ inserted: number, deleted: number, moved: number }} Counts */

export const english = {
  /** @param {Counts} counts */
  changed: ({ inserted, deleted, moved }) => {
    /** @type {[number, string][]} */
    const parts = [[inserted, 'added'], [deleted, 'removed'], [moved, 'moved']];
    return `${parts.filter(([n]) => n > 0).map(([n, what]) => `${number(n)} ${what}`).join(', ')} elsewhere.`;
  },
};

export class Elsewhere {
  #list;
  /** @type {Counts | null} */
  #counts = null;
  #timer = 0;
  #reportedAt = -Infinity;
  /** @type {Set<string>} ids of the page's own mutations, and of its items that have not come yet. */
  #own = new Set();
  /** @type {Set<string[] | Promise<string[]>>} */
  #answers = new Set();

  /** @param {Pick<import('../controller.js').Controller, 'announcer' | 'host' | 'strings'>} list */
  constructor(list) {
    this.#list = list;
    list.strings.changed ??= english.changed;
  }

  /** @param {string[] | Promise<string[]>} ids the ids, or a promise of them, of mutations or of inserted or deleted items that the page itself has sent */
  async own(ids) {
    this.#answers.add(ids);
    for (const id of await ids) this.#own.add(id);
    this.#answers.delete(ids);
  }

  /** @param {import('../model/model.js').Change} change */
  async add({ inserted, deleted, moved, others }) {
    // A frame may come before the answer that says whose it is.
    let isLate = false;
    const limit = new Promise((done) => setTimeout(done, LATE)).then(() => (isLate = true));
    do await Promise.race([Promise.all(this.#answers), limit]);
    while (this.#answers.size > 0 && !isLate);
    /** @param {string} id */
    const isOther = (id) => !this.#own.delete(id);
    // Lists that are opened later may report a mutation once more.
    if (others.size > 0 && [...others].every((mutationID) => this.#own.has(mutationID))) return;
    const counts = { inserted: inserted.filter(isOther).length, deleted: deleted.filter(isOther).length, moved: moved.length };
    if (counts.inserted + counts.deleted + counts.moved === 0) return;
    const sums = (this.#counts ??= { inserted: 0, deleted: 0, moved: 0 });
    for (const name in counts) sums[/** @type {keyof Counts} */ (name)] += counts[/** @type {keyof Counts} */ (name)];
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
    if (host.isConnected && !host.hidden) announcer.say(strings.changed(/** @type {Counts} */ (this.#counts)));
    this.#counts = null;
  }
}
