// Details beside the photo that is shown: when, where and with what it was taken, and how large it is.

import { numbers, request } from './api.js';
import { element } from './elements.js';
import { wordsOf } from './toasts.js';

/** @typedef {{ camera?: string, lens?: string, exposure?: number, aperture?: number, iso?: number, focalLength?: number, latitude?: number, longitude?: number }} Camera */
/** @typedef {{ title: string, fileName: string, format: string, width: number, height: number, bytes: number, taken?: string, imported: string, camera?: Camera }} Details */

export class ViewerInfo {
  node = element('section', { id: 'viewer-info', className: 'info', hidden: true, ariaLabel: 'Info', tabIndex: 0 });
  #list = element('dl');
  #trouble = element('p', { className: 'said', hidden: true });
  /** @type {string | null} */
  #id = null;

  #urlOf;

  /** @param {(id: string) => string} urlOf the URL of the details of a photo */
  constructor(urlOf) {
    this.#urlOf = urlOf;
    this.#trouble.setAttribute('role', 'status');
    this.node.append(element('h2', { textContent: 'Info' }), this.#trouble, this.#list);
  }

  get isOpen() {
    return !this.node.hidden;
  }

  hide() {
    this.node.hidden = true;
    this.#id = null;
  }

  /**
   * Shows the details of a photo, as soon as the server has sent them.
   * @param {string} id
   * @returns {Promise<string>} what is shown, to be read out; '' where that says itself, or another photo is shown by now
   */
  async show(id) {
    this.node.hidden = false;
    if (this.#id === id) return '';
    this.#id = id;
    this.node.ariaBusy = 'true';
    /** @type {[string, string | null | undefined][]} */
    let entries = [];
    let trouble = '';
    try {
      entries = entriesOf(await request('GET', this.#urlOf(id)));
    } catch (error) {
      trouble = wordsOf(error);
    }
    if (this.#id !== id) return '';
    this.node.ariaBusy = 'false';
    this.#trouble.textContent = trouble;
    this.#trouble.hidden = !trouble;
    const known = entries.filter(([, value]) => value);
    this.#list.replaceChildren(...known.flatMap(([name, value]) => [element('dt', { textContent: name }), element('dd', { textContent: value ?? '', dir: 'auto' })]));
    if (trouble) this.#id = null; // it is asked for again
    return known.map(([name, value]) => `${name}: ${value}.`).join(' ');
  }
}

/**
 * @param {Details} details
 * @returns {[string, string | null | undefined][]}
 */
function entriesOf({ fileName, format, width, height, bytes, taken, imported, camera = {} }) {
  const { exposure, aperture, iso, focalLength, latitude, longitude } = camera;
  const shot = [
    exposure && (exposure < 0.3 ? `1/${numbers.format(Math.round(1 / exposure))} s` : `${numbers.format(exposure)} s`),
    aperture && `f/${numbers.format(aperture)}`, iso && `ISO ${iso}`, focalLength && `${numbers.format(focalLength)} mm`,
  ].filter(Boolean).join('  ·  ');
  const megapixels = (width * height) / 1e6;
  const size = `${numbers.format(width)} × ${numbers.format(height)}${megapixels >= 0.1 ? ` (${megapixels.toFixed(1)} megapixels)` : ''}`;
  return [
    ['Taken', taken && dateOf(taken, 'UTC')], // a camera's clock has no time zone: shown as it was read
    ['Camera', camera.camera], ['Lens', camera.lens], ['Exposure', shot], ['Size', size],
    ['File', `${fileName}, ${format.toUpperCase()}, ${sizeOf(bytes)}`],
    ['Place', latitude !== undefined && longitude !== undefined ? `${degrees(latitude, 'N', 'S')}, ${degrees(longitude, 'E', 'W')}` : null],
    ['Imported', dateOf(imported)],
  ];
}

/**
 * @param {string} text
 * @param {string} [timeZone]
 */
const dateOf = (text, timeZone) => new Date(text).toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short', timeZone });

/** @param {number} bytes */
const sizeOf = (bytes) => (bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

/**
 * @param {number} value
 * @param {string} positive
 * @param {string} negative
 */
const degrees = (value, positive, negative) => `${Math.abs(value).toFixed(5)}° ${value < 0 ? negative : positive}`;
