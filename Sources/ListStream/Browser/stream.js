// Holds a stream of frames open, for ever: resumes where it left off, waits longer after each failure,
// and reopens when nothing was heard for too long, when the page is shown again or the network is back.

const SILENCE = 40_000; // ms; the server says something every 15 s
const SHORTEST_WAIT = 500;
const LONGEST_WAIT = 60_000;
const PATIENCE = 500; // before "Reconnecting…" is said
// A page that nobody sees gives its connection back: browsers have six for a server, for all tabs together.
const UNSEEN = 20_000;

export class Stream {
  #url;
  #version;
  #window;
  #onFrame;
  #onState;
  #source = null;
  #wait = SHORTEST_WAIT;
  #timers = { retry: 0, silence: 0, patience: 0, unseen: 0 };
  #running = false;
  #heardAt = 0;
  #isConnected = false;
  #fresh = false;

  /**
   * @param {() => string | null} version what to resume from
   * @param {() => string | null} window the rows that are wanted of a long list
   * @param onFrame gets each parsed frame
   * @param onState gets `connected` or `reconnecting`
   */
  constructor(url, { version, window, onFrame, onState }) {
    this.#url = url;
    this.#version = version;
    this.#window = window;
    this.#onFrame = onFrame;
    this.#onState = onState;
  }

  start() {
    if (this.#running) return;
    this.#running = true;
    addEventListener('online', this.#wake);
    document.addEventListener('visibilitychange', this.#wake);
    this.#open();
  }

  stop() {
    this.#running = false;
    this.#calm();
    clearTimeout(this.#timers.unseen);
    removeEventListener('online', this.#wake);
    document.removeEventListener('visibilitychange', this.#wake);
    this.#close();
  }

  /** Asks for a snapshot: what came does not fit what is here. */
  resync() {
    this.#fresh = true;
    this.#close();
    this.#open();
  }

  #wake = () => {
    clearTimeout(this.#timers.unseen);
    if (document.visibilityState === 'hidden') {
      this.#timers.unseen = setTimeout(() => {
        this.#close();
        this.#calm();
      }, UNSEEN);
      return;
    }
    const isStuck = !this.#source || this.#source.readyState === EventSource.CLOSED || !this.#isConnected;
    if (!isStuck && Date.now() - this.#heardAt < SILENCE) return;
    this.#wait = SHORTEST_WAIT;
    this.#close();
    this.#open();
  };

  #open() {
    if (!this.#running) return;
    const url = new URL(this.#url, document.baseURI);
    const version = this.#fresh ? null : this.#version();
    if (version) url.searchParams.set('since', version);
    const window = this.#window();
    if (window) url.searchParams.set('window', window);
    const source = (this.#source = new EventSource(url));
    source.onmessage = ({ data }) => {
      this.#heard();
      let frame;
      try {
        frame = JSON.parse(data);
      } catch {
        this.resync();
        return;
      }
      this.#fresh = false;
      this.#onFrame(frame);
    };
    source.addEventListener('alive', () => this.#heard());
    source.onerror = () => this.#retry();
    this.#listen();
    this.#lose();
  }

  #close() {
    this.#source?.close();
    this.#source = null;
    clearTimeout(this.#timers.retry);
    clearTimeout(this.#timers.silence);
  }

  #heard() {
    this.#heardAt = Date.now();
    this.#wait = SHORTEST_WAIT;
    this.#listen();
    this.#calm();
    if (this.#isConnected) return;
    this.#isConnected = true;
    this.#onState('connected');
  }

  #listen() {
    clearTimeout(this.#timers.silence);
    this.#timers.silence = setTimeout(() => this.#retry(0), SILENCE);
  }

  /** Not connected for the moment; said once, and only if it lasts. */
  #lose() {
    this.#isConnected = false;
    this.#timers.patience ||= setTimeout(() => this.#onState('reconnecting'), PATIENCE);
  }

  #calm() {
    clearTimeout(this.#timers.patience);
    this.#timers.patience = 0;
  }

  #retry(wait = this.#wait * (0.7 + 0.6 * Math.random())) {
    this.#close();
    this.#lose();
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    this.#timers.retry = setTimeout(() => this.#open(), wait);
  }
}
