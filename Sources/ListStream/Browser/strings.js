// Everything the element says, in one place: assign to `list.strings` to say it in another language.
// `what` is the label of an item, or `items(n)` for several.

const place = (position, total) => `position ${position} of ${total}`;

export const english = {
  item: 'Item',
  items: (count) => `${count} items`,
  grabbed: (what, position, total) => `Grabbed ${what}, ${place(position, total)}.`,
  at: (what, position, total, before) =>
    `${what}, ${place(position, total)}${before ? `, before ${before}` : ', at the end'}.`,
  dropped: (what, position, total, before, count) =>
    `Dropped. ${what} ${count > 1 ? 'are now at' : 'is now'} ${position} of ${total}.`,
  returned: (what) => `Move of ${what} cancelled.`,
  gone: 'What you were moving was deleted elsewhere.',
  refused: 'Move refused, order restored.',
  deleteRefused: 'Delete refused, items restored.',
  selected: (count) => (count === 0 ? 'Nothing selected.' : `${count} selected.`),
  changed: ({ inserted, deleted, moved }) => {
    const parts = [[inserted, 'added'], [deleted, 'removed'], [moved, 'moved']];
    return `${parts.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}`).join(', ')} elsewhere.`;
  },
  reconnecting: 'Reconnecting…',
  outdated: 'This page is out of date. Reload it to go on.',
  menu: 'Actions',
  move: 'Move…',
  moveToStart: 'Move to start',
  moveToEnd: 'Move to end',
  moveToPosition: 'Move to position…',
  position: (total) => `Position, 1 to ${total}`,
  placing: (what) => `Moving ${what}. Choose where it goes, or use the arrow keys.`,
  done: 'Done',
  cancel: 'Cancel',
};
