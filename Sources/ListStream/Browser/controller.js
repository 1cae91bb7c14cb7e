// Holds the parts of one list together: events come in here, and go on to the part that knows.

import { Announcer } from './announcer.js';
import { Later } from './later.js';
import { ListModel } from './model.js';
import { Selection } from './selection.js';
import { Stream, addressOf } from './stream.js';
import { addStyles } from './styles.js';
import { View } from './view.js';
import { english } from './strings.js';
import { uuid } from './uuid.js';

/** What stands for the parts that move things, as long as they are not there. */
const idle = {
  ids: [], isLifted: false, isActive: false, has: () => false, handle() {}, check() {}, cancel() {}, abandon() {}, follow() {}, end() {}, close() {},
};

/** The parts that not every list needs, each by a name that is written out, so that bundlers find them. */
const sources = {
  diagnostics: () => import('./diagnostics.js'),
  elsewhere: () => import('./elsewhere.js'),
  everything: () => import('./everything.js'),
  hints: () => import('./hints.js'),
  keyboard: () => import('./keyboard.js'),
  motion: () => import('./motion.js'),
  ranges: () => import('./ranges.js'),
  reordering: () => import('./reordering.js'),
  sending: () => import('./sending.js'),
};

/** Returns what a mutation is about, an array of ids or `Everything`. @throws {TypeError} if it is neither, or empty */
function seen(ids) {
  const isRight = Array.isArray(ids) ? ids.every((id) => typeof id === 'string') : ids?.toJSON;
  if (isRight && ids.length > 0) return ids;
  throw new TypeError(`live-list: not an array of ids: ${JSON.stringify(ids)}`);
}

