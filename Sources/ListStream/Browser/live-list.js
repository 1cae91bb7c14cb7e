// <live-list>: a list that a server keeps right, as a custom element. See Documentation/LiveListElement.md.

import { Controller } from './controller.js';
import { Items } from './model/items.js';
import { addStyles } from './styles.js';

/** @typedef {import('./model/frames.js').Content} Content */
/** @typedef {import('./controller.js').Settings} Settings */
/** @typedef {import('./mutations.js').WantedMutation} WantedMutation */
/** @typedef {import('./network/sending.js').Post} Post */

const flags = ['reorder', 'selectable', 'editing', 'headers'];
const values = ['moves', 'deletes', 'items', 'streams', 'outbox', 'label-key'];

// On a server that renders pages there is no HTMLElement: the module can be imported there, but does nothing.
class List extends /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? Object) {
  static observedAttributes = ['src', ...flags, ...values];

  #controller = new Controller(this);
  /** Whether it is connected: attributes of an element that is older than this script are reported before that. */
  #isHere = false;

  connectedCallback() {
    addStyles('live-list', this);
    // Properties that the page set before this script was there hide the element's own.
    for (const key of /** @type {(keyof this)[]} */ (Object.keys(this))) {
      const value = this[key];
      if (properties(key)?.set && delete this[key]) this[key] = value;
    }
    const template = this.#useTemplate();
    // Content for pages without scripts is removed.
    for (const child of [...this.childNodes]) if (child !== template) child.remove();
    this.setAttribute('role', this.count ? 'grid' : 'group');
    this.#isHere = true;
    this.#controller.connect();
    if (this.hasAttribute('src')) this.#controller.listen(this.getAttribute('src'));
  }

