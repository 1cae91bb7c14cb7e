// What is said of moving: see strings.js. `section` is the name of one where there are several, or ''.

import { number } from './strings.js';

const place = (position, total) => `position ${number(position)} of ${number(total)}`;

const within = (section) => section && `, in ${section}`;

export const english = {
  items: (count) => `${number(count)} items`,
  /** The name of a section, by its id. */
  section: (id) => id,
  grabbed: (what, position, total, before, count, section) => `Grabbed ${what}, ${place(position, total)}${within(section)}.`,
  at: (what, position, total, before, count, section) =>
    `${what}, ${place(position, total)}, ${before ? `before ${before}${within(section)}` : `at the end${section && ` of ${section}`}`}.`,
  dropped: (what, position, total, before, count, section) =>
    `Dropped. ${what} ${count > 1 ? 'are now at' : 'is now'} ${number(position)} of ${number(total)}${within(section)}.`,
  returned: (what) => `Move of ${what} cancelled.`,
  gone: 'What you were moving was deleted elsewhere.',
  menu: 'Actions',
  move: 'Move…',
  moveToStart: 'Move to start',
  moveToEnd: 'Move to end',
  moveToPosition: 'Move to position…',
  position: (total) => `Position, 1 to ${number(total)}`,
  placing: (what, byTouch) => `Moving ${what}. ${byTouch ? 'Tap where it goes.' : 'Choose where it goes, or use the arrow keys.'}`,
  done: 'Done',
  cancel: 'Cancel',
};
