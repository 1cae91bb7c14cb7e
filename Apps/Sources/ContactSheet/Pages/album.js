// The page of an album: puts the list, the imports, the viewer and what is done with photos together.

import '../live-list/live-list.js';
import { Albums, REORDER, renamed } from './albums.js';
import { UNREACHABLE, album, albumID, base, can, leaveFor, listed, mayStay, nameOf, named, numbers, photos, quoted, request, tellLoggedIn } from './api.js';
import { Awaiting } from './awaiting.js';
import { afterPaint, askText, attempt, confirmThat, copyLink, fetchDialogs, fetchMoving, icons, itself, onDemand, openMenu } from './later.js';
import { follow as followOwn, note } from './own-doings.js';
import { months } from './months.js';
import { Drawer } from './drawer.js';
import { isUndo } from './elements.js';
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
import { addStyles } from '../live-list/styles.js';
import { uuid } from '../live-list/uuid.js';

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

/**
 * @param {Items} ids
 * @param {{ id: string, title: string }} album
 */
function transfer(ids, { id, title }) {
  const send = { url: `${album}/transfers`, body: { ...named(ids), album: id } };
  const mutationID = list.delete(ids, { send, label: `${nameOf(list, ids)} moved to ${quoted(title)}` });
  if (mutationID) transfers.set(mutationID, { count: ids.length, title });
}

/** @type {Map<string, { count: number, title: string }>} those that the server has not answered yet */
const transfers = new Map();

// An album has each photo once: what it has already stays here.
list.addEventListener('live-list-answer', ({ detail: { act: mutationID, answer } }) => {
  const { count, title } = transfers.get(mutationID) ?? {};
  transfers.delete(mutationID);
  if (!count || !title || !answer?.left) return;
  attempt(async () => {
    const moved = count - answer.left;
    if (moved <= 0) toast(hasAlready(title, count));
    else (await undo(false))?.correct(mutationID, `${photos(moved)} moved to ${quoted(title)}, which has ${answer.left === 1 ? 'the other one' : `the other ${numbers.format(answer.left)}`} already`);
  });
});

/**
 * @param {string} title of an album
 * @param {number} count
 */
const hasAlready = (title, count) => `${quoted(title)} has ${count === 1 ? 'that photo' : 'those photos'} already.`;

/**
 * Adds photos to another album; they stay here, too.
 * @param {Items} ids
 * @param {{ id: string, title: string }} target
 */
async function add(ids, { id, title }) {
  const mutationID = uuid();
  list.own([mutationID]);
  note([mutationID]);
  const { changed } = await list.enqueue({ url: `${album}/additions`, body: { act: mutationID, ...named(ids), album: id } }).catch((error) => {
    throw new Error(`Not added: ${error.message}`);
  });
  if (changed) (await undo(false))?.add(mutationID, `${nameOf(list, ids)} added to ${quoted(title)}`);
  else toast(hasAlready(title, ids.length));
}

/**
 * Asks for an album, for photos to go there or to be added to it.
 * @param {Items} ids
 * @param {'Move' | 'Add'} verb
 */
function chooseAlbum(ids, verb = 'Move') {
  return attempt(async () => {
    const what = photos(ids.length);
    const { pickAlbum } = await picker();
    if (!albums) return;
    const picked = await pickAlbum(`${verb} ${what} to`, () => albums.others, (callback) => albums.follow(callback));
    if (!picked) return;
    const album = 'newTitle' in picked ? await albums.createFor(what, picked.newTitle, `Create and ${verb.toLowerCase()}`) : picked;
    const left = listed(ids)?.filter((id) => list.indexOf(id) >= 0) ?? ids;
    if (!album) return;
    if (left.length === 0) throw new Error(`Not ${verb === 'Add' ? 'added' : 'moved'}: ${ids.length === 1 ? 'the photo is' : 'the photos are'} not in this album any more.`);
    await (verb === 'Add' ? add : transfer)(left, album);
  });
}

