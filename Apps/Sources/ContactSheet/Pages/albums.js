// The albums, as a live list: beside the photos, where photos can be dropped on them, or as a page of their own.

import { albumID, base, can, numbers, photos, quoted, request } from './api.js';
import { directionOf, element } from './elements.js';
import { attempt, copyLink, icons, onDemand } from './later.js';
import { note } from './own-doings.js';
import { tellRefused } from './saving.js';

/** @param {string} id */
const byID = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @typedef {import('./picker.js').Album} Album */

/** @typedef {{ id: string, after: string | null, before: string | null }} Back an album, and what it was between */
/** @typedef {(mutationID: string, text: string, back: Back) => void | Promise<void>} OnMove */
/** @typedef {(text: string, way: import('./undo-stack.js').Way | null, album?: { id: string, title: string }) => void | Promise<void>} OnOther */

/** The label of the command that moves within a list: “Move” alone would stand beside “Move to album”. */
export const REORDER = 'Reorder…';

const isPage = !byID('sidebar'); // where covers are large

const albumCell = {
  /**
   * @param {HTMLElement} cell
   * @param {Album | undefined} content
   * @param {{ id: string }} item
   */
  draw(cell, content, { id }) {
    if (!cell.firstChild) {
      const cover = element('img', { alt: '', draggable: false });
      const link = element('a', { tabIndex: -1, draggable: false });
      link.dataset.liveListLink = '';
      link.append(element('span', { className: 'cover' }, cover), element('span', { className: 'name', dir: 'auto' }), element('span', { className: 'number' }));
      cell.append(link);
    }
    cell.className = 'album';
    cell.dataset.liveListDrop = '';
    cell.dataset.album = id;
    if (id === albumID) cell.setAttribute('aria-current', 'page');
    else cell.removeAttribute('aria-current');
    const link = /** @type {HTMLAnchorElement} */ (cell.firstChild);
    link.href = addressOf(id);
    const [frame, name, number] = link.children;
    const cover = /** @type {HTMLImageElement} */ (frame.firstChild);
    if (content?.cover) cover.src = `${base}/thumbnails/${content.cover}`;
    else cover.removeAttribute('src');
    madeCover(/** @type {HTMLElement} */ (frame), id, content?.cover ? '' : content?.title ?? '');
    name.textContent = content?.title ?? '';
    /** @type {HTMLElement} */ (number).style.textAlign = isPage && directionOf(content?.title) === 'rtl' ? 'right' : ''; // on the side of the title
    if (isPage) number.replaceChildren(...(content?.count === undefined ? [] : [photos(content.count), ...dated(content)]));
    else number.textContent = `${content?.count ?? ''}`;
  },
};

const months = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' });

/**
 * The months in which photos of an album were taken, such as “May – Jun 2024”; '' where no photo has a date.
 * @param {{ first?: string | null, last?: string | null }} album
 */
const datesOf = ({ first, last }) => (first && last ? months.formatRange(new Date(first), new Date(last)) : '');

/**
 * The months of an album on a line of their own, where they have room.
 * @param {Album} album
 */
function dated(album) {
  const dates = datesOf(album);
  return dates ? [element('span', { className: 'between', textContent: ' · ' }), element('span', { className: 'dates', textContent: dates })] : [];
}

/**
 * Makes a cover for an album that has none: the first letter of its title, on a colour that stays the album's.
 * @param {HTMLElement} frame
 * @param {string} id
 * @param {string} title '' where it has a cover
 */
export function madeCover(frame, id, title) {
  const letter = title.match(/[\p{L}\p{N}]\p{M}*/u)?.[0].toLocaleUpperCase() ?? '';
  frame.classList.toggle('made', title !== '');
  frame.dataset.letter = letter;
  let hue = 0;
  for (const character of id) hue = (hue * 31 + character.charCodeAt(0)) % 360;
  frame.style.backgroundColor = title === '' ? '' : `hsl(${hue} 30% 38%)`;
}

export class Albums {
  #list = /** @type {import('../../../../Packaging/live-list/live-list.js').LiveList<Album>} */ (byID('albums'));
  #isRevealed = false;
  #isPuttingBack = false;

