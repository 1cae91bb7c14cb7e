// Says in the console what keeps a list from being shown or used, each thing once for a list. Fetched with the first of them.

import { addressOf } from './network/stream.js';

const said = new WeakMap();
const LAID_OUT = 500; // ms
const WAITING = 5_000; // ms in which a stream that is open should send a frame
const SILENT = 'is open, but no frame has come, nor anything else: is it held back on the way, by a proxy that gathers answers?';
const BEATING = 'sends heartbeats, but no frame has come. The first thing in it should be a snapshot.';
const LOOKED_AT = 100_000; // characters of a stream
const ENDED = 'ends before a frame has come. It should stay open, and send a heartbeat now and then.';
const FORMAT_PAGE = 'Documentation/Frames.md';

/** @typedef {Pick<import('./controller.js').Controller, 'host' | 'model' | 'view' | 'settings'>} List */
/** @typedef {any} Detail what it is about: an attribute's name, the rest of a sentence, or `{frame, reason}`, `{id, error}` */
/** @typedef {(text: string, level?: 'error' | 'warn' | 'info', ...more: unknown[]) => void} Say */

/** @param {import('./controller.js').Controller} list */
export const part = (list) => (/** @type {string} */ kind, /** @type {Detail} */ detail) => diagnose(list, kind, detail);

/**
 * @param {List} list
 * @param {string} kind one of `checks`
 * @param {Detail} detail
 */
function diagnose(list, kind, detail) {
  const { host } = list;
  /** @type {Set<string>} */
  const known = said.get(host) ?? new Set();
  said.set(host, known);
  const key = typeof detail === 'string' ? `${kind} ${detail}` : kind;
  if (known.has(key)) return;
  /** @type {Say} */
  const say = (text, level = 'error', ...more) => {
    if (known.has(key)) return;
    known.add(key);
    console[level](`live-list: ${text}`, host, ...more);
  };
  checks[kind](list, say, detail, known);
}

/** @type {{ [kind: string]: (list: List, say: Say, detail: Detail, known: Set<string>) => void }} */
const checks = {
  height({ host, view }, say) {
    setTimeout(() => {
      // A list that is not shown, or waits for its style sheet, may have no height.
      const style = getComputedStyle(host);
      const { display } = style;
      if (display === 'inline' || display === 'contents') {
        if (!style.getPropertyValue('--ll-has-live-list')) return;
        say(`the list has items and is \`display: ${display}\`, which has no height, so nothing is seen. Make it \`display: block\` and give it a height.`);
      }
      if (view.viewport || host.clientHeight || host.getClientRects().length === 0) return;
      say('the list has items and no height, so nothing is seen. Give the element a height, such as `height: 100%`.');
    }, LAID_OUT);
  },

  address({ host }, say, name) {
    const value = host.getAttribute(name);
    const what = value === '' ? 'is empty' : `is no address: ${value}`;
    say(`the attribute \`${name}\` ${what}. Give it the URL of a stream, or leave it out.`);
  },

  async stream({ host, model, settings }, say, detail, known) {
    // A hidden page opens no stream, and a list that is hidden may have none yet.
    if (!host.isConnected || document.visibilityState === 'hidden' || host.hidden) return;
    const src = host.getAttribute('src');
    if (src === null) {
      say('there is no stream: the attribute `src` is missing, and nothing was given to `receive()`.', 'warn');
      return;
    }
    const own = addressOf(src);
    if (!own) return;
    // One stream of several lists has its events by the list's number instead of a name.
    const shared = addressOf(settings.streams);
    shared?.searchParams.append('list', own.pathname + own.search);
    const wrong = await wrongWith(shared ?? own, shared ? '0' : 'message');
    if (wrong && !model.loaded && !known.has('frame') && !known.has('format')) say(`the stream ${shared ? `${settings.streams} (the attribute \`streams\`), asked for ${src},` : src} ${wrong}`);
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
    const value = settings[/** @type {'moves' | 'deletes'} */ (attribute)];
    const what = value == null ? 'is missing' : `is no address (“${value}”)`;
    say(`a ${name} was taken back, for there is nowhere to send it: the attribute \`${attribute}\` ${what}, and \`${event}\` was not answered with \`respondWith()\`.`);
  },

  contents(list, say, kind) {
    if (kind === 'none') say('the first snapshot has contents and no items: these are named in `sections`.', 'warn');
    else if (kind === 'template') say('no item has a content, so the template has nothing to show: the snapshot says it in `content`.', 'warn');
    else say('no item has a content (`content` of the snapshot): the renderer gets `undefined`.', 'info');
  },

  template(list, say, text) {
    say(`the template ${text}. Its rows stay blank there.`, 'warn');
  },

  cells(list, say) {
    say('the list has neither a `renderer` nor a `<template>`, so its rows are blank. A template that is added later is taken by `redraw()`.');
  },

  metric(list, say, text) {
    say(`\`${text}\` is passed over: it should be a number of CSS pixels, or of columns, without a unit, and large enough.`);
  },

  menu({ settings: { menuItems } }, say, { error, entries, entry }) {
    if (typeof menuItems !== 'function') say('`menuItems` is not a function; it should be `(ids) => [{ label, action }, …]`.');
    else if (error) say('`menuItems` failed.', 'error', error);
    else if (entry) say('an entry of `menuItems` has no `label`, or no function as its `action`, and was left out.', 'error', entry);
    else if (entries?.then) say('`menuItems` is async: it has to return an array at once.');
    else say('`menuItems` did not return an array.', 'error', entries);
  },

  promise(list, say, message) {
    say(`a mutation was taken back, for the promise given to \`respondWith()\` failed (${message}), and cannot be had again. Give it a function, \`respondWith(() => fetch(…))\`, which is called for each try.`);
  },

  late(list, say, kind) {
    const then = kind === 'promise' ? 'cannot be had again: its mutation was taken back' : 'is called again: after three such calls its mutation is taken back';
    say(`a ${kind} that a mutation was answered with (\`respondWith()\`, \`send\`) has not settled within 30 seconds, and ${then}.`);
  },

  unknown(list, say, kind) {
    say(`a ${kind} was asked for of ids that are not in the list, which are not sent. Wait until a frame has brought them.`, 'warn');
  },

  renderer(list, say, { id, error }) {
    say(`the page's code failed for “${id}”; its row is marked with \`data-ll-failed\`, and the others are drawn.`, 'error', error);
  },
};