/** @param {string} id */
async function rename(id) {
  const before = list.contentOf(id)?.title ?? '';
  const done = await askText('Rename photo', 'Title', before, 'Rename', (title) => request('PATCH', `${album}/photos/${id}`, { title }));
  if (!done?.former || done.title === done.former) return;
  const here = { id: albumID, title: document.body.dataset.title ?? '' };
  await attempt(async () => (await undo(false))?.addOther(...renamed(done, `${albumID}/photos/${id}`), here));
}

/**
 * Brings the album into an order, for everybody.
 * @param {string} by
 * @param {string} label
 */
async function sort(by, label) {
  const mutationID = uuid();
  list.own([mutationID]);
  note([mutationID]);
  await attempt(async () => {
    const { moved } = await request('POST', `${album}/order`, { act: mutationID, by });
    if (moved > 0) (await undo(false))?.add(mutationID, label);
    else toast('The photos are in that order already.');
  });
}

/** @param {HTMLElement} anchor */
function chooseOrder(anchor) {
  openMenu(anchor, 'Sort', [
    { label: 'By date taken', icon: icons.months, action: () => sort('date', 'Sorted by date taken') },
    { label: 'By title', icon: icons.title, action: () => sort('title', 'Sorted by title') },
    { label: 'By file name', icon: icons.file, action: () => sort('name', 'Sorted by file name') },
    { label: 'Reverse the order', icon: icons.reverse, action: () => sort('reversed', 'Reversed the order') },
  ]);
}

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

const albums = can('albums') ? new Albums(Drawer) : null;
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
  remove: (id) => remove([id]), restore: null, move: albums && ((id) => chooseAlbum([id])), rename: can('titles') ? rename : null,
}, { title: () => document.body.dataset.title ?? '', name: 'this album', arrival: () => arrival });
const search = can('search') ? new Search(list, follow) : { query: '', show() {} };
/** @type {import('./edit-mode.js').EditMode | null} */
let editing = null;

const edit = onDemand('edit-mode', ({ EditMode }) => (editing = new EditMode(list, {
  'move-selected': (ids) => list.startMoving(ids), ...(albums && { 'transfer-selected': (ids) => chooseAlbum(ids) }),
  ...(albums && can('additions') && { 'add-selected': (ids) => chooseAlbum(ids, 'Add') }), 'delete-selected': remove,
})));
const select = () => attempt(async () => (await edit()).start());
byID('select').addEventListener('click', select);
const keepFocus = onDemand('nothing-left', ({ followFocus }) => followFocus(list));
const undo = can('undo') ? onDemand('undo', ({ Undo }) => new Undo(list, async (id) => (await opening.viewer(false)).return(id), albums)) : async () => null;
for (const type of ['reorder', 'delete', 'refused', 'unchanged']) {
  list.addEventListener(`live-list-${type}`, (event) => {
    const { detail } = /** @type {CustomEvent<{ ids?: Items }>} */ (event);
    const what = detail.ids ? nameOf(list, detail.ids) : ''; // named now: of what is deleted nothing is known afterwards
    attempt(async () => (await undo(false))?.take(/** @type {CustomEvent} */ (event), what));
  });
}

// The key is taken at once, and works as soon as its part is here.
addEventListener('keydown', (event) => {
  if (!can('undo') || !isUndo(event)) return;
  event.preventDefault();
  attempt(async () => (await undo())?.undo());
});

