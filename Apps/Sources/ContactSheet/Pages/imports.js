// Takes files in: unpacks, queues, sends and shows them, and keeps them until they have arrived.

import { album, albumID, can } from './api.js';
import { expand } from './archives.js';
import { filesIn } from './folders.js';
import { note } from './own-doings.js';
import { UploadPanel } from './upload-panel.js';
import { UploadQueue, sendFile } from './upload-queue.js';
import { keep, letGo, takeKept } from './upload-store.js';
import { checkSum } from './zips.js';
import { uuid } from '../live-list/uuid.js';

export class Imports {
  /** @type {UploadQueue} */
  #queue;
  /** @type {string[]} the photos that are new since the queue was last at rest */
  #added = [];

  /**
   * @param {import('../../../../Packaging/live-list/live-list.js').LiveList} list
   * @param {(ids: string[]) => void} onAdded called with the photos that are new, when nothing more is on its way
   */
  constructor(list, onAdded) {
    const panel = new UploadPanel(/** @type {HTMLElement} */ (document.getElementById('uploads')), (text) => list.announce(text));
    /**
     * @param {import('./upload-queue.js').Upload} upload
     * @param {import('./upload-queue.js').Options} options
     */
    const send = async (upload, options) => {
      await checkSum(upload, options.signal);
      const answer = sendFile(`${album}/photos`, upload, options);
      const ids = answer.then(({ id, status }) => (status === 'duplicate' ? [] : [id]));
      list.own(ids);
      const known = await ids;
      note(known);
      this.#added.push(...known);
      return answer;
    };
    this.#queue = new UploadQueue(send, () => {
      panel.show(this.#queue);
      if (!this.#queue.isBusy && this.#added.length > 0) onAdded(this.#added.splice(0));
    });
    this.#queue.onOver = letGo;
    this.#resume();
  }

  /**
   * Takes a user's files; those of an export come in its order.
   * @param {import('./files.js').Dropped[]} dropped
   */
  async receive(dropped) {
    const files = await filesIn(dropped);
    if (!can('archives')) return this.#add(files.map((file) => ({ file })));
    const { files: all, notes } = await expand(files);
    this.#queue.note(notes);
    this.#add(all);
  }

  /** Goes on with what a reload interrupted; the server knows what had arrived already. */
  async #resume() {
    for (const { file, details, checksum, batch } of await takeKept(albumID)) this.#add([{ file, details, checksum }], batch);
  }

  /** @param {import('./upload-queue.js').Given[]} files */
  #add(files, batch = uuid()) {
    if (files.length === 0) return;
    const known = this.#queue.uploads.length;
    this.#queue.add(files, batch);
    for (const upload of this.#queue.uploads.slice(known)) if (!upload.isFinal) keep(albumID, upload);
  }
}
