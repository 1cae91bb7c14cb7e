// A press that began before the part was here that deals with it: the part does what it would have done then.

const RECENT = 1e4; // ms for which a wish is kept

/**
 * Hands a part that is being made the presses of a list, the last one first if it was missed.
 * @param {Pick<import('../controller.js').Controller, 'press' | 'host'>} list
 * @param {(event: PointerEvent) => void} down
 * @param {(event: PointerEvent) => void} move
 * @param {(event: PointerEvent) => void} up
 */
export function takePresses({ press: { pointerdown, pointermove, pointerup }, host }, down, move, up) {
  host.addEventListener('pointerdown', down);
  host.addEventListener('pointermove', move);
  host.addEventListener('pointerup', up);
  if (!pointerdown || Date.now() - performance.timeOrigin - pointerdown.timeStamp > RECENT) return;
  const isUp = pointerup?.timeStamp >= pointerdown.timeStamp;
  // What was pressed may be shown by another node; and a finger that was lifted has scrolled, or tapped.
  if (!host.contains(/** @type {Node} */ (pointerdown.target)) || (isUp && pointerdown.pointerType === 'touch')) return;
  // Not before the part is made.
  queueMicrotask(() => {
    down(pointerdown);
    if (pointermove?.timeStamp >= pointerdown.timeStamp) move(pointermove);
    if (isUp) {
      move(pointerup); // it may be beside the list
      up(pointerup);
    } else {
      // It may have been let go outside of the window.
      host.addEventListener('pointermove', (event) => event.buttons || up(event), { once: true });
    }
  });
}
