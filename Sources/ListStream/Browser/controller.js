// Holds the parts of one list together, and passes events on to the part that handles them.

import { Mutations } from './mutations.js';
import { Items } from './model/items.js';
import { ListModel } from './model/model.js';
import { Selection } from './model/selection.js';
import { Stream, addressOf } from './network/stream.js';
import { Parts } from './parts.js';
import { LATE } from './reach.js';
import { addStyles } from './styles.js';
import { english } from './strings.js';
import { Announcer } from './view/announcer.js';
import { Cells } from './view/cells.js';
import { isUsed } from './view/early.js';
import { Focus } from './view/focus.js';
import { View } from './view/view.js';

/** @typedef {import('./model/frames.js').Content} Content */

/**
 * Settings of the page, by attributes and properties.
 * @typedef {object} Settings
 * @property {string} labelKey
 * @property {boolean} [reorder]
 * @property {boolean} [selectable]
 * @property {boolean} [editing]
 * @property {boolean} [headers]
 * @property {string | null} [moves]
 * @property {string | null} [deletes]
 * @property {string | null} [items]
 * @property {string | null} [streams]
 * @property {string | null} [outbox]
 * @property {import('../../../Packaging/live-list/live-list.js').LiveListRenderer<Content>} [renderer]
 * @property {(cell: HTMLElement, section: { id: string, count: number }) => void} [headerRenderer]
 * @property {(content: Content | undefined) => string} [label]
 * @property {(ids: import('./model/items.js').PageItems) => unknown} [menuItems]
 * @property {(name: string, milliseconds: number) => void} [onMeasure]
 */

/**
 * All texts: those of strings.js, and of the parts that are fetched later.
 * @typedef {typeof english & typeof import('./moving/move-strings.js').english & typeof import('./network/sending.js').english
 *   & typeof import('./view/elsewhere.js').english} Strings
 */

export class Controller {
  host;
  model = new ListModel();
  announcer = new Announcer();
  parts = new Parts(this);
  strings = /** @type {Strings} */ ({ ...english });
  /** @type {Settings} */
  settings = { labelKey: 'title' };
  /** @type {import('./reordering.js').Reordering | null} the part that moves things, when it is there */
  moving = null;
  /** @type {Cells} */
  cells = new Cells(this);
  focus = new Focus(this);
  mutations = new Mutations(this);
  /** @type {string[]} ids of items that the page wants to keep, though nobody may have seen them for long */
  kept = [];
  /** @type {{ [type: string]: PointerEvent }} the last of each kind, for parts that come later (view/press.js) */
  press = {};
  /** @type {Stream | null} */
  #stream = null;
  #observer = new ResizeObserver(() => this.view.resized());

  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    this.selection = new Selection(() => this.model.order, () => this.#selectionChanged());
    /** @type {View} */
    this.view = new View(host, this.model, this.cells, {
      headed: () => this.settings.headers === true,
      onShown: () => this.model.sparse && this.parts.use('long-lists/ranges', (ranges) => ranges.want()),
      kept: () => new Set([this.focus.id, this.moving?.items.ids[0]]),
    });
    host.addEventListener('scroll', () => this.measured('scroll', () => this.view.scrolled()), { passive: true });
    for (const type of ['keydown', 'contextmenu', 'click', 'focusin']) {
      host.addEventListener(type, (event) => {
        const target = /** @type {Element} */ (event.target);
        const row = /** @type {import('./view/keyboard.js').ItemRow | undefined} */ (this.view.rows.rowOf(target));
        const id = row?.id;
        if (!id || (event.defaultPrevented && type !== 'click')) return;
        // Only now can the default action be prevented.
        if (!this.parts.made['view/keyboard'] && isUsed(event, target, row.cell, this.settings)) event.preventDefault();
        let isLate = false;
        this.parts.use('view/keyboard', (keyboard) => keyboard.take(event, target, row, id, isLate), true);
        isLate = true;
      });
    }
  }

