// One move, by whatever means: it begins, is tried at gaps, then ends or is cancelled. Drag, keyboard, menu and taps share it,
// so a move is shown, announced and sent in one way.

import { none } from '../model/items.js';
import { firstOf, restAt, restBefore, restBeside } from './rest.js';

const TRAIL = 120; // ms that a position waits for the next one before it is said

/** @typedef {import('../model/items.js').Items} Items */
/** @typedef {import('../model/items.js').Destination} Destination */
/** @typedef {Pick<import('../controller.js').Controller, 'model' | 'view' | 'cells' | 'mutations' | 'announcer' | 'strings' | 'known' | 'measured'>} List */

export class MoveSession {
  #list;
  #model;
  /** The items that are being moved. */
  items = none;
  /** @type {Destination | null} where it would go */
  intent = null;
  #inPlace = true;

  /** @param {List} list */
  constructor(list) {
    this.#list = list;
    this.#model = list.model;
  }

  get isActive() {
    return this.items !== none;
  }

  /**
   * Begins to move items. `inPlace`: the list makes room at each gap that is tried; otherwise only `intent` changes.
   * @param {Items} items
   */
  begin(items, { inPlace = true, silent = false } = {}) {
    this.items = items;
    this.intent = null;
    this.#inPlace = inPlace;
    this.#list.cells.decorate();
    if (!silent) this.#say('grabbed');
  }

  /**
   * Tries the gap before or after the item that is shown at a flat position.
   * @param {number} index
   * @param {boolean} after
   */
  tryBeside(index, after) {
    const id = this.#order.at(index);
    if (id !== undefined && !this.items.has(id)) this.#try(this.#beside(index, after));
  }

  /**
   * Tries an empty section.
   * @param {string} section
   */
  tryIn(section) {
    this.#try({ after: null, before: null, section });
  }