  constructor() {
    if (!isPage) {
      const button = byID('show-albums');
      byID('sidebar').hidden = button.hidden = false;
      button.addEventListener('click', () => attempt(async () => (await this.#drawer()).open()));
    }
    this.#list.strings = { move: REORDER };
    this.#list.renderer = albumCell;
    this.#list.menuItems = (/** @type {Iterable<string>} */ [id]) => [
      { label: 'Open', icon: icons.open, shortcut: 'Enter', action: () => open(id) },
      { label: 'Copy link', icon: icons.link, action: () => copyLink(addressOf(id)) },
      { label: 'Rename…', icon: icons.rename, action: () => this.rename(id) },
      ...(can('covers') ? [{ label: 'Use the first photo as cover', icon: icons.cover, isDisabled: !this.#list.contentOf(id)?.count, action: () => this.setCover(id, null) }] : []),
      { label: 'Delete…', icon: icons.remove, action: () => this.delete(id), isDestructive: true },
    ];
    this.#list.addEventListener('live-list-activate', ({ detail }) => open(detail.id));
    this.#list.addEventListener('live-list-reorder', ({ detail: { act: mutationID, ids } }) => this.#moved(mutationID, /** @type {string[]} */ (ids)[0]));
    this.#list.addEventListener('live-list-refused', ({ detail }) => tellRefused('Not moved', detail));
    this.#list.setAttribute('src', `${base}/api/albums/stream`);
    byID('new-album').addEventListener('click', () => this.create());
    this.#list.addEventListener('live-list-change', () => {
      if (!albumID) return; // the trash, or the albums' own page
      this.#revealCurrent();
      const content = this.#list.contentOf(albumID);
      if (content?.title) this.onRename(content.title);
      if (content) this.onDates(datesOf(content));
      else if (this.#list.isLoaded && this.#list.indexOf(albumID) < 0) this.#missing();
    });
    byID('trash').hidden = !can('trash');
  }

  /** An album that is not in the list may be gone, or so new that the list has not heard of it yet. */
  #missing() {
    this.#list.own([albumID]); // if it is gone the page says so, not the list
    this.seeWhetherGone();
  }

  /** Asks the server whether this page's album is there. @returns a promise; it settles when the page has said so if it is not */
  async seeWhetherGone() {
    const albums = await request('GET', `${base}/api/albums`).catch(() => null);
    if (albums && !albums.some((/** @type {Album} */ { id }) => id === albumID)) await this.onGone();
  }

  /** @type {(title: string) => void} called with the title of this page's album, which may be another than before */
  onRename = () => {};

  /** @type {(dates: string) => void} called with the months in which the photos of this page's album were taken */
  onDates = () => {};

  /** @type {() => void | Promise<void>} called when this page's album is not there any more */
  onGone = () => {};

  /** @type {OnMove} called when an album was moved here: what is said of it, and the way back */
  onMove = () => {};

  /** @type {OnOther} called when something else was done with an album: what is said of it, the way back, and the album that it is in */
  onOther = () => {};

  /**
   * @param {string} mutationID
   * @param {string} id
   */
  #moved(mutationID, id) {
    const list = this.#list;
    const index = list.indexOf(id); // the list does not show the move yet
    if (this.#isPuttingBack || index < 0) return;
    const [after = null] = index > 0 ? list.ids(index - 1, index) : [];
    const [before = null] = list.ids(index + 1, index + 2);
    queueMicrotask(() => this.onMove(mutationID, `${quoted(this.titleOf(id))} moved to position ${numbers.format(list.indexOf(id) + 1)}`, { id, after, before }));
  }

  /**
   * Puts an album back between its neighbours of before.
   * @param {Back} back
   */
  putBack({ id, after, before }) {
    this.#isPuttingBack = true;
    this.#list.move([id], { after, before });
    this.#isPuttingBack = false;
  }

  /** `{id, title}` of the albums that photos could go to from here. */
  get others() {
    const ids = /** @type {string[]} */ (this.#list.ids().filter((id) => id !== albumID));
    return ids.map((id) => ({ id, title: this.titleOf(id), ...this.#list.contentOf(id) }));
  }

  /** Whether the list of albums is here. */
  get isLoaded() {
    return this.#list.isLoaded;
  }

  /**
   * Whether the list of albums is here, and has one.
   * @param {string} id
   */
  has(id) {
    return this.#list.indexOf(id) >= 0;
  }

  /**
   * Calls back when the albums have changed. @returns a function that ends that
   * @param {() => void} callback
   */
  follow(callback) {
    this.#list.addEventListener('live-list-change', callback);
    return () => this.#list.removeEventListener('live-list-change', callback);
  }

  /** @param {string} id */
  titleOf(id) {
    return this.#list.contentOf(id)?.title ?? '';
  }

  /**
   * Takes note that the album that a request is about was made or deleted here. @returns the answer
   * @param {Promise<any>} answer
   * @param {(said: any) => string} [idOf] the album's id; that in the answer, if none is given
   */
  own(answer, idOf = ({ id }) => id) {
    const ids = answer.then((said) => [idOf(said)]);
    this.#list.own(ids);
    return ids.then((known) => {
      note(known);
      return answer;
    });
  }

  #drawer = onDemand('drawer', ({ Drawer }) => new Drawer(
    byID('sidebar'), byID('show-albums'), () => (albumID ? this.#list.focusItem(albumID) : this.#list.focusIndex(0)),
  ));

  // What is done with albums. Its part comes later; a user's wish is performed when it is there.

  #actions = onDemand('album-actions', ({ AlbumActions }) => new AlbumActions(this));

  /** @param {(actions: import('./album-actions.js').AlbumActions) => unknown} work */
  #withActions(work) {
    return attempt(async () => work(await this.#actions()));
  }

  /** Fetches the parts that come later. @returns a promise that settles when they are here */
  fetchParts() {
    return Promise.all([this.#actions(false), ...(isPage ? [] : [this.#drawer(false)])]);
  }

  create() {
    return this.#withActions((actions) => actions.create());
  }

  /**
   * Makes an album for photos. @returns `{id, title}`, or null if it was not made
   * @param {Parameters<import('./album-actions.js').AlbumActions['createFor']>} all
   */
  async createFor(...all) {
    return (await this.#actions()).createFor(...all);
  }

  /** @param {string} id */
  rename(id) {
    return this.#withActions((actions) => actions.rename(id));
  }

  /** @param {string} id */
  delete(id) {
    return this.#withActions((actions) => actions.delete(id));
  }

  /** @param {Parameters<import('./album-actions.js').AlbumActions['setCover']>} all */
  setCover(...all) {
    return this.#withActions((actions) => actions.setCover(...all));
  }

  /** Brings this page's album into view when the list is there. */
  #revealCurrent() {
    if (this.#isRevealed || !this.#list.isLoaded || this.#list.indexOf(albumID) < 0) return;
    this.#isRevealed = true;
    this.#list.reveal(albumID);
  }
}

/** @param {string} id */
const addressOf = (id) => `${base}/albums/${encodeURIComponent(id)}`;
/** @param {string} id */
export const open = (id) => location.assign(addressOf(id));