  /** Notes a press, also where it ends beside the list, and fetches what a mouse needs that comes here. */
  #note = (/** @type {PointerEvent} */ event) => {
    this.press[event.type] = event;
    if (!this.parts.made['view/marquee'] && this.host.contains(/** @type {Node} */ (event.target)) && event.pointerType !== 'touch')
      this.parts.use('view/marquee');
  };

  /** @param {typeof addEventListener | typeof removeEventListener} change */
  #notePresses(change) {
    for (const type of ['move', 'down', 'up']) change(`pointer${type}`, /** @type {any} */ (this.#note));
  }

  connect() {
    this.#notePresses(addEventListener);
    this.announcer.connect();
    this.view.mount();
    this.#observer.observe(this.host);
    this.view.resized();
    this.prepare();
    // A frame should have come by then.
    setTimeout(() => this.model.loaded || this.diagnose('stream'), 5_000);
  }

  disconnect() {
    this.#notePresses(removeEventListener);
    this.#observer.disconnect();
    this.moving?.stop();
    this.announcer.disconnect();
    this.listen(null);
  }

  /**
   * Follows the stream at a URL; null stops.
   * @param {string | null} url
   */
  async listen(url) {
    this.#stream?.stop();
    this.parts.made['long-lists/ranges']?.stop();
    const stream = addressOf(url) && new Stream(/** @type {string} */ (url), {
      version: () => this.model.version,
      window: () => (this.settings.items ? this.view.window : null),
      onFrame: (frame) => this.receive(frame),
      onState: (state) => this.#stateChanged(state),
      onBrief: () => this.diagnose('brief'),
    });
    if (url !== null && !stream) this.diagnose('address', 'src');
    this.#stream = stream;
    const { streams } = this.settings;
    if (streams && !addressOf(streams)) this.diagnose('address', 'streams');
    else if (stream && streams) {
      // If the module can't be fetched, or is late, the list opens a stream of its own.
      const shared = await Promise.race([import('./network/shared.js').catch(() => null), new Promise((/** @type {(none?: null) => void} */ done) => setTimeout(done, LATE))]);
      if (shared) stream.connect = (source) => shared.connect(streams, source, () => this.model.version);
    }
    if (this.#stream === stream) stream?.start();
  }

  // What comes from the server

  /** @param {import('./model/frames.js').Frame} frame what should be one */
  receive(frame) {
    this.measured('frame', () => {
      const before = this.model.message;
      this.view.scrolled(); // notes what is visible, so that it can stay where it is
      const { outcome, isWrong, reason, change } = this.model.receive(frame);
      if (isWrong) this.diagnose('frame', { frame, reason });
      if (outcome === 'resync' && this.#stream) this.#stream.resync();
      if (outcome === 'unsupported') {
        this.diagnose('format', { frame });
        this.listen(null);
        this.#stateChanged('outdated');
      }
      if (this.model.message !== before) this.dispatch('live-list-failure', { message: this.model.message });
      if (change) this.#changed(change);
      if (change?.initial) this.parts.use('view/hints', (look) => look(frame));
    });
    this.parts.made['long-lists/ranges']?.framed();
  }

  /** @param {import('./model/model.js').Change} change */
  #changed(change) {
    const { initial, own, isNew, updated, reloaded, moved, inserted, deleted } = change;
    const restoreFocus = this.focus.remember();
    this.moving?.changed();
    this.view.update({
      isNew, stale: updated, fresh: new Set(reloaded), anchored: !own, animated: !initial,
    });
    if (!updated && this.selection.isInverted) {
      // Items may have arrived while frames were missed: they were not meant to be selected.
      this.selection.set([]);
      this.announcer.say(this.strings.selected(0));
    }
    this.selection.follow(this.model.sparse ? deleted : undefined, inserted);
    if (!own) this.view.motion.flash(moved);
    restoreFocus();
    if (!own && !initial && !this.moving?.isActive && inserted.length + deleted.length + moved.length) {
      this.parts.use('view/elsewhere', (elsewhere) => elsewhere.add(change));
    }
    this.countChanged();
    if (!initial) return;
    // What is not needed before the list is shown.
    this.parts.use('view/motion');
    this.parts.use('view/keyboard');
    const { goal } = this.focus;
    if (goal !== null) this.focus.toIndex(goal);
  }

  /** Updates what depends on the items: their count, and which of them Tab reaches. */
  countChanged() {
    const { count } = this.model.order;
    if (count && !this.view.viewport) this.diagnose('height');
    this.focus.seeToTabStop();
    this.host.toggleAttribute('data-empty', this.model.loaded && count === 0);
    this.host.setAttribute('role', count ? 'grid' : 'group'); // ARIA knows no grid without rows
    this.cells.decorate();
    this.dispatch('live-list-change', { count });
  }

  /** @param {'connected' | 'reconnecting' | 'outdated'} state */
  #stateChanged(state) {
    const { dataset } = this.host;
    const isConnected = state === 'connected';
    if (dataset.state !== state) {
      // The first connection is not announced.
      if (!isConnected || dataset.state) this.announcer.say(this.strings[state]);
      dataset.state = state;
    }
    this.mutations.heard(isConnected);
    if (isConnected) {
      this.parts.made['long-lists/ranges']?.start();
      this.parts.retry();
      // Style sheets may have been lost, too.
      addStyles('live-list', this.host);
      if (this.settings.reorder) this.withMoving();
    }
    this.dispatch('live-list-state', { state });
  }

  /** Whether the list is up to date, as far as can be known. */
  get isConnected() {
    const { state } = this.host.dataset;
    return this.#stream ? state === 'connected' : state !== 'outdated';
  }

  // What the parts use of each other

  /** Fetches what a list needs whose items can be moved. */
  prepare() {
    const { reorder, outbox } = this.settings;
    if (reorder) this.withMoving();
    if (reorder || outbox) this.mutations.flush();
  }

  /** @param {(moving: import('./reordering.js').Reordering) => void} [work] a wish of the user */
  withMoving = (work) => {
    this.parts.use('reordering', (moving) => {
      addStyles('reordering', this.host);
      work?.(moving);
    }, !!work);
  };

  /**
   * Calls `then` when everything shown at positions is known, at once if it is; `otherwise` if it can't be fetched.
   * @param {number} from
   * @param {number} to
   * @param {() => void} then
   * @param {(reason?: unknown) => void} [otherwise]
   * @param {boolean} [idsAlone] whether contents do not matter
   */
  known = (from, to, then, otherwise, idsAlone) => {
    if (this.model.sparse) this.parts.use('long-lists/ranges', (ranges) => ranges.know(from, to, then, otherwise, idsAlone));
    else then();
  };

  /**
   * Shows rows of a long list that have come.
   * @param {string[]} ids
   */
  rowsArrived(ids) {
    this.measured('rows', () => {
      this.view.update({ stale: new Set(ids), animated: false });
      this.focus.seeToTabStop();
      this.cells.decorate();
      this.moving?.follow();
    });
    this.dispatch('live-list-rows', {});
  }

  // The selection

  /** The selection, for mutations. @returns {Items} */
  get selected() {
    const { selection } = this;
    if (!selection.isInverted) return new Items(selection.inOrder);
    return /** @type {() => Items} */ (this.parts.made['long-lists/all-except'])();
  }

  /**
   * The items that an operation on an item is about: the selection that it is part of, or else it alone.
   * @param {string} id
   */
  takenWith = (id) => (this.selection.has(id) ? this.selected : new Items([id]));

  selectAll(then = () => {}) {
    const { sparse, order } = this.model;
    const all = () => {
      this.selection.set(sparse ? [] : /** @type {string[]} */ (order.slice(0, order.count)), sparse);
      then();
    };
    if (sparse) this.parts.use('long-lists/all-except', all, true);
    else all();
  }

  #selectionChanged() {
    this.cells.decorate();
    this.dispatch('live-list-selection', { count: this.selection.size });
  }

  redraw() {
    const restoreFocus = this.focus.remember();
    this.view.redraw();
    this.cells.decorate();
    this.parts.made['view/hints']?.();
    restoreFocus();
  }

  /**
   * Sends an event from the element. @returns whether it was not prevented
   * @param {string} type
   * @param {object} detail
   */
  dispatch = (type, detail, cancelable = false) => this.host.dispatchEvent(new CustomEvent(type, { detail, cancelable, bubbles: true }));

  /**
   * Writes to the console, once, what keeps the list from being shown.
   * @param {string} kind
   * @param {unknown} [detail]
   */
  diagnose = (kind, detail) => {
    this.parts.use('diagnostics', (diagnose) => diagnose(kind, detail), true);
  };

  /**
   * Runs work, and notes how long its script took if the page asked for that.
   * @param {string} name
   * @param {() => void} work
   */
  measured = (name, work) => {
    const start = performance.now();
    work();
    this.settings.onMeasure?.(name, performance.now() - start);
  };
}
