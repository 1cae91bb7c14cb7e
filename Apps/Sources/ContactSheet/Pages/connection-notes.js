// Shows what the bar says of the connection and of unsaved changes over an open photo, too, which hides the bar.

import { element } from './elements.js';

export class ConnectionNotes {
  #notes = ['connection', 'unsaved'].map((id) => /** @type {HTMLElement} */ (document.getElementById(id)));
  #inBar = document.createComment('');
  #overPhoto = element('div', { className: 'notes' });

  /** @param {HTMLElement} viewer */
  constructor(viewer) {
    this.#notes[0].before(this.#inBar);
    viewer.append(this.#overPhoto);
  }

  moveOverPhoto() {
    this.#overPhoto.append(...this.#notes);
  }

  moveBack() {
    this.#inBar.after(...this.#notes);
  }
}
