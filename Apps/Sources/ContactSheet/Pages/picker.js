// Chooses an album: a dialog with a search, the albums with their covers, and a new one.
// The field keeps the focus while the arrows go through the list, as in a combobox.

import { madeCover } from './albums.js';
import { base, numbers } from './api.js';
import { button, element } from './elements.js';
import { styleSheet } from './style-sheet.js';

await styleSheet('ask');

/** @typedef {{ id?: string, title: string, count?: number, cover?: string, first?: string | null, last?: string | null }} Album */
/** @typedef {Album | { newTitle: string } | null} Picked */

/**
 * A text as it is compared: without case and accents.
 * @param {string} text
 */
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * @param {string} heading what the albums are chosen for
 * @param {() => Album[]} albums gives them as they are now
 * @param {(callback: () => void) => () => void} follow calls back when they have changed; returns a function that ends that
 * @returns {Promise<Picked>} `newTitle` of one that is to be made
 */
export function pickAlbum(heading, albums, follow) {
  return new Promise((resolve) => new Picker(heading, albums, follow, resolve));
}

class Picker {
  #albums;
  /** @type {Album[]} */
  #options = [];
  #active = 0;
  #field = element('input', { type: 'search', placeholder: 'Search albums', autocomplete: 'off', dir: 'auto', ariaLabel: 'Search albums' });
  #list = element('ul', { id: 'picker-albums', ariaLabel: 'Albums' });
  #nothing = element('p', { className: 'nothing' });
  #make;
  #dialog;
  #resolve;

  /**
   * @param {string} heading
   * @param {() => Album[]} albums
   * @param {(callback: () => void) => () => void} follow
   * @param {(picked: Picked) => void} resolve
   */
  constructor(heading, albums, follow, resolve) {
    this.#albums = albums;
    this.#resolve = resolve;
    this.#field.setAttribute('role', 'combobox');
    this.#field.setAttribute('aria-controls', this.#list.id);
    this.#field.setAttribute('aria-autocomplete', 'list');
    this.#field.ariaExpanded = 'true';
    this.#list.setAttribute('role', 'listbox');
    this.#nothing.setAttribute('role', 'status');
    this.#make = button('New album…', 'button', () => this.#close({ newTitle: this.#query }));
    const cancel = button('Cancel', 'button', () => this.#close(null));
    const buttons = element('div', { className: 'buttons' }, this.#make, cancel);
    const parts = [element('h2', { textContent: heading }), this.#field, this.#nothing, this.#list, buttons];
    this.#dialog = element('dialog', { className: 'ask picker', ariaLabel: heading }, ...parts);
    this.#field.addEventListener('input', () => {
      this.#active = 0;
      this.#draw();
    });
    this.#field.addEventListener('keydown', (event) => this.#key(event));
    this.#list.addEventListener('mousedown', (event) => event.preventDefault()); // the field keeps the focus
    this.#list.addEventListener('click', ({ target }) => {
      const index = [...this.#list.children].indexOf(/** @type {Element} */ (/** @type {Element} */ (target).closest('[role=option]')));
      if (index >= 0) this.#close(this.#options[index]);
    });
    const unfollow = follow(() => this.#draw());
    this.#dialog.addEventListener('close', () => {
      unfollow();
      this.#dialog.remove();
      resolve(null); // where nothing was picked
    });
    document.body.append(this.#dialog);
    this.#draw();
    this.#dialog.showModal();
    this.#field.focus();
  }

  get #query() {
    return this.#field.value.trim();
  }

  /**
   * Closes the dialog, and answers before its event, as ask.js does.
   * @param {Picked} picked
   */
  #close(picked) {
    this.#dialog.close();
    this.#resolve(picked);
  }

  #draw() {
    const words = plain(this.#query).split(/\s+/);
    const activeID = this.#options[this.#active]?.id;
    this.#options = this.#albums().filter(({ title }) => words.every((word) => plain(title).includes(word)));
    const index = this.#options.findIndex(({ id }) => id === activeID);
    if (index >= 0 && this.#active > 0) this.#active = index;
    this.#list.replaceChildren(...this.#options.map((album, n) => option(album, n)));
    this.#list.hidden = this.#options.length === 0;
    const nothing = this.#query ? `No album matches “${this.#query}”.` : 'There is no other album yet.';
    this.#nothing.textContent = this.#options.length === 0 ? nothing : '';
    this.#make.textContent = this.#query && this.#options.length === 0 ? `New album “${this.#query}”…` : 'New album…';
    this.#activate(Math.min(this.#active, this.#options.length - 1));
  }

  /** @param {number} index */
  #activate(index) {
    this.#list.querySelector('[aria-selected=true]')?.setAttribute('aria-selected', 'false');
    this.#active = Math.max(0, index);
    const node = this.#list.children[this.#active];
    if (!node) {
      this.#field.removeAttribute('aria-activedescendant');
      return;
    }
    node.setAttribute('aria-selected', 'true');
    this.#field.setAttribute('aria-activedescendant', node.id);
    node.scrollIntoView({ block: 'nearest' });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const last = this.#options.length - 1;
    const page = Math.max(1, Math.floor(this.#list.clientHeight / (/** @type {HTMLElement | null} */ (this.#list.firstElementChild)?.offsetHeight || 1)) - 1);
    const to = /** @type {Record<string, number | undefined>} */ ({
      ArrowDown: this.#active === last ? 0 : this.#active + 1, ArrowUp: this.#active === 0 ? last : this.#active - 1,
      PageDown: Math.min(last, this.#active + page), PageUp: Math.max(0, this.#active - page),
    })[event.key];
    if (event.isComposing) return;
    if (to !== undefined) this.#activate(to);
    else if (event.key === 'Escape') this.#close(null); // WebKit does not pass it on from a search field to the dialog
    else if (event.key === 'Enter') this.#close(this.#options[this.#active] ?? { newTitle: this.#query });
    else return;
    event.preventDefault();
  }
}

/**
 * @param {Album} album
 * @param {number} n
 */
function option({ id = '', title, count, cover }, n) {
  const image = element('img', { alt: '', loading: 'lazy' });
  if (cover) image.src = `${base}/thumbnails/${cover}`;
  const node = element('li', { id: `picker-album-${n}` });
  node.setAttribute('role', 'option');
  node.setAttribute('aria-selected', 'false');
  const number = count === undefined ? '' : numbers.format(count);
  const frame = element('span', { className: 'cover' }, image);
  madeCover(frame, id, cover ? '' : title);
  node.append(frame, element('span', { className: 'name', dir: 'auto', textContent: title }));
  const photos = element('span', { className: 'number', textContent: number });
  photos.ariaHidden = 'true';
  node.append(photos);
  return node;
}
