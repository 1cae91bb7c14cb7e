// The page of the trash: the deleted photos of all albums, the latest first; they are restored or removed for good.

import '../live-list/live-list.js';
import { Albums } from './albums.js';
import { base, can, listed, nameOf, named, photos, quoted, request, tellLoggedIn } from './api.js';
import { afterPaint, attempt, confirmThat, fetchDialogs, fetchMoving, followUndoKey, icons, itself, onDemand } from './later.js';
import { follow as followOwn, note } from './own-doings.js';
import { daysLeft } from './days-left.js';
import { element, isMac } from './elements.js';
import { followKeys } from './grid-keys.js';
import { Opening } from './opening.js';
import { addMenuButton, keptChoice, photoCell, showChoice } from './photo-cell.js';
import './restored.js';
import { Saving } from './saving.js';
import { toast } from './toasts.js';
import { followConnection } from './trouble.js';
import { uuid } from '../live-list/uuid.js';

/** @typedef {import('./photo-cell.js').Photo & { album: string, expires: string | null }} Photo */
/** @typedef {import('../../../../Packaging/live-list/live-list.js').LiveListItems} Items */

/** @param {string} id */
const byID = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const list = /** @type {import('../../../../Packaging/live-list/live-list.js').LiveList<Photo>} */ (byID('photos'));
const dialog = /** @type {HTMLDialogElement} */ (byID('viewer'));
const trash = `${base}/api/trash`;
const HOUR = 3_600_000; // ms
const { days = '' } = document.body.dataset; // for which photos are kept; '' for ever
const forDays = days === '1' ? '1 day' : `${days} days`;

// What can be done with photos

/**
 * Asks which album photos go to whose own album is gone. @returns its id; null if none is chosen
 * @param {string[]} ids
 */
async function chooseHome(ids) {
  const what = nameOf(list, ids);
  const { pickAlbum } = await picker();
  const heading = `The album of ${what} has been deleted. Restore to`;
  const picked = await pickAlbum(heading, () => albums.others, (callback) => albums.follow(callback));
  if (!picked) return null;
  return ('newTitle' in picked ? await albums.createFor(what, picked.newTitle, 'Create and restore') : picked)?.id ?? null;
}

/** @param {Items} ids */
function restore(ids) {
  return attempt(async () => {
    const what = nameOf(list, ids);
    const homeless = listed(ids)?.filter((id) => !albums.has(list.contentOf(id)?.album ?? '')) ?? [];
    const home = homeless.length > 0 ? await chooseHome(homeless) : undefined;
    if (home === null) return;
    const [only] = ids.length === 1 ? listed(ids) ?? [] : [];
    const from = only && (home ?? list.contentOf(only)?.album);
    const mutationID = own();
    const { changed, left } = await request('POST', `${trash}/restores`, { act: mutationID, ...named(ids), ...(home && { album: home }) });
    const rest = left > 0 ? `${photos(left)} not restored: the album has been deleted, or has the same photo` : '';
    const done = `Restored ${rest ? photos(ids.length - left) : what}${from ? ` to ${quoted(albums.titleOf(from))}` : ''}`;
    if (changed) (await undo(false)).add(mutationID, rest ? `${done}; ${rest}` : done);
    else if (rest) toast(`${rest}.`);
  });
}

/** @param {Items} ids */
async function removeForGood(ids) {
  if (ids.length === 0) return;
  const what = nameOf(list, ids);
  const work = () => request('POST', `${trash}/deletes`, { act: own(), ...named(ids) });
  const isDone = await confirmThat(`Delete ${what} for good?`, 'This cannot be undone.', 'Delete for good', work);
  if (!isDone) return;
  await albums.onOther(`${what} deleted for good`, null);
  toast(`${what} deleted for good.`);
}

async function empty() {
  await attempt(async () => {
    const { count } = await request('GET', trash);
    const work = () => {
      list.own(/** @type {string[]} */ (list.ids().filter((id) => id !== undefined)));
      return request('POST', `${trash}/empty`, {});
    };
    if (count === 0) toast('The trash is empty.');
    else if (await confirmThat('Empty the trash?', `${photos(count)} will be removed for good.`, 'Empty trash', work)) {
      await albums.onOther('The trash was emptied', null);
      toast('The trash is empty.');
    }
  });
}

/** Returns the id of a new mutation, which is not reported as somebody else's. */
function own() {
  const mutationID = uuid();
  list.own([mutationID]);
  note([mutationID]);
  return mutationID;
}

// The list

/**
 * Says which album a photo came from: copies of it in other albums look the same.
 * @param {HTMLElement} home
 */
function nameHome(home) {
  const id = home.dataset.album ?? '';
  home.textContent = albums.titleOf(id) || (albums.isLoaded && id ? 'Deleted album' : '');
  home.hidden = home.textContent === '';
}

