// Holds one stream open for all lists of a browser: Documentation/Frames.md, 4.2. It runs where all tabs can reach it
// (shared-worker.js), or in one of them (shared.js). No DOM here.
//
// A tab asks for a list by `want` and gives it up by `drop`; every want has an id of its own, to which its events are sent.
// When the set of lists changes the stream is opened anew, each list from the version that it has: that is cheap.

import { MAXIMUM_WAIT, MINIMUM_WAIT, SILENCE, STEADY, patienceWith } from './stream.js';

/** The time in ms between two signs of life, from the hub to its tabs and from each tab to the hub. */
export const PULSE = 4_000;
/** The time in ms after which a silent tab is forgotten. It asks again if it lives. */
const GONE = 30_000;
const GATHERING = 20; // ms to wait for wants that come together
const TRIMMING = 3_000; // ms after which a list that nobody wants is left out of the stream

/** @typedef {{ tab: string, url: string, since: string | null }} Want a list that a tab wants */
/** @typedef {{ want: string, url: string, since: string | null }} Asked */

/**
 * A message of a tab: `want` with `url` and `since`, `drop`, `here`, `gone` or `wake`.
 * @typedef {{ want?: string, url?: string, since?: string | null, drop?: string, here?: boolean, gone?: boolean, wake?: string }} ToHub
 */

/**
 * A message to a tab: `{ids, data}` an event of lists, `{ids, error}` that they have ended, `{alive}`, `{lost}`, `{pulse}`, and `{unknown}` to one whose
 * wants are not known.
 * @typedef {{ ids?: string[], data?: string, error?: string, alive?: string, lost?: boolean, pulse?: boolean, unknown?: boolean }} ToTab
 */

export class Hub {
  #address;
  #send;
  /** @type {Map<string, Want>} the lists that tabs want, by the id of the want */
  #wants = new Map();
  /** @type {Set<Want>} the wants that the stream was opened with */
  #asked = new Set();
  /** @type {Map<string, number>} the time at which each tab was heard last */
  #tabs = new Map();
  /** @type {EventSource | null} */
  #source = null;
  #wait = MINIMUM_WAIT;
  #silence = SILENCE;
  #timers = { open: 0, silence: 0, pulse: 0 };
  /** The time at which the stream will be opened; infinite when that is not planned. */
  #due = Infinity;
  #isLost = false;
  #heardAt = 0;
  /** The time at which the present stream was heard first; 0 if it was not yet. */
  #since = 0;

  /**
   * @param {string} address of the server's stream of several lists
   * @param {(tab: string, message: ToTab) => void} send
   */
  constructor(address, send) {
    this.#address = address;
    this.#send = send;
  }

