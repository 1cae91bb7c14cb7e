// The page of an album that was deleted elsewhere: it says so, and leads to another album.

import { base } from './api.js';
import { element } from './elements.js';
import { saveFocus } from './nothing-left.js';

/**
 * @param {HTMLElement} list
 * @param {{ id: string, title: string }} [other] another album, if there is one
 */
export function showGone(list, other) {
  if (document.body.classList.contains('gone')) return;
  document.body.classList.add('gone'); // hides what could be done with it (toasts.css)
  list.removeAttribute('src');
  list.hidden = true;
  // Messages about its photos, which cannot be undone any more.
  document.getElementById('toasts')?.replaceChildren();
  document.querySelector('.ll-status')?.replaceChildren();
  const link = element('a', { href: `${base}/`, textContent: 'Go to the albums' });
  if (other) Object.assign(link, { href: `${base}/albums/${encodeURIComponent(other.id)}`, textContent: `Open “${other.title}”` });
  const trouble = /** @type {HTMLElement} */ (document.getElementById('trouble'));
  trouble.hidden = false;
  trouble.replaceChildren('This album has been deleted. ', link);
  saveFocus();
}
