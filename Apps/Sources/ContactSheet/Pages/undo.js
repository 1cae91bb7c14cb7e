// Taking mutations back: a message with Undo for ten seconds, Ctrl+Z for as long as the tab is open, also after a reload and in
// another album. Undoing is a mutation like any other, so every browser sees it.

import { albumID, base, numbers } from './api.js';
import { note } from './own-doings.js';
import { toast } from './toasts.js';
import { UndoStack } from './undo-stack.js';
import { uuid } from '../live-list/uuid.js';

/** @typedef {import('./undo-stack.js').Entry} Entry */

const SHOWN = 10_000; // ms

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
    if (last && last.at > Date.now() - SHOWN) this.#offer(last);
  }

  /**
   * Takes in what a list says of a mutation.
   * @param {CustomEvent} event
   * @param {string} what the photos that it is about, as they are called
   */
  take({ type, detail: { act, ids, label } }, what) {
    const [first] = ids ?? [];
    if (type === 'live-list-reorder') this.add(act, `${what} moved${this.#positionOf(first)}`);
    else if (type === 'live-list-delete') this.add(act, label ?? `${what} deleted`, Array.isArray(ids) ? first : undefined);
    else this.#forget(act);
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
   * @param {string} act
   * @param {string} text
   * @param {string} [id] the first photo that left the album by it
   */
  add(act, text, id) {
    const entry = { act, text, id, album: albumID, title: document.body.dataset.title ?? '', at: Date.now() };
    this.#stack.push(entry);
    this.#offer(entry);
  }

  /**
   * Remembers that an album was moved.
   * @param {string} act
   * @param {string} text
   * @param {import('./albums.js').Back} back
   */
  addMove(act, text, back) {
    const entry = { act, text, back, album: '', title: '', at: Date.now() };
    this.#stack.push(entry);
    this.#offer(entry);
  }

  /** @param {Entry} entry */
  #offer({ act, at, ...entry }) {
    this.#close();
    const action = () => this.undo(act);
    this.#close = toast(`${said(entry)}.`, { label: 'Undo', action, duration: at + SHOWN - Date.now() });
  }

  /**
   * There is nothing to take back of a mutation that was refused, or that left everything as it was.
   * @param {string} act
   */
  #forget(act) {
    if (this.#stack.last?.act === act) this.#close();
    this.#stack.take(act);
  }

  /**
   * Takes back a mutation, or what was done last.
   * @param {string} [undoes]
   */
  async undo(undoes) {
    const entry = this.#stack.take(undoes);
    this.#close();
    if (!entry) {
      this.#list.announce('Nothing to undo.');
      return;
    }
    if (entry.back) {
      this.#albums?.putBack(entry.back);
      this.#list.announce(`Undone: ${entry.text}.`);
      return;
    }
    const isHere = entry.album === albumID;
    const act = uuid();
    note([act]);
    try {
      const url = entry.album ? `${base}/api/albums/${encodeURIComponent(entry.album)}/undo` : `${base}/api/trash/undo`;
      await this.#list.enqueue({ url, body: { act, undoes: entry.act } });
      if (isHere && entry.id !== undefined) this.#onReturn(entry.id);
      // What happens elsewhere is not seen here.
      if (isHere) this.#list.announce(`Undone: ${entry.text}.`);
      else toast(`Undone: ${said(entry)}.`);
    } catch (error) {
      const { message, status } = /** @type {Error & { status?: number }} */ (error);
      // What others did may be taken back as well: then this can be, too. It is tried after all that was done before it.
      if (status === 409) this.#stack.putLast(entry);
      toast(`Not undone: ${message}`, status === 409 ? { label: 'Try again', action: () => this.undo(entry.act), duration: SHOWN } : {});
    }
  }
}

/**
 * What was done, with the album if it is another.
 * @param {Pick<Entry, 'text' | 'album' | 'title'>} entry
 */
const said = ({ text, album, title }) => (album === albumID ? text : album ? `${text} in “${title}”` : text);
