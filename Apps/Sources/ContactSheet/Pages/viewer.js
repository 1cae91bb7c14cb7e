// One photo, as large as the window. It follows the list: what is deleted elsewhere makes room for its neighbour.

import { base } from './api.js';
import { directionOf, isMac } from './elements.js';
import { grow, shrink } from './morph.js';
import { Zoom } from './zoom.js';

const SWIPE = 50; // px
const NEAR = 20; // photos that are fetched before and after one that is not here

export class Viewer {
  /** @type {HTMLDialogElement} */
  #dialog;
  #list;
  #image;
  #zoom;
  /** @type {string | null} */
  #id = null;
  #index = 0;
  #goal = 0; // the position that is to be shown, or is
  /** @type {string | null} */
  #awaited = null; // a photo that is coming back, and is shown when it is there
  /** @type {PointerEvent | null} */
  #press = null;
  #previous;
  #next;
  #caption;
  #onShow;

  /**
   * @param {HTMLDialogElement} dialog
   * @param {import('../../../../Packaging/live-list/live-list.js').LiveList<import('./photo-cell.js').Photo>} list
   * @param {(id: string) => void} onDelete the photo that is shown is to be deleted
   * @param {(id: string | null, index?: number) => void} onShow a photo is shown; null: none any more
   */
  constructor(dialog, list, onDelete, onShow) {
    this.#onShow = onShow;
    this.#dialog = dialog;
    this.#list = list;
    /** @type {(selector: string) => any} what the page has in its dialog */
    const part = (selector) => dialog.querySelector(selector);
    /** @type {HTMLImageElement} */
    this.#image = part('img');
    /** @type {HTMLElement} */
    this.#caption = part('.caption');
    /** @type {HTMLButtonElement} */
    this.#previous = part('.previous');
    /** @type {HTMLButtonElement} */
    this.#next = part('.next');
    this.#zoom = new Zoom(part('.stage'));
    this.#previous.addEventListener('click', () => this.#step(-1));
    this.#next.addEventListener('click', () => this.#step(1));
    part('.close').addEventListener('click', () => this.close());
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      this.close();
    });
    dialog.addEventListener('keydown', (event) => this.#key(event, onDelete));
    dialog.addEventListener('pointerdown', (event) => (this.#press = event.isPrimary ? event : null));
    dialog.addEventListener('pointerup', (event) => this.#swiped(event));
    list.addEventListener('live-list-change', () => this.#listChanged());
  }

  /** @param {string} id */
  open(id) {
    const tile = this.#tile(id);
    this.#show(id);
    if (this.#dialog.open) return;
    this.#dialog.showModal();
    grow(this.#image, tile, this.#list.contentOf(id));
  }

  close() {
    if (!this.#dialog.open) return;
    const id = this.#id ?? '';
    this.#id = this.#awaited = null;
    this.#onShow(null);
    this.#list.kept = [];
    const shrinkInto = shrink(this.#image);
    // Keys and clicks are the page's from now on, whatever is still seen to move.
    this.#dialog.close();
    this.#zoom.reset();
    this.#image.removeAttribute('src');
    delete this.#image.dataset.hash;
    if (this.#list.indexOf(id) >= 0) this.#list.focusItem(id);
    shrinkInto(this.#tile(id), this.#list.contentOf(id));
  }

  /**
   * Goes back to a photo that was shown before it was deleted, as soon as the list has it again.
   * @param {string} id
   */
  return(id) {
    if (!this.#dialog.open) return;
    this.#awaited = id;
    this.#listChanged();
  }

  /**
   * Returns the picture of a photo in the list, if it is there.
   * @param {string} id
   */
  #tile(id) {
    return this.#list.querySelector(`img[data-for^="${CSS.escape(id)} "]`);
  }

  /** @param {string} id */
  #show(id) {
    const photo = this.#list.contentOf(id);
    const { count } = this.#list;
    this.#id = id;
    if (id === this.#awaited) this.#awaited = null;
    this.#list.kept = [id];
    this.#index = this.#goal = this.#list.indexOf(id);
    this.#onShow(id, this.#index);
    this.#previous.disabled = this.#index <= 0;
    this.#next.disabled = this.#index >= count - 1;
    const position = document.createElement('small');
    position.textContent = `${this.#index + 1} of ${count}`;
    const title = document.createElement('bdi');
    title.textContent = photo?.title ?? '';
    this.#caption.dir = directionOf(photo?.title);
    this.#caption.replaceChildren(title, position);
    this.#dialog.ariaLabel = photo?.title || 'Photo';
    if (!photo || this.#image.dataset.hash === photo.hash) return;
    this.#zoom.reset();
    this.#image.dataset.hash = photo.hash;
    this.#image.alt = photo.title;
    // The thumbnail is there already; the photo itself takes its place when it is decoded.
    this.#image.src = `${base}/thumbnails/${photo.hash}`;
    const full = new Image();
    full.src = `${base}/originals/${photo.hash}`;
    full.decode().then(
      () => this.#image.dataset.hash === photo.hash && (this.#image.src = full.src),
      () => {}, // a format that this browser cannot show: the thumbnail stays
    );
  }

  /** @param {number} by */
  #step(by) {
    const to = this.#goal + by;
    if (!this.#dialog.open || to < 0 || to >= this.#list.count) return;
    this.#awaited = null;
    this.#showAt(to);
    const active = /** @type {HTMLButtonElement | null} */ (document.activeElement);
    if (active?.disabled) /** @type {HTMLElement | null} */ (this.#dialog.querySelector('.close'))?.focus();
  }

  /**
   * Shows the photo at a position, when it is known: of a long album only a part is here.
   * @param {number} index
   */
  #showAt(index) {
    this.#goal = index;
    const show = () => {
      const [id] = this.#list.ids(index, index + 1);
      if (this.#dialog.open && this.#goal === index && id !== undefined) this.#show(id);
    };
    if (this.#list.isKnown(index)) show();
    else this.#list.load(Math.max(0, index - NEAR), index + NEAR).then(show, () => (this.#goal = this.#index));
  }

  /**
   * @param {KeyboardEvent} event
   * @param {(id: string) => void} onDelete
   */
  #key(event, onDelete) {
    const step = /** @type {Record<string, number | undefined>} */ ({ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 })[event.key];
    if (step) this.#step(step);
    else if (event.key === 'Home') this.#showAt(0);
    else if (event.key === 'End') this.#showAt(this.#list.count - 1);
    else if (event.key === 'Delete' || (isMac && event.key === 'Backspace')) onDelete(this.#id ?? '');
    else if (event.key === '+' || event.key === '=') this.#zoom.by(1.5);
    else if (event.key === '-') this.#zoom.by(1 / 1.5);
    else return;
    event.preventDefault();
  }

  /** @param {PointerEvent} event */
  #swiped({ clientX, clientY, pointerType }) {
    const press = this.#press;
    this.#press = null;
    if (!press || pointerType === 'mouse' || this.#zoom.isZoomed) return;
    const [dx, dy] = [clientX - press.clientX, clientY - press.clientY];
    if (dy > SWIPE && dy > Math.abs(dx)) this.close();
    else if (Math.abs(dx) > SWIPE) this.#step(dx < 0 ? 1 : -1);
  }

  #listChanged() {
    if (!this.#dialog.open) return;
    if (this.#awaited !== null && this.#list.indexOf(this.#awaited) >= 0) this.#show(this.#awaited);
    else if (this.#list.count === 0) this.close();
    else if (this.#id !== null && this.#list.indexOf(this.#id) >= 0) {
      if (this.#goal === this.#index) this.#show(this.#id);
    } else this.#showAt(Math.min(this.#index, this.#list.count - 1));
  }
}
