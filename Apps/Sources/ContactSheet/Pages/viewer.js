// Shows one photo, as large as the window. It follows the list: a photo that is deleted elsewhere gives way to its neighbour.

import { numbers } from './api.js';
import { ConnectionNotes } from './connection-notes.js';
import { directionOf, element, isMac } from './elements.js';
import { grow, shrink } from './morph.js';
import { Slides } from './slides.js';
import { Slideshow } from './slideshow.js';
import { styleSheet } from './style-sheet.js';
import { Swipes } from './swipes.js';
import { ViewerTools, nameKey } from './viewer-tools.js';
import { Zoom } from './zoom.js';

await styleSheet('viewer');

const ZOOMED = 500; // ms without another step of a zoom, before it is announced
const NEAR = 20; // photos that are fetched before and after one that is not here

/** @typedef {import('./slides.js').List} List */

export class Viewer {
  /** @type {HTMLDialogElement} */
  #dialog;
  #list;
  #slides;
  #zoom;
  #tools;
  #slideshow;
  /** @type {string | null} */
  #id = null;
  #index = 0;
  #goal = 0; // the position that is shown, or is going to be
  /** @type {string | null} */
  #awaited = null; // a deleted photo that is shown again as soon as the list has it
  #previous;
  #next;
  #caption;
  #notes;
  #onShow;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #zoomTimer;
  #saidScale = 1;

