// Short messages at the lower edge, with at most one thing to do about them.

import { button, element } from './elements.js';

const root = /** @type {HTMLElement} */ (document.getElementById('toasts'));
/** @type {WeakMap<Element, Node | null>} the dialog, or the page, in which each message was shown first */
const parents = new WeakMap();

/**
 * Moves messages into the open dialog, with the live region of the lists: outside of it nothing can be clicked, or is read out.
 */
function follow() {
  const parent = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
  for (const region of [root, document.querySelector('.ll-status')]) {
    if (region && region.parentNode !== parent) parent.append(region);
  }
  // In another dialog a message would be taken for one about that dialog. It waits until that closes, unless it has a button.
  for (const one of /** @type {HTMLCollectionOf<HTMLElement>} */ (root.children)) one.hidden = parent !== document.body && parents.get(one) !== parent && !one.querySelector('button');
}

new MutationObserver(follow).observe(document.body, { subtree: true, attributeFilter: ['open'] });

/**
 * Returns what went wrong, in words for people. The page's own errors are plain `Error`s with a sentence; what engines throw differs
 * from one to another, and goes to the console.
 * @param {unknown} thrown
 */
export function wordsOf(thrown) {
  const error = /** @type {Error} */ (thrown);
  if (error.name === 'Error') return error.message;
  console.error(error);
  return 'That did not work. Reload the page, and try again.';
}

/**
 * @param {string} message
 * @param {{ label?: string, action?: () => unknown, duration?: number }} options the duration is in ms; with `Infinity` it stays until it is put away
 * @returns a function that puts the message away
 */
export function toast(message, { label, action, duration = 8_000 } = {}) {
  const node = element('div', { className: 'toast' }, element('span', { textContent: message }));
  /** @type {HTMLElement | null} */
  let before = null; // what had the focus
  node.addEventListener('focusin', ({ relatedTarget }) => {
    if (!node.contains(/** @type {Node | null} */ (relatedTarget))) before = /** @type {HTMLElement | null} */ (relatedTarget);
  });
  // A click does not move the focus.
  node.addEventListener('mousedown', (event) => /** @type {Element} */ (event.target).closest('button') && event.preventDefault());
  const close = () => {
    const hasFocus = node.contains(document.activeElement);
    node.remove();
    if (hasFocus) before?.focus();
  };
  if (label) {
    node.append(
      button(label, '', () => {
        close();
        action?.();
      }),
    );
  }
  // The same message without a button replaces the one before.
  for (const other of [...root.children]) if (!label && !other.querySelector('button') && other.textContent === message) other.remove();
  follow();
  parents.set(node, root.parentNode);
  root.append(node);
  const isLasting = duration === Infinity;
  node.classList.toggle('lasting', isLasting);
  while (root.children.length > 3) root.querySelector(':scope > :not(.lasting)')?.remove();
  if (!isLasting) setTimeout(close, duration);
  return close;
}
