// Style sheets of the parts that come later than the page.

import { base } from './api.js';
import { element } from './elements.js';

/** @type {Map<string, Promise<unknown>>} */
const all = new Map();

/**
 * Fetches a style sheet, once.
 * @param {string} name its path below `styles`, without `.css`
 * @returns a promise that settles when it is there, or cannot be had: then its part is shown without it
 */
export function styleSheet(name) {
  const fetched = all.get(name) ?? new Promise((done) => {
    document.head.append(element('link', { rel: 'stylesheet', href: `${base}/assets/styles/${name}.css`, onload: done, onerror: done }));
  });
  all.set(name, fetched);
  return fetched;
}
