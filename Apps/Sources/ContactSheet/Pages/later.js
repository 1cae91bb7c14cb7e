// The parts that the page does not need to show photos. They are fetched when the photos are on the screen, or as soon as
// somebody wants one, and again until they are here. While a part is missing, here or in a list, the page says so.

import { isUndo } from './elements.js';
import { toast, wordsOf } from './toasts.js';
import { Later } from '../live-list/later.js';
import { addStyles } from '../live-list/styles.js';

const MISSING = 'A part of this page has not come yet. It works as soon as it is here.';
const LOST = 'A part of this page could not be fetched. Reload the page to go on.';
const LOST_AFTER = 15_000; // ms for which a part is missing although the server is heard; longer than it takes to notice that it is silent

const modules = {
  'album-actions': () => import('./album-actions.js'),
  'album-menu': () => import('./album-menu.js'),
  'albums-search': () => import('./albums-search.js'),
  ask: () => import('./ask.js'),
  'copy-link': () => import('./copy-link.js'),
  drawer: () => import('./drawer.js'),
  'edit-mode': () => import('./edit-mode.js'),
  forget: () => import('./forget.js'),
  gone: () => import('./gone.js'),
  'grid-size': () => import('./grid-size.js'),
  icons: () => import('./icons.js'),
  imports: () => import('./imports.js'),
  menu: () => import('./menu.js'),
  'nothing-left': () => import('./nothing-left.js'),
  'photo-actions': () => import('./photo-actions.js'),
  picker: () => import('./picker.js'),
  'size-gestures': () => import('./size-gestures.js'),
  undo: () => import('./undo.js'),
  upgrade: () => import('./upgrade.js'),
  'view-panel': () => import('./view-panel.js'),
  viewer: () => import('./viewer.js'),
  // The lists fetch these themselves, and the page waits for them, too.
  '../live-list/moving/menu': () => import('../live-list/moving/menu.js'),
  '../live-list/reordering': () => import('../live-list/reordering.js'),
  '../live-list/view/keyboard': () => import('../live-list/view/keyboard.js'),
  '../live-list/view/marquee': () => import('../live-list/view/marquee.js'),
};

const LIST_PARTS = /** @type {const} */ (['../live-list/reordering', '../live-list/moving/menu', '../live-list/view/keyboard', '../live-list/view/marquee']);

/** @typedef {typeof modules} Modules */

// What is missing, and the message about it

/** @type {Map<EventTarget | null, string[]>} what is missing, by the list that wants it; null is the page itself */
const missing = new Map();
let isHeard = true; // whether the server answers
/** @type {string | null} */
let said = null;
let takeBack = () => {};
/** @type {ReturnType<typeof setTimeout> | undefined} runs while something is missing although the server is heard */
let losing;

/** @param {string | null} text */
function say(text) {
  if (text === said) return;
  said = text;
  takeBack();
  if (text) takeBack = toast(text, { duration: Infinity, ...(text === LOST && { label: 'Reload', action: () => location.reload() }) });
}

function look() {
  const isComplete = [...missing.values()].every(({ length }) => length === 0);
  if (isComplete || !isHeard) {
    clearTimeout(losing);
    losing = undefined;
  } else losing ??= setTimeout(() => say(LOST), LOST_AFTER);
  if (isComplete) say(null);
  else if (!isHeard || said === null) say(MISSING);
}

/**
 * @param {EventTarget | null} list
 * @param {string[]} names
 */
function see(list, names) {
  missing.set(list, names);
  look();
}

const parts = new Later(modules, import.meta.url, (names) => see(null, names));
addEventListener('live-list-missing', ({ target, detail }) => see(target, detail.missing));
addEventListener('live-list-state', ({ detail: { state } }) => {
  isHeard = state === 'connected';
  if (isHeard) parts.retry();
  look();
});

// How parts are fetched

/** Thrown where a part of the page is missing. The page says so already. */
export class Missing extends Error {}

