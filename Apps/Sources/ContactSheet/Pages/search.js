// Search in an album: the same list, with another stream; so its results are live, and what stays does not move.

import { numbers } from './api.js';

/** @param {string} id */
const byID = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const REST = 180; // ms after the last key

export class Search {
  query = '';
  #list;
  #input;
  #timer = 0;
  /** @type {string | null} */
  #epoch = null; // of the list before this query; null once the results were announced

  /**
   * @param {import('../../../../Packaging/live-list/live-list.js').LiveList} list
   * @param {() => void} onChange called when the user gives another query
   */
  constructor(list, onChange) {
    this.#list = list;
    const input = /** @type {HTMLInputElement} */ (byID('search').querySelector('input'));
    this.#input = input;
    byID('search').hidden = false;
    const apply = () => this.#take(input.value.trim()) && onChange();
    const clear = () => {
      input.value = '';
      apply();
    };
    input.addEventListener('input', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(apply, REST);
    });
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') apply();
      else if (event.key === 'Escape') {
        clear();
        input.blur();
      } else if (event.key === 'ArrowDown' && list.count > 0) list.focusIndex(0);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    byID('clear-search').addEventListener('click', () => {
      clear();
      input.focus();
    });
    addEventListener('keydown', (event) => {
      if (event.key !== 'f' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      input.focus();
      input.select();
    });
    list.addEventListener('live-list-change', () => this.#counted());
    // WebKit empties the field of a page that Back shows again, right after `pageshow`.
    addEventListener('pageshow', ({ persisted }) => persisted && setTimeout(() => (input.value = this.query)));
  }

  /**
   * Shows another query, which its user did not type.
   * @param {string} query
   */
  show(query) {
    if (this.#take(query)) this.#input.value = query;
  }

  /**
   * @param {string} query
   * @returns whether it is another query
   */
  #take(query) {
    clearTimeout(this.#timer);
    if (query === this.query) return false;
    this.query = query;
    this.#epoch = query === '' ? null : epochOf(this.#list);
    document.body.classList.toggle('searching', query !== '');
    return true;
  }

  #counted() {
    if (this.#epoch === null || epochOf(this.#list) === this.#epoch) return;
    this.#epoch = null;
    const { count } = this.#list;
    this.#list.announce(count === 1 ? '1 result.' : `${numbers.format(count)} results.`);
  }
}

/** @param {import('../../../../Packaging/live-list/live-list.js').LiveList} list */
const epochOf = (list) => (list.version ?? '').split('.')[0];
