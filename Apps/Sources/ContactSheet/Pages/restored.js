// Back may lead to a page that the browser kept, and shows again without asking the server. Whoever has logged out since, or does not
// know a password that was set since, must not see it: the page is hidden when it is left, until the server has said that it may be seen.

import { logIn, mayStay } from './api.js';
import { element } from './elements.js';

const AGAIN = 2_000; // ms until a server that did not answer is asked again

const root = document.documentElement;
/** @type {HTMLElement | null} */
let focused = null; // had the focus: hidden elements lose it
/** @type {HTMLElement | null} */
let note = null;

function hide() {
  if (root.classList.contains('asking')) return;
  focused = /** @type {HTMLElement | null} */ (document.activeElement);
  root.classList.add('asking'); // base.css
}

function show() {
  root.classList.remove('asking');
  note?.remove();
  note = null;
  if (document.activeElement === document.body) focused?.focus({ preventScroll: true });
}

async function ask() {
  const may = await mayStay();
  if (may) show();
  else if (may === false) logIn();
  else {
    if (!note) {
      note = element('p', { className: 'asking-note', textContent: 'Waiting for the server…' });
      note.setAttribute('role', 'status');
      document.body.append(note);
    }
    setTimeout(ask, AGAIN);
  }
}

// Hidden before the browser keeps it, so that not even the first frame shows anything.
addEventListener('pagehide', hide);
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  hide();
  ask();
});
