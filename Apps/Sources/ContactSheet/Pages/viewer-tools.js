// The buttons of the photo that is shown, which hide when nothing moves and come back with a movement, and the panel of its details.

import { base } from './api.js';
import { element, isMac } from './elements.js';
import { icons } from './icons.js';
import { ViewerInfo } from './viewer-info.js';
import { icon } from '../live-list/moving/icon.js';

const REST = 3_000; // ms without a movement, a key or a touch

/** @typedef {import('./photo-cell.js').Photo & { fileName?: string }} Photo */

/**
 * @typedef {object} Actions
 * @property {((id: string) => string) | null} details the URL of the details of a photo; null where the server has none
 * @property {(id: string) => void} remove
 * @property {((id: string) => void) | null} move null where the server has no albums
 * @property {((id: string) => void) | null} restore null where photos are not in the trash
 * @property {((id: string) => void) | null} rename null where photos have no titles of their own
 */

/**
 * @typedef {object} Shown
 * @property {() => void} play
 * @property {(text: string) => void} announce
 * @property {() => { id: string, photo: Photo | undefined }} photo the photo that is shown
 */

export class ViewerTools {
  #dialog;
  #node = element('div', { className: 'tools', ariaLabel: 'Photo' });
  /** @type {ViewerInfo | null} */
  #info = null;
  /** @type {HTMLButtonElement | null} */
  #infoButton = null;
  #shown;
  #announce;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #rest;

  /**
   * @param {HTMLDialogElement} dialog
   * @param {Actions & Shown} actions
   */
  constructor(dialog, actions) {
    this.#dialog = dialog;
    this.#shown = actions.photo;
    this.#announce = actions.announce;
    this.#node.setAttribute('role', 'group');
    const id = () => this.#shown().id;
    const { details, move, rename, restore } = actions;
    const play = this.#add('play', 'Slideshow', actions.play, 'Space');
    play.ariaPressed = 'false';
    if (details) {
      this.#info = new ViewerInfo(details);
      this.#infoButton = this.#add('info', 'Info', () => this.toggleInfo(), 'I');
      this.#infoButton.ariaExpanded = 'false';
      this.#infoButton.setAttribute('aria-controls', this.#info.node.id);
    }
    if (rename) this.#add('rename', 'Rename…', () => rename(id()));
    this.#add('download', 'Download', () => this.#download());
    if (move) this.#add('move', 'Move to album…', () => move(id())).setAttribute('aria-haspopup', 'dialog');
    if (restore) this.#add('restore', 'Restore', () => restore(id()));
    this.#add('remove', 'Delete', () => actions.remove(id()), isMac ? 'Backspace' : 'Delete');
    dialog.style.setProperty('--tools', `${this.#node.childElementCount}`); // the title leaves room for them
    // After the page's buttons, which most people want.
    dialog.append(this.#node, ...(this.#info ? [this.#info.node] : []));
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'focusin', 'wheel']) {
      dialog.addEventListener(type, (event) => this.#wake(event), { passive: true });
    }
  }

  /** The viewer is open. */
  begin() {
    this.#show(true);
    this.#wait();
    this.shown();
  }

  /** The viewer is closed. */
  end() {
    clearTimeout(this.#rest);
    this.#show(true);
  }

  /** Another photo is shown. */
  shown() {
    if (this.#info?.isOpen) this.#info.show(this.#shown().id);
  }

  /** Shows or hides the buttons, as a tap does. */
  toggle() {
    this.#show(this.#dialog.classList.contains('idle'));
    this.#wait();
  }

  toggleInfo() {
    if (!this.#info || !this.#infoButton) return;
    const isOpen = !this.#info.isOpen;
    this.#infoButton.ariaExpanded = String(isOpen);
    this.#dialog.classList.toggle('with-info', isOpen);
    if (isOpen) this.#info.show(this.#shown().id).then((text) => this.#announce(`Info. ${text}`));
    else {
      this.#info.hide();
      this.#announce('Info closed.');
    }
  }

  /**
   * @param {keyof typeof icons} name
   * @param {string} label
   * @param {() => void} action
   * @param {string} [key] that does the same
   */
  #add(name, label, action, key) {
    const button = element('button', { type: 'button', className: `round ${name}`, ariaLabel: label, title: label });
    if (key) nameKey(button, key);
    button.append(icon(icons[name]));
    button.addEventListener('click', action);
    this.#node.append(button);
    return button;
  }

  #download() {
    const { photo } = this.#shown();
    if (photo) element('a', { href: `${base}/originals/${photo.hash}`, download: photo.fileName ?? '' }).click();
  }

  /** @param {Event} event */
  #wake(event) {
    // A tap on the photo shows and hides them; any movement of a mouse shows them.
    const { pointerType = 'mouse' } = /** @type {PointerEvent} */ (event);
    if (pointerType !== 'mouse' && /** @type {Element} */ (event.target).closest('.stage')) return;
    this.#show(true);
    this.#wait();
  }

  #wait() {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      // They stay while they are used: with visible focus, or under the pointer.
      const isPointedAt = matchMedia('(hover: hover)').matches && this.#dialog.querySelector('.round:hover');
      if (isPointedAt || this.#dialog.querySelector('.round:focus-visible')) this.#wait();
      else this.#show(false);
    }, REST);
  }

  /** @param {boolean} isShown */
  #show(isShown) {
    this.#dialog.classList.toggle('idle', !isShown);
  }
}

/**
 * Names the key that does what a button does: to who sees the button, and to who hears it.
 * @param {HTMLElement} button
 * @param {string} key
 */
export function nameKey(button, key) {
  button.title = `${button.ariaLabel} (${key})`;
  button.setAttribute('aria-keyshortcuts', key);
}
