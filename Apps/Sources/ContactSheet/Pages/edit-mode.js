// Edit mode: photos are selected with single taps, and something is done with the selection.

import { numbers } from './api.js';

/** @param {string} id */
const byID = (id) => /** @type {HTMLButtonElement} */ (document.getElementById(id));

/** @typedef {(ids: import('../../../../Packaging/live-list/live-list.js').LiveListItems) => unknown} Action of a long album `ids` may be everything but some */

export class EditMode {
  #list;
  #toolbar = byID('actions');

  /**
   * @param {import('../../../../Packaging/live-list/live-list.js').LiveList} list
   * @param {Record<string, Action>} actions by the ids of their buttons in the toolbar
   */
  constructor(list, actions) {
    this.#list = list;
    byID('done').addEventListener('click', () => this.end());
    byID('select-all').addEventListener('click', () => {
      if (list.selectionCount === list.count) list.selection = [];
      else list.selectAll();
    });
    for (const [id, action] of Object.entries(actions)) {
      byID(id).hidden = false;
      byID(id).addEventListener('click', () => action(list.selected));
    }
    list.addEventListener('live-list-selection', () => this.#show());
    list.addEventListener('live-list-change', ({ detail: { count } }) => {
      if (count === 0 && this.isActive) this.end();
      else this.#show();
    });
    addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.isActive || event.defaultPrevented) return;
      if (document.querySelector('dialog[open], .ll-menu, .ll-bar, .ll-preview')) return;
      this.end();
    });
  }

  get isActive() {
    return this.#list.hasAttribute('editing');
  }

  start() {
    this.#list.setAttribute('editing', '');
    document.body.classList.add('editing');
    this.#showControls(true);
    byID('done').focus();
  }

  end() {
    this.#list.removeAttribute('editing');
    this.#list.selection = [];
    document.body.classList.remove('editing');
    this.#showControls(false);
    (byID('select').disabled ? (byID('add') ?? byID('empty-trash')) : byID('select')).focus();
  }

  /** @param {boolean} isEditing */
  #showControls(isEditing) {
    for (const id of ['select-all', 'done']) byID(id).hidden = !isEditing;
    this.#toolbar.hidden = !isEditing;
    this.#show();
  }

  #show() {
    if (!this.isActive) {
      byID('title').textContent = document.body.dataset.title ?? '';
      return;
    }
    const { selectionCount } = this.#list;
    byID('title').textContent = selectionCount === 0 ? 'Select photos' : `${numbers.format(selectionCount)} selected`;
    byID('select-all').textContent = selectionCount === this.#list.count ? 'Select none' : 'Select all';
    // A button that is disabled loses the focus.
    if (selectionCount === 0 && this.#toolbar.contains(document.activeElement)) byID('done').focus();
    for (const button of this.#toolbar.querySelectorAll('button')) button.disabled = selectionCount === 0;
  }
}
