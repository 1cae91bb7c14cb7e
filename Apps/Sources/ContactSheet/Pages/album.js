// The page of an album: puts the list, the imports and the viewer together.

import '/live-list/live-list.js';
import { receiveFiles } from './files.js';
import { addMenuButton, photoCell } from './photo-cell.js';
import { toast } from './toasts.js';
import { UploadPanel } from './upload-panel.js';
import { UploadQueue, sendFile } from './upload-queue.js';
import { Viewer } from './viewer.js';

const byID = (id) => document.getElementById(id);
const album = `/api/albums/${encodeURIComponent(document.body.dataset.album)}`;
const list = byID('photos');
const numbers = new Intl.NumberFormat();

// The list

list.renderer = photoCell;
list.menuItems = (ids) => [
  { label: 'Open', action: () => viewer.open(ids[0]), isDisabled: ids.length > 1 },
  { label: ids.length > 1 ? `Delete ${ids.length} photos` : 'Delete', action: () => list.delete(ids), isDestructive: true },
];
list.setAttribute('moves', `${album}/moves`);
list.setAttribute('deletes', `${album}/deletes`);
addMenuButton(list);
const viewer = new Viewer(byID('viewer'), list);

list.addEventListener('live-list-activate', ({ detail }) => viewer.open(detail.id));
list.addEventListener('live-list-change', ({ detail: { count } }) => {
  byID('count').textContent = count === 1 ? '1 photo' : `${numbers.format(count)} photos`;
  byID('empty').hidden = !list.isLoaded || count > 0;
});
list.addEventListener('live-list-refused', ({ detail: { kind, message, retry } }) => {
  const what = kind === 'delete' ? 'Not deleted' : 'Not moved';
  toast(`${what}: ${message}`, { label: 'Retry', action: retry });
});
list.addEventListener('live-list-state', ({ detail: { state } }) => {
  byID('connection').hidden = state !== 'reconnecting';
  if (state === 'outdated') showTrouble('This page is out of date. Reload it to go on.');
});
list.addEventListener('live-list-failure', ({ detail: { message } }) => showTrouble(message));
list.setAttribute('src', `${album}/stream`);

function showTrouble(message) {
  byID('trouble').hidden = message === null;
  byID('trouble').textContent = message ?? '';
}

// Imports

const panel = new UploadPanel(byID('uploads'), (text) => list.announce(text));
const send = (file, options) => sendFile(`${album}/photos`, file, options);
const queue = new UploadQueue(send, () => panel.show(queue));
const input = byID('files');

for (const id of ['add', 'add-first']) byID(id).addEventListener('click', () => input.click());
for (const picker of [input, byID('camera').querySelector('input')]) {
  picker.addEventListener('change', () => {
    queue.add([...picker.files]);
    picker.value = ''; // so that the same files can be picked again
  });
}
receiveFiles((files) => queue.add(files));
addEventListener('beforeunload', (event) => queue.isBusy && event.preventDefault());
