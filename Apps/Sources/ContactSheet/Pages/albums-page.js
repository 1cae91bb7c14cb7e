// The page of the albums: their covers, titles and counts, in an order of one's own.

import '../live-list/live-list.js';
import { Albums } from './albums.js';
import { can, numbers, tellLoggedIn } from './api.js';
import { isUndo } from './elements.js';
import { FoundPhotos } from './found-photos.js';
import { afterPaint, attempt, fetchDialogs, fetchMoving, onDemand } from './later.js';
import { follow as followOwn } from './own-doings.js';
import { filterHere, keepFilter } from './photo-address.js';
import './restored.js';
import { Saving } from './saving.js';
import { Search } from './search.js';
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
// The key is taken at once, and works as soon as its part is here.
addEventListener('keydown', (event) => {
  if (!isUndo(event)) return;
  event.preventDefault();
  attempt(async () => (await undo()).undo());
});
const keepFocus = onDemand('nothing-left', ({ followFocus }) => followFocus(list));

// A search over all albums

const found = /** @type {import('../../../../Packaging/live-list/live-list.js').LiveList} */ (byID('photos'));
const photos = new FoundPhotos(found, list, byID('found-albums'));
const search = can('search-all') ? new Search(found, follow) : { query: '', show() {} };
/** The epoch of the list before this search: its photos are not among the results. */
let before = '';
const epoch = () => (found.version ?? '').split('.')[0];

function follow() {
  before = epoch();
  photos.find(search.query);
  keepFilter(search.query, '');
  show();
}

function show() {
  const { count } = list;
  const isAnswered = found.isLoaded && epoch() !== before;
  const albums = count === 1 ? '1 album' : `${numbers.format(count)} albums`;
  byID('count').textContent = !search.query ? albums : isAnswered ? `${numbers.format(found.count)} found` : '';
  byID('no-results').hidden = !search.query || !isAnswered || found.count > 0;
  byID('no-results-text').textContent = `No photo in any album matches “${search.query}”.`;
}

for (const one of [list, found]) one.addEventListener('live-list-change', show);
const query = filterHere().get('search') ?? '';
if (query) {
  search.show(query);
  follow();
}
dispatchEvent(new Event('contact-sheet-started')); // to starting.js
await afterPaint(list);
tellLoggedIn();
saving.keep();
list.toggleAttribute('reorder', true);
await Promise.all([keepFocus(false), undo(false), fetchMoving(), fetchDialogs()]);
document.body.dataset.complete = '';
