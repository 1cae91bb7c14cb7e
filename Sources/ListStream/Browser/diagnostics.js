// Says in the console what keeps a list from being shown or used, each thing once for a list. Fetched when there is something
// to say.

import { addressOf } from './stream.js';

const said = new WeakMap();
const LAID_OUT = 500; // ms
const WAITING = 5_000; // ms in which a stream that is open should send a frame
const SILENT = 'is open, but no frame has come: is it held back on the way, by a proxy that gathers answers?';
const ENDED = 'ends before a frame has come. It should stay open, and send a heartbeat now and then.';
const FORMAT_PAGE = 'Documentation/Frames.md';

/**
 * @param list the controller of the list
 * @param kind one of `checks`
 * @param detail what it is about: an attribute's name, the rest of a sentence, or `{frame, reason}`, `{id, error}`
 */
export function diagnose(list, kind, detail) {
  const { host } = list;
  const known = said.get(host) ?? new Set();
  said.set(host, known);
  const key = typeof detail === 'string' ? `${kind} ${detail}` : kind;
  if (known.has(key)) return;
  const say = (text, level = 'error', ...more) => {
    if (known.has(key)) return;
    known.add(key);
    console[level](`live-list: ${text}`, host, ...more);
  };
  checks[kind](list, say, detail, known);
}

const checks = {
  height({ host, view }, say) {
    setTimeout(() => {
      // What is not shown at all, or only not yet, has no height for good reasons; nor has what waits for its style sheet.
      if (view.viewport || host.clientHeight || host.getClientRects().length === 0) return;
      if (getComputedStyle(host).display === 'inline') return;
      say('the list has items and no height, so nothing is seen. Give the element a height, such as `height: 100%`.');
    }, LAID_OUT);
  },

  address({ host }, say, name) {
    const value = host.getAttribute(name);
    const what = value === '' ? 'is empty' : `is no address: ${value}`;
    say(`the attribute \`${name}\` ${what}. Give it the URL of a stream, or leave it out.`);
  },

  async stream({ host, model }, say, detail, known) {
    // A hidden page opens no stream.
    if (!host.isConnected || document.visibilityState === 'hidden') return;
    const src = host.getAttribute('src');
    if (src === null) {
      say('there is no stream: the attribute `src` is missing, and nothing was given to `receive()`.', 'warn');
      return;
    }
    const address = addressOf(src);
    const wrong = address && (await wrongWith(address));
    const isSaid = known.has('frame') || known.has('brief');
    if (wrong && !model.loaded && !isSaid) say(`the stream ${src} ${wrong}`);
  },

  brief({ host }, say) {
    say(`the stream ${host.getAttribute('src')} ends again and again as soon as it has begun, and is opened less and less often. It should stay open.`, 'warn');
  },

  format(list, say, { frame }) {
    // It comes from a server that was upgraded: the element asks the user to reload the page.
    say(`the stream sent what is no frame of a format that this element knows (${FORMAT_PAGE}): ${shown(frame)}`, 'warn');
  },

  frame(list, say, { frame, reason }) {
    say(`the stream sent what is no frame, or does not fit the list: ${reason} (${FORMAT_PAGE}): ${shown(frame)}`);
  },

  items({ settings }, say, detail) {
    if (addressOf(settings.items)) say(`rows were asked for at ${settings.items}, which ${detail}`);
    else say('the stream counts items (`count`, `windows`) in place of naming them, and the attribute `items`, which says where their rows are, is missing or no address.');
  },

  mutations({ settings }, say, name) {
    const [attribute, event] = name === 'move' ? ['moves', 'live-list-reorder'] : ['deletes', 'live-list-delete'];
    const value = settings[attribute];
    const what = value == null ? 'is missing' : `is no address (“${value}”)`;
    say(`a ${name} was taken back, for there is nowhere to send it: the attribute \`${attribute}\` ${what}, and \`${event}\` was not answered with \`respondWith()\`.`);
  },

  promise(list, say, message) {
    say(`a mutation was taken back, for the promise given to \`respondWith()\` failed (${message}), and cannot be had again. Give it a function, \`respondWith(() => fetch(…))\`, which is called for each try.`);
  },

  unknown(list, say, kind) {
    say(`a ${kind} was asked for of ids that are not in the list, which are not sent. Wait until a frame has brought them.`, 'warn');
  },

  renderer(list, say, { id, error }) {
    say(`the page's code failed for “${id}”; its row is marked with \`data-ll-failed\`, and the others are drawn.`, 'error', error);
  },
};

const shown = (frame) => JSON.stringify(frame)?.slice(0, 200);

/** Finds out why no frame has come. @returns the rest of a sentence about the stream */
async function wrongWith(address) {
  const abort = new AbortController();
  try {
    const response = await fetch(address, { headers: { Accept: 'text/event-stream' }, signal: abort.signal });
    if (!response.ok) return `was answered with status ${response.status}.`;
    const type = response.headers.get('Content-Type') ?? 'nothing';
    if (!type.startsWith('text/event-stream')) return `was answered with ${type}, and should be text/event-stream.`;
    // A page that was shown only now has just begun to wait.
    const waited = new Promise((done) => setTimeout(done, WAITING, SILENT));
    return await Promise.race([waited, response.text().then(() => ENDED)]);
  } catch {
    const isElsewhere = address.origin !== location.origin;
    return `cannot be reached${isElsewhere ? ', or its server does not allow this page to (Access-Control-Allow-Origin)' : ''}.`;
  } finally {
    abort.abort();
  }
}
