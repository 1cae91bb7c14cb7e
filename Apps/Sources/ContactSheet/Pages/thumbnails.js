// Starts to load the pictures of tiles, a few in each frame: in WebKit each start costs a sixth of a millisecond, and a
// frame of quick scrolling brings dozens of new tiles. What was scrolled past before its turn is never asked for.

const BUDGET = 3; // ms of a frame

/** @typedef {HTMLImageElement & { startedAt?: number }} Picture */

/** @type {Map<Picture, string>} images whose turn is to come, and what they will show */
const waiting = new Map();
let frame = 0;

/**
 * @param {Picture} image
 * @param {string} source
 */
export function load(image, source) {
  if (image.hasAttribute('src')) image.removeAttribute('src'); // its picture is another photo's
  if (document.visibilityState === 'hidden') {
    start(image, source); // hidden pages get no frames
    return;
  }
  waiting.delete(image);
  waiting.set(image, source);
  frame ||= requestAnimationFrame(work);
}

/**
 * Ends what was begun for an image, or is about to begin.
 * @param {Picture} image
 */
export function unload(image) {
  waiting.delete(image);
  image.removeAttribute('src');
}

function work() {
  const end = performance.now() + BUDGET;
  for (const [image, source] of waiting) {
    waiting.delete(image);
    start(image, source);
    if (performance.now() >= end) break;
  }
  frame = waiting.size > 0 ? requestAnimationFrame(work) : 0;
}

/**
 * @param {Picture} image
 * @param {string} source
 */
function start(image, source) {
  image.startedAt = performance.now();
  image.src = source;
}
