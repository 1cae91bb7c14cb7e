// The address of the page follows the photo that is open: one that is opened is a step in the history, so Back closes it.
// It also names what of the album is shown (`?search=…&group=month`), so that a reload and Back show that again.

import { page } from './api.js';

/**
 * The address of a photo on this page.
 * @param {string} id
 */
export const addressOf = (id) => `${page}/photos/${encodeURIComponent(id)}`;

function photoHere() {
  const { pathname } = location;
  if (!pathname.startsWith(`${page}/photos/`)) return null;
  const id = decodeURIComponent(pathname.slice(page.length + 8));
  // Other programs write a UUID in capitals.
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id) ? id.toLowerCase() : id;
}

/** The search and the grouping of the address. The address of a photo that comes from elsewhere means the album's own order. */
export function filterHere() {
  const isOthers = photoHere() !== null && history.state?.index === undefined;
  return new URLSearchParams(isOthers ? '' : location.search);
}

/**
 * The query of an address; empty where all values are.
 * @param {Record<string, string | false | null | undefined>} values
 */
export function queryOf(values) {
  const query = new URLSearchParams(/** @type {[string, string][]} */ (Object.entries(values).filter(([, value]) => value)));
  return `${query}` && `?${query}`;
}

/**
 * Writes the search and the grouping into the address.
 * @param {string} search
 * @param {string} group
 */
export function keepFilter(search, group) {
  const query = queryOf({ search, group });
  if (query !== location.search) history.replaceState(history.state, '', location.pathname + query);
}

export class PhotoAddress {
  /** The photo that the address names, or is about to; null: the album. */
  #id = photoHere();
  /** @type {number} */
  #index;
  #isGoingBack = false;

  /** @param {(id: string | null, index: number) => void} onTraverse called when the user went back or on; `id` is null where no photo is open */
  constructor(onTraverse) {
    // The server says at which position of a long album the photo is whose address it was asked for.
    this.#index = history.state?.index ?? Number(document.body.dataset.position || 1) - 1;
    addEventListener('popstate', () => {
      if (this.#isGoingBack) {
        this.#isGoingBack = false;
        this.#apply();
        return;
      }
      // A question is about what was shown when it was asked: it is closed.
      for (const question of document.querySelectorAll('dialog.ask')) /** @type {HTMLDialogElement} */ (question).close();
      this.#id = photoHere();
      this.#index = history.state?.index ?? 0;
      onTraverse(this.#id, this.#index);
    });
  }

  /** The photo and its index that the page was opened with; the id is null where it is the album's own page. */
  get current() {
    return { id: this.#id, index: this.#index };
  }

  /**
   * Sets the address to that of a photo; null: of the album.
   * @param {string | null} id
   */
  show(id, index = 0) {
    this.#id = id;
    this.#index = index;
    // A step in the history takes a moment; another photo may be open then.
    if (!this.#isGoingBack) this.#apply();
  }

  #apply() {
    const [id, here] = [this.#id, photoHere()];
    const { state } = history;
    if (id === null) {
      if (here === null) return;
      if (state?.isOver) {
        this.#isGoingBack = true;
        history.back();
      } else history.replaceState({ ...state, index: undefined }, '', page + location.search);
    } else if (here === null) history.pushState({ ...state, isOver: true, index: this.#index }, '', addressOf(id) + location.search);
    else if (here !== id || state?.index !== this.#index) {
      history.replaceState({ ...state, index: this.#index }, '', addressOf(id) + location.search);
    }
  }
}
