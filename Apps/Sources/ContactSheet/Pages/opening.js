// Photos that are opened over their list: the page's address and title follow the one that is shown, and an address opens its photo.

import { UNREACHABLE } from './api.js';
import { EarlyKeys } from './early-keys.js';
import { attempt, onDemand } from './later.js';
import { PhotoAddress } from './photo-address.js';
import { ScrollKeeper } from './scroll-keeper.js';
import { toast } from './toasts.js';

/** @typedef {import('./photo-cell.js').Photo} Photo */
/** @typedef {import('../../../../Packaging/live-list/live-list.js').LiveList<any>} List */

const NEAR = 20; // photos that are fetched on each side of one that is opened by its address

export class Opening {
  /** Gives the viewer as soon as it is fetched. */
  viewer;
  #dialog;
  #list;
  #page;
  #address;
  #keys = new EarlyKeys();

  /**
   * @param {HTMLDialogElement} dialog
   * @param {List} list
   * @param {import('./viewer-tools.js').Actions} actions what can be done with a photo that is open
   * @param {{ title: () => string, name: string, arrival?: () => unknown }} page its title while no photo is open; what a
   *   message calls it (“the trash”); and what is waited for before an address opens its photo
   */
  constructor(dialog, list, actions, page) {
    this.#dialog = dialog;
    this.#list = list;
    this.#page = page;
    this.viewer = onDemand('viewer', ({ Viewer }) => new Viewer(dialog, list, actions, (id, index) => this.#shown(id, index)));
    this.#address = new PhotoAddress((id, index) => (id === null ? attempt(() => this.close()) : this.#openAt(id, index)));
    this.#arrive(new ScrollKeeper(list));
    // What opens a photo may be handled only when the list has the part for it. Once that is here the photo is open, or about to be.
    for (const type of ['click', 'keydown']) list.addEventListener(type, (event) => this.#takeEarly(/** @type {MouseEvent | KeyboardEvent} */ (event)));
  }

  /** @param {MouseEvent | KeyboardEvent} event */
  #takeEarly(event) {
    const target = /** @type {Element} */ (event.target);
    const isMeant = event instanceof KeyboardEvent ? event.key === 'Enter' && target.matches('[role=gridcell]') : target.closest('[data-live-list-link]');
    const isOther = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || this.#list.editing;
    const isEarly = !('complete' in document.body.dataset) && !this.#isHandled;
    if (isMeant && !isOther && isEarly && !this.#dialog.open) this.#keys.begin();
    this.#isHandled = false;
  }

  /** Whether the event that is dispatched now has opened a photo already. */
  #isHandled = false;

  /** @param {string} id */
  open(id) {
    this.#isHandled = true;
    queueMicrotask(() => (this.#isHandled = false));
    this.#keys.begin();
    return attempt(async () => {
      try {
        (await this.viewer()).open(id);
        this.#keys.give(this.#dialog);
      } finally {
        this.#keys.end();
      }
    });
  }

  async close() {
    if (this.#dialog.open) (await this.viewer(false)).close();
  }

  /**
   * Goes to the photo or position that the page was opened or reloaded with, before anything of it is painted.
   * @param {ScrollKeeper} scrolling
   */
  #arrive(scrolling) {
    const arrive = () => {
      if (!this.#list.isLoaded) return;
      this.#list.removeEventListener('live-list-change', arrive);
      scrolling.restore();
      const { id, index } = this.#address.current;
      if (id !== null) this.#openAt(id, index);
    };
    this.#list.addEventListener('live-list-change', arrive);
  }

  /**
   * Remembers the photo that is open now; null for none.
   * @param {string | null} id
   * @param {number} [index]
   */
  #shown(id, index) {
    this.#address.show(id, index);
    const title = id !== null && this.#list.contentOf(id)?.title;
    document.title = `${title ? `${title} – ` : ''}${this.#page.title()} – ContactSheet`;
  }

  /**
   * Opens the photo of an address, of which only its position may be known.
   * @param {string} id
   * @param {number} index
   */
  #openAt(id, index) {
    const list = this.#list;
    return attempt(async () => {
      await this.#page.arrival?.();
      const at = list.indexOf(id) >= 0 ? list.indexOf(id) : index;
      if (!list.contentOf(id)) {
        await list.load(Math.max(0, at - NEAR), Math.min(list.count, at + NEAR)).catch(() => {
          throw new Error(UNREACHABLE);
        });
      }
      const viewer = await this.viewer(false);
      // The user may have gone on meanwhile.
      if (this.#address.current.id !== id) return;
      if (list.contentOf(id)) {
        viewer.open(id);
        return;
      }
      viewer.close();
      this.#address.show(null);
      toast(`That photo is not in ${this.#page.name} any more.`);
    });
  }
}
