// What the page does not need to show photos: fetched when they are on the screen, or as soon as somebody asks for it, and asked
// for again until it is there. What is missing is said for as long as it is.

import { reach } from './reach.js';
import { toast } from './toasts.js';
import { Later } from '../live-list/later.js';

const MISSING = 'A part of this page could not be fetched. It works when the server is back.';
const USELESS = 'A part of this page could not be fetched. Reload the page to go on.';
const MANY = 2; // times that asking failed while the server was heard, after which it seems to be of no use
const ONCE = 1_000; // ms in which failures are one: they have one cause

/** What is missing, by who asks for it: the page's own parts, and each list. */
const missing = new Map();
let failures = 0;
let failedAt = -Infinity;
let isHeard = true; // whether the server is
let said = null;
let takeAway = () => {};
let onUseless = () => {};

function see(who, names, isFailure) {
  missing.set(who, names);
  const now = performance.now();
  if (isFailure && isHeard && now - failedAt > ONCE) {
    failures++;
    failedAt = now;
  }
  tell();
}

/** Says what is missing, where it was not said; or once more, to who has tried to use it. */
function tell(isAgain = false) {
  const isMissing = [...missing.values()].some(({ length }) => length > 0);
  if (!isMissing) failures = 0;
  const text = !isMissing ? null : failures < MANY ? MISSING : USELESS;
  if (text === said && !isAgain) return;
  takeAway();
  said = text;
  const reload = { label: 'Reload', action: () => location.reload() };
  if (text === USELESS) onUseless();
  if (text) takeAway = toast(text, { duration: Infinity, ...(text === USELESS && reload) });
}

const load = async (name, again) => {
  await reach(new URL(`./${name}.js`, import.meta.url).href);
  return import(`./${name}.js${again}`);
};

const parts = new Later(load, (names, isFailure) => see(parts, names, isFailure));

addEventListener('live-list-missing', ({ target, detail }) => see(target, detail.missing, detail.isFailure));
addEventListener('live-list-state', ({ detail: { state } }) => {
  const isNow = state === 'connected';
  if (isNow !== isHeard) failures = 0;
  isHeard = isNow;
  if (isHeard) parts.retry();
  tell();
});

/** Calls back when asking again for what is missing seems to be of no use. */
export function whenUseless(callback) {
  onUseless = callback;
}

/** What was tried is not there. It has been said already. */
export class Missing extends Error {
  name = 'Missing';
}

/** A promise of the moment when a list has been painted, or has said why it cannot be. */
export function afterPaint(list) {
  return new Promise((done) => {
    const soon = () => requestAnimationFrame(() => setTimeout(done));
    for (const type of ['live-list-change', 'live-list-failure']) list.addEventListener(type, soon, { once: true });
  });
}

/**
 * Makes something of a part of the page when it is wanted first, and gives the same ever after.
 * @param make gets the module
 * @returns `(isPatient)`, a promise of it: one that waits for as long as it takes, or rejects as `Missing` when it cannot be fetched now
 */
export function onDemand(name, make = (module) => module) {
  return (isPatient = false) => parts.want(name, make, isPatient).catch(() => {
    tell(true);
    throw new Missing();
  });
}

// What asks people, and what copies.

const [ask, menu, copying] = ['ask', 'menu', 'copy-link'].map((name) => onDemand(name));

/** A function of a part of the page; where the part cannot be had it answers null, as who is asked and says no. */
const later = (part, name) => (...all) => part().then((module) => module[name](...all), () => null);

export const askText = later(ask, 'askText');
export const confirmThat = later(ask, 'confirmThat');
export const openMenu = later(menu, 'openMenu');
export const copyLink = later(copying, 'copyLink');

/** Fetches them, before the server can have gone. */
export const fetchDialogs = () => Promise.all([ask, menu, copying].map((part) => part(true)));
