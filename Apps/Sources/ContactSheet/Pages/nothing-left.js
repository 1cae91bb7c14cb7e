// Where the focus goes when nothing is left that had it: to what is said in place of the photos, which is read out then; and back
// to the photos, when there are some again.

const PLACES = ['trouble', 'no-results', 'empty'];

/** Whether an element is there to be seen. */
const isSeen = (one) => one.getClientRects().length > 0 && getComputedStyle(one).visibility === 'visible';

/** Whether the focus is nowhere: its element is gone, or is not seen any more. */
const isLost = () => [null, document.body].includes(document.activeElement) || !isSeen(document.activeElement);

/** Gives the focus, if it is lost, to what is said in place of the photos. */
export function saveFocus() {
  const place = isLost() && PLACES.map((id) => document.getElementById(id)).find(isSeen);
  if (place) (place.querySelector('a') ?? Object.assign(place, { tabIndex: -1 })).focus();
}

export function followFocus(list) {
  let { count } = list;
  let isBeside = false; // whether it was last in what is said in place of the photos
  addEventListener('focusin', ({ target }) => (isBeside = Boolean(target.closest('.empty'))));
  list.addEventListener('live-list-change', () => {
    const before = count;
    ({ count } = list);
    if ((before === 0) === (count === 0)) return;
    const wasBeside = isBeside;
    // When all who hear of the change have dealt with it.
    queueMicrotask(() => {
      if (count === 0) saveFocus();
      else if (wasBeside && isLost()) list.focusIndex(0);
    });
  });
}
