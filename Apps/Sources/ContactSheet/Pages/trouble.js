// Messages about the connection, in the page's bar: that it is being made again, or that it will not come.

import { checkLogin } from './api.js';

/** @param {string} id */
const byID = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string | null} message null when all is well again */
function show(message) {
  byID('trouble').hidden = message === null;
  byID('trouble').textContent = message ?? '';
}

/**
 * Shows how the connection of a list is, for as long as the page is open.
 * @param {HTMLElement} list
 */
export function followConnection(list) {
  list.addEventListener('live-list-state', ({ detail: { state } }) => {
    byID('connection').hidden = state !== 'reconnecting';
    if (state === 'reconnecting') checkLogin();
    if (state === 'outdated') show('This page is out of date. Reload it to go on.');
  });
  list.addEventListener('live-list-failure', ({ detail: { message } }) => show(message));
}
