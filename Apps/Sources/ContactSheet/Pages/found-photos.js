// Results of a search in all albums: the photos, live, each with the name of its album; and the albums of such a name.

import { base } from './api.js';
import { element } from './elements.js';
import { queryOf } from './photo-address.js';
import { photoCell } from './photo-cell.js';

/** @typedef {import('./photo-cell.js').Photo & { album: string }} Photo */
/** @typedef {import('../../../../Packaging/live-list/live-list.js').LiveList<any>} List */

const MAXIMUM_ALBUMS = 12;

/** @param {string} text */
const folded = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

export class FoundPhotos {
  #list;
  #albums;
  #names;
  #query = '';

  /**
   * @param {List} list of photos
   * @param {List} albums
   * @param {HTMLElement} names where the albums that are found are named
   */
  constructor(list, albums, names) {
    this.#list = list;
    this.#albums = albums;
    this.#names = names;
    list.renderer = {
      draw: (/** @type {HTMLElement} */ cell, /** @type {Photo | undefined} */ photo, /** @type {{ id: string }} */ item) => this.#draw(cell, photo, item),
      discard: (/** @type {HTMLElement} */ cell) => photoCell.discard(cell),
    };
    list.addEventListener('live-list-activate', ({ detail }) => location.assign(this.#addressOf(detail.id, list.contentOf(detail.id))));
    albums.addEventListener('live-list-change', () => {
      for (const name of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('.place'))) name.textContent = this.#titleOf(name.dataset.album);
      this.#nameAlbums();
    });
  }

  /**
   * Follows what a search finds; '' ends that.
   * @param {string} query
   */
  find(query) {
    this.#query = query;
    this.#list.hidden = query === '';
    this.#albums.hidden = query !== '';
    this.#nameAlbums();
    if (query === '') {
      this.#list.removeAttribute('src');
      return;
    }
    this.#list.setAttribute('items', `${base}/api/search/items${queryOf({ query })}`);
    this.#list.setAttribute('src', `${base}/api/search/stream${queryOf({ query })}`);
  }

  /** How many albums are found, as far as they are named. */
  albumCount = 0;

  /** Called when other albums are found. */
  onAlbums = () => {};

  /** @param {string | undefined} album */
  #titleOf(album) {
    return this.#albums.contentOf(album ?? '')?.title ?? '';
  }

  /**
   * The address of a photo in its album.
   * @param {string} id
   * @param {Photo | undefined} photo
   */
  #addressOf(id, photo) {
    return photo ? `${base}/albums/${encodeURIComponent(photo.album)}/photos/${encodeURIComponent(id)}` : '';
  }

  /**
   * @param {HTMLElement} cell
   * @param {Photo | undefined} photo
   * @param {{ id: string }} item
   */
  #draw(cell, photo, item) {
    photoCell.draw(cell, photo, item);
    cell.classList.add('found');
    const link = /** @type {HTMLAnchorElement} */ (cell.firstElementChild);
    link.href = this.#addressOf(item.id, photo);
    link.style.backgroundColor = cell.style.backgroundColor;
    cell.style.backgroundColor = '';
    const name = /** @type {HTMLElement} */ (cell.querySelector('.place') ?? cell.appendChild(element('span', { className: 'place', dir: 'auto' })));
    name.dataset.album = photo?.album ?? '';
    name.textContent = this.#titleOf(photo?.album);
  }

  /** Names the albums whose titles have all words of the search. */
  #nameAlbums() {
    const words = folded(this.#query).split(/\s+/).filter(Boolean);
    const ids = /** @type {string[]} */ (words.length > 0 ? this.#albums.ids().filter((id) => id !== undefined) : []);
    const found = ids.filter((id) => words.every((word) => folded(this.#titleOf(id)).includes(word))).slice(0, MAXIMUM_ALBUMS);
    this.albumCount = found.length;
    this.#names.hidden = found.length === 0;
    this.#names.replaceChildren(...found.map((id) => element('a', {
      className: 'button', dir: 'auto', href: `${base}/albums/${encodeURIComponent(id)}`, textContent: this.#titleOf(id),
    })));
    this.onAlbums();
  }
}
