// The import of an album's page: where files come from, and where they go.

import { album, albumID, can } from './api.js';
import { expand } from './archives.js';
import { receiveFiles } from './files.js';
import { UploadPanel } from './upload-panel.js';
import { UploadQueue, sendFile } from './upload-queue.js';
import { keep, letGo, takeKept } from './upload-store.js';
import { uuid } from '/live-list/uuid.js';

const byID = (id) => document.getElementById(id);

export function startUploads(list) {
  const panel = new UploadPanel(byID('uploads'), (text) => list.announce(text));
  const send = (upload, options) => sendFile(`${album}/photos`, upload, options);
  const queue = new UploadQueue(send, () => panel.show(queue));
  queue.onOver = letGo;

  function add(files, batch = uuid()) {
    if (files.length === 0) return;
    const known = queue.uploads.length;
    queue.add(files, batch);
    for (const upload of queue.uploads.slice(known)) keep(albumID, upload);
  }

  /** Files of the user's: of an export they come in its order. */
  const receive = async (files) => add(can('archives') ? await expand(files) : files.map((file) => ({ file })));

  const pickers = { files: ['add', 'add-first'], camera: ['take-first'] };
  for (const [id, buttons] of Object.entries(pickers)) {
    const picker = byID(id);
    for (const button of buttons) byID(button).addEventListener('click', () => picker.click());
    picker.addEventListener('change', () => {
      receive([...picker.files]);
      picker.value = ''; // so that the same files can be picked again
    });
  }
  receiveFiles(receive);

  // What a reload interrupted goes on; what had arrived already is found to be there.
  takeKept(albumID).then((kept) => {
    for (const { file, details, batch } of kept) add([{ file, details }], batch);
  });
}
