// What the page does not need to show photos: fetched when they are on the screen, or as soon as somebody asks for it.

import { toast } from './toasts.js';

export const MISSING = 'A part of this page could not be fetched. Reload it to go on.';

/** A promise of the moment when a list has been painted, or has said why it cannot be. */
export function afterPaint(list) {
  return new Promise((done) => {
    const soon = () => requestAnimationFrame(() => setTimeout(done));
    for (const type of ['live-list-change', 'live-list-failure']) list.addEventListener(type, soon, { once: true });
  });
}

/** Makes something of a part of the page when it is wanted first, and gives the same ever after. */
export function onDemand(make) {
  let made;
  // No second try: browsers keep in mind that a module could not be fetched.
  return () => (made ??= make().catch(() => {
    throw new Error(MISSING);
  }));
}

// What asks people, and what copies.

const parts = [() => import('./ask.js'), () => import('./menu.js'), () => import('./copy-link.js')].map(onDemand);
const [ask, menu, copying] = parts;

/** A function of a part of the page; where the part cannot be had it says so, and answers null, as who is asked and says no. */
const later = (part, name) => (...all) => part().then((module) => module[name](...all), ({ message }) => {
  toast(message);
  return null;
});

export const askText = later(ask, 'askText');
export const confirmThat = later(ask, 'confirmThat');
export const openMenu = later(menu, 'openMenu');
export const copyLink = later(copying, 'copyLink');

/** Fetches them, before the server can have gone. */
export const fetchDialogs = () => Promise.all(parts.map((part) => part()));
