// Finds the events that the list will handle when keyboard.js has come. Until then the browser must not handle them itself: it
// would scroll, follow a link, open its menu, or go back.

/**
 * Whether the list uses an event of a row.
 * @param {any} event of the keyboard or the mouse
 * @param {Element} target
 * @param {Element} cell the row's; controls in it have keys of their own
 * @param {import('../controller.js').Settings} settings
 */
export function isUsed({ type, key, altKey, shiftKey, ctrlKey, metaKey }, target, cell, { reorder, selectable, menuItems }) {
  const hasKey = ctrlKey || metaKey;
  if (type === 'click') return target.closest('[data-live-list-link]') && (selectable || !(hasKey || shiftKey));
  if (type === 'contextmenu') return reorder || menuItems;
  if (target !== cell) return false;
  if (/^(Arrow|Home|End|Page)/.test(key)) return (!altKey || reorder) && (!ctrlKey || key[0] !== 'P');
  if (altKey) return false;
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) return reorder || menuItems;
  return selectable && (key === ' ' || (hasKey && key === 'a'));
}
