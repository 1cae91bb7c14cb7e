// A menu beside something: the element's own menu, and those of pages.

import { icon as draw } from './icon.js';
import { focusedBeside } from '../view/rows.js';

/**
 * An entry of a menu.
 * @typedef {object} Entry
 * @property {string} label
 * @property {() => void} action
 * @property {boolean} [isDestructive]
 * @property {boolean} [isDisabled]
 * @property {string} [icon] the lines of a picture, as the `d` of an SVG path in a box of 24 by 24
 * @property {string} [shortcut] the key that does the same, which is shown and not listened to
 */

/** @typedef {import('../view/keyboard.js').Point} Point */

export class MenuBox {
  /** @type {HTMLElement | null} */
  #node = null;
  /** @type {CloseWatcher | undefined} */
  #watcher;

  /**
   * Opens it.
   * @param {string} label
   * @param {(Entry | null)[]} entries null is a line between
   * @param {Element} before the element that it follows in the document
   * @param {Element | Point | undefined} at what it opens beside
   */
  open(label, entries, before, at) {
    const node = (this.#node = document.createElement('div'));
    node.className = 'll-menu';
    node.setAttribute('role', 'menu');
    node.ariaLabel = label;
    // Not `auto`: releasing the button that opened it would close it.
    node.popover = 'manual';
    node.tabIndex = -1;
    node.append(...entries.map((entry) => (entry ? this.item(entry) : separator())));
    node.addEventListener('keydown', (event) => this.#key(event, node));
    node.addEventListener('focusout', ({ relatedTarget }) => relatedTarget && this.#leave(relatedTarget));
    addEventListener('pointerdown', this.#press, { capture: true });
    before.after(node);
    node.showPopover();
    this.put(node, at);
    itemsOf(node)[0]?.focus();
    // The back gesture or button of the system.
    this.#watcher = globalThis.CloseWatcher && new globalThis.CloseWatcher();
    this.#watcher?.addEventListener('close', () => this.close());
  }

  // Of events in a shadow root, the window sees the host as the target.
  #press = (/** @type {Event} */ event) => this.#leave(event.composedPath()[0]);

  /** @param {EventTarget} target */
  #leave(target) {
    if (!this.#node?.contains(/** @type {Node} */ (target))) this.close();
  }

  close() {
    const node = this.#node;
    this.#node = null;
    if (!node) return;
    removeEventListener('pointerdown', this.#press, { capture: true });
    this.#watcher?.destroy();
    const hadFocus = node.contains(focusedBeside(node));
    node.remove();
    this.closed(hadFocus);
  }

  /**
   * Called when it is closed.
   * @param {boolean} hadFocus
   */
  closed(hadFocus) {}

  /** @param {Entry} entry */
  item({ label, action, isDestructive = false, isDisabled = false, icon, shortcut }) {
    const item = document.createElement('button');
    item.type = 'button';
    item.setAttribute('role', 'menuitem');
    item.tabIndex = -1;
    if (icon) item.append(draw(icon));
    item.append(label);
    if (shortcut) {
      item.dataset.llShortcut = shortcut;
      item.setAttribute('aria-keyshortcuts', shortcut);
    }
    item.disabled = isDisabled;
    item.classList.toggle('ll-destructive', isDestructive);
    item.addEventListener('click', () => {
      this.close();
      action();
    });
    return item;
  }

  /**
   * @param {KeyboardEvent} event
   * @param {HTMLElement} node
   */
  #key(event, node) {
    const items = itemsOf(node);
    const now = items.findIndex((item) => item === focusedBeside(node));
    const to = /** @type {Record<string, number | undefined>} */ ({ ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 })[event.key];
    if (to !== undefined) items.at(to % items.length)?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') this.close();
    else if (event.key.length === 1) {
      const key = event.key.toLowerCase();
      const next = [...items.slice(now + 1), ...items].find((item) => item.textContent?.toLowerCase().startsWith(key));
      next?.focus();
      return;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Moves it to where it opens.
   * @param {HTMLElement} node
   * @param {Element | Point | undefined} at
   */
  put(node, at) {
    const point = at instanceof Element ? { x: at.getBoundingClientRect().left, y: at.getBoundingClientRect().bottom } : at;
    const { x = 0, y = 0 } = point ?? {};
    const { offsetWidth: width, offsetHeight: height } = node;
    node.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
    node.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`;
  }
}

/** @param {Element} node */
const itemsOf = (node) => [.../** @type {NodeListOf<HTMLButtonElement>} */ (node.querySelectorAll('button:not(:disabled)'))];

function separator() {
  const node = document.createElement('div');
  node.setAttribute('role', 'separator');
  return node;
}
