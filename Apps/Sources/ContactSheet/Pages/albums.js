// The albums beside the photos: a live list of its own, which photos can be dropped on.

import { albumID, base, can, request } from './api.js';
import { Drawer } from './drawer.js';
import { element } from './elements.js';
import { Missing, askText, confirmThat, copyLink } from './later.js';
import { note } from './own-doings.js';
import { tellRefused } from './saving.js';
import { toast, wordsOf } from './toasts.js';

const byID = (id) => document.getElementById(id);

const albumCell = {
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
    const link = cell.firstChild;
    link.href = addressOf(id);
    const [frame, name, number] = link.children;
    const cover = frame.firstChild;
    if (content?.cover) cover.src = `${base}/thumbnails/${content.cover}`;
    else cover.removeAttribute('src');
    name.textContent = content?.title ?? '';
    number.textContent = content?.count ?? '';
  },
};

export class Albums {
  #list = byID('albums');
  #drawer;
  #isRevealed = false;

  constructor() {
    const sidebar = byID('sidebar');
    const button = byID('show-albums');
    sidebar.hidden = button.hidden = false;
    this.#drawer = new Drawer(sidebar, button, () => this.#list.focusItem(albumID));
    this.#list.renderer = albumCell;
    this.#list.menuItems = ([id]) => [
      { label: 'Open', action: () => open(id) },
      { label: 'Copy link', action: () => copyLink(addressOf(id)) },
      { label: 'Rename…', action: () => this.rename(id) },
      { label: 'Delete…', action: () => this.delete(id), isDestructive: true },
    ];
    this.#list.addEventListener('live-list-activate', ({ detail }) => open(detail.id));
    this.#list.addEventListener('live-list-refused', ({ detail }) => tellRefused('Not moved', detail));
    this.#list.setAttribute('src', `${base}/api/albums/stream`);
    byID('new-album').addEventListener('click', () => this.create());
    this.#list.addEventListener('live-list-change', () => {
      this.#revealCurrent();
      const title = this.#list.contentOf(albumID)?.title;
      if (title) this.onRename(title);
      else if (this.#list.isLoaded && this.#list.indexOf(albumID) < 0) this.#missing();
    });
    if (can('trash')) this.#offerTrash();
  }

  /** An album that is not in the list may be gone, or so new that the list has not heard of it yet. */
  #missing() {
    this.#list.own([albumID]); // where it is gone the page says so, and not the list
    this.seeWhetherGone();
  }

  /** Asks the server whether this page's album is there. @returns a promise of when the page has been told that it is not */
  async seeWhetherGone() {
    const albums = await request('GET', `${base}/api/albums`).catch(() => null);
    if (albums && !albums.some(({ id }) => id === albumID)) await this.onGone();
  }

  /** Called with the title of this page's album, which may be another than before. */
  onRename = () => {};

  /** Called when this page's album is not there any more. */
  onGone = () => {};

  /** `{id, title}` of the albums that photos could go to from here. */
  get others() {
    const ids = this.#list.ids().filter((id) => id !== albumID);
    return ids.map((id) => ({ id, title: this.titleOf(id), ...this.#list.contentOf(id) }));
  }

  /** Calls back when the albums have changed. @returns a function that ends that */
  follow(callback) {
    this.#list.addEventListener('live-list-change', callback);
    return () => this.#list.removeEventListener('live-list-change', callback);
  }

  titleOf(id) {
    return this.#list.contentOf(id)?.title ?? '';
  }

  async create() {
    const made = await askText('New album', 'Title', '', 'Create', (title) => this.#make(title));
    if (made) open(made.id);
  }

  /** Makes an album of a title that is asked for. @returns `{id, title}`, or null if it was not made */
  createFor(what, title) {
    return askText(`New album for ${what}`, 'Title', title, 'Create and move', (asked) => this.#make(asked));
  }

  #make(title) {
    const answer = request('POST', `${base}/api/albums`, { title });
    return this.#own(answer, ({ id }) => id);
  }

  /** Takes note that the album that a request is about was made or deleted here. @returns the answer */
  #own(answer, idOf) {
    const ids = answer.then((said) => [idOf(said)]);
    this.#list.own(ids);
    return ids.then((known) => {
      note(known);
      return answer;
    });
  }

  async rename(id) {
    const work = (title) => request('PATCH', `${base}/api/albums/${id}`, { title });
    await askText('Rename album', 'Title', this.titleOf(id), 'Rename', work);
  }

  async delete(id) {
    const text = 'Its photos go to the trash. Other albums keep theirs.';
    const work = () => this.#own(request('DELETE', `${base}/api/albums/${id}`), () => id);
    const isDone = await confirmThat(`Delete “${this.titleOf(id)}”?`, text, 'Delete album', work);
    if (isDone && id === albumID) location.assign(`${base}/`);
  }

  /** Brings this page's album into view when the list is there. */
  #revealCurrent() {
    if (this.#isRevealed || !this.#list.isLoaded || this.#list.indexOf(albumID) < 0) return;
    this.#isRevealed = true;
    this.#list.reveal(albumID);
  }

  #offerTrash() {
    const button = byID('empty-trash');
    button.hidden = false;
    button.addEventListener('click', () =>
      attempt(async () => {
        const { count } = await request('GET', `${base}/api/trash`);
        if (count === 0) {
          toast('The trash is empty.');
          return;
        }
        const text = `${count === 1 ? '1 photo' : `${count} photos`} will be removed for good.`;
        const work = () => request('POST', `${base}/api/trash/empty`, {});
        if (await confirmThat('Empty the trash?', text, 'Empty trash', work)) toast('The trash is empty.');
      }),
    );
  }
}

const addressOf = (id) => `${base}/albums/${encodeURIComponent(id)}`;
const open = (id) => location.assign(addressOf(id));

async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Missing)) toast(wordsOf(error));
    return null;
  }
}
