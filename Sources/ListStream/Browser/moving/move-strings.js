// Texts about moving: see strings.js. `section` is the name of one where there are several, or ''.

import { number } from '../strings.js';

/**
 * @param {number} position
 * @param {number} total
 */
const positionOf = (position, total) => `position ${number(position)} of ${number(total)}`;

/** @param {string} section */
const within = (section) => section && `, in ${section}`;

/**
 * Says that `what` (`count` items) is at a position, before an item if there is one, in a section if there are several.
 * @typedef {(what: string, position: number, total: number, before: string | null, count: number, section: string) => string} Sentence
 */

export const english = {
  /** @param {number} count */
  items: (count) => `${number(count)} items`,
  /**
   * The name of a section.
   * @param {string} id
   */
  section: (id) => id,
  /** @type {Sentence} */
  grabbed: (what, position, total, before, count, section) => `Grabbed ${what}, ${positionOf(position, total)}${within(section)}.`,
  /** @type {Sentence} */
  at: (what, position, total, before, count, section) =>
    `${what}, ${positionOf(position, total)}, ${before ? `before ${before}${within(section)}` : `at the end${section && ` of ${section}`}`}.`,
  /** @type {Sentence} */
  dropped: (what, position, total, before, count, section) =>
    `Dropped. ${what} ${count > 1 ? 'are now at' : 'is now'} ${number(position)} of ${number(total)}${within(section)}.`,
  /** @param {string} what */
  returned: (what) => `Move of ${what} cancelled.`,
  gone: 'What you were moving was deleted elsewhere.',
  menu: 'Actions',
  move: 'Move…',
  moveToStart: 'Move to start',
  moveToEnd: 'Move to end',
  moveToPosition: 'Move to position…',
  /** @param {number} total */
  position: (total) => `Position, 1 to ${number(total)}`,
  /**
   * @param {string} what
   * @param {boolean} byTouch
   */
  placing: (what, byTouch) => `Moving ${what}. ${byTouch ? 'Tap where it goes.' : 'Choose where it goes, or use the arrow keys.'}`,
  done: 'Done',
  cancel: 'Cancel',
};
