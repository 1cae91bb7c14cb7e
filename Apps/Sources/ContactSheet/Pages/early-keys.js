// Keys that are pressed while a photo is about to open: they are meant for it, and are kept until it is there.

const KEYS = /^(Arrow(Left|Right|Up|Down)|Page(Up|Down)|Home|End|Delete|Backspace|[-+=0i ])$/;
const RECENT = 10_000; // ms after which a photo that has not opened is no longer waited for

export class EarlyKeys {
  /** @type {KeyboardEvent[]} */
  #kept = [];
  /** Since when keys are kept; 0: they are not. */
  #since = 0;

  /** A photo is about to open. */
  begin() {
    if (this.#since) return;
    this.#since = Date.now();
    addEventListener('keydown', this.#keep, { capture: true });
    addEventListener('pointerdown', this.end, { capture: true });
  }

  /** Does without the keys. */
  end = () => {
    this.#since = 0;
    this.#kept = [];
    removeEventListener('keydown', this.#keep, { capture: true });
    removeEventListener('pointerdown', this.end, { capture: true });
  };

  /**
   * The photo is open: it gets the keys.
   * @param {EventTarget} viewer
   */
  give(viewer) {
    const kept = this.#kept;
    this.end();
    for (const event of kept) viewer.dispatchEvent(new KeyboardEvent(event.type, event));
  }

  /** @param {KeyboardEvent} event */
  #keep = (event) => {
    if (event.key === 'Escape' || event.key === 'Tab' || Date.now() - this.#since > RECENT) this.end();
    if (!this.#since || event.ctrlKey || event.metaKey || event.altKey || !KEYS.test(event.key) || document.querySelector('dialog:modal')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#kept.push(event);
  };
}