export class Controller {
  model = new ListModel();
  announcer = new Announcer();
  mover = idle;
  drag = idle;
  keyMoves = idle;
  menu = idle;
  moveMode = idle;
  strings = english;
  settings = {};
  activeID = null;
  /** The flat position that the focus goes to when the item there is known; null if it is where it should be. */
  goal = null;
  /** Ids of items that the page wants to keep, though nobody may have seen them for long. */
  kept = [];
  /** The number of mutations that wait to be saved since a request failed. */
  waiting = 0;
  #parts = new Later((name, again) => {
    const other = `./${name}.js${again}`;
    // In a bundle there is no file of that name.
    return again ? import(/* @vite-ignore */ /* webpackIgnore: true */ other).catch(sources[name]) : sources[name]();
  }, (missing, isFailure) => this.tell('live-list-missing', { missing, isFailure }));
  #ranges = null;
  #stream = null;
  #observer = null;
  #unsent = [];
  #Everything = null;

  constructor(host) {
    this.host = host;
    this.selection = new Selection(() => this.model.order, () => this.#selectionChanged());
    this.view = new View(host, this.model, {
      draw: (row) => this.#draw(row),
      discard: (row) => row.id !== null && this.ask(row.id, () => this.settings.renderer?.discard?.(row.cell)),
      headed: () => this.settings.headers === true,
      onShown: () => this.model.sparse && this.#withRanges((ranges) => ranges.want()),
      kept: () => new Set([this.activeID, this.mover.ids[0]].filter((id) => id != null)),
    });
    host.addEventListener('keydown', (event) => this.withKeyboard((keyboard) => keyboard.take(event)));
    host.addEventListener('contextmenu', (event) => this.withKeyboard((keyboard) => keyboard.askForMenu(event)));
    host.addEventListener('scroll', () => this.measured('scroll', () => this.view.scrolled()), { passive: true });
    host.addEventListener('click', (event) => this.withKeyboard((keyboard) => keyboard.click(event)));
    host.addEventListener('focusin', (event) => this.withKeyboard((keyboard) => keyboard.focused(event)));
  }

  connect() {
    this.announcer.connect();
    this.view.mount();
    this.#observer = new ResizeObserver(() => this.view.resized());
    this.#observer.observe(this.host);
    this.view.resized();
    this.prepare();
    // By then a frame should have come.
    setTimeout(() => this.model.loaded || this.diagnose('stream'), 5_000);
  }

  disconnect() {
    this.#observer?.disconnect();
    this.drag.cancel();
    this.moveMode.cancel();
    this.menu.close();
    this.announcer.disconnect();
    this.listen(null);
  }

  /** Follows the stream at a URL; null stops. */
  async listen(url) {
    this.#stream?.stop();
    this.#ranges?.stop();
    const isAddress = addressOf(url) !== null;
    if (url !== null && !isAddress) this.diagnose('address', 'src');
    const stream = !isAddress ? null : new Stream(url, {
      version: () => this.model.version,
      window: () => (this.settings.items ? this.view.window : null),
      onFrame: (frame) => this.receive(frame),
      onState: (state) => this.#stateChanged(state),
      onBrief: () => this.diagnose('brief'),
    });
    this.#stream = stream;
    const { streams } = this.settings;
    if (streams && !addressOf(streams)) this.diagnose('address', 'streams');
    if (stream && addressOf(streams)) {
      // Where it can't be fetched the list has a stream of its own.
      const shared = await import('./shared.js').catch(() => null);
      if (shared) stream.connect = (source) => shared.connect(streams, source, () => this.model.version);
    }
    if (this.#stream === stream) stream?.start();
  }

  // What comes from the server

  receive(frame) {
    this.measured('frame', () => {
      const before = this.model.message;
      this.view.scrolled(); // so that what is seen now can stay where it is
      const { outcome, isWrong, reason, change } = this.model.receive(frame);
      if (isWrong) this.diagnose('frame', { frame, reason });
      if (outcome === 'resync' && this.#stream) this.#stream.resync();
      if (outcome === 'unsupported') {
        this.diagnose('format', { frame });
        this.listen(null);
        this.#stateChanged('outdated');
      }
      if (this.model.message !== before) this.tell('live-list-failure', { message: this.model.message });
      if (change) this.#changed(change);
      if (change?.initial) this.#part('hints', ({ look }) => look, (look) => look(this, frame));
    });
    this.#ranges?.framed();
  }

  #changed({ initial, own, isNew, updated, reloaded, moved, inserted, deleted, others }) {
    const restoreFocus = this.#rememberFocus();
    this.mover.check();
    if (!this.mover.isLifted) this.drag.abandon();
    if (!this.mover.isLifted) this.moveMode.end();
    this.view.update({
      isNew, stale: updated, fresh: new Set(reloaded), anchored: !own, animated: !initial,
    });
    if (!updated && this.selection.isInverted) {
      // Nobody knows what has arrived while frames were missed: that was not meant to be selected.
      this.selection.set([]);
      this.announcer.say(this.strings.selected(0));
    }
    this.selection.follow(this.model.sparse ? deleted : undefined, inserted);
    if (!own) this.flash(moved);
    restoreFocus();
    if (!own && !initial && !this.mover.isLifted && inserted.length + deleted.length + moved.length > 0) {
      this.withElsewhere((elsewhere) => elsewhere.add({ inserted, deleted, moved }, others));
    }
    this.countChanged();
    if (!initial) return;
    // What is not needed before the list is shown.
    this.#part('motion', ({ Motion }) => (this.view.motion = new Motion(this.view.layer)));
    this.withKeyboard();
    if (this.goal !== null) this.focusAt(this.goal);
  }

  /** Takes note of what the list has now: how many items, and which of them can be reached by Tab. */
  countChanged() {
    const { count } = this.model.order;
    if (count > 0 && !this.view.viewport) this.diagnose('height');
    this.#seeToTabStop();
    this.host.toggleAttribute('data-empty', this.model.loaded && count === 0);
    this.host.setAttribute('role', count > 0 ? 'grid' : 'group'); // a grid without rows is none
    this.decorate();
    this.tell('live-list-change', { count });
  }

  #stateChanged(state) {
    const { dataset } = this.host;
    if (dataset.state !== state) {
      // That a list is connected is said if it was not for a while.
      if (state !== 'connected' || dataset.state) this.announcer.say(this.strings[state]);
      dataset.state = state;
    }
    if (state === 'connected') {
      this.#parts.retry();
      if (this.#unsent.length > 0 || this.#parts.get('sending') || this.settings.outbox) this.#flush();
      this.#ranges?.start();
    } else this.#parts.get('sending')?.lost();
    this.tell('live-list-state', { state });
  }

  // What the user does

  /**
   * Shows an act and sends it.
   * @param ids an array, or `Everything`
   * @param send `{url, body}`, what is posted where instead of by the URL of its kind, or `(act id) => Promise`
   * @param label what the page wants to know again when it is told of the act
   * @returns the act's id, or null if the page did not allow it, or none of the items is in the list
   */
  act(kind, { ids, after = null, before = null, section, send: sendBy, label }) {
    this.model.try(null);
    const { order, loaded, sparse } = this.model;
    if (Array.isArray(seen(ids)) && loaded && !sparse) {
      const known = ids.filter((id) => order.has(id));
      if (known.length < ids.length) this.diagnose('unknown', kind);
      if (known.length === 0) return null;
      ids = known;
    }
    const act = { act: uuid(), kind, ids, after, before, section, label };
    const own = { [Array.isArray(ids) ? 'ids' : 'all']: ids, ...(kind === 'move' && { after, before, section }) };
    const { url = this.settings[`${kind}s`], body = own } = sendBy ?? {};
    // What is plain JSON can be sent by another page, if this one is closed before it could be.
    let request = { about: { url, body: { ...body, act: act.act }, kind, label } };
    if (typeof sendBy === 'function') request = { send: () => sendBy(act.act) };
    const detail = { ...act, respondWith: (by) => (request = { answer: { by } }) };
    const isAllowed = this.tell(kind === 'move' ? 'live-list-reorder' : 'live-list-delete', detail, true);
    if (isAllowed) this.#show({ ...act, send: sendBy }, request);
    else this.view.update();
    return isAllowed ? act.act : null;
  }

  /** Sends something that belongs in the order of the acts. */
  enqueue(send) {
    return new Promise((resolve, reject) => {
      const request = send.url ? { about: send } : { send };
      this.#send({ act: uuid(), ...request, promise: { resolve, reject } });
    });
  }

  #send(request) {
    this.#unsent.push(request);
    this.#flush();
  }

  /** Sends what is to be sent, now rather than later. What it takes for that may have to be fetched itself. */
  #flush() {
    this.#part('sending', ({ Sending }) => new Sending(this), (sending) => {
      for (const one of this.#unsent.splice(0)) sending.add(one);
      sending.connected();
    });
  }

  #show(act, request) {
    const restoreFocus = this.#rememberFocus();
    // It travels while it is shown.
    this.#send({ of: act, ...request });
    this.measured('act', () => {
      this.model.add(act);
      this.view.update();
    });
    if (act.kind === 'delete') this.selection.follow(act.ids);
    restoreFocus();
    this.countChanged();
    act.focus = restoreFocus;
  }

  /** True if the list is the server's, as far as can be known. */
  get isConnected() {
    const { state } = this.host.dataset;
    return this.#stream ? state === 'connected' : state !== 'outdated';
  }

  /** Returns the control in a cell that a click is on, if any; a link to the item is none. */
  isControl(target) {
    return target.closest('button, a[href]:not([data-live-list-link]), input, select, textarea');
  }

  /** Writes to the console, once, what keeps the list from being shown. */
  diagnose(kind, detail) {
    this.#part('diagnostics', ({ diagnose }) => diagnose, (diagnose) => diagnose(this, kind, detail));
  }

  // Parts that not every list needs.

  startMoving(ids) {
    seen(ids);
    this.withReordering(() => this.moveMode.start(ids));
  }

  /** What is done with an item is done with the selection that it is part of. */
  takenWith(id) {
    return this.selection.has(id) ? this.selected : [id];
  }

  /** The selection, for acts: ids in list order, or `Everything` but some. */
  get selected() {
    const { selection, model } = this;
    if (!selection.isInverted) return selection.inOrder;
    return new this.#Everything(() => model.order, model.version, selection.ids);
  }

  /** Fetches what a list needs whose items can be moved. */
  prepare() {
    if (this.canReorder) this.withReordering(() => {}, false);
    if (this.canReorder || this.settings.outbox) this.#flush();
  }

  withReordering(work, isActed = true) {
    this.#part('reordering', ({ Reordering }) => new Reordering(this, this.host), () => {
      addStyles('reordering', this.host);
      work();
    }, isActed);
  }

  /** Uses what announces changes from elsewhere, and is told of the page's own. */
  withElsewhere(work) {
    this.#part('elsewhere', ({ Elsewhere }) => new Elsewhere(this), work);
  }

  withKeyboard(work) {
    this.#part('keyboard', ({ Keyboard }) => (this.keyboard = new Keyboard(this)), work, true);
  }

  #withRanges(work) {
    if (this.#ranges) work(this.#ranges);
    else this.#part('ranges', ({ Ranges }) => (this.#ranges = new Ranges(this)), work);
  }

  /**
   * Uses a part: at once if it is here, or when it has been fetched. What a user asks for of one that cannot be fetched is given up,
   * and said (`live-list-missing`); what is not a user's act waits.
   */
  async #part(name, make, use = () => {}, isActed = false) {
    const part = this.#parts.get(name) ?? (await this.#parts.want(name, make, !isActed).catch(() => {}));
    if (part) use(part);
  }

  // Rows of long lists that are still to come

  /** Calls back when everything shown at positions is known, at once if it is; `otherwise` when it can't be had. */
  known(from, to, then, otherwise = () => {}, idsAlone = false) {
    const know = (ranges) => ranges.know(from, to, then, otherwise, idsAlone);
    if (this.model.sparse) this.#withRanges(know);
    else then();
  }

  rowsArrived(ids) {
    this.measured('rows', () => {
      this.view.update({ stale: new Set(ids), animated: false });
      this.#seeToTabStop();
      this.decorate();
      this.drag.follow();
    });
    this.tell('live-list-rows', {});
  }

  /** Brings the focus to a flat position, when the item there is known; then calls back with its id. */
  focusAt(index, then = () => {}) {
    const { loaded, order } = this.model;
    this.goal = loaded && !(Number.isInteger(index) && index >= 0 && index < order.count) ? null : index;
    // What is asked for before the first frame is done with that.
    if (!loaded || this.goal === null) return;
    this.view.revealAt(index);
    this.known(index, index + 1, () => {
      const id = this.model.order.at(index);
      if (this.goal !== index || id === undefined) return;
      then(id);
      this.focusItem(id);
    });
  }

  selectAll(then = () => {}) {
    const all = () => {
      this.selection.all(this.model.sparse);
      then();
    };
    if (this.model.sparse) this.#part('everything', ({ Everything }) => (this.#Everything = Everything), all, true);
    else all();
  }

  /** One item can always be reached by Tab: that which had the focus, or the first that is known. */
  #seeToTabStop() {
    const { order } = this.model;
    if (order.has(this.activeID)) return;
    this.activeID = order.at(0) ?? [...this.view.rows].find(({ id }) => id !== null)?.id ?? null;
  }

  get canReorder() {
    return this.settings.reorder === true;
  }

  get canSelect() {
    return this.settings.selectable === true;
  }

  labelOf(id) {
    const content = this.model.content.get(id);
    return this.ask(id, () => this.settings.label?.(content)) || content?.[this.settings.labelKey] || this.strings.item;
  }

  // Focus: one tab stop, which follows

  focusItem(id) {
    this.goal = null;
    this.setActive(id);
    this.view.reveal(id);
    this.view.rows.get(id)?.cell.focus({ preventScroll: true });
  }

  /** Makes an item the one that is reached by Tab. */
  setActive(id) {
    if (this.activeID === id) return;
    const before = this.view.rows.get(this.activeID);
    if (before) before.cell.tabIndex = -1;
    this.activeID = id;
    const now = this.view.rows.get(id);
    if (now) now.cell.tabIndex = 0;
  }

  /**
   * Remembers where the focus is. @returns what brings it back after a change: when the item has another node, to that; when it
   * is gone, to the one that took its place; and when none is left, to the list, until one comes. Its `id` is that of the item,
   * `next` that of the item that has the focus then: null for none. While that one is not known its position is the `goal`
   */
  #rememberFocus() {
    const { host, view } = this;
    const row = view.rows.rowOf(host.getRootNode().activeElement);
    const { id = null, index = 0 } = row ?? {};
    if (id === null && !host.matches('[data-empty]:focus')) return () => {};
    const restore = () => {
      const { order } = this.model;
      const now = view.rows.get(id);
      if (order.has(id)) {
        if (now !== row) now?.cell.focus({ preventScroll: true });
        return;
      }
      restore.next = null;
      restore.goal = Math.min(index, order.count - 1);
      if (order.count > 0) this.focusAt(restore.goal, (next) => (restore.next = next));
      else {
        host.tabIndex = -1;
        host.focus({ preventScroll: true });
      }
    };
    return Object.assign(restore, { id, next: id });
  }

  // Drawing

  #draw(row) {
    if (row.isWaiting) return;
    const { node, cell, index } = row;
    const { renderer, headerRenderer } = this.settings;
    node.removeAttribute('data-ll-failed');
    if (row.id === null) {
      const { id, count } = this.view.layout.sections[row.section];
      if (headerRenderer) this.ask(id, () => headerRenderer(cell, { id, count }), node);
      else cell.textContent = id;
      return;
    }
    this.ask(row.id, () => renderer?.draw(cell, this.model.content.get(row.id), { id: row.id, index }), node);
    this.#decorate(row);
  }

  /** Returns what a function of the page's answers about an item; what it throws concerns that item alone, and its `node`. */
  ask(id, question, node, kind = 'renderer') {
    try {
      return question();
    } catch (error) {
      node?.toggleAttribute('data-ll-failed', true);
      this.diagnose(kind, { id, error });
      return undefined;
    }
  }

  /** Shows on every row what is not content: selection, lifting, the tab stop. */
  decorate() {
    for (const row of this.view.rows) if (row.id !== null) this.#decorate(row);
  }

  #decorate({ id, node, cell }) {
    cell.tabIndex = id === this.activeID ? 0 : -1;
    const isSelected = this.selection.has(id);
    if (this.canSelect) cell.ariaSelected = String(isSelected);
    else cell.ariaSelected = null;
    node.classList.toggle('ll-selected', isSelected);
    node.classList.toggle('ll-lifted', this.mover.has(id));
  }

  flash(ids) {
    for (const id of ids) {
      const row = this.view.rows.get(id);
      if (row) this.view.motion.flash(row);
    }
  }

  redraw() {
    const restoreFocus = this.#rememberFocus();
    this.view.redraw();
    this.decorate();
    this.#parts.get('hints')?.(this);
    restoreFocus();
  }

  #selectionChanged() {
    this.decorate();
    this.tell('live-list-selection', { count: this.selection.size });
  }

  /** Sends an event from the element. @returns whether it was not prevented */
  tell(type, detail, cancelable = false) {
    return this.host.dispatchEvent(new CustomEvent(type, { detail, cancelable, bubbles: true }));
  }

  /** Runs work, and notes how long its script took if the page asked for that. */
  measured(name, work) {
    if (!this.settings.onMeasure) {
      work();
      return;
    }
    const start = performance.now();
    work();
    this.settings.onMeasure(name, performance.now() - start);
  }
}
