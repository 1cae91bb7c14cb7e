// Announces what happens for screen readers, in one polite live region for all lists of the page.

/** @type {HTMLElement | null} */
let region = null;

export class Announcer {
  /** The timer of what is about to be said. */
  soon = 0;
  saidAt = -Infinity;

  /** Makes the region, so that it is there before it speaks. */
  connect() {
    if (region?.isConnected) return;
    region = document.createElement('div');
    region.className = 'll-status';
    region.setAttribute('role', 'status');
    document.body.append(region);
  }

  /**
   * Says something at once, instead of what was about to be said.
   * @param {string} text
   */
  say(text) {
    clearTimeout(this.soon);
    this.connect();
    this.saidAt = Date.now();
    // The same words twice are a change only if something else was there in between.
    if (region) region.textContent = region.textContent === text ? `${text}\u00a0` : text;
  }

  disconnect() {
    clearTimeout(this.soon);
  }
}
