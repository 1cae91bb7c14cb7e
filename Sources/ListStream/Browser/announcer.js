// Says what happens to those who cannot see it, in one polite live region for all lists of the page.

const TRAIL = 120; // ms that a position waits for the next one
const ELSEWHERE = 5_000; // ms between two reports of changes from elsewhere
const QUIET = 1_000; // ms that such a report leaves to what was said before

let region = null;

export class Announcer {
  #timer = 0;
  #elsewhere = null;
  #elsewhereTimer = 0;
  #saidAt = -Infinity;
  #reportedAt = -Infinity;

  /** Makes the region, so that it is there before it speaks. */
  connect() {
    if (region?.isConnected) return;
    region = document.createElement('div');
    region.className = 'll-status';
    region.setAttribute('role', 'status');
    document.body.append(region);
  }

  /** Says something at once; what was about to be said is not. */
  say(text) {
    clearTimeout(this.#timer);
    this.connect();
    this.#saidAt = Date.now();
    // The same words twice are a change only if something else was there in between.
    region.textContent = region.textContent === text ? `${text}\u00a0` : text;
  }

  /** Says where something is, when it rests. */
  trail(text) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.say(text()), TRAIL);
  }

  /** Gathers changes from elsewhere and says what they come to, seldom. */
  elsewhere(counts, text) {
    this.#elsewhere ??= { inserted: 0, deleted: 0, moved: 0 };
    for (const name in counts) this.#elsewhere[name] += counts[name];
    if (!this.#elsewhereTimer) this.#report(text);
  }

  #report(text) {
    const now = Date.now();
    const due = Math.max(this.#reportedAt + ELSEWHERE, this.#saidAt + QUIET);
    if (due > now) {
      this.#elsewhereTimer = setTimeout(() => this.#report(text), due - now);
      return;
    }
    this.#elsewhereTimer = 0;
    this.#reportedAt = now;
    this.say(text(this.#elsewhere));
    this.#elsewhere = null;
  }

  disconnect() {
    clearTimeout(this.#timer);
    clearTimeout(this.#elsewhereTimer);
    this.#elsewhereTimer = 0;
  }
}
