// All that moves things, in a part of its own: lists with the attribute `reorder` fetch it by themselves. A page that
// imports it has it from the first moment on.

import { Drag } from './drag.js';
import { KeyMoves } from './key-moves.js';
import { Menu } from './menu.js';
import { english } from './move-strings.js';
import { MoveMode } from './move-mode.js';
import { Mover } from './mover.js';

export class Reordering {
  constructor(list, host) {
    list.strings = { ...english, ...list.strings };
    list.mover = new Mover(list);
    list.drag = new Drag(list, host);
    list.keyMoves = new KeyMoves(list);
    list.menu = new Menu(list, host);
    list.moveMode = new MoveMode(list, host);
  }
}
