// Holds a stream of frames open, for ever: resumes where it left off, waits longer after each failure, and reopens when it
// was silent for too long, when the page is shown again, or the network comes or goes.

export const SILENCE = 12_000; // ms, until the server says how often it is heard
const UNTOLD = 40_000; // ms, of a server that does not say
const MISSED = 2_400; // ms of silence for each second between two heartbeats
export const MINIMUM_WAIT = 500;
export const MAXIMUM_WAIT = 60_000;
const PATIENCE = 500; // before "Reconnecting…" is said
/** The time in ms after which a stream has lasted: it resets the waits. */
export const STEADY = 2_000;
const MANY = 3; // streams in a row that did not hold
// A hidden page gives its connection up: browsers allow six to a server, for all tabs together.
const UNSEEN = 20_000;

/**
 * For how many ms a server may be silent. `data` of its heartbeats says the seconds between two of them, or 1.
 * @param {number} data
 */
export const patienceWith = (data) => (data > 1 ? data * MISSED : UNTOLD);

/**
 * Returns the URL that an attribute of the page names; null if it is missing, empty or malformed.
 * @param {string | null | undefined} text
 */
export function addressOf(text) {
  try {
    return text ? new URL(text, document.baseURI) : null;
  } catch {
    return null;
  }
}

/**
 * A source of events: an `EventSource`, or something like it (shared.js).
 * @typedef {object} Source
 * @property {(() => unknown) | null} [onopen]
 * @property {((event: { data: string }) => unknown) | null} onmessage
 * @property {(() => unknown) | null} onerror
 * @property {(() => void) | null} [onlost]
 * @property {(type: string, listener: (event: Alive) => void) => void} addEventListener
 * @property {() => void} close
 */

/** @typedef {{ data: number, shared?: boolean }} Alive a heartbeat, and whether it is not of this list alone */

/**
 * The reader of a stream.
 * @typedef {object} Reader
 * @property {() => string | null} version what to resume from
 * @property {() => string | null} window the rows that are wanted of a long list
 * @property {(frame: import('../model/frames.js').Frame) => void} onFrame gets each parsed frame, or a text that is none
 * @property {(state: 'connected' | 'reconnecting') => void} onState
 * @property {() => void} onBrief called when streams end as soon as they have begun
 */

const isHidden = () => document.visibilityState === 'hidden';

export class Stream {
  #url;
  #reader;
  /** @type {Source | null} */
  #source = null;
  #wait = MINIMUM_WAIT;
  #silence = SILENCE;
  /** @type {{ retry?: number, silence?: number, patience?: number, unseen?: number }} */
  #timers = {};
  #running = false;
  #heardAt = 0;
  /** The time at which the present source was answered; 0 if it was not yet. */
  #since = 0;
  /** The number of sources in a row that were answered and ended soon. */
  #brief = 0;
  #isConnected = false;
  #fresh = false;

  /**
   * Opens a source of events: an `EventSource`, or one that reopens itself.
   * @param {URL} url
   * @returns {Source}
   */
  connect = (url) => /** @type {Source} */ (/** @type {unknown} */ (new EventSource(url)));

  /**
   * @param {string} url
   * @param {Reader} reader
   */
  constructor(url, reader) {
    this.#url = url;
    this.#reader = reader;
  }

  start() {
    if (this.#running) return;
    this.#running = true;
    this.#hear(addEventListener);
    this.#open();
  }

  stop() {
    this.#running = false;
    this.#calm();
    clearTimeout(this.#timers.unseen);
    this.#hear(removeEventListener);
    this.#close();
  }

  /** @param {typeof addEventListener} listen */
  #hear(listen) {
    for (const type of ['online', 'offline', 'visibilitychange']) {
      listen.call(type === 'visibilitychange' ? document : window, type, this.#wake);
    }
  }

  /** Asks for a snapshot: what came does not fit what is here. At once, unless that was of no use a moment ago. */
  resync() {
    this.#fresh = true;
    this.#ended(false);
    this.#retry(this.#wait > MINIMUM_WAIT ? undefined : 0);
  }

  /** @param {Event} event */
  #wake = ({ type }) => {
    clearTimeout(this.#timers.unseen);
    if (isHidden()) {
      this.#timers.unseen = setTimeout(() => {
        this.#close();
        this.#calm();
      }, UNSEEN);
      return;
    }
    const isOpen = this.#source && this.#isConnected && type !== 'offline';
    if (isOpen && Date.now() - this.#heardAt < this.#silence) return;
    this.#wait = MINIMUM_WAIT;
    this.#close();
    this.#open();
  };

  #open() {
    // A page that was opened in the background begins when it is shown.
    if (!this.#running || isHidden()) return;
    const url = /** @type {URL} */ (addressOf(this.#url));
    const version = this.#fresh ? null : this.#reader.version();
    if (version) url.searchParams.set('since', version);
    const window = this.#reader.window();
    if (window) url.searchParams.set('window', window);
    const source = (this.#source = this.connect(url));
    source.onopen = () => (this.#since ||= Date.now());
    source.onmessage = ({ data }) => {
      this.#heard();
      /** @type {any} */
      let frame = data;
      try {
        frame = JSON.parse(data);
      } catch {
        // The text is no frame: the reader says so.
      }
      this.#fresh = false;
      this.#reader.onFrame(frame);
    };
    source.addEventListener('alive', ({ data, shared }) => {
      this.#silence = patienceWith(data);
      // The server may answer other lists of the stream, and not this one.
      if (this.#isConnected || !shared) this.#heard();
      else this.#listen();
    });
    source.onerror = () => this.#retry();
    // A shared source that lost its connection gets another by itself.
    source.onlost = () => {
      this.#ended();
      clearTimeout(this.#timers.silence);
      this.#lose();
    };
    this.#listen();
    this.#lose();
  }

  #close() {
    this.#source?.close();
    this.#source = null;
    this.#since = 0;
    clearTimeout(this.#timers.retry);
    clearTimeout(this.#timers.silence);
  }

  #heard() {
    this.#heardAt = Date.now();
    this.#since ||= this.#heardAt;
    this.#listen();
    this.#calm();
    if (this.#isConnected) return;
    this.#isConnected = true;
    this.#reader.onState('connected');
  }

  #listen() {
    clearTimeout(this.#timers.silence);
    this.#timers.silence = setTimeout(() => this.#retry(0), this.#silence);
  }

  /** Reports that the connection is lost: once, and only if that lasts. */
  #lose() {
    this.#isConnected = false;
    this.#timers.patience ||= setTimeout(() => this.#reader.onState('reconnecting'), PATIENCE);
  }

  #calm() {
    clearTimeout(this.#timers.patience);
    this.#timers.patience = 0;
  }

  /** Notes that the stream has ended. Only one that lasted resets the waits and the count of brief ones. */
  #ended(counts = true) {
    if (!this.#since) return;
    const held = Date.now() - this.#since >= STEADY;
    this.#since = 0;
    if (held) {
      this.#wait = MINIMUM_WAIT;
      this.#brief = 0;
    } else if (counts && ++this.#brief === MANY) this.#reader.onBrief();
  }

  /** @param {number} [wait] */
  #retry(wait) {
    this.#ended();
    wait ??= this.#wait * (0.7 + 0.6 * Math.random());
    this.#close();
    this.#lose();
    this.#wait = Math.min(this.#wait * 2, MAXIMUM_WAIT);
    if (wait > 0) this.#timers.retry = setTimeout(() => this.#open(), wait);
    else this.#open();
  }
}
