// The menu of an album: imports, how it is shown, its order, its export, and what is done with the album itself.

import { album, albumID, base, can, leaveFor, mayStay, request, UNREACHABLE } from './api.js';
import { attempt, confirmThat, icons, openMenu } from './later.js';
import { months } from './months.js';

/** @typedef {(import('./menu.js').Entry | null)[]} Entries */

/**
 * The parts of the page that the menu uses.
 * @typedef {object} Page
 * @property {import('../../../../Packaging/live-list/live-list.js').LiveList<any>} list
 * @property {import('./albums.js').Albums | null} albums
 * @property {{ query: string }} search
 * @property {import('./saving.js').Saving} saving
 * @property {boolean} hasView whether View and what it offers are in the bar
 * @property {() => unknown} showView
 * @property {(group: string) => unknown} groupBy
 * @property {(anchor: HTMLElement) => unknown} chooseOrder
 * @property {() => Promise<typeof import('./forget.js')>} forgetting
 */

/**
 * @param {HTMLElement} anchor
 * @param {Page} page
 */
export function openAlbumMenu(anchor, { list, albums, search, saving, hasView, showView, groupBy, chooseOrder, forgetting }) {
  const isEmpty = list.count === 0;
  /** @type {Entries} */
  const entries = [
    { label: 'Take a photo', icon: icons.camera, action: () => document.getElementById('camera')?.click() },
  ];
  if (!hasView) {
    if (can('months')) entries.push({ label: 'Group by month', icon: icons.months, isChecked: months.areShown, action: () => groupBy(months.areShown ? '' : 'month') });
    entries.push({ label: 'View…', icon: icons.view, action: showView });
  }
  if (can('order')) {
    const isDisabled = list.count < 2 || search.query !== '' || months.areShown;
    entries.push({ label: 'Sort…', icon: icons.sort, isDisabled, action: () => chooseOrder(anchor) });
  }
  if (can('export')) {
    entries.push(
      null, { label: 'Export', icon: icons.download, isDisabled: isEmpty, action: () => location.assign(`${album}/export`) },
      { label: 'Export with numbered names', icon: icons.download, isDisabled: isEmpty, action: () => location.assign(`${album}/export?numbered=1`) });
  }
  if (albums) {
    entries.push(null, { label: 'Rename album…', icon: icons.rename, action: () => albums.rename(albumID) });
    if (can('covers')) entries.push({ label: 'Use the first photo as cover', icon: icons.cover, isDisabled: isEmpty, action: () => albums.setCover(albumID, null) });
  }
  if (can('logout')) entries.push(null, { label: 'Log out', icon: icons.leave, action: () => attempt(() => leave(saving, forgetting)) });
  // What destroys is last, and by itself.
  if (albums) entries.push(null, { label: 'Delete album…', icon: icons.remove, action: () => albums.delete(albumID), isDestructive: true });
  openMenu(anchor, 'More', entries);
}

/**
 * Logs out, and asks first where something is not saved.
 * @param {Page['saving']} saving
 * @param {Page['forgetting']} forgetting
 */
async function leave(saving, forgetting) {
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
}