/**
 * Does something, and says where it failed.
 * @param {() => unknown} work
 */
export async function attempt(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Missing)) toast(wordsOf(error));
  }
}

/**
 * Waits until a list has been painted, or has said why it cannot be.
 * @param {HTMLElement} list
 * @returns {Promise<void>}
 */
export function afterPaint(list) {
  return new Promise((done) => {
    const soon = () => requestAnimationFrame(() => setTimeout(done));
    for (const type of ['live-list-change', 'live-list-failure']) list.addEventListener(type, soon, { once: true });
  });
}

/**
 * Returns a function that makes a part of a module when it is first wanted, and returns the same part from then on.
 * @template {keyof Modules} Path
 * @template Part
 * @param {Path} path
 * @param {(module: Awaited<ReturnType<Modules[Path]>>) => Part} make
 * @returns {(isWish?: boolean) => Promise<Part>} a user's wish is given up when it is late, and throws `Missing`; anything else waits
 */
export function onDemand(path, make) {
  /** @type {{ part: Part } | undefined} */
  let made;
  return async (isWish = true) => {
    if (!made) {
      const module = await parts.fetch(path, isWish);
      if (!module) throw new Missing();
      made ??= { part: make(module) };
    }
    return made.part;
  };
}

/** @template Module @param {Module} module */
export const itself = (module) => module;

/**
 * Waits until the lists have done what was asked of them before their parts were here, such as by the key before.
 * @throws {Missing} where that takes too long for a user's wish
 */
export async function caughtUp() {
  if ('complete' in document.body.dataset) return;
  const all = await Promise.all(LIST_PARTS.map((path) => parts.fetch(path, true)));
  if (all.includes(null)) throw new Missing();
  await new Promise((done) => setTimeout(done));
}

/**
 * Follows the key of undo. It is taken at once, and works as soon as its part is here, after what was done before it.
 * @param {() => Promise<{ undo(): unknown } | null>} undo
 */
export function followUndoKey(undo) {
  addEventListener('keydown', (event) => {
    if (!isUndo(event)) return;
    event.preventDefault();
    attempt(async () => {
      await caughtUp();
      (await undo())?.undo();
    });
  });
}

/** Fetches what the lists use to move things, for keys, and to select by a rectangle. */
export const fetchMoving = () => Promise.all(LIST_PARTS.map((path) => parts.fetch(path)));

/** Waits until the style sheet for moving and for menus is there, or cannot be had. */
export function moveStyles() {
  addStyles('reordering', document.body);
  const link = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[href$="reordering.css"]'));
  return link && !link.sheet && new Promise((done) => ['load', 'error'].forEach((type) => link.addEventListener(type, done)));
}

// Dialogs, menus and copying: null where the part is missing, as when the user says no.

const ask = onDemand('ask', itself);
const menu = onDemand('menu', itself);
const copying = onDemand('copy-link', itself);

const none = () => null;

/** @type {typeof import('./ask.js').askText} */
export const askText = (...all) => ask().then((module) => module.askText(...all), none);
/** @type {typeof import('./ask.js').confirmThat} */
export const confirmThat = (...all) => ask().then((module) => module.confirmThat(...all), none);
/** @param {Parameters<typeof import('./menu.js').openMenu>} all */
export const openMenu = async (...all) => {
  const styled = moveStyles(); // a menu without it would open elsewhere
  const module = await menu().catch(none);
  await styled;
  return module?.openMenu(...all);
};
/** @param {string} path */
export const copyLink = (path) => copying().then((module) => module.copyLink(path), none);

/** @type {Partial<typeof import('./icons.js').icons>} the pictures of menus; none until they are here */
export const icons = {};
const pictures = onDemand('icons', (module) => Object.assign(icons, module.icons));

/** Fetches dialogs, menus and copying. @returns a promise that settles when they are here */
export const fetchDialogs = () => Promise.all([ask(false), menu(false), copying(false), pictures(false)]);
