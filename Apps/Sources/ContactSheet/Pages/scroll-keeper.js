// Keeps the scroll position of a list while the tab is open: for each step of its history, so that a reload and Back lead there
// again, and for each album and each search in it, so that a link does, too. It keeps the first item that is wholly seen, and how
// far below the edge it is; so it is found at any width.

import { page } from './api.js';
import { uuid } from '../live-list/uuid.js';

const NEAR = 60; // photos that are fetched around one that is not here
const ARRIVING = 3_000; // ms in which the list catches up: the album as it was, then what has changed since

/** @typedef {{ id: string, index: number, top: number }} Kept */

export class ScrollKeeper {
  #list;
  #key;
  #isLeft = false;
  #isMoved = false;

  /** @param {import('../../../../Packaging/live-list/live-list.js').LiveList} list */
  constructor(list) {
    this.#list = list;
    const { state } = history;
    this.#key = state?.key ?? uuid();
    if (!state?.key) history.replaceState({ ...state, key: this.#key }, '');
    // The last event that a page is sure to get.
    addEventListener('pagehide', () => {
      this.#keep();
      this.#isLeft = true; // what is shown from now on is not where the user was
    });
    addEventListener('pageshow', () => (this.#isLeft = false));
    // A scroll position alone says nothing: Firefox restores one by itself, before the photos are there.
    for (const kind of ['wheel', 'touchmove', 'keydown', 'pointerdown']) {
      addEventListener(kind, () => (this.#isMoved = true), { capture: true, passive: true, once: true });
    }
    document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && this.#keep());
  }

  /**
   * Goes back to the kept position when the album is there; at once where all of it came in one frame. Stays there while the
   * list arrives, unless the user scrolls meanwhile.
   */
  restore() {
    const kept = this.#kept();
    if (!kept) return;
    const until = performance.now() + ARRIVING;
    const follow = () => {
      if (this.#isMoved || performance.now() > until) this.#list.removeEventListener('live-list-change', follow);
      else this.#return(kept);
    };
    this.#list.addEventListener('live-list-change', follow);
    follow();
  }

  /** @param {Kept} kept */
  #return(kept) {
    const list = this.#list;
    const go = () => this.#isMoved || this.#goTo(kept);
    const at = list.indexOf(kept.id) >= 0 ? list.indexOf(kept.id) : kept.index;
    if (list.count === 0) return;
    if (list.isKnown(at)) go();
    else list.load(Math.max(0, at - NEAR), Math.min(list.count, at + NEAR)).then(go, () => {});
  }

  /** The names under which the position is kept: of the step, and of what is shown, whichever step leads to it. */
  get #names() {
    const shown = `${page}${location.search}`;
    return { step: `contact-sheet-scroll-${this.#key} ${shown}`, shown: `contact-sheet-scroll ${shown}` };
  }

  /** @returns {Kept | null} null: the beginning */
  #kept() {
    const { step, shown } = this.#names;
    const isPhoto = location.pathname !== page; // the address of a photo leads to the photo
    try {
      return JSON.parse(sessionStorage.getItem(step) ?? (isPhoto ? null : sessionStorage.getItem(shown)) ?? 'null');
    } catch {
      return null; // storage may be forbidden
    }
  }

  #keep() {
    const list = this.#list;
    if (this.#isLeft || !list.isLoaded || list.clientHeight === 0) return;
    const edge = list.getBoundingClientRect().top;
    const seen = [...linksIn(list)]
      .map((link) => ({ id: idOf(link), top: link.getBoundingClientRect().top - edge }))
      .filter(({ id, top }) => top >= 0 && list.indexOf(id) >= 0)
      .sort((a, b) => a.top - b.top || list.indexOf(a.id) - list.indexOf(b.id));
    try {
      const kept = list.scrollTop > 0 && seen.length > 0 ? { ...seen[0], index: list.indexOf(seen[0].id) } : null;
      for (const name of Object.values(this.#names)) sessionStorage.setItem(name, JSON.stringify(kept));
    } catch {
      // Then the next visit begins at the top.
    }
  }

  /** @param {Kept} kept */
  #goTo({ id, index, top }) {
    const list = this.#list;
    const [other] = list.ids(Math.min(index, list.count - 1), Math.min(index, list.count - 1) + 1);
    const there = list.indexOf(id) >= 0 ? id : other;
    if (there === undefined) return;
    list.reveal(there);
    // Motion ends at once: nobody has seen where the rows come from.
    for (const row of list.querySelectorAll('.ll-canvas > *')) row.getAnimations().forEach((one) => one.finish());
    const link = [...linksIn(list)].find((one) => idOf(one) === there);
    if (link) list.scrollTop += link.getBoundingClientRect().top - list.getBoundingClientRect().top - top;
  }
}

/**
 * @param {HTMLElement} list
 * @returns {NodeListOf<HTMLElement>} the links of the items that are in the document
 */
const linksIn = (list) => list.querySelectorAll('.ll-canvas [data-live-list-link]');

/**
 * The id of the photo or album that a link in a list leads to.
 * @param {HTMLElement} link
 */
const idOf = (link) => link.dataset.photo ?? link.parentElement?.dataset.album ?? '';
