// Reloads a page that is older than its server, when nothing is lost by it.

import { base, build, can, isWriting, request } from './api.js';

const LOOK = 5_000; // ms between two looks whether an old page can be reloaded
const RELOADED = `contact-sheet-reloaded${base}`; // the build for which the page was reloaded, so that this is done once

/** @typedef {import('../../../../Packaging/live-list/live-list.js').LiveList} LiveList */

export class Upgrade {
  #lists;
  /** @type {Set<LiveList>} the lists that have been connected */
  #connected;
  /** @type {string | null} */
  #stale = null;
  /** @type {number | undefined} looks now and then whether the page can be reloaded, until it is known that it is not */
  #look;

  /** @param {LiveList[]} lists the live lists of the page */
  constructor(lists) {
    this.#lists = lists;
    this.#connected = new Set(lists.filter(({ dataset }) => dataset.state));
    for (const list of lists) {
      list.addEventListener('live-list-state', ({ detail: { state } }) => this.#stateChanged(list, state));
      // It may have been told so before this part was here.
      if (list.dataset.state === 'outdated') this.#stateChanged(list, 'outdated');
    }
    document.addEventListener('visibilitychange', () => this.#reload());
  }

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
