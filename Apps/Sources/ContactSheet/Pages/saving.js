// Shows how many changes are not saved yet, asks before a page with such changes is closed, and offers to save what an
// earlier page left. Also reloads a page that is older than its server, when nothing is lost by it.

import { base, build, can, checkLogin, isLeaving, isWriting, request } from './api.js';
import { confirmThat, fetchDialogs } from './later.js';
import { toast } from './toasts.js';
import '../live-list/network/shared.js'; // so that it is here when the lists begin

const LOOK = 5_000; // ms between two looks whether an old page can be reloaded
const RELOADED = `contact-sheet-reloaded${base}`; // the build for which the page was reloaded, so that this is done once

/** @param {string} id */
const byID = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @typedef {import('../../../../Packaging/live-list/live-list.js').LiveList} LiveList */
/** @typedef {import('../../../../Packaging/live-list/live-list.js').LiveListEventDetails} Details */

/** @param {number} n */
const changes = (n) => (n === 1 ? '1 change' : `${n.toLocaleString()} changes`);

export class Saving {
  #lists;
  /** @type {Set<LiveList>} the lists that have been connected */
  #connected = new Set();
  /** @type {string | null} */
  #stale = null;
  /** @type {number | undefined} looks now and then whether the page can be reloaded, until it is known that it is not */
  #look;

  /** @param {LiveList[]} lists the live lists of the page */
  constructor(lists) {
    this.#lists = lists;
    for (const list of lists) {
      list.addEventListener('live-list-waiting', ({ detail: { message } }) => this.#show(message));
      list.addEventListener('live-list-old', ({ detail }) => this.#ask(detail));
      list.addEventListener('live-list-state', ({ detail: { state } }) => this.#stateChanged(list, state));
      if (can('streams')) list.setAttribute('streams', `${base}/api/streams`);
    }
    addEventListener('beforeunload', (event) => {
      // Nothing is lost on the way to the login: it is kept for afterwards.
      if (this.count > 0 && !isLeaving()) event.preventDefault();
    });
    document.addEventListener('visibilitychange', () => this.#reload());
  }

  /** Keeps unsaved changes beyond the page, and takes over those of earlier pages. Not called before the photos are there. */
  keep() {
    for (const list of this.#lists) list.setAttribute('outbox', `contact-sheet-changes${base}`);
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

  // A server that was upgraded

  /**
   * @param {LiveList} list
   * @param {import('../../../../Packaging/live-list/live-list.js').LiveListState} state
   */
  #stateChanged(list, state) {
    if (state === 'outdated') this.#stale = 'another format';
    else if (state === 'connected' && this.#connected.has(list)) this.#compare();
    if (state === 'connected') this.#connected.add(list);
    this.#reload();
  }

  async #compare() {
    if (!can('build') || this.#stale) return;
    const server = await request('GET', `${base}/api/build`).catch(() => null);
    if (!server || server.build === build || this.#stale) return;
    this.#stale = server.build;
    this.#look = setInterval(() => this.#reload(), LOOK);
    this.#reload();
  }

  #reload() {
    if (!this.#stale || !this.#isIdle) return;
    if (this.#noteReload()) location.reload();
    else clearInterval(this.#look);
  }

  /** Notes that the page is reloaded for this server; false if it was before, or if nothing can be stored: it would reload for ever. */
  #noteReload() {
    try {
      if (sessionStorage.getItem(RELOADED) === this.#stale) return false;
      sessionStorage.setItem(RELOADED, String(this.#stale));
      return true;
    } catch {
      return false;
    }
  }

  /** True if nothing would be lost by a reload. */
  get #isIdle() {
    const isBusy = document.querySelector('dialog[open], [popover]:popover-open, .editing, .ll-bar, .ll-preview, #uploads:not([hidden])');
    const field = /** @type {HTMLInputElement | null} */ (document.activeElement);
    const isTyping = field?.matches('input, textarea') && field.value !== '';
    return !isBusy && !isTyping && !isWriting() && this.#lists.every(({ pending, waiting }) => pending.every(({ isAccepted }) => isAccepted) && waiting === 0);
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