list.menuItems = (/** @type {Items} */ ids) => {
  const [id] = /** @type {Iterable<string>} */ (ids);
  const isDisabled = ids.length > 1;
  return [
    { label: 'Open', icon: icons.open, shortcut: 'Enter', action: () => opening.open(id), isDisabled },
    { label: 'Copy link', icon: icons.link, action: () => copyLink(addressOf(id)), isDisabled },
    null,
    ...(albums && can('covers') ? [{ label: 'Use as cover', icon: icons.cover, action: () => albums?.setCover(albumID, id, list.contentOf(id)?.title), isDisabled }] : []),
    ...(can('titles') ? [{ label: 'Rename…', icon: icons.rename, action: () => rename(id), isDisabled }] : []),
    ...(albums ? [null, { label: 'Move to album…', icon: icons.move, action: () => chooseAlbum(ids) }] : []),
    ...(albums && can('additions') ? [{ label: 'Add to album…', icon: icons.add, action: () => chooseAlbum(ids, 'Add') }] : []),
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
  if (id && id !== albumID) transfer(ids, { id, title: albums?.titleOf(id) ?? '' });
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

const imports = startUploads(list, attempt);

byID('more').addEventListener('click', () => {
  /** @type {(import('./menu.js').Entry | null)[]} */
  const entries = [
    { label: 'Take a photo', icon: icons.camera, action: () => byID('camera').click() },
  ];
  // Where the bar has room for View, that and what it offers are not here as well.
  if (!isShown(byID('view'))) {
    if (can('months')) entries.push({ label: 'Group by month', icon: icons.months, isChecked: months.areShown, action: () => groupBy(months.areShown ? '' : 'month') });
    entries.push({ label: 'View…', icon: icons.view, action: showView });
  }
  if (can('order')) {
    const isDisabled = list.count < 2 || search.query !== '' || months.areShown;
    entries.push({ label: 'Sort…', icon: icons.sort, isDisabled, action: () => chooseOrder(byID('more')) });
  }
  if (can('export')) {
    const isDisabled = list.count === 0;
    entries.push(null, { label: 'Export', icon: icons.download, isDisabled, action: () => location.assign(`${album}/export`) });
    const numbered = () => location.assign(`${album}/export?numbered=1`);
    entries.push({ label: 'Export with numbered names', icon: icons.download, isDisabled, action: numbered });
  }
  if (albums) {
    entries.push(null, { label: 'Rename album…', icon: icons.rename, action: () => albums.rename(albumID) });
    if (can('covers')) entries.push({ label: 'Use the first photo as cover', icon: icons.cover, isDisabled: list.count === 0, action: () => albums.setCover(albumID, null) });
  }
  if (can('logout')) {
    const leave = () => attempt(async () => {
      const { countUnsaved, forget } = await forgetting();
      const count = Math.max(saving.count, await countUnsaved());
      const logOut = async () => {
        // A server that hangs might log out later, when nobody expects it any more.
        if ((await mayStay()) === null) throw new Error(UNREACHABLE);
        await request('POST', `${base}/logout`);
      };
      const question = 'Log out, and give up what is not saved yet?';
      if (count === 0) await logOut();
      else if (!(await confirmThat(question, 'It would be kept if you stayed.', 'Log out', logOut))) return;
      await forget();
      leaveFor(`${base}/login`);
    });
    entries.push(null, { label: 'Log out', icon: icons.leave, action: leave });
  }
  // What destroys is last, and by itself.
  if (albums) entries.push(null, { label: 'Delete album…', icon: icons.remove, action: () => albums.delete(albumID), isDestructive: true });
  openMenu(byID('more'), 'More', entries);
});

/** Waits until the style sheet for moving is there, or cannot be had. */
function moveStyles() {
  addStyles('reordering', list);
  const link = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[href$="reordering.css"]'));
  return link && !link.sheet && new Promise((done) => ['load', 'error'].forEach((type) => link.addEventListener(type, done)));
}

// What is done with photos is fetched when they are there.

dispatchEvent(new Event('contact-sheet-started')); // to starting.js
await afterPaint(list);
isPainted = true;
tellLoggedIn();
saving.keep();
allowReordering();
byID('albums').toggleAttribute('reorder', true);
/** @type {((isWish: boolean) => Promise<unknown>)[]} */
const parts = [opening.viewer, imports, picker, gone, undo, edit, keepFocus, gestures, view, ...(can('logout') ? [forgetting] : [])]; // forget.js needs a login, too
await Promise.all([...parts.map((part) => part(false)), fetchMoving(), fetchDialogs()]);
await moveStyles();
document.body.dataset.complete = '';
