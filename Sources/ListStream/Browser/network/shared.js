// One stream for all tabs of a browser. A list gets something like an `EventSource`, with the events of the hub (hub.js). The hub
// is in a shared worker; where there is none, or it is silent, in one tab, which leads until it is closed or falls silent; and
// where tabs cannot agree on one (outside of secure contexts there are no locks), in each tab.

import { Hub, PULSE } from './hub.js';
import { uuid } from '../uuid.js';

const PROTOCOL = 1; // tabs of releases with another protocol have another hub
const QUIET = 2.5 * PULSE; // ms after which the hub is taken to be gone
const GRACE = 1_000; // ms more: in a tab that was frozen, timers are due before the messages that were sent to it
const LINGER = 1_000; // ms for which a tab without wants stays connected to the hub
const SLOW = 5_000; // ms in which a new hub has to answer
const APART = 1_000; // ms after which a tab asks again for the lead that it has lost

const tab = uuid();
/** @type {Map<string, Client>} */
const clients = new Map();

/** @typedef {import('./hub.js').ToTab} ToTab */
/** @typedef {import('./hub.js').ToHub} ToHub */
/** @typedef {{ onMessage: (message: ToTab) => void, onGone: () => void }} Listener */

/**
 * Opens a list's stream by the server's stream of several lists.
 * @param {string} streams the address of that
 * @param {URL} url of the list's own stream, with the version to resume from as `since`
 * @param {() => string | null} version what to resume from with another hub
 */
export function connect(streams, url, version) {
  const client = clients.get(streams) ?? new Client(streams);
  clients.set(streams, client);
  return new SharedSource(client, url, version);
}

class SharedSource {
  id = uuid();
  /** @type {import('./stream.js').Source['onmessage']} */
  onmessage = null;
  /** @type {import('./stream.js').Source['onerror']} */
  onerror = null;
  /** @type {(() => void) | null} */
  onlost = null;
  #client;
  /** @type {(event: import('./stream.js').Alive) => void} */
  #onAlive = () => {};

  /**
   * @param {Client} client
   * @param {URL} url
   * @param {() => string | null} version
   */
  constructor(client, url, version) {
    this.#client = client;
    this.version = version;
    this.since = url.searchParams.get('since');
    url.searchParams.delete('since');
    this.url = `${url.pathname}${url.search}`;
    client.add(this);
  }

  /**
   * Listens for `alive`, the one kind of events besides messages.
   * @param {string} _
   * @param {(event: import('./stream.js').Alive) => void} listener
   */
  addEventListener(_, listener) {
    this.#onAlive = listener;
  }

  /** @param {ToTab} message */
  take({ ids, data, alive, error, lost }) {
    if (data !== undefined) this.onmessage?.({ data });
    else if (alive !== undefined) this.#onAlive({ data: +alive, shared: !ids });
    else if (lost) this.onlost?.();
    else if (error !== undefined) this.onerror?.();
  }

  close() {
    this.#client.remove(this);
  }
}

/** A tab's connection to the hub, shared by all lists of the tab. */
class Client {
  #streams;
  /** @type {Map<string, SharedSource>} */
  #sources = new Map();
  /** @type {InWorker | InLeader | InTab | null} */
  #hub = null;
  #kinds = [InWorker, InLeader, InTab].filter((kind) => kind.isThere);
  #timers = { quiet: 0, pulse: 0, leave: 0 };