  #useTemplate() {
    /** @type {HTMLTemplateElement | null} */
    const template = this.querySelector(':scope > template');
    if (template && !this.renderer) this.#controller.parts.use('view/template', (rendererOf) => (this.renderer ??= rendererOf(template)));
    return template;
  }

  disconnectedCallback() {
    this.#isHere = false;
    this.#controller.disconnect();
  }

  /**
   * @param {string} name
   * @param {string | null} before
   * @param {string | null} value
   */
  attributeChangedCallback(name, before, value) {
    if (before === value) return;
    const settings = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (this.#controller.settings));
    if (name === 'src') {
      if (this.#isHere) this.#controller.listen(value);
      return;
    }
    const key = name === 'label-key' ? 'labelKey' : name;
    settings[key] = flags.includes(name) ? value !== null : value;
    if (!this.#isHere) return;
    if (name === 'headers') this.#controller.redraw();
    if (name === 'reorder' || name === 'outbox') this.#controller.prepare();
    else this.#controller.cells.decorate();
  }

  /**
   * Draws a cell: a function `(cell, content, {id, index})`, or `{draw, discard}`. It is called with the same cell
   * again when the content has changed, and may be called with a cell that another item was drawn in.
   */
  get renderer() {
    return this.#controller.settings.renderer;
  }

  set renderer(renderer) {
    this.#controller.settings.renderer = typeof renderer === 'function' ? { draw: renderer } : renderer;
    if (this.#isHere) this.#controller.redraw();
  }

  /**
   * Draws the header of a section: `(cell, {id, count})`.
   * @param {Settings['headerRenderer']} draw
   */
  set headerRenderer(draw) {
    this.#controller.settings.headerRenderer = draw;
    if (this.#isHere) this.#controller.redraw();
  }

  /**
   * The name of an item for people: `(content) => string`. Without it, the member `label-key` of the content.
   * @param {Settings['label']} label
   */
  set label(label) {
    this.#controller.settings.label = label;
  }

  /**
   * The page's own entries of an item's menu: `(ids) => [{label, action, isDestructive, isDisabled}, null, …]`.
   * @param {Settings['menuItems']} items
   */
  set menuItems(items) {
    this.#controller.settings.menuItems = items;
  }

  /**
   * Replaces texts, for another language: see strings.js.
   * @param {Partial<import('./controller.js').Strings>} strings
   */
  set strings(strings) {
    Object.assign(this.#controller.strings, strings);
  }

  /**
   * Called with the name and the script time in ms of each piece of work, for measuring.
   * @param {Settings['onMeasure']} callback
   */
  set onMeasure(callback) {
    this.#controller.settings.onMeasure = callback;
  }

  get count() {
    return this.#controller.model.order.count;
  }

  /** Whether a first snapshot has come. */
  get isLoaded() {
    return this.#controller.model.loaded;
  }

  /**
   * Whether the item at a position is here with its content: of a long list only a part is.
   * @param {number} index
   */
  isKnown(index) {
    const { model } = this.#controller;
    return model.knows(model.order.at(index));
  }

  /** The ids at positions `from ..< to`, as shown; `undefined` for those of a long list that are not known. */
  ids(from = 0, to = this.count) {
    return this.#controller.model.order.slice(from, to);
  }

  /**
   * Fetches what is not known of the rows at positions `from ..< to` of a long list.
   * @param {number} from
   * @param {number} to
   * @param {{ idsAlone?: boolean }} options `idsAlone`: contents do not matter
   * @returns a promise: it resolves when they are known, and rejects when they can't be had
   */
  load(from, to, { idsAlone = false } = {}) {
    return new Promise((/** @type {(value?: unknown) => void} */ done, fail) => this.#controller.known(from, to, done, fail, idsAlone));
  }

  /** @param {string} id */
  indexOf(id) {
    return this.#controller.model.order.indexOf(id);
  }

  /** @param {string} id */
  contentOf(id) {
    return this.#controller.model.content.get(id);
  }

  /** The version of the list that was received last: `epoch.seq`. */
  get version() {
    return this.#controller.model.version;
  }

  /** The mutations that are shown but not confirmed yet. */
  get pending() {
    return this.#controller.model.pending.map(({ mutationID, kind, ids, accepted: isAccepted = false }) => ({ act: mutationID, kind, ids, isAccepted }));
  }

  /** The number of mutations that wait to be saved since a request failed. */
  get waiting() {
    return this.#controller.mutations.waiting;
  }

  /**
   * The selected ids, in list order; of a long list of which everything is selected, those that are known.
   * @type {string[]}
   */
  get selection() {
    return this.#controller.selection.inOrder;
  }

  set selection(ids) {
    this.#controller.selection.set(ids);
  }

  /** How many items are selected. */
  get selectionCount() {
    return this.#controller.selection.size;
  }

  /**
   * The selection as mutations take it: ids in list order. Of a long list everything, or everything but some, is an
   * `AllExcept` instead (all-except.js), with a `length`, `has(id)`, and as JSON `{version, except}`.
   */
  get selected() {
    return this.#controller.selected.ids;
  }

  selectAll() {
    this.#controller.selectAll();
  }

  /**
   * Ids of items that a long list retains, although they have not been seen for long.
   * @param {string[]} ids
   */
  set kept(ids) {
    this.#controller.kept = ids;
  }

  /**
   * Takes in a frame that came by another way than `src`.
   * @param {import('./model/frames.js').Frame} frame what should be one
   */
  receive(frame) {
    this.#controller.receive(frame);
  }

  /**
   * Moves items to follow `after` or precede `before`: shown at once, sent to the server, taken back if refused.
   * @param {unknown} ids
   * @param {import('./model/items.js').Destination} destination
   */
  move(ids, { after, before, section } = {}) {
    return this.#controller.mutations.do('move', { ids, after, before, section });
  }

  /**
   * Deletes items: shown at once, sent to the server, taken back if refused.
   * @param {unknown} ids
   * @param {Pick<WantedMutation, 'send' | 'label'>} options `send` is for what takes items out of this list in another way: `{url, body}`, what is posted where besides the
   *   `act`; or `(mutationID) => Promise`, which may be called again, throws a `Refusal` (outbox.js) if it is no use to try
   *   again, and cannot be kept beyond the page; `label` is anything, and comes back in the events of this mutation
   */
  delete(ids, { send, label } = {}) {
    return this.#controller.mutations.do('delete', { ids, send, label });
  }

  /**
   * Sends something in the order of the mutations, again and again until it is answered or refused.
   * @param {Post | import('./network/sending.js').Send} send `{url, body}` with an `act`, which can be kept beyond the page, or `(post) => Promise`
   */
  enqueue(send) {
    return this.#controller.mutations.enqueue(send);
  }

  /**
   * Takes note of what the page itself sends without the list's help, so that it is not announced as a change from elsewhere.
   * @param {string[] | Promise<string[]>} ids the ids of mutations (`act`), or of items that are inserted or deleted, or a promise of them
   */
  own(ids) {
    // Failures are handled at once: the part may have to be fetched first.
    const answer = Promise.resolve(ids).catch(() => /** @type {string[]} */ ([]));
    this.#controller.parts.use('view/elsewhere', (elsewhere) => elsewhere.own(answer));
  }

  /**
   * Lets the user choose a position for items with single taps or the keyboard.
   * @param {unknown} ids
   */
  startMoving(ids) {
    const items = Items.of(ids);
    this.#controller.withMoving(({ mode }) => mode.start(items));
  }

  /**
   * Brings an item into view.
   * @param {string} id
   */
  reveal(id) {
    this.#controller.view.reveal(id);
  }

  /**
   * Brings an item into view and gives it the focus.
   * @param {string} id
   */
  focusItem(id) {
    this.#controller.focus.to(id);
  }

  /**
   * The same for the item at a position, which may have to be fetched first in a long list. Waits for the first frame; a position that
   * is not in the list is ignored.
   * @param {number} index
   */
  focusIndex(index) {
    this.#controller.focus.toIndex(index);
  }

  /**
   * Says something in the list's live region.
   * @param {string} text
   */
  announce(text) {
    this.#controller.announcer.say(text);
  }

  /** Draws everything again; without a renderer, by a template that was added since. */
  redraw() {
    this.#useTemplate();
    this.#controller.redraw();
  }

  /**
   * Reads the metrics anew, which the page has changed, and lays the rows out by them. The item at a point of the screen stays there;
   * without a point, the visible item with the focus, or else the first one.
   * @param {{ x: number, y: number }} [point]
   */
  invalidateLayout(point) {
    this.#controller.parts.use('view/relayout', (relayout) => relayout(point));
  }

  /** Counts of rows that are mounted and known, of contents, and of DOM operations since the list began. */
  get statistics() {
    const { view: { rows }, model } = this.#controller;
    return { mounted: rows.size, known: model.order.knownCount, contents: model.content.size, ...rows.counts };
  }
}

/** @param {PropertyKey} key */
const properties = (key) => Object.getOwnPropertyDescriptor(List.prototype, key);

for (const name of List.observedAttributes) {
  const isFlag = flags.includes(name);
  Object.defineProperty(List.prototype, name === 'label-key' ? 'labelKey' : name, {
    configurable: true,
    enumerable: true,
    /** @this {HTMLElement} */
    get() {
      const value = this.getAttribute(name);
      return isFlag ? value !== null : value;
    },
    /**
     * @this {HTMLElement}
     * @param {any} value whatever the page has set
     */
    set(value) {
      // Frameworks set a flag to the empty string to switch it on.
      if (value === '' || (isFlag ? value : value != null)) this.setAttribute(name, isFlag ? '' : value);
      else this.removeAttribute(name);
    },
  });
}

const { customElements } = globalThis;
const first = customElements?.get('live-list');
if (first) console.warn('live-list: a second copy of the element is on this page; the first one is used.');
else customElements?.define('live-list', List);

/** The element's class: that of the first copy on the page, where there are several. */
export const LiveList = first ?? List;
