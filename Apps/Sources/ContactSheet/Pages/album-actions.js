// Actions on albums: making, naming and deleting them, and their covers.

import { open } from './albums.js';
import { albumID, base, quoted, request } from './api.js';
import { askText, confirmThat } from './later.js';
import { toast } from './toasts.js';
import { uuid } from '../live-list/uuid.js';

export class AlbumActions {
  #albums;

  /** @param {import('./albums.js').Albums} albums */
  constructor(albums) {
    this.#albums = albums;
  }

  async create() {
    const made = await askText('New album', 'Title', '', 'Create', this.#maker());
    if (!made) return;
    await this.#albums.onOther(`${quoted(made.title)} created`, null);
    open(made.id);
  }

  /**
   * Makes an album of a title that is asked for. @returns `{id, title}`, or null if it was not made
   * @param {string} what
   * @param {string} title
   * @param {string} action
   */
  async createFor(what, title, action) {
    const made = await askText(`New album for ${what}`, 'Title', title, action, this.#maker());
    if (made) await this.#albums.onOther(`${quoted(made.title)} created`, null);
    return made;
  }

  /**
   * Returns a function that makes one album, however often it is called: the server may still perform a request that was given up.
   */
  #maker() {
    const mutationID = uuid();
    /** @param {string} title */
    return (title) => this.#albums.own(request('POST', `${base}/api/albums`, { act: mutationID, title }).then((made) => {
      // An earlier try has made it, by the title that was asked for then.
      return made.title === title ? made : request('PATCH', `${base}/api/albums/${made.id}`, { title });
    }));
  }

  /** @param {string} id */
  async rename(id) {
    const albums = this.#albums;
    /** @param {string} title */
    const work = (title) => request('PATCH', `${base}/api/albums/${id}`, { title });
    const done = await askText('Rename album', 'Title', albums.titleOf(id), 'Rename', work);
    if (done?.former && done.title !== done.former) await albums.onOther(...renamed(done, id));
  }

  /** @param {string} id */
  async delete(id) {
    const albums = this.#albums;
    const title = albums.titleOf(id);
    const work = () => albums.own(request('DELETE', `${base}/api/albums/${id}`), () => id);
    const isDone = await confirmThat(`Delete “${title}”?`, 'Its photos go to the trash. Other albums keep theirs.', 'Delete album', work);
    if (!isDone) return;
    await albums.onOther(`${quoted(title)} deleted`, { method: 'POST', path: `${id}/restore` });
    if (id === albumID) location.assign(`${base}/`);
  }

  /**
   * Makes a photo the cover of its album.
   * @param {string} id the album's
   * @param {string | null} photo null: the first one, whichever that is
   * @param {string} [title] the photo's
   */
  async setCover(id, photo, title) {
    const albums = this.#albums;
    const { previous = null } = await request('POST', `${base}/api/albums/${id}/cover`, { photo });
    const text = `${photo === null ? 'The first photo' : quoted(title)} is the cover`;
    if (previous === photo) toast(`${text} already.`);
    else await albums.onOther(text, { method: 'POST', path: `${id}/cover`, body: { photo: previous } }, { id, title: albums.titleOf(id) });
  }
}

/**
 * Returns the message about a rename, and the request that undoes it.
 * @param {{ title: string, former: string }} answer of the server
 * @param {string} path of what was renamed
 * @returns {[text: string, way: import('./undo-stack.js').Way]}
 */
export const renamed = ({ title, former }, path) => [
  `Renamed to ${quoted(title)}`, { method: 'PATCH', path, body: { title: former, former: title } },
];
