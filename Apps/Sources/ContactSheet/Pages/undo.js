// Taking mutations back: a message with Undo for ten seconds, Ctrl+Z for as long as the tab is open, also after a reload and in
// another album. Undoing is a mutation like any other, so every browser sees it.

import { albumID, base, listed, numbers, photos, request } from './api.js';
import { note } from './own-doings.js';
import { toast } from './toasts.js';
import { UndoStack } from './undo-stack.js';
import { uuid } from '../live-list/uuid.js';

/** @typedef {import('./undo-stack.js').Entry} Entry */

const SHOWN = 10_000; // ms
const MAXIMUM_IMPORTED = 1_000; // photos whose ids are kept, so that their import can be undone

export class Undo {
  #list;
  #onReturn;
  #albums;
  #stack = new UndoStack();
  #close = () => {};

  /**
   * @param {import('../../../../Packaging/live-list/live-list.js').LiveList} list
   * @param {(id: string) => void} onReturn a photo that was taken out of this album is coming back
   * @param {import('./albums.js').Albums | null} albums
   */
  constructor(list, onReturn, albums) {
    this.#list = list;
    this.#albums = albums;
    this.#onReturn = onReturn;
    // What was done just before this page was opened.
    const { last } = this.#stack;
    if (last && last.way !== null && last.at > Date.now() - SHOWN) this.#offer(last);
  }

  /**
   * Handles an event of a list about a mutation.
   * @param {CustomEvent} event
   * @param {string} what the photos that it is about, as they are called
   */
  take({ type, detail: { act: mutationID, ids, label } }, what) {
    const [first] = ids ?? [];
    if (type === 'live-list-reorder') this.add(mutationID, `${what} moved${this.#positionOf(first)}`);
    else if (type === 'live-list-delete') this.add(mutationID, label ?? `${what} deleted`, listed(ids)?.[0]);
    else this.#forget(mutationID);
  }

  /**
   * Says where a photo is now; nothing where that is not known any more.
   * @param {string} id
   */
  #positionOf(id) {
    const index = this.#list.indexOf(id);
    return index < 0 ? '' : ` to position ${numbers.format(index + 1)}`;
  }

  /**
   * Remembers a mutation of this album.
   * @param {string} mutationID
   * @param {string} text
   * @param {string} [id] the first photo that left the album by it
   */
  add(mutationID, text, id) {
    const entry = { act: mutationID, text, id, album: albumID, title: document.body.dataset.title ?? '', at: Date.now() };
    this.#stack.push(entry);
    this.#offer(entry);
  }

  /**
   * Corrects what is said of a mutation, such as when a part of it was not done.
   * @param {string} mutationID
   * @param {string} text
   */
  correct(mutationID, text) {
    const isLast = this.#stack.last?.act === mutationID;
    const entry = this.#stack.tell(mutationID, text);
    if (entry && isLast) this.#offer({ ...entry, at: Date.now() });
  }

  /**
   * Remembers something that is taken back by a request of its own, or that cannot be taken back: then the key says so, and does not
   * take back what was done before it.
   * @param {string} text
   * @param {import('./undo-stack.js').Way | null} way
   * @param {{ id: string, title: string }} album in which it was; none for what is in no album
   */
  addOther(text, way, { id, title } = { id: '', title: '' }) {
    const entry = { act: uuid(), text, way, album: id, title, at: Date.now() };
    this.#stack.push(entry);
    if (way) this.#offer(entry);
    else this.#close();
  }

  /**
   * Remembers an import, which goes to the trash when it is taken back.
   * @param {string[]} ids the photos that are new
   */
  addImport(ids) {
    const way = ids.length > MAXIMUM_IMPORTED ? null : { method: 'POST', path: `${albumID}/deletes`, body: { act: uuid(), ids } };
    const title = document.body.dataset.title ?? '';
    const entry = { act: uuid(), text: `${photos(ids.length)} added`, way, album: albumID, title, at: Date.now() };
    this.#stack.push(entry);
    if (way) this.#offer(entry);
  }

  /**
   * Remembers that an album was moved.
   * @param {string} mutationID
   * @param {string} text
   * @param {import('./albums.js').Back} back
   */
  addMove(mutationID, text, back) {
    const entry = { act: mutationID, text, back, album: '', title: '', at: Date.now() };
    this.#stack.push(entry);
    this.#offer(entry);
  }

  /** @param {Entry} entry */
  #offer({ act: mutationID, at, ...entry }) {
    this.#close();
    const action = () => this.undo(mutationID);
    this.#close = toast(`${said(entry)}.`, { label: 'Undo', action, duration: at + SHOWN - Date.now() });
  }

  /**
   * Forgets a mutation that was refused, or changed nothing.
   * @param {string} mutationID
   */
  #forget(mutationID) {
    if (this.#stack.last?.act === mutationID) this.#close();
    this.#stack.take(mutationID);
  }

  /**
   * Takes back a mutation, or what was done last.
   * @param {string} [undoes]
   */
  async undo(undoes) {
    const entry = this.#stack.take(undoes);
    this.#close();
    if (!entry) {
      toast('Nothing to undo.');
      return;
    }
    if (entry.way === null) {
      toast(`${said(entry)}. That cannot be undone.`);
      return;
    }
    if (entry.back) {
      this.#albums?.putBack(entry.back);
      toast(`Undone: ${entry.text}.`);
      return;
    }
    const isHere = entry.album === albumID;
    const mutationID = uuid();
    note([mutationID]);
    try {
      const album = `${base}/api/albums/${encodeURIComponent(entry.album)}`;
      if (entry.way) await this.#go(entry.way);
      else await this.#list.enqueue({ url: entry.album ? `${album}/undo` : `${base}/api/trash/undo`, body: { act: mutationID, undoes: entry.act } });
      if (isHere && entry.id !== undefined) this.#onReturn(entry.id);
      toast(`Undone: ${said(entry)}.`);
    } catch (error) {
      const { message, status } = /** @type {Error & { status?: number }} */ (error);
      // It may work later, when others have undone what stands in its way: it goes behind all other entries.
      if (status === 409) this.#stack.putLast(entry);
      const isUnheard = entry.way && !(status && status < 500);
      if (isUnheard) this.#stack.push(entry);
      toast(`Not undone: ${message}`, status === 409 || isUnheard ? { label: 'Try again', action: () => this.undo(entry.act), duration: SHOWN } : {});
    }
  }

  /** @param {import('./undo-stack.js').Way} way */
  async #go({ method, path, body }) {
    if (body?.act) {
      note([body.act]);
      this.#list.own([body.act]);
    }
    const answer = request(method, `${base}/api/albums/${path}`, body);
    if (/\/restore$/.test(path)) this.#albums?.own(answer).catch(() => {}); // the caller says why
    await answer;
  }
}

/**
 * Names a step, with the album if it is another.
 * @param {Pick<Entry, 'text' | 'album' | 'title'>} entry
 */
const said = ({ text, album, title }) => (album === albumID ? text : album ? `${text} in “${title}”` : text);
