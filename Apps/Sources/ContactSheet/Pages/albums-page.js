// The page of the albums: their covers, titles and counts, in an order of one's own.

import '../live-list/live-list.js';
import { Albums } from './albums.js';
import { numbers, tellLoggedIn } from './api.js';
import { afterPaint, fetchDialogs, fetchMoving, onDemand } from './later.js';
import { follow as followOwn } from './own-doings.js';
import './restored.js';
import { Saving } from './saving.js';
import { followConnection } from './trouble.js';

/** @param {string} id */
const byID = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const list = /** @type {import('../../../../Packaging/live-list/live-list.js').LiveList} */ (byID('albums'));

const saving = new Saving([list]);
followOwn([list]);
list.addEventListener('live-list-change', ({ detail: { count } }) => {
  byID('count').textContent = count === 1 ? '1 album' : `${numbers.format(count)} albums`;
});
followConnection(list);

new Albums();
const keepFocus = onDemand('nothing-left', ({ followFocus }) => followFocus(list));
dispatchEvent(new Event('contact-sheet-started')); // to starting.js
await afterPaint(list);
tellLoggedIn();
saving.keep();
list.toggleAttribute('reorder', true);
await Promise.all([keepFocus(false), fetchMoving(), fetchDialogs()]);
document.body.dataset.complete = '';
