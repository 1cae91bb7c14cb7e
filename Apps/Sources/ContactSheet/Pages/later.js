// What the page does not need to show photos: fetched when they are on the screen, or as soon as somebody asks for it.

import { toast } from './toasts.js';

export const MISSING = 'A part of this page could not be fetched. Reload it to go on.';

/**
 * A promise of the moment when a list has been painted, or has said why it cannot be.
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
 * Makes something of a part of the page when it is wanted first, and gives the same ever after.
 * @template Part
 * @param {() => Promise<Part>} make
 * @returns {() => Promise<Part>}
 */
export function onDemand(make) {
  /** @type {Promise<Part> | undefined} */
  let made;
  // No second try: browsers keep in mind that a module could not be fetched.
  return () => (made ??= make().catch(() => {
    throw new Error(MISSING);
  }));
}

// What asks people, and what copies.

const ask = onDemand(() => import('./ask.js'));
const menu = onDemand(() => import('./menu.js'));
const copying = onDemand(() => import('./copy-link.js'));

/** Says that a part cannot be had, and answers null, as who is asked and says no. @returns {null} */
const missing = (/** @type {Error} */ { message }) => {
  toast(message);
  return null;
};

/** @type {typeof import('./ask.js').askText} */
export const askText = (...all) => ask().then((module) => module.askText(...all), missing);
/** @type {typeof import('./ask.js').confirmThat} */
export const confirmThat = (...all) => ask().then((module) => module.confirmThat(...all), missing);
/** @param {Parameters<typeof import('./menu.js').openMenu>} all */
export const openMenu = (...all) => menu().then((module) => module.openMenu(...all), missing);
/** @param {string} path */
export const copyLink = (path) => copying().then((module) => module.copyLink(path), missing);

/** Fetches them, before the server can have gone. */
export const fetchDialogs = () => Promise.all([ask(), menu(), copying()]);
