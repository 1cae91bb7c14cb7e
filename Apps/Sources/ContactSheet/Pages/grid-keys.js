// Keys of the grid that work from anywhere on the page where nothing has the focus, as after it was opened or clicked beside the
// photos. They are taken at once, and do what they do when their part is here.

import { attempt, caughtUp } from './later.js';
import { isMac } from './elements.js';

/**
 * @param {import('../../../../Packaging/live-list/live-list.js').LiveList<any>} list
 * @param {() => Promise<import('./size-gestures.js').SizeGestures | Promise<import('./size-gestures.js').SizeGestures>>} gestures
 * @param {(items: import('./api.js').Items) => unknown} remove
 */
export function followKeys(list, gestures, remove) {
  let isPressed = false; // what that selects may not be selected yet
  list.addEventListener('pointerdown', () => (isPressed = true));
  addEventListener('keydown', (event) => {
    const { key, target } = event;
    const isNowhere = target === document.body && !document.querySelector('dialog:modal, :popover-open, .ll-menu');
    const isOnPhoto = /** @type {Element} */ (target).matches?.('[role=gridcell]') && list.contains(/** @type {Node} */ (target));
    if (event.defaultPrevented || event.altKey || !(isNowhere || isOnPhoto)) return;
    const hasKey = event.ctrlKey || event.metaKey;
    if (!hasKey && /^[-+=0]$/.test(key)) attempt(async () => (await gestures()).press(key));
    else if (!isNowhere) return;
    else if (hasKey && key === 'a' && list.count > 0) pass(event, list);
    else if (!hasKey && key === 'Escape' && list.selectionCount > 0 && !list.editing) list.selection = [];
    else if (!hasKey && (key === 'Delete' || (isMac && key === 'Backspace')) && (list.selectionCount > 0 || isPressed)) {
      attempt(async () => {
        await caughtUp();
        if (list.selectionCount > 0) remove(list.selected);
      });
    } else return;
    event.preventDefault();
  });
}

/**
 * Has the list take a key, by the item that Tab reaches.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} list
 */
function pass(event, list) {
  const cell = /** @type {HTMLElement | null} */ (list.querySelector('[role=gridcell][tabindex="0"]'));
  cell?.focus({ preventScroll: true });
  cell?.dispatchEvent(new KeyboardEvent(event.type, event));
}
