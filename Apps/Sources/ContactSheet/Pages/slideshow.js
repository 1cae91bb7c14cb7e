// Goes from photo to photo by itself, until it is stopped or there is no other.

import { isMotionReduced } from './morph.js';

const PAUSE = 4_000; // ms for which a photo is shown once it is sharp

export class Slideshow {
  #dialog;
  #announce;
  #advance;
  #canRun;
  #isRunning = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #turn = 0; // counts the photos that were shown

  /**
   * @param {HTMLDialogElement} dialog
   * @param {(text: string) => void} announce
   * @param {() => boolean} advance shows the next photo; false where there is none
   * @param {() => boolean} canRun whether there are several photos
   */
  constructor(dialog, announce, advance, canRun) {
    this.#dialog = dialog;
    this.#announce = announce;
    this.#advance = advance;
    this.#canRun = canRun;
  }

  toggle() {
    if (this.#isRunning) this.stop();
    else this.#start();
  }

  stop() {
    if (!this.#isRunning) return;
    this.#set(false);
    this.#announce('Slideshow stopped.');
  }

  /**
   * Takes note of a photo that is shown.
   * @param {Promise<void>} [sharp]
   */
  async shown(sharp) {
    if (!this.#isRunning) return;
    clearTimeout(this.#timer);
    const turn = ++this.#turn;
    await sharp;
    if (this.#isRunning && this.#turn === turn) this.#timer = setTimeout(() => this.#go(), PAUSE);
  }

  #start() {
    if (!this.#canRun()) {
      this.#announce('There is no other photo.');
      return;
    }
    this.#set(true);
    this.#announce('Slideshow started.');
    this.#timer = setTimeout(() => this.#go(), PAUSE);
  }

  #go() {
    if (!this.#advance()) this.stop();
  }

  /** @param {boolean} isRunning */
  #set(isRunning) {
    this.#isRunning = isRunning;
    clearTimeout(this.#timer);
    this.#turn += 1;
    this.#dialog.classList.toggle('playing', isRunning && !isMotionReduced());
    const button = this.#dialog.querySelector('.play');
    if (button) button.ariaPressed = String(isRunning);
  }
}
