// A menu of the page's own, beside a button; it looks and behaves like the menu of a photo.

import { MenuBox } from '../live-list/moving/menu-box.js';

/** @typedef {import('../live-list/moving/menu-box.js').Entry & { isChecked?: boolean }} Entry */

/**
 * @param {HTMLElement} anchor
 * @param {string} label
 * @param {(Entry | null)[]} entries null is a line between
 */
export function openMenu(anchor, label, entries) {
  new PageMenu(anchor).open(label, entries, anchor, anchor);
}

class PageMenu extends MenuBox {
  #anchor;

  /** @param {HTMLElement} anchor */
  constructor(anchor) {
    super();
    this.#anchor = anchor;
    anchor.ariaExpanded = 'true';
  }

  /**
   * @override
   * @param {boolean} hadFocus
   */
  closed(hadFocus) {
    this.#anchor.ariaExpanded = 'false';
    if (hadFocus) this.#anchor.focus();
  }

  /**
   * @override
   * @param {Entry} entry
   */
  item(entry) {
    const item = super.item(entry);
    if (entry.isChecked === undefined) return item;
    item.setAttribute('role', 'menuitemcheckbox');
    item.ariaChecked = String(entry.isChecked);
    return item;
  }

  /**
   * Below its button, or above where there is no room.
   * @override
   * @param {HTMLElement} node
   */
  put(node) {
    const box = this.#anchor.getBoundingClientRect();
    const left = Math.min(box.left, innerWidth - node.offsetWidth - 8);
    const below = box.bottom + 6;
    const top = below + node.offsetHeight > innerHeight ? box.top - node.offsetHeight - 6 : below;
    node.style.left = `${Math.max(8, left)}px`;
    node.style.top = `${Math.max(8, top)}px`;
  }
}
