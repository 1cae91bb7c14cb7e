// Actions on photos beyond moving and deleting them: to other albums, their titles, an order for everybody.

import { renamed } from './album-actions.js';
import { album, albumID, listed, nameOf, named, numbers, photos, quoted, request } from './api.js';
import { askText, attempt, icons, openMenu } from './later.js';
import { note } from './own-doings.js';
import { toast } from './toasts.js';
import { uuid } from '../live-list/uuid.js';

/** @typedef {import('./api.js').Items} Items */
/** @typedef {{ id: string, title: string }} Target an album that photos go to */

export class PhotoActions {
  #list;
  #albums;
  #undo;
  #picker;
  /** @type {Map<string, { count: number, title: string }>} what was sent to other albums and is not answered yet, by its mutations */
  #transfers = new Map();

  /**
   * @param {import('../../../../Packaging/live-list/live-list.js').LiveList<import('./photo-cell.js').Photo>} list
   * @param {import('./albums.js').Albums | null} albums
   * @param {(isWish: false) => Promise<import('./undo.js').Undo | null>} undo
   * @param {() => Promise<typeof import('./picker.js')>} picker
   */
  constructor(list, albums, undo, picker) {
    this.#list = list;
    this.#albums = albums;
    this.#undo = undo;
    this.#picker = picker;
    list.addEventListener('live-list-answer', ({ detail: { act: mutationID, answer } }) => attempt(() => this.#answered(mutationID, answer?.left ?? 0)));
    list.addEventListener('live-list-refused', ({ detail }) => detail.retry || this.#transfers.delete(detail.act));
  }

  /**
   * Moves photos to another album.
   * @param {Items} ids
   * @param {Target} target
   */
  transfer(ids, { id, title }) {
    const list = this.#list;
    const send = { url: `${album}/transfers`, body: { ...named(ids), album: id } };
    const mutationID = list.delete(ids, { send, label: `${nameOf(list, ids)} moved to ${quoted(title)}` });
    if (mutationID) this.#transfers.set(mutationID, { count: ids.length, title });
  }

  /**
   * An album has each photo once: what it has already stays here.
   * @param {string} mutationID
   * @param {number} left how many photos stay
   */
  async #answered(mutationID, left) {
    const sent = this.#transfers.get(mutationID);
    this.#transfers.delete(mutationID);
    if (!sent || left === 0) return;
    const { count, title } = sent;
    if (left >= count) toast(hasAlready(title, count));
    else (await this.#undo(false))?.correct(mutationID, `${photos(count - left)} moved to ${quoted(title)}, which has ${theOthers(left)} already`);
  }

  /**
   * Adds photos to another album; they stay here, too.
   * @param {Items} ids
   * @param {Target} target
   */
  async add(ids, { id, title }) {
    const list = this.#list;
    const mutationID = this.#mutation();
    const { changed, added = ids.length } = await list.enqueue({ url: `${album}/additions`, body: { act: mutationID, ...named(ids), album: id } }).catch((error) => {
      throw new Error(`Not added: ${error.message}`);
    });
    const others = ids.length - added;
    const text = others > 0 ? `${photos(added)} added to ${quoted(title)}, which has ${theOthers(others)} already` : `${nameOf(list, ids)} added to ${quoted(title)}`;
    if (changed) (await this.#undo(false))?.add(mutationID, text);
    else toast(hasAlready(title, ids.length));
  }

  /**
   * Asks for an album, for photos to go there or to be added to it.
   * @param {Items} ids
   * @param {'Move' | 'Add'} verb
   */
  async chooseAlbum(ids, verb) {
    const albums = this.#albums;
    if (!albums) return;
    const what = photos(ids.length);
    const { pickAlbum } = await this.#picker();
    const picked = await pickAlbum(`${verb} ${what} to`, () => albums.others, (callback) => albums.follow(callback));
    if (!picked) return;
    const target = 'newTitle' in picked ? await albums.createFor(what, picked.newTitle, `Create and ${verb.toLowerCase()}`) : picked;
    const left = listed(ids)?.filter((id) => this.#list.indexOf(id) >= 0) ?? ids;
    if (!target) return;
    if (left.length === 0) throw new Error(`Not ${verb === 'Add' ? 'added' : 'moved'}: ${ids.length === 1 ? 'the photo is' : 'the photos are'} not in this album any more.`);
    await (verb === 'Add' ? this.add(left, target) : this.transfer(left, target));
  }

  /** @param {string} id */
  async rename(id) {
    const before = this.#list.contentOf(id)?.title ?? '';
    const done = await askText('Rename photo', 'Title', before, 'Rename', (title) => request('PATCH', `${album}/photos/${id}`, { title }));
    if (!done?.former || done.title === done.former) return;
    const here = { id: albumID, title: document.body.dataset.title ?? '' };
    (await this.#undo(false))?.addOther(...renamed(done, `${albumID}/photos/${id}`), here);
  }

  /**
   * Asks for an order, and brings the album into it.
   * @param {HTMLElement} anchor
   */
  chooseOrder(anchor) {
    openMenu(anchor, 'Sort', [
      { label: 'By date taken', icon: icons.months, action: () => this.#sort('date', 'Sorted by date taken') },
      { label: 'By title', icon: icons.title, action: () => this.#sort('title', 'Sorted by title') },
      { label: 'By file name', icon: icons.file, action: () => this.#sort('name', 'Sorted by file name') },
      { label: 'Reverse the order', icon: icons.reverse, action: () => this.#sort('reversed', 'Reversed the order') },
    ]);
  }

  /**
   * @param {string} by
   * @param {string} label
   */
  #sort(by, label) {
    return attempt(async () => {
      const mutationID = this.#mutation();
      const { moved } = await request('POST', `${album}/order`, { act: mutationID, by });
      if (moved > 0) (await this.#undo(false))?.add(mutationID, label);
      else toast('The photos are in that order already.');
    });
  }

  /** The id of a mutation that is made here, which comes back with the list. */
  #mutation() {
    const mutationID = uuid();
    this.#list.own([mutationID]);
    note([mutationID]);
    return mutationID;
  }
}

/** @param {number} count */
const theOthers = (count) => (count === 1 ? 'the other one' : `the other ${numbers.format(count)}`);

/**
 * @param {string} title of an album
 * @param {number} count
 */
const hasAlready = (title, count) => `${quoted(title)} has ${count === 1 ? 'that photo' : 'those photos'} already.`;