list.renderer = {
  /**
   * @param {HTMLElement} cell
   * @param {Photo | undefined} photo
   * @param {{ id: string }} item
   */
  draw(cell, photo, item) {
    photoCell.draw(cell, photo, item);
    const left = cell.querySelector('.days') ?? cell.appendChild(element('span', { className: 'days', dir: 'ltr' }));
    const number = daysLeft(photo?.expires);
    left.classList.toggle('soon', number !== null && number <= 3);
    left.textContent = number === null ? '' : number === 1 ? '1 day left' : `${number} days left`;
    /** @type {HTMLElement} */ (left).hidden = number === null;
    const home = /** @type {HTMLElement} */ (cell.querySelector('.home') ?? cell.appendChild(element('span', { className: 'home', dir: 'auto' })));
    home.dataset.album = photo?.album ?? '';
    nameHome(home);
  },
  /** @param {HTMLElement} cell */
  discard: (cell) => photoCell.discard(cell),
};
addMenuButton(list);
showChoice(list, keptChoice());
const lists = [list, /** @type {import('../../../../Packaging/live-list/live-list.js').LiveList} */ (byID('albums'))];
const saving = new Saving(lists);
followOwn(lists);
const albums = new Albums();
albums.follow(() => /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('.photo > .home')).forEach(nameHome));

const opening = new Opening(dialog, list, {
  details: can('details') ? (id) => `${trash}/photos/${id}` : null, remove: (id) => removeForGood([id]), restore: (id) => restore([id]), move: null, rename: null,
}, { title: () => 'Trash', name: 'the trash' });
const picker = onDemand('picker', itself);
const keepFocus = onDemand('nothing-left', ({ followFocus }) => followFocus(list));
const size = onDemand('grid-size', ({ GridSize }) => new GridSize(list));
const gestures = onDemand('size-gestures', async ({ SizeGestures }) => new SizeGestures(list, await size(false)));
followKeys(list, gestures, removeForGood);
const undo = onDemand('undo', ({ Undo }) => new Undo(list, () => {}, albums));
/** @type {import('./albums.js').OnMove} */
albums.onMove = (mutationID, text, back) => attempt(async () => (await undo(false)).addMove(mutationID, text, back));
/** @type {import('./albums.js').OnOther} */
albums.onOther = (...all) => attempt(async () => (await undo(false)).addOther(...all));
const edit = onDemand('edit-mode', ({ EditMode }) => new EditMode(list, { 'restore-selected': restore, 'delete-selected': removeForGood }));

list.menuItems = (/** @type {Items} */ ids) => {
  const [id] = /** @type {Iterable<string>} */ (ids);
  return [
    { label: 'Open', icon: icons.open, shortcut: 'Enter', action: () => opening.open(id), isDisabled: ids.length > 1 },
    { label: ids.length > 1 ? `Restore ${photos(ids.length)}` : 'Restore', icon: icons.restore, action: () => restore(ids) },
    {
      label: ids.length > 1 ? `Delete ${photos(ids.length)} for good…` : 'Delete for good…', icon: icons.remove, shortcut: 'Delete',
      action: () => removeForGood(ids), isDestructive: true,
    },
  ];
};

// The link of a photo is for copying and for other tabs. A click opens the photo here, even before the list can handle it.
list.addEventListener('click', (event) => /** @type {Element} */ (event.target).closest('[data-live-list-link]') && event.preventDefault());
list.addEventListener('live-list-activate', ({ detail }) => opening.open(detail.id));
list.addEventListener('keydown', (event) => {
  if (event.key !== 'Delete' && !(isMac && event.key === 'Backspace')) return;
  const row = /** @type {Element} */ (event.target).closest('[aria-rowindex]');
  if (!row) return;
  event.preventDefault();
  const index = Number(row.getAttribute('aria-rowindex')) - 1;
  const [id] = list.ids(index, index + 1);
  if (id === undefined) return;
  removeForGood(list.selection.includes(id) ? list.selected : [id]);
});
followUndoKey(undo);
list.addEventListener('live-list-change', ({ detail: { count } }) => {
  const kept = days && count > 0 ? [element('span', { textContent: `, kept for ${forDays}${count === 1 ? '' : ' each'}` })] : [];
  byID('count').replaceChildren(photos(count), ...kept);
  for (const id of ['select', 'empty-trash']) /** @type {HTMLButtonElement} */ (byID(id)).disabled = count === 0;
  byID('empty').hidden = !list.isLoaded || count > 0;
});
followConnection(list);

if (days) byID('empty-text').textContent = `Photos that you delete are kept here for ${forDays}, and can be brought back.`;
byID('select').addEventListener('click', () => attempt(async () => (await edit()).start()));
byID('empty-trash').addEventListener('click', empty);
list.setAttribute('items', `${trash}/items`);
list.setAttribute('src', `${trash}/stream`);
setInterval(() => list.redraw(), HOUR); // the days that are left change

// What is done with photos is fetched when they are there.

dispatchEvent(new Event('contact-sheet-started')); // to starting.js
await afterPaint(list);
tellLoggedIn();
saving.keep();
byID('albums').toggleAttribute('reorder', true);
await Promise.all([albums.fetchParts(), saving.fetchUpgrade(), ...[opening.viewer, picker, undo, edit, keepFocus, gestures].map((part) => part(false)), fetchMoving(), fetchDialogs()]);
document.body.dataset.complete = '';
