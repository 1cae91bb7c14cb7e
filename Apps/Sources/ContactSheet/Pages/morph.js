// A photo grows out of its tile, and shrinks back into it. The page is already as it will be: a view transition would take
// every click and hold up the change itself until a busy browser comes to paint it.

const MOTION = { duration: 200, easing: 'cubic-bezier(0.2, 0, 0, 1)' };
const FULL = { transform: 'none', clipPath: 'inset(0px 0px)' };

/** @typedef {import('./photo-cell.js').Photo} Photo */

/**
 * Lets a picture that fills the window grow out of a tile.
 * @param {HTMLElement} image
 * @param {Element | null} tile
 * @param {Photo | undefined} photo
 */
export function grow(image, tile, photo) {
  const from = asTile(image.getBoundingClientRect(), tile, photo);
  if (from) image.animate([from, FULL], MOTION);
}

/**
 * Takes a copy of a picture.
 * @param {HTMLImageElement} image
 * @returns {(tile: Element | null, photo: Photo | undefined) => void} which lets the copy shrink into a tile
 */
export function shrink(image) {
  const box = /** @type {Element} */ (image.parentNode).getBoundingClientRect();
  const { transform } = getComputedStyle(image);
  const copy = /** @type {HTMLImageElement} */ (image.cloneNode());
  return (tile, photo) => {
    const to = asTile(box, tile, photo);
    if (!to) return;
    copy.className = 'shrinking';
    copy.alt = copy.style.transform = '';
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
  if (!tile || !photo?.width || !photo.height || matchMedia('(prefers-reduced-motion: reduce)').matches) return null;
  const end = tile.getBoundingClientRect();
  const contained = Math.min(box.width / photo.width, box.height / photo.height);
  const scale = Math.max(end.width / photo.width, end.height / photo.height) / contained;
  const x = end.x + end.width / 2 - box.x - box.width / 2;
  const y = end.y + end.height / 2 - box.y - box.height / 2;
  const [top, side] = [(box.height - end.height / scale) / 2, (box.width - end.width / scale) / 2];
  return { transform: `translate(${x}px, ${y}px) scale(${scale})`, clipPath: `inset(${top}px ${side}px)` };
}
