// One move in the making, by whatever means: lifted, tried out at places, dropped or returned.
// Drag, keyboard, menu and tap-to-place all end here, so there is one way a move is shown, said and sent.

export class Mover {
  #list;
  #ids = null;
  #own = new Set();
  #intent = null;
  #inPlace = true;

  constructor(list) {
    this.#list = list;
  }

  get isLifted() {
    return this.#ids !== null;
  }

  /** What is being moved, in list order: an array of ids, or `Everything` but some. */
  get ids() {
    return this.#ids ?? [];
  }

  has(id) {
    return this.#own.has(id);
  }

  get intent() {
    return this.#intent;
  }

  /**
   * Lifts items: an array of ids, or `Everything` but some. `inPlace`: the list makes room at each place that is tried; otherwise only `intent` says it.
   */
  lift(ids, { inPlace = true, silent = false } = {}) {
    this.#ids = ids;
    this.#own = Array.isArray(ids) ? new Set(ids) : ids;
    this.#intent = null;
    this.#inPlace = inPlace;
    this.#list.decorate();
    if (!silent) this.#say('grabbed');
  }

  /** Tries the place before or after the item that is shown at a flat position. @returns whether it is another */
  tryBeside(index, after) {
    const id = this.#order.at(index);
    if (id === undefined || this.#own.has(id)) return false;
    return this.#try(this.#beside(index, after));
  }

  /** Tries an empty section. */
  tryIn(section) {
    return this.#try({ after: null, before: null, section });
  }

  /** Tries the place at which the first moved item has this flat position. */
  tryAt(position) {
    const order = this.#order;
    const rest = order.count - this.#ids.length;
    if (rest <= 0) return false;
    const at = Math.min(Math.max(0, position), rest);
    const index = this.#restIndex(Math.min(at, rest - 1));
    return this.#try(this.#beside(index, at === rest));
  }

  /** The same, when its neighbours are known; then `done` is called, unless the move is over. */
  placeAt(position, done) {
    const rest = this.#order.count - this.#ids.length;
    if (rest <= 0) return;
    const ids = this.#ids;
    const index = this.#restIndex(Math.min(Math.max(0, position), rest - 1));
    const place = () => {
      if (this.#ids !== ids) return;
      this.tryAt(position);
      done();
    };
    this.#list.known(index - 1, index + 2, place);
  }

  /** How many items stay in each section. */
  get rests() {
    const order = this.#order;
    const moved = this.#ids.map((id) => order.placeOf(id)?.[0]);
    return order.sections.map(({ count }, s) => count - moved.filter((one) => one === s).length);
  }

  /** Tries the nth gap of a section, as `placeAt` does; an empty section has one. */
  placeIn(s, n, done) {
    const { rests } = this;
    if (rests[s] === 0) {
      this.tryIn(this.#order.sections[s].id);
      done();
      return;
    }
    const ids = this.#ids;
    const index = this.#restIndex(rests.slice(0, s).reduce((sum, count) => sum + count, Math.min(n, rests[s] - 1)));
    this.#list.known(index - 1, index + 2, () => {
      if (this.#ids !== ids) return;
      this.tryBeside(index, n === rests[s]);
      done();
    });
  }

  /** The flat position of the first moved item, as shown. */
  get position() {
    return this.#ids.first ?? this.#order.indexOf(this.#ids[0]);
  }

  /** Lets go: what was tried last becomes an act, if it moves anything. */
  drop({ silent = false } = {}) {
    const ids = this.#ids;
    const intent = this.#intent;
    const moves = intent !== null && (!this.#inPlace || this.#changes());
    this.#end();
    if (moves) this.#list.act('move', { ids, ...intent });
    else this.#show(null);
    if (!silent) this.#say('dropped', ids);
  }

  /** Everything returns; no request is made. */
  cancel(text) {
    if (!this.isLifted) return;
    const what = this.#what();
    this.#end();
    this.#show(null);
    this.#list.announcer.say(text ?? this.#list.strings.returned(what));
  }

  /** After a change from elsewhere: deleted items leave the move; a move of nothing is over. */
  check() {
    if (!this.isLifted) return;
    const isArray = Array.isArray(this.#ids);
    const ids = isArray ? this.#ids.filter((id) => this.#order.has(id)) : this.#ids;
    if (ids.isStale) this.cancel();
    if (isArray ? ids.length === this.#ids.length : ids.length > 0) return;
    if (ids.length === 0) {
      this.cancel(this.#list.strings.gone);
      return;
    }
    this.#ids = ids;
    this.#own = new Set(ids);
    if (this.#intent && this.#inPlace) this.#list.model.try({ ids, ...this.#intent });
  }

  get #order() {
    return this.#list.model.order;
  }

  #end() {
    this.#ids = null;
    this.#own = new Set();
    this.#intent = null;
  }

  #changes() {
    const { edits, under } = this.#list.model.tentative ?? {};
    // What cannot be shown may change something.
    if (under === this.#order) return true;
    return edits?.items.moved?.some(([, s, i, s2, i2]) => s !== s2 || i !== i2);
  }

  #try(intent) {
    if (JSON.stringify(this.#intent) === JSON.stringify(intent)) return false;
    this.#intent = intent;
    if (this.#inPlace) this.#show({ ids: this.#ids, ...intent });
    this.#list.announcer.trail(() => this.#sentence('at'));
    return true;
  }

  /** Shows a place that is being tried out; null gives it up. */
  #show(intent) {
    const list = this.#list;
    list.measured('try', () => {
      list.model.try(intent);
      list.view.update();
      list.decorate();
    });
  }

  /** The neighbours of a gap beside a shown item, those being moved not counted, within one section. */
  #beside(index, after) {
    const order = this.#order;
    const id = order.at(index);
    const section = order.sectionIDOf(id);
    let n = index;
    const step = after ? 1 : -1;
    const rest = this.#ids.restIn?.(order);
    if (rest) n = rest[rest.indexOf(index) + step] ?? -1;
    else {
      do n += step;
      while (n >= 0 && n < order.count && this.#own.has(order.at(n)));
    }
    const next = n < 0 ? undefined : order.at(n);
    const other = next !== undefined && order.sectionIDOf(next) === section ? next : null;
    return after ? { after: id, before: other, section } : { after: other, before: id, section };
  }

  /** The flat position of the nth item of those that are not being moved. */
  #restIndex(n) {
    const order = this.#order;
    const rest = this.#ids.restIn?.(order);
    if (rest) return rest[n];
    const positions = this.#ids.map((id) => order.indexOf(id)).sort((a, b) => a - b);
    let index = n;
    for (const position of positions) {
      if (position > index) break;
      index++;
    }
    return index;
  }

  #what(ids = this.#ids) {
    return ids.length === 1 ? this.#list.labelOf(ids[0]) : this.#list.strings.items(ids.length);
  }

  #sentence(kind, ids = this.#ids) {
    if (!ids || ids.length === 0) return '';
    const order = this.#order;
    let position = (ids.first ?? order.indexOf(ids[0])) + 1;
    let before = order.at(position - 1 + ids.length);
    let section = order.sectionIDOf(order.at(position - 1));
    if (order.sectionIDOf(before) !== section) before = null;
    if (!this.#inPlace && this.#intent) {
      ({ before, section } = this.#intent);
      const { after } = this.#intent;
      const near = order.indexOf(before ?? after);
      const at = before !== null ? near : after !== null ? near + 1 : order.sections.find(({ id }) => id === section).start;
      const isBefore = (one) => one < at;
      // Of those before the place, the ones that stay.
      const staying = ids.restIn?.(order).filter(isBefore).length;
      position = (staying ?? at - ids.map((id) => order.indexOf(id)).filter(isBefore).length) + 1;
    }
    const { strings } = this.#list;
    const name = before == null ? null : this.#list.labelOf(before);
    const isNamed = order.sections.length > 1;
    return strings[kind](this.#what(ids), position, order.count, name, ids.length, isNamed ? strings.section(section) : '');
  }

  #say(kind, ids) {
    this.#list.announcer.say(this.#sentence(kind, ids));
  }
}
