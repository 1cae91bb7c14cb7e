// A page to which one comes Back may be one that the browser kept, and shows again without asking the server. Who has logged out
// since, or has no password that was set or changed since, must not see it: it is hidden when it is left, and stays so until the
// server has said that its reader may see it.

import { logIn, mayStay } from './api.js';
import { element } from './elements.js';

const AGAIN = 2_000; // ms until a server that did not say is asked again

const root = document.documentElement;
let focused = null; // what is hidden loses the focus
let note = null;

function hide() {
  if (root.classList.contains('asking')) return;
  focused = document.activeElement;
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
    if (!note) document.body.append((note = element('p', { className: 'asking-note', role: 'status', textContent: 'Waiting for the server…' })));
    setTimeout(ask, AGAIN);
  }
}

// It is hidden before it is kept, so that not even its first picture shows anything.
addEventListener('pagehide', hide);
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  hide();
  ask();
});