  /** @param {string} streams */
  constructor(streams) {
    this.#streams = streams;
    for (const type of ['online', 'offline']) addEventListener(type, () => this.#post({ wake: type }));
    document.addEventListener('visibilitychange', () => !document.hidden && this.#post({ wake: 'shown' }));
    addEventListener('pagehide', () => this.#post({ gone: true }));
  }

  /** @param {SharedSource} source */
  add(source) {
    clearTimeout(this.#timers.leave);
    this.#sources.set(source.id, source);
    this.#hub ??= this.#start();
    this.#want(source);
    this.#timers.pulse ||= setInterval(() => this.#post({ here: true }), PULSE);
  }

  /** @param {SharedSource} source */
  remove(source) {
    if (!this.#sources.delete(source.id)) return;
    this.#post({ drop: source.id });
    if (this.#sources.size === 0) this.#timers.leave = setTimeout(() => this.#leave(), LINGER);
  }

  #leave() {
    this.#post({ gone: true });
    this.#hub?.stop();
    this.#hub = null;
    clearInterval(this.#timers.pulse);
    clearTimeout(this.#timers.quiet);
    this.#timers.pulse = 0;
  }

  #start() {
    this.#watch(SLOW);
    const [Kind] = this.#kinds;
    /** @type {InWorker | InLeader | InTab} */
    const hub = new Kind(this.#streams, {
      onMessage: (message) => this.#hub === hub && this.#take(message),
      onGone: () => this.#hub === hub && this.#replace(),
    });
    return hub;
  }

  /** Connects to another hub: this one cannot be reached, or is silent. */
  #replace() {
    if (this.#hub instanceof InLeader) {
      this.#hub.revive();
      this.#watch(QUIET);
      return;
    }
    for (const source of [...this.#sources.values()]) source.take({ lost: true });
    this.#hub?.stop();
    if (this.#kinds.length > 1) this.#kinds.shift();
    this.#hub = this.#start();
    this.#ask();
  }

  /** @param {number} time */
  #watch(time) {
    clearTimeout(this.#timers.quiet);
    this.#timers.quiet = setTimeout(() => {
      this.#timers.quiet = setTimeout(() => this.#replace(), GRACE);
    }, time);
  }

  /** @param {SharedSource} source */
  #want({ id, url, since }) {
    this.#post({ want: id, url, since });
  }

  /** @param {ToHub} message */
  #post(message) {
    this.#hub?.post(message);
  }

  /** @param {ToTab} message */
  #take(message) {
    this.#watch(QUIET);
    if (message.unknown) {
      this.#ask();
      return;
    }
    const ids = message.ids ?? [...this.#sources.keys()];
    for (const id of ids) this.#sources.get(id)?.take(message);
  }

  /** Sends all wants anew, each with the version that its list has by now. */
  #ask() {
    for (const source of this.#sources.values()) {
      source.since = source.version() ?? source.since;
      this.#want(source);
    }
  }
}

/** The hub in a shared worker. */
class InWorker {
  static get isThere() {
    return 'SharedWorker' in globalThis;
  }

  /** @type {MessagePort | undefined} */
  #port;

  /**
   * @param {string} streams
   * @param {Listener} listener
   */
  constructor(streams, { onMessage, onGone }) {
    try {
      const url = new URL('./shared-worker.js', import.meta.url);
      url.search = String(new URLSearchParams({ streams: `${new URL(streams, document.baseURI)}`, protocol: `${PROTOCOL}` }));
      const worker = new SharedWorker(url, { type: 'module' });
      worker.onerror = onGone;
      this.#port = worker.port;
      this.#port.onmessage = ({ data }) => onMessage(data);
    } catch {
      setTimeout(onGone);
    }
  }

  /** @param {ToHub} message */
  post(message) {
    this.#port?.postMessage({ tab, message });
  }

  stop() {
    this.#port?.close();
  }
}

/** The hub in the tab that leads. A tab wants to lead while it shows something. */
class InLeader {
  static get isThere() {
    return 'locks' in navigator && 'BroadcastChannel' in globalThis;
  }

  #streams;
  #name;
  #onMessage;
  #channel;
  /** @type {Hub | null} */
  #hub = null;
  #abort = new AbortController();

  /**
   * @param {string} streams
   * @param {Listener} listener
   */
  constructor(streams, { onMessage }) {
    this.#streams = streams;
    this.#name = `live-list ${PROTOCOL} ${new URL(streams, document.baseURI)}`;
    this.#onMessage = onMessage;
    this.#channel = new BroadcastChannel(this.#name);
    this.#channel.onmessage = ({ data: { from, to, message, leads } }) => {
      if (leads) onMessage({ unknown: true });
      else if (to === tab) onMessage(message);
      else if (to === 'hub') this.#hub?.receive(from, message);
    };
    this.#lead({ signal: this.#abort.signal });
  }

  /** @param {ToHub} message */
  post(message) {
    if (this.#hub) this.#hub.receive(tab, message);
    else this.#channel.postMessage({ from: tab, to: 'hub', message });
  }

  /** Takes the lead from a tab that is silent. */
  revive() {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#lead({ steal: true });
  }

  stop() {
    this.#abort.abort();
    this.#hub?.close();
    // The last message is still on its way.
    setTimeout(() => this.#channel.close());
  }

  /** @param {LockOptions} options */
  #lead(options) {
    const { signal } = this.#abort;
    const lead = () => new Promise((/** @type {(value?: unknown) => void} */ done) => {
      if (signal.aborted) {
        done();
        return;
      }
      this.#hub = new Hub(this.#streams, (to, message) => {
        if (to === tab) queueMicrotask(() => this.#onMessage(message));
        else this.#channel.postMessage({ to, message });
      });
      signal.addEventListener('abort', done);
      this.#channel.postMessage({ leads: true });
      this.#onMessage({ unknown: true });
    });
    // The lock was released here, or another tab has taken it.
    navigator.locks.request(this.#name, options, lead).catch(() => {}).then(() => {
      if (signal.aborted) return;
      this.#hub?.close();
      this.#hub = null;
      this.#onMessage({ unknown: true });
      // In a page that is being left each request fails at once. Timers stand still there, and with them what asks again.
      setTimeout(() => signal.aborted || this.#lead({ signal }), APART);
    });
  }
}

/** The hub in each tab: one stream for all its lists. */
class InTab {
  static isThere = true;
  #hub;

  /**
   * @param {string} streams
   * @param {Listener} listener
   */
  constructor(streams, { onMessage }) {
    this.#hub = new Hub(streams, (_, message) => queueMicrotask(() => onMessage(message)));
  }

  /** @param {ToHub} message */
  post(message) {
    this.#hub.receive(tab, message);
  }

  stop() {
    this.#hub.close();
  }
}
