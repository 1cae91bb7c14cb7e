// All texts of the element: assign to `list.strings` to say it in another language.
// Texts about moving are in moving/move-strings.js, of refused mutations in network/sending.js, of changes from elsewhere in view/elsewhere.js; `what` is the label of an item there, or `items(n)` for several.

/**
 * A number as people read it.
 * @param {number} n
 */
export const number = (n) => n.toLocaleString('en');

export const english = {
  item: 'Item',
  /** @param {number} count */
  selected: (count) => (count === 0 ? 'Nothing selected.' : `${number(count)} selected.`),
  reconnecting: 'Reconnecting…',
  connected: 'Connected.',
  outdated: 'This page is out of date. Reload it to go on.',
};