  /**
   * Takes a message of a tab.
   * @param {string} tab
   * @param {ToHub} message
   */
  receive(tab, message) {
    if (message.gone) {
      this.#forget(tab);
      return;
    }
    const isNew = !this.#tabs.has(tab);
    this.#tabs.set(tab, Date.now());
    // The tab may have been forgotten, and have more wants than this.
    if (isNew) this.#send(tab, { unknown: true });
    if (message.want) this.#want(tab, /** @type {ToHub & Asked} */ (message), isNew);
    if (message.drop && this.#wants.delete(message.drop)) this.#trim();
    if (message.wake) this.#wake(message.wake);
    this.#beat();
  }

  /** Forgets all tabs and closes the stream. */
  close() {
    this.#wants.clear();
    this.#tabs.clear();
    this.#close();
    clearInterval(this.#timers.pulse);
  }

  /**
   * @param {string} tab
   * @param {ToHub & Asked} message
   * @param {boolean} isNew
   */
  #want(tab, { want, url, since }, isNew) {
    const known = this.#wants.get(want);
    if (known?.url === url && known.since === since) return;
    this.#wants.set(want, { tab, url, since });
    if (!this.#isLost) this.#open(GATHERING);
    // A new page was sent by the server: so the server is back.
    else if (isNew) this.#wake('online');
    else this.#send(tab, { lost: true });
  }

  /** @param {string} tab */
  #forget(tab) {
    this.#tabs.delete(tab);
    for (const [id, want] of this.#wants) if (want.tab === tab) this.#wants.delete(id);
    this.#trim();
  }

  #trim() {
    if (this.#wants.size === 0) this.#close();
    else if (!this.#isLost) this.#open(TRIMMING);
  }

  /** @param {string} reason */
  #wake(reason) {
    const isHeard = this.#source && !this.#isLost && Date.now() - this.#heardAt < this.#silence;
    if (isHeard && reason !== 'offline') return;
    this.#wait = MINIMUM_WAIT;
    this.#open(0);
  }

  #beat() {
    this.#timers.pulse ||= setInterval(() => {
      for (const [tab, heardAt] of this.#tabs) if (Date.now() - heardAt > GONE) this.#forget(tab);
      this.#broadcast({ pulse: true });
    }, PULSE);
    if (this.#tabs.size > 0) return;
    clearInterval(this.#timers.pulse);
    this.#timers.pulse = 0;
  }

  /** @param {ToTab} message */
  #broadcast(message) {
    for (const tab of this.#tabs.keys()) this.#send(tab, message);
  }

  /**
   * Opens the stream after `wait`, or sooner if that is planned already.
   * @param {number} wait
   */
  #open(wait) {
    if (this.#wants.size === 0) return;
    const due = Date.now() + wait;
    if (due > this.#due) return;
    clearTimeout(this.#timers.open);
    this.#due = due;
    this.#timers.open = setTimeout(() => this.#connect(), wait);
  }

  #close() {
    this.#source?.close();
    this.#source = null;
    this.#since = 0;
    clearTimeout(this.#timers.open);
    clearTimeout(this.#timers.silence);
    this.#due = Infinity;
    this.#isLost = false;
  }

  #connect() {
    const isLost = this.#isLost;
    this.#close();
    this.#isLost = isLost;
    /** @type {Map<string, Set<string>>} */
    const lists = new Map();
    this.#asked = new Set(this.#wants.values());
    for (const [id, { url, since }] of this.#wants) {
      const address = since ? `${url}${url.includes('?') ? '&' : '?'}since=${since}` : url;
      lists.set(address, (lists.get(address) ?? new Set()).add(id));
    }
    const address = new URL(this.#address, location.href);
    for (const list of lists.keys()) address.searchParams.append('list', list);
    const source = (this.#source = new EventSource(String(address)));
    [...lists.values()].forEach((ids, index) => {
      source.addEventListener(String(index), (event) => this.#take([...ids].filter((id) => this.#wants.has(id)), event));
    });
    source.addEventListener('alive', (/** @type {MessageEvent} */ { data }) => {
      this.#silence = patienceWith(data);
      this.#heard();
      this.#broadcast({ alive: data });
    });
    source.onerror = () => this.#lose();
    this.#listen();
  }

  /**
   * @param {string[]} ids
   * @param {MessageEvent} event
   */
  #take(ids, { data, lastEventId }) {
    this.#heard();
    const error = data.startsWith('{"error"');
    const isFrame = data.startsWith('{') && !error;
    // A failure has no version: its `lastEventId` is that of an earlier event.
    const hasVersion = isFrame && (data.length > 4_000 || !/"kind":\s*"failure"/.test(data));
    /** @type {Map<string, string[]>} */
    const tabs = new Map();
    for (const id of ids) {
      const want = /** @type {Want} */ (this.#wants.get(id));
      if (hasVersion) want.since = lastEventId;
      if (error) this.#wants.delete(id);
      tabs.set(want.tab, [...(tabs.get(want.tab) ?? []), id]);
    }
    for (const [tab, own] of tabs) {
      if (error) this.#send(tab, { ids: own, error: data });
      else if (isFrame) this.#send(tab, { ids: own, data });
      else this.#send(tab, { ids: own, alive: data });
    }
    if (this.#wants.size === 0) this.#close();
  }

  #heard() {
    this.#heardAt = Date.now();
    this.#since ||= this.#heardAt;
    this.#listen();
    if (!this.#isLost) return;
    this.#isLost = false;
    // A list that was asked for while the stream was being opened is not in it.
    if ([...this.#wants.values()].some((want) => !this.#asked.has(want))) this.#open(GATHERING);
  }

  #listen() {
    clearTimeout(this.#timers.silence);
    this.#timers.silence = setTimeout(() => this.#lose(0), this.#silence);
  }

  /** @param {number} [wait] */
  #lose(wait) {
    // Only a stream that lasted resets the waits.
    if (this.#since && Date.now() - this.#since >= STEADY) this.#wait = MINIMUM_WAIT;
    wait ??= this.#wait * (0.7 + 0.6 * Math.random());
    this.#close();
    this.#isLost = true;
    this.#broadcast({ lost: true });
    this.#wait = Math.min(this.#wait * 2, MAXIMUM_WAIT);
    this.#open(wait);
  }
}
