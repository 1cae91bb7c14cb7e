// What is left of the page when its album has been deleted elsewhere: that this is so, and the way to another album.

import { base } from './api.js';
import { element } from './elements.js';
import { saveFocus } from './nothing-left.js';

/** @param other `{id, title}` of another album, if there is one */
export function showGone(list, other) {
  if (document.body.classList.contains('gone')) return;
  document.body.classList.add('gone'); // takes away what could be done with it (toasts.css)
  list.removeAttribute('src');
  list.hidden = true;
  // What was said of its photos, and can be taken back no more.
  document.getElementById('toasts').replaceChildren();
  document.querySelector('.ll-status').textContent = '';
  const link = element('a', { href: `${base}/`, textContent: 'Go to the albums' });
  if (other) Object.assign(link, { href: `${base}/albums/${encodeURIComponent(other.id)}`, textContent: `Open “${other.title}”` });
  const trouble = document.getElementById('trouble');
  trouble.hidden = false;
  trouble.replaceChildren('This album has been deleted. ', link);
  saveFocus();
}