  /**
   * @param {HTMLDialogElement} dialog
   * @param {List} list
   * @param {import('./viewer-tools.js').Actions} actions what can be done with the photo that is shown
   * @param {(id: string | null, index?: number) => void} onShow called when a photo is shown; null: the viewer is closed
   */
  constructor(dialog, list, actions, onShow) {
    this.#onShow = onShow;
    this.#dialog = dialog;
    this.#list = list;
    dialog.tabIndex = -1;
    /** @type {(selector: string) => any} what the page has in its dialog */
    const part = (selector) => dialog.querySelector(selector);
    /** @type {HTMLElement} */
    const stage = part('.stage');
    const track = element('div', { className: 'track' });
    stage.replaceChildren(track);
    /** @type {HTMLElement} */
    this.#caption = part('.caption');
    /** @type {HTMLButtonElement} */
    this.#previous = part('.previous');
    /** @type {HTMLButtonElement} */
    this.#next = part('.next');
    this.#slides = new Slides(track, list);
    this.#zoom = new Zoom(stage, () => this.#slides.current, () => this.#zoomed(), () => this.close());
    this.#slideshow = new Slideshow(dialog, (text) => list.announce(text), () => this.#advance(), () => list.count > 1);
    this.#tools = new ViewerTools(dialog, {
      ...actions, play: () => this.#slideshow.toggle(), announce: (text) => list.announce(text), photo: () => ({ id: this.#id ?? '', photo: this.#slides.current?.photo }),
    });
    new Swipes(stage, track, dialog, {
      isFree: () => !this.#zoom.isZoomed && this.#zoom.pointerCount < 2,
      canStep: (by) => this.#goal + by >= 0 && this.#goal + by < list.count,
      step: (by) => this.#step(by),
      close: (from) => this.close(from),
      tap: (event) => this.#zoom.tapped(event) || this.#tools.toggle(),
    });
    this.#notes = new ConnectionNotes(dialog);
    for (const [name, key] of [['.previous', 'ArrowLeft'], ['.next', 'ArrowRight'], ['.close', 'Escape']]) nameKey(part(name), key);
    this.#previous.addEventListener('click', () => this.#step(-1));
    this.#next.addEventListener('click', () => this.#step(1));
    part('.close').addEventListener('click', () => this.close());
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      this.close();
    });
    dialog.addEventListener('keydown', (event) => this.#key(event, actions.remove));
    dialog.addEventListener('pointerdown', ({ target }) => /** @type {Element} */ (target).closest('.play') || this.#slideshow.stop());
    list.addEventListener('live-list-change', () => this.#listChanged());
  }

  /** @param {string} id */
  open(id) {
    const tile = this.#tile(id);
    this.#show(id);
    if (this.#dialog.open) return;
    this.#dialog.showModal();
    this.#notes.moveOverPhoto();
    this.#dialog.focus();
    this.#tools.begin();
    const { current } = this.#slides;
    if (current) grow(current.frame, tile, current.photo);
  }

  /** @param {string} [from] the transform with which the photo is seen, where a finger has moved it */
  close(from) {
    if (!this.#dialog.open) return;
    const id = this.#id ?? '';
    const { current } = this.#slides;
    this.#id = this.#awaited = null;
    this.#slideshow.stop();
    this.#onShow(null);
    this.#list.kept = [];
    const shrinkInto = current && shrink(current.frame, from);
    // The page gets keys and clicks from now on, even while the photo still shrinks.
    this.#dialog.close();
    this.#notes.moveBack();
    this.#zoom.reset();
    this.#slides.clear();
    this.#tools.end();
    if (this.#list.indexOf(id) >= 0) this.#list.focusItem(id);
    shrinkInto?.(this.#tile(id), this.#list.contentOf(id));
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
    const isOther = id !== this.#id;
    if (isOther) {
      this.#zoom.reset();
      this.#saidScale = 1; // another photo is announced itself
    }
    this.#id = id;
    const isBack = id === this.#awaited; // the undo has announced it already
    if (isBack) this.#awaited = null;
    this.#list.kept = [id];
    this.#index = this.#goal = this.#list.indexOf(id);
    this.#onShow(id, this.#index);
    this.#previous.disabled = this.#index <= 0;
    this.#next.disabled = this.#index >= count - 1;
    // Read from the left, whatever the direction of the title.
    const position = element('small', { textContent: `${this.#index + 1} of ${count}`, dir: 'ltr' });
    const title = document.createElement('bdi');
    title.textContent = photo?.title ?? '';
    this.#caption.dir = directionOf(photo?.title);
    this.#caption.replaceChildren(title, position);
    this.#dialog.ariaLabel = photo?.title || 'Photo';
    if (!photo) return;
    this.#slides.show(this.#index);
    this.#knowNeighbors();
    if (this.#dialog.open && isOther) {
      if (!isBack) this.#list.announce(`${photo.title || 'Photo'}, ${this.#index + 1} of ${count}.`);
      this.#tools.shown();
      this.#slideshow.shown(this.#slides.current?.sharpen());
    }
  }

  /** Fetches the neighbours of the photo, if they are not here: of a long album only a part is. */
  #knowNeighbors() {
    const index = this.#index;
    const isHere = [index - 1, index + 1].every((at) => at < 0 || at >= this.#list.count || this.#list.isKnown(at));
    if (isHere) return;
    this.#list.load(Math.max(0, index - NEAR), Math.min(this.#list.count, index + NEAR)).then(
      () => this.#dialog.open && this.#index === index && this.#slides.show(index),
      () => {}, // fetched again when somebody goes there
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

  /** Shows the next photo of a slideshow. @returns {boolean} whether there was one */
  #advance() {
    const isThere = this.#goal + 1 < this.#list.count;
    if (isThere) this.#step(1);
    return isThere;
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

  #zoomed() {
    const { isZoomed, scale } = this.#zoom;
    if (isZoomed) this.#slides.current?.enlarge();
    clearTimeout(this.#zoomTimer);
    this.#zoomTimer = setTimeout(() => this.#sayZoom(), ZOOMED);
    if (scale < 1) this.#dialog.style.setProperty('--shade', `${scale * scale}`);
    else this.#dialog.style.removeProperty('--shade');
  }

  /** Says how large the photo is once fingers, wheel and keys rest. */
  #sayZoom() {
    const { scale } = this.#zoom;
    if (!this.#dialog.open || scale === this.#saidScale || scale < 1) return;
    this.#saidScale = scale;
    this.#list.announce(scale === 1 ? 'The whole photo is seen.' : `Zoomed to ${numbers.format(Math.round(scale * 100))} %.`);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {(id: string) => void} remove
   */
  #key(event, remove) {
    const { key } = event;
    if (event.altKey || event.ctrlKey || event.metaKey) return; // the browser's, or the page's
    const [x, y] = /** @type {Record<string, number[] | undefined>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] })[key] ?? [0, 0];
    const isOnStage = event.target === this.#dialog; // a button that has the focus takes the space bar for itself
    if (key !== ' ') this.#slideshow.stop();
    if ((x || y) && this.#zoom.isZoomed) this.#zoom.pan(x, y);
    else if (x || y) this.#step(x + y);
    else if (key === 'PageUp' || key === 'PageDown') this.#step(key === 'PageUp' ? -1 : 1);
    else if (key === 'Home') this.#showAt(0);
    else if (key === 'End') this.#showAt(this.#list.count - 1);
    else if (key === 'Delete' || (isMac && key === 'Backspace')) remove(this.#id ?? '');
    else if (key === '+' || key === '=') this.#zoom.by(1.5);
    else if (key === '-') this.#zoom.by(1 / 1.5);
    else if (key === '0') this.#zoom.reset();
    else if (key === ' ' && isOnStage) this.#slideshow.toggle();
    else if (key === 'i') this.#tools.toggleInfo();
    else return;
    event.preventDefault();
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
