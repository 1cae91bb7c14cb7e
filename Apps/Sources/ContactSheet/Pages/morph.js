// Lets a photo grow out of its tile, and shrink back into it. The page itself has changed already: a view transition would
// swallow clicks, and hold up the change until a busy browser paints it.

const MOTION = { duration: 200, easing: 'cubic-bezier(0.2, 0, 0, 1)' };
const FULL = { transform: 'none', clipPath: 'inset(0px 0px)' };

/** @typedef {import('./photo-cell.js').Photo} Photo */

/** Returns whether the reader asked for less motion. */
export const isMotionReduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Lets a picture that fills the window grow out of a tile.
 * @param {HTMLElement} frame
 * @param {Element | null} tile
 * @param {Photo | undefined} photo
 */
export function grow(frame, tile, photo) {
  const from = asTile(frame.getBoundingClientRect(), tile, photo);
  if (from) frame.animate([from, FULL], MOTION);
}

/**
 * Takes a copy of a picture.
 * @param {HTMLElement} frame
 * @param {string} [transform] with which it is seen, if any
 * @returns {(tile: Element | null, photo: Photo | undefined) => void} which lets the copy shrink into a tile
 */
export function shrink(frame, transform = getComputedStyle(frame).transform) {
  const box = new DOMRect(0, 0, innerWidth, innerHeight);
  const copy = /** @type {HTMLElement} */ (frame.cloneNode(true));
  return (tile, photo) => {
    const to = asTile(box, tile, photo);
    if (!to) return;
    copy.classList.add('shrinking');
    copy.ariaHidden = 'true';
    copy.style.transform = '';
    document.body.append(copy);
    const remove = () => copy.remove();
    copy.animate([{ ...FULL, transform }, to], MOTION).finished.then(remove, remove);
  };
}

/**
 * Returns the keyframe in which a picture contained in a box looks as it does in its tile; null where nothing is to move.
 * @param {DOMRect} box
 * @param {Element | null} tile
 * @param {Photo | undefined} photo
 */
function asTile(box, tile, photo) {
  if (!tile || !photo?.width || !photo.height || isMotionReduced()) return null;
  const end = tile.getBoundingClientRect();
  const contained = Math.min(box.width / photo.width, box.height / photo.height);
  const scale = Math.max(end.width / photo.width, end.height / photo.height) / contained;
  const x = end.x + end.width / 2 - box.x - box.width / 2;
  const y = end.y + end.height / 2 - box.y - box.height / 2;
  const [top, side] = [(box.height - end.height / scale) / 2, (box.width - end.width / scale) / 2];
  return { transform: `translate(${x}px, ${y}px) scale(${scale})`, clipPath: `inset(${top}px ${side}px)` };
}
