// The page of an album: puts the list, the imports, the viewer and what is done with photos together.

import '../live-list/live-list.js';
import { Albums, REORDER } from './albums.js';
import { album, albumID, can, nameOf, numbers, photos, tellLoggedIn } from './api.js';
import { Awaiting } from './awaiting.js';
import { afterPaint, attempt, copyLink, fetchDialogs, fetchMoving, followUndoKey, icons, itself, moveStyles, onDemand } from './later.js';
import { follow as followOwn } from './own-doings.js';
import { months } from './months.js';
import { followKeys } from './grid-keys.js';
import { Opening } from './opening.js';
import { addressOf, filterHere, keepFilter, queryOf } from './photo-address.js';
import { addMenuButton, keptChoice, photoCell, showChoice } from './photo-cell.js';
import './restored.js';
import { Saving, tellRefused } from './saving.js';
import { Search } from './search.js';
import { toast } from './toasts.js';
import { followConnection } from './trouble.js';
import { startUploads } from './uploads.js';

/** @typedef {import('./photo-cell.js').Photo} Photo */
/** @typedef {import('../../../../Packaging/live-list/live-list.js').LiveListItems} Items */

/** @param {string} id */
const byID = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {HTMLElement} button */
const isShown = (button) => button.offsetWidth > 0;
const list = /** @type {import('../../../../Packaging/live-list/live-list.js').LiveList<Photo>} */ (byID('photos'));
const dialog = /** @type {HTMLDialogElement} */ (byID('viewer'));
document.body.dataset.title = byID('title').textContent ?? '';

// What can be done with photos

/** @param {Items} ids */
const remove = (ids) => ids.length > 0 && list.delete(ids);

/** @param {(actions: import('./photo-actions.js').PhotoActions) => unknown} work of a part that comes later */
const withActions = (work) => attempt(async () => work(await actions()));
/** @param {Items} ids */
const moveToAlbum = (ids) => withActions((actions) => actions.chooseAlbum(ids, 'Move'));
/** @param {Items} ids */
const addToAlbum = (ids) => withActions((actions) => actions.chooseAlbum(ids, 'Add'));
/** @param {string} id */
const rename = (id) => withActions((actions) => actions.rename(id));

// The list

list.renderer = photoCell;
list.headerRenderer = months.drawHeader;
showChoice(list, keptChoice());
list.strings = { move: REORDER };
list.setAttribute('moves', `${album}/moves`);
list.setAttribute('deletes', `${album}/deletes`);
addMenuButton(list);
const lists = [list, /** @type {import('../../../../Packaging/live-list/live-list.js').LiveList} */ (byID('albums'))];
const saving = new Saving(lists);
followOwn(lists);

const albums = can('albums') ? new Albums() : null;
const picker = onDemand('picker', itself);
const gone = onDemand('gone', itself);
const forgetting = onDemand('forget', itself);
/** How the server is asked for what is shown. */
const filter = () => queryOf({ query: search.query, sections: months.group });
/** @type {Promise<unknown> | undefined} */
let arrival; // settles when the list of a step in the history is here
addEventListener('popstate', () => {
  const before = filter();
  readFilter();
  if (!list.src || filter() === before) return;
  arrival = awaiting.other();
  follow();
});
// After the listener above: a photo is opened in the list that the step in the history leads to.
const opening = new Opening(dialog, list, {
  details: can('details') ? (id) => `${album}/photos/${id}` : null,
  remove: (id) => remove([id]), restore: null, move: albums && ((id) => moveToAlbum([id])), rename: can('titles') ? rename : null,
}, { title: () => document.body.dataset.title ?? '', name: 'this album', arrival: () => arrival });
const search = can('search') ? new Search(list, follow) : { query: '', show() {} };
/** @type {import('./edit-mode.js').EditMode | null} */
let editing = null;

