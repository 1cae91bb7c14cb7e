// Moves the focus when the element that had it is gone: to the note that is shown instead of the photos, which is then read out,
// and back to the photos when there are some again. Also when a dialog or menu closes, and what it was opened from is gone.

const NOTES = ['trouble', 'no-results', 'empty'];

/**
 * Whether an element is there to be seen.
 * @param {Element} one
 */
const isSeen = (one) => one.getClientRects().length > 0 && getComputedStyle(one).visibility === 'visible';

/** Whether the focus is nowhere: its element is gone, or is not seen any more. */
const isLost = () => {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || !isUsable(activeElement);
};
/** @param {Element & { disabled?: boolean }} one */
const isUsable = (one) => !one.disabled && !one.closest('.ll-leaving') && isSeen(one);

/** Gives the focus, if it is lost, to the note that is shown instead of the photos. */
export function saveFocus() {
  const note = isLost() && NOTES.map((id) => document.getElementById(id)).find((one) => one && isSeen(one));
  if (note) (note.querySelector('a') ?? Object.assign(note, { tabIndex: -1 })).focus();
}

const LAYERS = 'dialog, [popover]';

/** Gives the focus to a neighbour of the element that had it, where a dialog or menu closes and that element is gone. */
function followDialogs() {
  /** @type {Element | null} what had the focus before; null where nothing had it, or the focus is elsewhere since */
  let opener = null;
  /** @type {import('../../../../Packaging/live-list/live-list.js').LiveList | null} */
  let list = null;
  let index = 0;
  addEventListener('focusin', (event) => {
    const target = /** @type {Element} */ (event.target);
    const relatedTarget = /** @type {Element | null} */ (event.relatedTarget);
    if (!target.closest(LAYERS)) {
      // A photo that fades out has the focus for a moment.
      if (isUsable(target)) opener = null;
    } else if (relatedTarget && !relatedTarget.closest(LAYERS)) {
      opener = relatedTarget;
      list = opener.closest('live-list');
      index = Number(opener.closest('[aria-rowindex]')?.getAttribute('aria-rowindex') ?? 1) - 1;
    }
  });
  const giveBack = () => {
    if (!opener || isUsable(opener) || !isLost() || document.querySelector('dialog:modal')) return;
    saveFocus();
    if (!isLost()) return;
    if (list && list.count > 0) list.focusIndex(Math.min(index, list.count - 1));
    else {
      const beside = ['done', 'more', 'select', 'new-album'].map((id) => document.getElementById(id));
      beside.find((one) => one && isUsable(one))?.focus();
    }
  };
  // After all other listeners.
  for (const type of ['close', 'toggle']) addEventListener(type, () => setTimeout(giveBack), { capture: true });
}

/** @param {import('../../../../Packaging/live-list/live-list.js').LiveList} list */
export function followFocus(list) {
  followDialogs();
  let { count } = list;
  let isBeside = false; // whether the focus was last in that note
  addEventListener('focusin', ({ target }) => (isBeside = Boolean(/** @type {Element} */ (target).closest('.empty'))));
  list.addEventListener('live-list-change', () => {
    const before = count;
    ({ count } = list);
    if ((before === 0) === (count === 0)) return;
    const wasBeside = isBeside;
    // After all other listeners of the change.
    queueMicrotask(() => {
      if (count === 0) saveFocus();
      else if (wasBeside && isLost()) list.focusIndex(0);
    });
  });
}
