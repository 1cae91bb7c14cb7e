// Search in an album: the same list, with another stream; so its results are live, and what stays does not move.

import { numbers } from './api.js';

const byID = (id) => document.getElementById(id);
const REST = 180; // ms after the last key

export class Search {
  query = '';
  #list;
  #timer = 0;
  #epoch = null; // of the list before this query; null when its results have been said

  /** @param onChange called when there is another query */
  constructor(list, onChange) {
    this.#list = list;
    const input = byID('search').querySelector('input');
    byID('search').hidden = false;
    const apply = () => {
      clearTimeout(this.#timer);
      const query = input.value.trim();
      if (query === this.query) return;
      this.query = query;
      this.#epoch = query === '' ? null : epochOf(list);
      document.body.classList.toggle('searching', query !== '');
      onChange();
    };
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
  }

  #counted() {
    if (this.#epoch === null || epochOf(this.#list) === this.#epoch) return;
    this.#epoch = null;
    const { count } = this.#list;
    this.#list.announce(count === 1 ? '1 result.' : `${numbers.format(count)} results.`);
  }
}

const epochOf = (list) => (list.version ?? '').split('.')[0];