const edit = onDemand('edit-mode', ({ EditMode }) => (editing = new EditMode(list, {
  'move-selected': (ids) => list.startMoving(ids), ...(albums && { 'transfer-selected': moveToAlbum }),
  ...(albums && can('additions') && { 'add-selected': addToAlbum }), 'delete-selected': remove,
})));
const select = () => attempt(async () => (await edit()).start());
byID('select').addEventListener('click', select);
const actions = onDemand('photo-actions', ({ PhotoActions }) => new PhotoActions(list, albums, undo, picker));
const keepFocus = onDemand('nothing-left', ({ followFocus }) => followFocus(list));
/** @type {(isWish?: boolean) => Promise<import('./undo.js').Undo | null>} */
const undo = can('undo') ? onDemand('undo', ({ Undo }) => new Undo(list, async (id) => (await opening.viewer(false)).return(id), albums)) : async () => null;
for (const type of ['reorder', 'delete', 'refused', 'unchanged']) {
  list.addEventListener(`live-list-${type}`, (event) => {
    const { detail } = /** @type {CustomEvent<{ ids?: Items }>} */ (event);
    const what = detail.ids ? nameOf(list, detail.ids) : ''; // named now: of what is deleted nothing is known afterwards
    attempt(async () => (await undo(false))?.take(/** @type {CustomEvent} */ (event), what));
  });
}

if (can('undo')) followUndoKey(undo);

list.menuItems = (/** @type {Items} */ ids) => {
  const [id] = /** @type {Iterable<string>} */ (ids);
  const isDisabled = ids.length > 1;
  return [
    { label: 'Open', icon: icons.open, shortcut: 'Enter', action: () => opening.open(id), isDisabled },
    { label: 'Copy link', icon: icons.link, action: () => copyLink(addressOf(id)), isDisabled },
    null,
    ...(albums && can('covers') ? [{ label: 'Use as cover', icon: icons.cover, action: () => albums?.setCover(albumID, id, list.contentOf(id)?.title), isDisabled }] : []),
    ...(can('titles') ? [{ label: 'Rename…', icon: icons.rename, action: () => rename(id), isDisabled }] : []),
    ...(albums ? [null, { label: 'Move to album…', icon: icons.move, action: () => moveToAlbum(ids) }] : []),
    ...(albums && can('additions') ? [{ label: 'Add to album…', icon: icons.add, action: () => addToAlbum(ids) }] : []),
    {
      label: ids.length > 1 ? `Delete ${photos(ids.length)}` : 'Delete', icon: icons.remove, shortcut: 'Delete', action: () => remove(ids), isDestructive: true,
    },
  ];
};

list.addEventListener('keydown', ({ altKey, key }) => {
  if (!isPainted || list.reorder || !altKey || !/^(Arrow|Home|End)/.test(key)) return;
  toast(`${search.query ? 'What a search found' : 'What is grouped by month'} cannot be moved. Go back to the whole album for that.`);
});
// The link of a photo is for copying and for other tabs. A click opens the photo here, even before the list can handle it.
list.addEventListener('click', (event) => /** @type {Element} */ (event.target).closest('[data-live-list-link]') && event.preventDefault());
list.addEventListener('live-list-activate', ({ detail }) => opening.open(detail.id));
list.addEventListener('live-list-drop', ({ detail: { ids, target } }) => {
  const id = target.dataset.album;
  if (id && id !== albumID) withActions((actions) => actions.transfer(ids, { id, title: albums?.titleOf(id) ?? '' }));
});
const awaiting = new Awaiting(list, showCount);

function showCount() {
  const { count } = list;
  const selected = editing?.isActive || list.selectionCount === 0 ? '' : `, ${numbers.format(list.selectionCount)} selected`;
  byID('count').textContent = awaiting.text ?? `${search.query ? `${numbers.format(count)} found` : photos(count)}${selected}`;
}

list.addEventListener('live-list-selection', showCount);

