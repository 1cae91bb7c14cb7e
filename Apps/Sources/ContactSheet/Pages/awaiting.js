// Says that the list shown is not yet the one that was asked for: the server has not answered another query, or other sections.

const LATE = 500; // ms

/** @typedef {import('../../../../Packaging/live-list/live-list.js').LiveList} LiveList */

/** @param {LiveList} list */
const epochOf = (list) => (list.version ?? '').split('.')[0];

export class Awaiting {
  /** @type {string | null} what is shown instead of the count; null when there is nothing to wait for */
  text = null;
  #list;
  #onChange;
  /** @type {string | null} */
  #epoch = null;
  #timer = 0;

  /**
   * @param {LiveList} list
   * @param {() => void} onChange called when there is another text
   */
  constructor(list, onChange) {
    this.#list = list;
    this.#onChange = onChange;
    list.addEventListener('live-list-change', () => epochOf(list) !== this.#epoch && this.#end());
    list.addEventListener('live-list-state', ({ detail: { state } }) => (state === 'connected' ? this.#end() : this.#show()));
  }

  /** Waits for another list than the present one. */
  other() {
    const epoch = epochOf(this.#list);
    return new Promise((/** @type {(value?: unknown) => void} */ done) => this.#list.addEventListener('live-list-change', () => epochOf(this.#list) !== epoch && done()));
  }

  /** Begins when another list is asked for. */
  begin() {
    if (!this.#list.isLoaded) return;
    this.#end();
    this.#epoch = epochOf(this.#list);
    this.#timer = setTimeout(() => this.#show(), LATE);
  }

  #show() {
    if (this.#epoch === null) return;
    const isLost = this.#list.dataset.state === 'reconnecting';
    const before = this.text;
    this.text = isLost ? 'Waiting for the server…' : 'Loading…';
    if (this.text === before) return;
    document.body.classList.add('awaiting');
    if (isLost) this.#list.announce('The server cannot be reached. What you asked for is shown when it is back.');
    this.#onChange();
  }

  #end() {
    if (this.#epoch === null) return;
    this.#epoch = null;
    clearTimeout(this.#timer);
    document.body.classList.remove('awaiting');
    if (this.text === null) return;
    this.text = null;
    this.#onChange();
  }
}