  /**
   * Tries the gap that gives the first moved item a flat position, when its neighbours are known; then calls `done`, unless the move is over.
   * @param {number} position
   * @param {() => void} done
   */
  tryAt(position, done) {
    this.#tryGap(() => {
      const rest = this.#order.count - this.items.length;
      const at = Math.min(Math.max(0, position), rest);
      return [Math.min(at, rest - 1), at === rest];
    }, done);
  }

  /** How many items of each section are not being moved. */
  get rests() {
    const order = this.#order;
    const moved = [...this.items.named].map((id) => order.indexPathOf(id)?.[0]);
    return order.sections.map(({ count }, s) => count - moved.filter((one) => one === s).length);
  }

  /**
   * Tries the nth gap of a section, as `tryAt` does; an empty section has one.
   * @param {number} s
   * @param {number} n
   * @param {() => void} done
   */
  tryInSection(s, n, done) {
    const { rests } = this;
    if (rests[s] === 0) {
      this.tryIn(this.#order.sections[s].id);
      done();
      return;
    }
    const at = rests.slice(0, s).reduce((sum, count) => sum + count, Math.min(n, rests[s] - 1));
    this.#tryGap(() => [at, n === rests[s]], done);
  }

  /**
   * Tries the gap before or after the nth item that stays, when the items there are known.
   * @param {() => [n: number, after: boolean]} gap
   * @param {() => void} done
   */
  #tryGap(gap, done) {
    const { items } = this;
    const order = this.#order;
    if (order.count <= items.length) return;
    const at = restAt(items, order, gap()[0]);
    this.#list.known(at - 1, at + 2, () => {
      if (this.items !== items) return;
      const [n, after] = gap();
      this.tryBeside(restAt(items, this.#order, n), after);
      done();
    });
  }

  /** The flat position of the first moved item, as shown. */
  positionOf(items = this.items) {
    return firstOf(items, this.#order);
  }

  /** Ends the session: the destination that was tried last becomes a mutation, if it moves anything. */
  end({ silent = false } = {}) {
    const { items, intent } = this;
    const moves = intent !== null && (!this.#inPlace || this.#changes());
    this.#reset();
    if (moves) this.#list.mutations.do('move', { ids: items, ...intent });
    else this.#show(null);
    if (!silent) this.#say('dropped', items);
  }

  /**
   * Cancels the move: everything returns, and no request is made.
   * @param {string} [text] what is said of it
   */
  cancel(text) {
    if (!this.isActive) return;
    const what = this.what();
    this.#reset();
    this.#show(null);
    this.#list.announcer.say(text ?? this.#list.strings.returned(what));
  }

  /** Follows a change of the list: deleted items leave the move; a move of nothing is over. */
  check() {
    if (!this.isActive) return;
    const items = this.items.stillIn(this.#order);
    if (items.isStale) this.cancel();
    else if (items.length === 0) this.cancel(this.#list.strings.gone);
    else if (items !== this.items) {
      this.items = items;
      if (this.intent && this.#inPlace) this.#model.try({ items, ...this.intent });
    }
  }

  get #order() {
    return this.#model.order;
  }

  #reset() {
    this.items = none;
    this.intent = null;
  }

  #changes() {
    const { tentative } = this.#model;
    // A move that cannot be shown may change something.
    return tentative && (!tentative.edits || tentative.edits.items?.moved?.some(([, s, i, s2, i2]) => s !== s2 || i !== i2));
  }

  /** @param {Destination} intent */
  #try(intent) {
    if (JSON.stringify(this.intent) === JSON.stringify(intent)) return;
    this.intent = intent;
    if (this.#inPlace) this.#show(intent);
    // The position is announced when it rests.
    const { announcer } = this.#list;
    clearTimeout(announcer.soon);
    announcer.saidAt = Date.now();
    announcer.soon = setTimeout(() => announcer.say(this.#sentence('at')), TRAIL);
  }

  /**
   * Shows a gap that is being tried out; null gives it up.
   * @param {Destination | null} intent
   */
  #show(intent) {
    const { view, cells, measured } = this.#list;
    measured('try', () => {
      this.#model.try(intent && { items: this.items, ...intent });
      view.update();
      cells.decorate();
    });
  }

  /**
   * The neighbours of a gap beside a shown item, those being moved not counted, within one section.
   * @param {number} index
   * @param {boolean} after
   */
  #beside(index, after) {
    const order = this.#order;
    const id = order.at(index);
    const section = order.sectionIDOf(id);
    const next = order.at(restBeside(this.items, order, index, after ? 1 : -1));
    const other = next !== undefined && order.sectionIDOf(next) === section ? next : null;
    return after ? { after: id, before: other, section } : { after: other, before: id, section };
  }

  /** How people call what is being moved. */
  what(items = this.items) {
    const { cells, strings } = this.#list;
    return items.length === 1 ? cells.labelOf(items.ids[0]) : strings.items(items.length);
  }

  /** @param {'grabbed' | 'at' | 'dropped'} kind */
  #sentence(kind, items = this.items) {
    if (items.length === 0) return '';
    const { cells, strings } = this.#list;
    const order = this.#order;
    let position = this.positionOf(items) + 1;
    /** @type {string | null | undefined} */
    let before = order.at(position - 1 + items.length);
    let section = order.sectionIDOf(order.at(position - 1));
    if (order.sectionIDOf(before) !== section) before = null;
    if (!this.#inPlace && this.intent) {
      ({ before, section } = this.intent);
      const { after } = this.intent;
      const near = order.indexOf(before ?? after);
      const at = before !== null ? near : after !== null ? near + 1 : order.sections.find(({ id }) => id === section)?.start ?? 0;
      // Only items that stay count before the gap.
      position = restBefore(items, order, at) + 1;
    }
    const name = before == null ? null : cells.labelOf(before);
    const isNamed = order.sections.length > 1;
    return strings[kind](this.what(items), position, order.count, name, items.length, isNamed ? strings.section(String(section)) : '');
  }

  /**
   * @param {'grabbed' | 'dropped'} kind
   * @param {Items} [items]
   */
  #say(kind, items) {
    this.#list.announcer.say(this.#sentence(kind, items));
  }
}