list.addEventListener('live-list-change', ({ detail: { count } }) => {
  showCount();
  /** @type {HTMLButtonElement} */ (byID('select')).disabled = count === 0;
  byID('empty').hidden = !list.isLoaded || count > 0 || search.query !== '';
  byID('no-results').hidden = !list.isLoaded || count > 0 || search.query === '';
  byID('no-results-text').textContent = `No photo here matches “${search.query}”.`;
});
list.addEventListener('live-list-refused', ({ detail }) => {
  tellRefused(detail.label || detail.kind === 'move' ? 'Not moved' : 'Not deleted', detail);
});
followConnection(list);
if (albums) {
  albums.onGone = () => attempt(async () => {
    const { showGone } = await gone(false);
    if (editing?.isActive) editing.end();
    await opening.close();
    showGone(list, albums.others.find(({ title }) => title));
  });
  albums.onMove = (mutationID, text, back) => attempt(async () => (await undo(false))?.addMove(mutationID, text, back));
  /** @type {import('./albums.js').OnOther} */
  albums.onOther = (...all) => attempt(async () => (await undo(false))?.addOther(...all));
  albums.onDates = (dates) => (byID('dates').textContent = dates && ` · ${dates}`);
  let before = 0;
  list.addEventListener('live-list-change', ({ detail: { count } }) => {
    const isEmptied = before > 0 && count === 0 && list.pending.length === 0;
    before = count;
    // Where others have emptied the album, it may be gone. Then the page says that, and nothing of its photos.
    if (isEmptied) list.own(albums.seeWhetherGone().then(() => []));
  });
  albums.onRename = (title) => {
    document.body.dataset.title = title;
    if (!dialog.open) document.title = `${title} – ContactSheet`;
    if (!editing?.isActive) byID('title').textContent = title;
  };
}
let isPainted = false;
readFilter();
follow();

/** Reads the search and the grouping from the address. */
function readFilter() {
  const here = filterHere();
  search.show(here.get('search') ?? '');
  months.show(can('months') ? here.get('group') : '');
}

/** Allows moves in the album's own order alone, and not before the photos are there: what moves them is fetched later. */
function allowReordering() {
  list.toggleAttribute('reorder', isPainted && !search.query && !months.areShown);
}

/** Follows the album, or the photos that a search finds in it. */
function follow() {
  allowReordering();
  list.toggleAttribute('headers', months.areShown);
  list.setAttribute('items', `${album}/items${filter()}`);
  awaiting.begin();
  list.setAttribute('src', `${album}/stream${filter()}`);
  keepFilter(search.query, months.group);
}

/** @param {string} group */
function groupBy(group) {
  months.show(group);
  follow();
}

// What the grid looks like

const size = onDemand('grid-size', ({ GridSize }) => new GridSize(list));
const gestures = onDemand('size-gestures', async ({ SizeGestures }) => new SizeGestures(list, await size(false)));
followKeys(list, gestures, remove);
const view = onDemand('view-panel', async ({ ViewPanel }) => new ViewPanel(list, await size(false), can('months') ? [{
  label: 'Order', choices: [['', 'The album’s own'], ['month-newest', 'Months, newest first'], ['month', 'Months, newest last']],
  value: () => months.group, choose: groupBy,
}] : []));
const showView = () => attempt(async () => (await view()).toggle(byID(isShown(byID('view')) ? 'view' : 'more')));
byID('view').addEventListener('click', showView);

// Imports, and the menu of the album

const imports = startUploads(list, attempt, (ids) => attempt(async () => (await undo(false))?.addImport(ids)));

const menu = onDemand('album-menu', itself);
byID('more').addEventListener('click', () => attempt(async () => (await menu()).openAlbumMenu(byID('more'), {
  list, albums, search, saving, hasView: isShown(byID('view')), showView, groupBy, forgetting, chooseOrder: (anchor) => withActions((actions) => actions.chooseOrder(anchor)),
})));

// What is done with photos is fetched when they are there.

dispatchEvent(new Event('contact-sheet-started')); // to starting.js
await afterPaint(list);
isPainted = true;
tellLoggedIn();
saving.keep();
allowReordering();
byID('albums').toggleAttribute('reorder', true);
/** @type {((isWish: boolean) => Promise<unknown>)[]} */
const parts = [opening.viewer, actions, menu, imports, picker, gone, undo, edit, keepFocus, gestures, view, ...(can('logout') ? [forgetting] : [])]; // forget.js needs a login, too
await Promise.all([...parts.map((part) => part(false)), albums?.fetchParts(), saving.fetchUpgrade(), fetchMoving(), fetchDialogs()]);
await moveStyles();
document.body.dataset.complete = '';
