// Taking acts back: a message with Undo for ten seconds, Ctrl+Z for as long as the server remembers.
// Undoing is an act like any other, so every browser sees it.

import { album, can, photos } from './api.js';
import { note } from './own-doings.js';
import { toast } from './toasts.js';
import { uuid } from '../live-list/uuid.js';

const DEEP = 50;
const SHOWN = 10_000; // ms

export class Undo {
  #list;
  #acts = [];
  #close = () => {};

  constructor(list) {
    this.#list = list;
    if (!can('undo')) return;
    list.addEventListener('live-list-reorder', ({ detail: { act, ids } }) => {
      this.#add(act, ids.length === 1 ? 'Moved' : `Moved ${photos(ids.length)}`);
    });
    list.addEventListener('live-list-delete', ({ detail: { act, ids, label } }) => {
      this.#add(act, label ?? `Deleted ${photos(ids.length)}`);
    });
    for (const type of ['live-list-refused', 'live-list-unchanged']) {
      list.addEventListener(type, ({ detail }) => this.#forget(detail.act));
    }
    this.#listen();
  }

  /** Remembers an act that the page sent by itself. */
  add(act, text) {
    if (can('undo')) this.#add(act, text);
  }

  #listen() {
    addEventListener('keydown', (event) => {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === 'z';
      if (!isUndo || event.target.closest?.('input, textarea, dialog:not(#viewer)')) return;
      event.preventDefault();
      this.undo();
    });
  }

  #add(act, text) {
    this.#acts.push({ act, text });
    if (this.#acts.length > DEEP) this.#acts.shift();
    this.#close();
    this.#close = toast(`${text}.`, { label: 'Undo', action: () => this.undo(), duration: SHOWN });
  }

  /** There is nothing to take back of an act that was refused, or that left everything as it was. */
  #forget(id) {
    if (this.#acts.at(-1)?.act === id) this.#close();
    this.#acts = this.#acts.filter(({ act }) => act !== id);
  }

  /** Takes back what was done last. */
  async undo() {
    const last = this.#acts.pop();
    this.#close();
    if (!last) {
      this.#list.announce('Nothing to undo.');
      return;
    }
    const act = uuid();
    note([act]);
    try {
      await this.#list.enqueue({ url: `${album}/undo`, body: { act, undoes: last.act } });
      this.#list.announce(`Undone: ${last.text}.`);
    } catch (error) {
      toast(`Not undone: ${error.message}`);
    }
  }
}
