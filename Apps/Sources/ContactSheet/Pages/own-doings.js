// Remembers what this tab did last. A list that is opened may get changes that an earlier page of this tab made: without this
// they would be reported as somebody else's.

import { base } from './api.js';

const KEY = `contact-sheet-own${base}`;
const RECENT = 60_000; // ms
const MAXIMUM_COUNT = 200;

/**
 * Returns what was noted in the last minute, by the pages of this tab.
 * @returns {{ id: string, at: number }[]}
 */
function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]').filter((/** @type {{ at: number }} */ { at }) => at > Date.now() - RECENT);
  } catch {
    return []; // nothing can be kept here
  }
}

/**
 * Takes note of the ids of mutations, or of items that this page inserted or deleted.
 * @param {string[]} ids
 */
export function note(ids) {
  const at = Date.now();
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...read(), ...ids.map((id) => ({ id, at }))].slice(-MAXIMUM_COUNT)));
  } catch {
    // The next page takes it for somebody else's.
  }
}

/**
 * Tells lists what earlier pages of this tab did, and remembers what is done in them.
 * @param {import('../../../../Packaging/live-list/live-list.js').LiveList[]} lists
 */
export function follow(lists) {
  const ids = read().map(({ id }) => id);
  for (const list of lists) {
    if (ids.length > 0) list.own(ids);
    for (const type of /** @type {const} */ (['live-list-reorder', 'live-list-delete'])) list.addEventListener(type, ({ detail }) => note([detail.act]));
  }
}