/** @param {unknown} frame */
const shown = (frame) => JSON.stringify(frame)?.slice(0, 200);

/**
 * Finds the commonest mistakes in what a stream has sent.
 * @param {string} text
 * @param {string} name of the events that are frames
 * @returns the rest of a sentence about the stream, if it has sent anything
 */
function wrongIn(text, name) {
  const events = text.split('\n\n');
  const rest = events.pop() ?? '';
  /**
   * @param {string} event
   * @param {string} field
   */
  const fields = (event, field) => event.split('\n').filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).replace(/^ /, ''));
  const named = events.filter((event) => fields(event, 'data').length > 0)
    .map((event) => [fields(event, 'event').at(-1) || 'message', fields(event, 'data').join('\n')]);
  const first = named.find(([event, data]) => event === name && !/^\d*$/.test(data));
  if (first) return wrongWithFrame(first[1]);
  const other = named.find(([event]) => event !== 'alive' && event !== name)?.[0];
  if (other) return `sends events of the name “${other}” (\`event: ${other}\`), which are passed over: frames have ${name === 'message' ? 'no name' : `the name “${name}”`}.`;
  if (fields(rest, 'data').length > 0) return 'sends `data:` without an empty line after it, which would end the event.';
  const strange = text.split('\n').find((line) => line && !/^(:|(data|event|id|retry)(:|$))/.test(line));
  if (strange) return `sends lines that do not begin with \`data:\`: “${strange.slice(0, 80)}”.`;
  return undefined;
}

/** @param {string} data */
function wrongWithFrame(data) {
  let frame;
  try {
    frame = JSON.parse(data);
  } catch {
    return `sends data that is no JSON: “${data.slice(0, 80)}”.`;
  }
  if (frame?.error) return `says of it: ${frame.error.message}`;
  const { kind } = Object(frame);
  if (kind === 'change') return 'begins with a change. The first frame has to be a snapshot.';
  if (kind === 'failure') return `reports a failure: ${frame.message}`;
  return kind === 'snapshot' ? SILENT : `sends frames of the kind “${kind}”, which is not known. The first has to be a snapshot.`;
}

/**
 * Finds out why no frame has come. @returns the rest of a sentence about the stream
 * @param {URL} address
 * @param {string} name
 */
async function wrongWith(address, name) {
  const abort = new AbortController();
  try {
    const response = await fetch(address, { headers: { Accept: 'text/event-stream' }, signal: abort.signal });
    if (!response.ok) return `was answered with status ${response.status}.`;
    const type = response.headers.get('Content-Type') ?? 'nothing';
    if (!type.startsWith('text/event-stream')) return `was answered with ${type}, and should be text/event-stream.`;
    // A page that was shown only now has just begun to wait.
    /** @type {Promise<string>} */
    const waited = new Promise((done) => setTimeout(done, WAITING, SILENT));
    let text = '';
    const reader = /** @type {ReadableStream} */ (response.body).pipeThrough(new TextDecoderStream()).getReader();
    const read = async () => {
      for (let part; !(part = await reader.read()).done; ) text = (text + part.value).slice(0, LOOKED_AT);
      return ENDED;
    };
    const otherwise = await Promise.race([waited, read()]);
    return wrongIn(text.replace(/\r\n?/g, '\n'), name) ?? (text.trim() && otherwise === SILENT ? BEATING : otherwise);
  } catch {
    const isElsewhere = address.origin !== location.origin;
    return `cannot be reached${isElsewhere ? ', or its server does not allow this page to (Access-Control-Allow-Origin)' : ''}.`;
  } finally {
    abort.abort();
  }
}
