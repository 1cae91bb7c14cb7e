// Everything about moving, in a part of its own: lists with the attribute `reorder` fetch it. A page that imports it has it at once.

import { Drag } from './moving/drag.js';
import { KeyMoves } from './moving/key-moves.js';
import { english } from './moving/move-strings.js';
import { MoveMode } from './moving/move-mode.js';
import { MoveSession } from './moving/move-session.js';

/** @param {import('./controller.js').Controller} list */
export const part = (list) => (list.moving = new Reordering(list));

/** One move in the making, and the ways to make one. */
export class Reordering extends MoveSession {
  #parts;

  /** @param {import('./controller.js').Controller} list */
  constructor(list) {
    super(list);
    this.#parts = list.parts;
    Object.assign(list.strings, { ...english, ...list.strings });
    this.mode = new MoveMode(list, this);
    this.drag = new Drag(list, this, this.mode, () => this.keyMoves.end());
    // Fetched with the rest, so that it opens when the server is away.
    list.parts.use('moving/menu');
    this.keyMoves = new KeyMoves(list, this, this.mode);
  }

  get isDragging() {
    return this.drag.isActive;
  }

  /** Takes note of a change of the list. */
  changed() {
    this.check();
    if (this.isActive) return;
    this.drag.abandon();
    this.mode.close();
  }

  /** Takes note of rows that have come. */
  follow() {
    this.drag.follow();
  }

  /** Cancels whatever is being moved. */
  stop() {
    this.drag.cancel();
    this.mode.cancel();
    this.#parts.made['moving/menu']?.close();
  }

  /**
   * @param {KeyboardEvent} event
   * @param {string} id the item that has the focus
   * @param {number | undefined} to the position that the key leads to, if any
   * @param {import('./moving/key-moves.js').Keys} keys
   * @returns whether the key was handled; undefined if it is not about moving
   */
  takeKey(event, id, to, keys) {
    return this.keyMoves.handle(event, id, to, keys);
  }

  /**
   * @param {MouseEvent} event
   * @param {number} index the flat position of the item that was clicked
   * @returns whether the click chose a position
   */
  takeClick(event, index) {
    return this.mode.isActive && this.mode.place(event, index);
  }
}
