// The page of the albums: their covers, titles and counts, in an order of one's own.

import '../live-list/live-list.js';
import { Albums } from './albums.js';
import { checkLogin, numbers, tellLoggedIn } from './api.js';
import { afterPaint, fetchDialogs, fetchMoving } from './later.js';
import { follow as followOwn } from './own-doings.js';
import './restored.js';
import { Saving } from './saving.js';

/** @param {string} id */
const byID = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const list = /** @type {import('../../../../Packaging/live-list/live-list.js').LiveList} */ (byID('albums'));

const saving = new Saving([list]);
followOwn([list]);
list.addEventListener('live-list-change', ({ detail: { count } }) => {
  byID('count').textContent = count === 1 ? '1 album' : `${numbers.format(count)} albums`;
});
list.addEventListener('live-list-state', ({ detail: { state } }) => {
  byID('connection').hidden = state !== 'reconnecting';
  if (state === 'reconnecting') checkLogin();
  if (state === 'outdated') showTrouble('This page is out of date. Reload it to go on.');
});
list.addEventListener('live-list-failure', ({ detail: { message } }) => showTrouble(message));

/** @param {string | null} message */
function showTrouble(message) {
  byID('trouble').hidden = message === null;
  byID('trouble').textContent = message ?? '';
}

new Albums();
dispatchEvent(new Event('contact-sheet-started')); // to starting.js
await afterPaint(list);
tellLoggedIn();
saving.keep();
list.toggleAttribute('reorder', true);
await Promise.all([fetchMoving(), fetchDialogs()]);
document.body.dataset.complete = '';
