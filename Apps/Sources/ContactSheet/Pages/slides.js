// The pictures of the viewer: the photo that is shown, and its neighbours, fetched and decoded before they are wanted.

import { base } from './api.js';
import { element } from './elements.js';

/** @typedef {import('./photo-cell.js').Photo} Photo */
/** @typedef {import('../../../../Packaging/live-list/live-list.js').LiveList<Photo>} List */

const PREVIEW = 2048; // px: the longer side of a preview, which stands for a larger original

/** One photo: its thumbnail at once, over it a preview that is sharp on the screen, and over that the original when it is zoomed. */
class Slide {
  id;
  photo;
  /** The element that moves when the photo is zoomed, grows out of its tile, or shrinks back. */
  frame = element('div', { className: 'frame' });
  node = element('div', { className: 'slide' }, this.frame);
  /** @type {Promise<void> | undefined} */
  #sharp;
  #hasOriginal = false;
  #isGone = false;
  /** @type {Set<HTMLImageElement>} the images that are on their way */
  #coming = new Set();

  /**
   * @param {string} id
   * @param {Photo} photo
   */
  constructor(id, photo) {
    this.id = id;
    this.photo = photo;
    const thumbnail = element('img', { src: `${base}/thumbnails/${photo.hash}`, draggable: false });
    this.frame.append(thumbnail);
    this.rename(photo.title);
  }

  /** @param {string} title */
  rename(title) {
    /** @type {HTMLImageElement} */ (this.frame.firstElementChild).alt = title;
  }

  /** Fetches the preview, once. @returns a promise that settles when it is shown, or cannot be */
  sharpen() {
    this.#sharp ??= this.#add('previews').catch(() => this.#original());
    return this.#sharp;
  }

  /** Fetches the original, if it has more pixels than the preview. */
  async enlarge() {
    await this.sharpen();
    const { width = Infinity, height = Infinity } = this.photo;
    if (Math.max(width, height) > PREVIEW) await this.#original();
  }

  async #original() {
    if (this.#hasOriginal || this.#isGone) return;
    this.#hasOriginal = true;
    await this.#add('originals').catch(() => {}); // this browser cannot show it: the preview stays
  }

  /**
   * Shows a picture when it is decoded. It is the element that was decoded, so that nothing is fetched or decoded twice.
   * @param {string} kind
   */
  async #add(kind) {
    const image = element('img', { alt: '', className: kind, draggable: false, src: `${base}/${kind}/${this.photo.hash}` });
    this.#coming.add(image);
    await image.decode().finally(() => this.#coming.delete(image));
    if (!this.#isGone) this.frame.append(image);
  }

  /** Removes the photo, and ends its downloads. */
  discard() {
    this.#isGone = true;
    for (const image of this.#coming) image.removeAttribute('src');
    this.node.remove();
  }
}

/** A photo and its neighbours side by side. */
export class Slides {
  #list;
  #track;
  /** @type {Map<string, Slide>} */
  #slides = new Map();
  /** @type {Slide | undefined} */
  #current;
  #isForward = true;
  #index = 0;

  /**
   * @param {HTMLElement} track
   * @param {List} list
   */
  constructor(track, list) {
    this.#track = track;
    this.#list = list;
  }

  /** The photo that is shown. */
  get current() {
    return this.#current;
  }

  /**
   * Shows the photo at an index of the list, whose content is known.
   * @param {number} index
   */
  show(index) {
    const [id] = this.#list.ids(index, index + 1);
    const isOther = id !== this.#current?.id;
    if (isOther && index !== this.#index) this.#isForward = index > this.#index;
    this.#index = index;
    const wanted = [index, ...this.#neighbors].map((at) => this.#slideAt(at));
    for (const [other, slide] of this.#slides) {
      if (wanted.includes(slide)) continue;
      this.#slides.delete(other);
      slide.discard();
    }
    const [current] = wanted;
    this.#current = current;
    current?.sharpen().then(() => this.#fetchNeighbors(current));
  }

  clear() {
    for (const slide of this.#slides.values()) slide.discard();
    this.#slides.clear();
    this.#current = undefined;
  }

  /** The indices beside the photo; the one in the direction of the user comes first. */
  get #neighbors() {
    const by = this.#isForward ? 1 : -1;
    return [this.#index + by, this.#index - by];
  }

  /** @param {number} index */
  #slideAt(index) {
    if (index < 0 || index >= this.#list.count || !this.#list.isKnown(index)) return undefined;
    const [id] = this.#list.ids(index, index + 1);
    const photo = id === undefined ? undefined : this.#list.contentOf(id);
    if (id === undefined || !photo) return undefined;
    let slide = this.#slides.get(id);
    if (slide?.photo.hash !== photo.hash) {
      slide?.discard();
      slide = new Slide(id, photo);
      this.#slides.set(id, slide);
      this.#track.append(slide.node);
    }
    slide.rename(photo.title);
    const at = index - this.#index;
    slide.node.style.setProperty('--at', `${at}`);
    slide.node.classList.toggle('current', at === 0);
    slide.node.ariaHidden = at === 0 ? null : 'true';
    return slide;
  }

  /**
   * Fetches the neighbours when the photo itself is there, so that it does not wait for them.
   * @param {Slide} current
   */
  async #fetchNeighbors(current) {
    for (const index of this.#neighbors) {
      if (current !== this.#current) return;
      await this.#slideAt(index)?.sharpen();
    }
  }
}
