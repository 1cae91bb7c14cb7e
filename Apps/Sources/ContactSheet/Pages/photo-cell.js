// How a photo is drawn in the grid: its average colour at once, its thumbnail when it is there.

import { base } from './api.js';
import { directionOf } from './elements.js';
import { addressOf } from './photo-address.js';
import { load, unload } from './thumbnails.js';

/** @typedef {{ title: string, hash: string, color?: string, width?: number, height?: number }} Photo what the list says of one */
/** @typedef {import('./thumbnails.js').Picture} Picture */

/** @typedef {{ tile?: number, isWhole?: boolean }} Choice of how large photos are and of what shape: `tile` is the least width in pixels; without it that of the style sheet */

/** The name under which the device keeps that choice. */
export const GRID = 'contact-sheet-grid';

/** @returns {Choice} what this device has kept; invalid values count as none */
export function keptChoice() {
  try {
    const { tile, isWhole } = JSON.parse(localStorage.getItem(GRID) ?? '{}');
    return { ...(tile >= 20 && tile <= 4000 && { tile }), isWhole: isWhole === true };
  } catch {
    return {};
  }
}

/**
 * @param {HTMLElement} list
 * @param {Choice} choice
 */
export function showChoice({ style, classList }, { tile, isWhole = false }) {
  style.setProperty('--ll-tile', tile ? `${tile}` : '');
  style.setProperty('--ll-least-columns', tile ? '1' : '');
  classList.toggle('whole', isWhole);
}

export const photoCell = {
  /**
   * @param {HTMLElement} cell
   * @param {Photo | undefined} photo
   * @param {{ id: string }} item
   */
  draw(cell, photo, { id }) {
    let link = /** @type {HTMLAnchorElement | null} */ (cell.firstElementChild);
    if (!link) {
      link = document.createElement('a');
      link.className = 'open';
      link.tabIndex = -1;
      link.draggable = false;
      link.dataset.liveListLink = '';
      /** @type {Picture} */
      const image = new Image();
      image.draggable = false;
      image.decoding = 'async';
      image.addEventListener('load', () => {
        image.classList.toggle('at-once', performance.now() - Number(image.startedAt) < 60);
        image.classList.add('loaded');
      });
      link.append(image);
      cell.append(link);
    }
    const image = /** @type {HTMLImageElement} */ (link.firstElementChild);
    link.href = addressOf(id);
    link.dataset.photo = id;
    cell.className = 'photo';
    cell.dataset.title = photo?.title ?? '';
    cell.dir = directionOf(photo?.title);
    cell.style.backgroundColor = photo?.color && /^#[0-9a-f]{6}$/i.test(photo.color) ? photo.color : '';
    image.alt = photo?.title ?? '';
    const source = photo ? `${base}/thumbnails/${photo.hash}` : '';
    if (image.dataset.for === `${id} ${source}`) return;
    image.dataset.for = `${id} ${source}`;
    image.classList.remove('loaded');
    if (source) load(image, source);
    else unload(image);
  },

  /**
   * Stops loading what was scrolled past.
   * @param {HTMLElement} cell
   */
  discard(cell) {
    const image = cell.querySelector('img');
    if (!image) return;
    unload(image);
    image.classList.remove('loaded');
    delete image.dataset.for;
  },
};

/**
 * Adds one button that opens the menu of a photo; it moves to the photo under the pointer.
 * @param {HTMLElement} list
 */
export function addMenuButton(list) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'more';
  button.tabIndex = -1;
  button.ariaLabel = 'Actions';
  button.setAttribute('aria-haspopup', 'menu');
  button.dataset.liveListMenu = '';
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  for (const x of [5, 12, 19]) {
    const dot = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
    for (const [name, value] of Object.entries({ cx: x, cy: 12, r: 2.2 })) dot.setAttribute(name, `${value}`);
    svg.append(dot);
  }
  button.append(svg);
  list.addEventListener('pointerover', ({ target, pointerType, buttons }) => {
    if (pointerType === 'touch' || buttons) return;
    const cell = /** @type {Element} */ (target).closest('.photo');
    if (cell && button.parentNode !== cell && !cell.closest('.ll-preview')) cell.append(button);
  });
  list.addEventListener('pointerleave', () => button.remove());
}
