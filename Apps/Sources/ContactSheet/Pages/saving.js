// Shows how many changes are not saved yet, asks before a page with such changes is closed, and offers to save what an
// earlier page left.

import { base, can, checkLogin, isLeaving } from './api.js';
import { attempt, confirmThat, fetchDialogs, onDemand } from './later.js';
import { toast } from './toasts.js';
import '../live-list/network/shared.js'; // so that it is here when the lists begin

/** @param {string} id */
const byID = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @typedef {import('../../../../Packaging/live-list/live-list.js').LiveList} LiveList */
/** @typedef {import('../../../../Packaging/live-list/live-list.js').LiveListEventDetails} Details */

/** @param {number} n */
const changes = (n) => (n === 1 ? '1 change' : `${n.toLocaleString()} changes`);

export class Saving {
  #lists;

  /** @param {LiveList[]} lists the live lists of the page */
  constructor(lists) {
    this.#lists = lists;
    for (const list of lists) {
      list.addEventListener('live-list-waiting', ({ detail: { message } }) => this.#show(message));
      list.addEventListener('live-list-old', ({ detail }) => this.#ask(detail));
      list.addEventListener('live-list-state', ({ detail: { state } }) => state === 'outdated' && attempt(() => this.fetchUpgrade()));
      if (can('streams')) list.setAttribute('streams', `${base}/api/streams`);
    }
    addEventListener('beforeunload', (event) => {
      // Nothing is lost on the way to the login: it is kept for afterwards.
      if (this.count > 0 && !isLeaving()) event.preventDefault();
    });
  }

  /** Keeps unsaved changes beyond the page, and takes over those of earlier pages. Not called before the photos are there. */
  keep() {
    for (const list of this.#lists) list.setAttribute('outbox', `contact-sheet-changes${base}`);
  }

  #upgrade = onDemand('upgrade', ({ Upgrade }) => new Upgrade(this.#lists));

  /** Fetches what reloads an old page: when the photos are there, or at once where this page can show nothing of such a server. */
  fetchUpgrade() {
    return this.#upgrade(false);
  }

  /** The number of changes that wait since a request failed. */
  get count() {
    return this.#lists.reduce((sum, { waiting }) => sum + waiting, 0);
  }

  /** @param {string} [message] */
  #show(message) {
    const note = byID('unsaved');
    const isNew = note.hidden;
    note.hidden = this.count === 0;
    note.textContent = note.hidden ? '' : `${changes(this.count)} not saved yet`;
    note.title = message ?? '';
    if (note.hidden && !isNew) this.#lists[0].announce('All changes are saved.');
    if (note.hidden) return;
    if (isNew) this.#lists[0].announce(`${note.textContent}.`);
    checkLogin();
  }

  /** @param {Details['live-list-old']} old */
  async #ask({ count, since, send, discard }) {
    const day = new Date(since).toLocaleDateString(undefined, { dateStyle: 'long' });
    const text = 'They were made in this browser and could not be saved then. If you cancel, they are given up.';
    await fetchDialogs(); // nothing is given up without asking
    if (await confirmThat(`Save ${changes(count)} of ${day}?`, text, 'Save')) send();
    else discard();
  }
}

/**
 * Shows a message about a change that the server refused.
 * @param {string} what
 * @param {Details['live-list-refused']} refused
 */
export function tellRefused(what, { message, isLeft, retry }) {
  const text = isLeft ? `A change of your last visit was not saved: ${message}` : `${what}: ${message}`;
  toast(text, retry ? { label: 'Retry', action: retry } : {});
}
