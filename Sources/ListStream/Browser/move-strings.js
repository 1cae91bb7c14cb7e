// What is said of moving: see strings.js.

import { number } from './strings.js';

const place = (position, total) => `position ${number(position)} of ${number(total)}`;

export const english = {
  items: (count) => `${number(count)} items`,
  grabbed: (what, position, total) => `Grabbed ${what}, ${place(position, total)}.`,
  at: (what, position, total, before) =>
    `${what}, ${place(position, total)}${before ? `, before ${before}` : ', at the end'}.`,
  dropped: (what, position, total, before, count) =>
    `Dropped. ${what} ${count > 1 ? 'are now at' : 'is now'} ${number(position)} of ${number(total)}.`,
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
