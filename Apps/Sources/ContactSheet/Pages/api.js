// Requests of the page to the server: Documentation/ContactSheetHTTP.md.

const { album: albumID = '', build, features = '' } = document.body.dataset;

export { albumID, build };

/** The path below which the server is: '' where it has the whole name. */
export const base = new URL('..', import.meta.url).pathname.slice(0, -1);
export const album = `${base}/api/albums/${encodeURIComponent(albumID)}`;
/** The address of this page: an album, all albums, or the trash. */
export const page = `${base}/${albumID ? `albums/${encodeURIComponent(albumID)}` : document.body.matches('.albums-page') ? 'albums' : 'trash'}`;

const known = new Set(features.split(' '));

/**
 * Whether the server can do this.
 * @param {string} feature
 */
export const can = (feature) => known.has(feature);

/** @typedef {import('../../../../Packaging/live-list/live-list.js').LiveListItems} Items */

/**
 * The ids of items, where the list names them one by one; undefined for everything but some of a long list.
 * @param {Items} items
 */
export const listed = (items) => (Array.isArray(items) ? items : undefined);

/**
 * How a request names photos: their ids, or of a long list everything but some.
 * @param {Items} items
 */
export const named = (items) => (listed(items) ? { ids: items } : { all: items });

/** Numbers as people read them. */
export const numbers = new Intl.NumberFormat();
/** @param {number} n */
export const photos = (n) => (n === 1 ? '1 photo' : `${numbers.format(n)} photos`);

/** @param {unknown} title */
export const quoted = (title) => `“${title}”`;

/**
 * The name of photos in messages: one that is alone by its title.
 * @param {{ contentOf(id: string): { title?: string } | undefined }} list
 * @param {Items} ids
 */
export function nameOf(list, ids) {
  const [id] = /** @type {Iterable<string>} */ (ids);
  const title = ids.length === 1 && list.contentOf(id)?.title;
  return title ? quoted(title) : photos(ids.length);
}

export const UNREACHABLE = 'The server cannot be reached. Try again when it is back.';

const DEADLINE = 30_000; // ms for what a user asked for
const PATIENCE = 5_000; // ms for what the page asks by itself

let writes = 0;

/** Returns whether a change that is kept nowhere waits for its answer: it could be lost with the page. */
export const isWriting = () => writes > 0;

/**
 * Sends a request; throws an error with the server's message.
 * @param {string} method
 * @param {string} url
 * @param {object} [body]
 * @returns {Promise<any>} what the server answers: Documentation/ContactSheetHTTP.md says it of each
 */
export async function request(method, url, body) {
  const isWrite = method !== 'GET';
  writes += Number(isWrite);
  try {
    return await send(method, url, body);
  } finally {
    writes -= Number(isWrite);
  }
}

/**
 * @param {string} method
 * @param {string} url
 * @param {object} [body]
 */
async function send(method, url, body) {
  const limit = limited(DEADLINE);
  const response = await fetch(url, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: limit,
  }).catch(() => {
    // Each browser has its own words for that, and none are meant for people.
    throw new Error(UNREACHABLE);
  });
  if (response.status === 401) logIn();
  const answer = await response.json().catch(() => null);
  // The answer had begun and was given up: nothing is known of it.
  if (limit.aborted && answer === null) throw new Error(UNREACHABLE);
  if (!response.ok) throw Object.assign(new Error(answer?.error?.message ?? `The server answered ${response.status}.`), { status: response.status });
  return answer;
}

/**
 * Returns a signal that gives up a request without an answer in time: a server that hangs, or a line that stalls, sends no error.
 * @param {number} time in ms
 * @returns {AbortSignal}
 */
const limited = (time) => /** @type {any} TypeScript does not know it yet */ (AbortSignal).timeout(time);

let leaves = false;

/** Returns whether the page is being left for the login: then it does not ask about what is not saved. */
export const isLeaving = () => leaves;

/**
 * Leaves the page for the login, which replaces it in the history: Back does not lead to a page that is no longer valid.
 * @param {string} address
 */
export function leaveFor(address) {
  leaves = true;
  location.replace(address);
}

/** Goes to the login, which leads back here. */
export function logIn() {
  const here = `${location.pathname.slice(base.length)}${location.search}`;
  leaveFor(`${base}/login?next=${encodeURIComponent(here)}`);
}

/** Asks whether this browser may see this page. @returns a promise of the answer; of null where the server does not answer */
export async function mayStay() {
  const answer = await fetch(`${base}/api/trash`, { method: 'HEAD', signal: limited(PATIENCE) }).catch(() => null);
  const status = answer?.status ?? 0;
  return status > 0 && status < 500 ? status !== 401 : null;
}

/** Looks whether a stream does not open because nobody is logged in any more: streams do not say why. */
export async function checkLogin() {
  if (can('login') && (await mayStay()) === false) logIn();
}

/** Tells the tabs of this browser that wait at the login that they can go on (login.js). */
export function tellLoggedIn() {
  if (!can('login')) return;
  const channel = new BroadcastChannel(`contact-sheet-login${base}`);
  channel.postMessage(null);
  setTimeout(() => channel.close());
}
