// The search over all albums, on their own page: what it finds is shown instead of the albums.

import { numbers, photos } from './api.js';
import { FoundPhotos } from './found-photos.js';
import { keepFilter } from './photo-address.js';
import { ScrollKeeper } from './scroll-keeper.js';
import { Search } from './search.js';

/** @typedef {import('../../../../Packaging/live-list/live-list.js').LiveList} List */

/** @param {string} id */
const byID = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

export class AlbumsSearch {
  #found = /** @type {List} */ (byID('photos'));
  #photos;
  #search;
  #onEnd;
  /** The epoch of the list before this search: its photos are not among the results. */
  #before = '';

  /**
   * @param {List} albums
   * @param {string} query of the address; '' for none
   * @param {() => void} onEnd called when the albums are shown again
   */
  constructor(albums, query, onEnd) {
    this.#onEnd = onEnd;
    this.#photos = new FoundPhotos(this.#found, albums, byID('found-albums'));
    const typed = /** @type {HTMLInputElement} */ (byID('search').querySelector('input')).value.trim();
    this.#search = new Search(this.#found, () => this.#follow());
    this.#found.addEventListener('live-list-change', () => this.#show());
    this.#photos.onAlbums = () => this.#show();
    if (query) this.#return();
    // What was typed before this part was here counts, too.
    this.#search.show(typed || query);
    if (this.#search.query) this.#follow();
  }

  /** Goes back to where the user was among these results. */
  #return() {
    const keeper = new ScrollKeeper(this.#found);
    const arrive = () => {
      if (!this.#isAnswered) return;
      this.#found.removeEventListener('live-list-change', arrive);
      keeper.restore();
    };
    this.#found.addEventListener('live-list-change', arrive);
  }

  get #epoch() {
    return (this.#found.version ?? '').split('.')[0];
  }

  get #isAnswered() {
    return this.#found.isLoaded && this.#epoch !== this.#before;
  }

  #follow() {
    const { query } = this.#search;
    this.#before = this.#epoch;
    this.#photos.find(query);
    keepFilter(query, '');
    this.#show();
    if (!query) this.#onEnd();
  }

  #show() {
    const { query } = this.#search;
    const { albumCount } = this.#photos;
    const isEmpty = this.#found.count === 0 && albumCount === 0;
    const albums = albumCount === 0 ? '' : albumCount === 1 ? '1 album, ' : `${numbers.format(albumCount)} albums, `;
    if (query) byID('count').textContent = this.#isAnswered ? `${albums}${albums ? photos(this.#found.count) : numbers.format(this.#found.count)} found` : '';
    byID('no-results').hidden = !query || !this.#isAnswered || !isEmpty;
    byID('no-results-text').textContent = `No album and no photo matches “${query}”.`;
  }
}
