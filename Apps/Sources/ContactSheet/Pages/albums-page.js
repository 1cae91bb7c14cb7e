// The page of the albums: their covers, titles and counts, in an order of one's own.

import '../live-list/live-list.js';
import { Albums } from './albums.js';
import { can, numbers, tellLoggedIn } from './api.js';
import { afterPaint, attempt, fetchDialogs, fetchMoving, followUndoKey, onDemand } from './later.js';
import { follow as followOwn } from './own-doings.js';
import './restored.js';
import { Saving } from './saving.js';
import { ScrollKeeper } from './scroll-keeper.js';
import { followConnection } from './trouble.js';

/** @param {string} id */
const byID = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const list = /** @type {import('../../../../Packaging/live-list/live-list.js').LiveList} */ (byID('albums'));

const saving = new Saving([list]);
followOwn([list]);
followConnection(list);

const albums = new Albums();
const undo = onDemand('undo', ({ Undo }) => new Undo(list, () => {}, albums));
/** @type {import('./albums.js').OnMove} */
albums.onMove = (mutationID, text, back) => attempt(async () => (await undo(false)).addMove(mutationID, text, back));
/** @type {import('./albums.js').OnOther} */
albums.onOther = (...all) => attempt(async () => (await undo(false)).addOther(...all));
followUndoKey(undo);
const keepFocus = onDemand('nothing-left', ({ followFocus }) => followFocus(list));

// A search over all albums. Its part is fetched when the albums are painted, or at once where the address is that of a search.

const query = can('search-all') ? new URLSearchParams(location.search).get('search') ?? '' : '';
const search = onDemand('albums-search', ({ AlbumsSearch }) => new AlbumsSearch(list, query, show));
byID('search').hidden = !can('search-all');

function show() {
  if (isSearching()) return;
  byID('count').textContent = list.count === 1 ? '1 album' : `${numbers.format(list.count)} albums`;
}

/** Whether what a search found is shown, and not the albums: the search says so. */
const isSearching = () => document.body.classList.contains('searching');

const keeper = new ScrollKeeper(list);
list.addEventListener('live-list-change', function arrive() {
  if (!list.isLoaded) return;
  list.removeEventListener('live-list-change', arrive);
  if (!query) keeper.restore();
});
list.addEventListener('live-list-change', show);
if (query) {
  list.hidden = true;
  attempt(() => search(false));
}
dispatchEvent(new Event('contact-sheet-started')); // to starting.js
await afterPaint(list);
tellLoggedIn();
saving.keep();
list.toggleAttribute('reorder', true);
if (can('search-all')) attempt(() => search(false));
await Promise.all([keepFocus(false), undo(false), albums.fetchParts(), saving.fetchUpgrade(), fetchMoving(), fetchDialogs()]);
document.body.dataset.complete = '';
