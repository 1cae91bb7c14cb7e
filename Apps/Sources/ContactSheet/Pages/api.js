// What the page asks of the server: Documentation/ContactSheetHTTP.md.

const { album: albumID = '', build, features = '' } = document.body.dataset;

export { albumID, build };

/** The path below which the server is: '' where it has the whole name. */
export const base = new URL('..', import.meta.url).pathname.slice(0, -1);
export const album = `${base}/api/albums/${encodeURIComponent(albumID)}`;
/** The address of this page: that of an album or, where it is of none, of the trash. */
export const page = albumID ? `${base}/albums/${encodeURIComponent(albumID)}` : `${base}/trash`;

const known = new Set(features.split(' '));

/**
 * Whether the server can do this.
 * @param {string} feature
 */
export const can = (feature) => known.has(feature);

/**
 * How a request names photos: their ids, or of a long list everything but some.
 * @param {import('../../../../Packaging/live-list/live-list.js').LiveListItems} ids
 */
export const named = (ids) => (Array.isArray(ids) ? { ids } : { all: ids });

/** Numbers as people read them. */
export const numbers = new Intl.NumberFormat();
/** @param {number} n */
export const photos = (n) => (n === 1 ? '1 photo' : `${numbers.format(n)} photos`);

/** @param {unknown} title */
export const quoted = (title) => `“${title}”`;

/**
 * What photos are called in messages: one that is alone by its title.
 * @param {{ contentOf(id: string): { title?: string } | undefined }} list
 * @param {import('../../../../Packaging/live-list/live-list.js').LiveListItems} ids
 */
export function nameOf(list, ids) {
  const [id] = /** @type {Iterable<string>} */ (ids);
  const title = ids.length === 1 && list.contentOf(id)?.title;
  return title ? quoted(title) : photos(ids.length);
}

export const UNREACHABLE = 'The server cannot be reached. Try again when it is back.';

const DEADLINE = 30_000; // ms for what somebody asked for
const PATIENCE = 5_000; // ms for what is asked besides

let writes = 0;

/** Returns whether the server has yet to answer a change that nothing keeps: it could be lost with the page. */
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
    // Each browser has its own words for that, and none of them are for people.
    throw new Error(UNREACHABLE);
  });
  if (response.status === 401) logIn();
  const answer = await response.json().catch(() => null);
  // Of an answer that was begun and given up nothing is known.
  if (limit.aborted && answer === null) throw new Error(UNREACHABLE);
  if (!response.ok) throw new Error(answer?.error?.message ?? `The server answered ${response.status}.`);
  return answer;
}

/**
 * What gives up a request that has no answer in time: a server that hangs, or a line that has stalled, says nothing of it.
 * @param {number} time in ms
 * @returns {AbortSignal}
 */
const limited = (time) => /** @type {any} TypeScript does not know it yet */ (AbortSignal).timeout(time);

let leaves = false;

/** Returns whether the page is being left for the login: then nobody is asked about what is not saved. */
export const isLeaving = () => leaves;

/**
 * Leaves the page for the login, which takes its place in the history: Back does not lead to what is over.
 * @param {string} address
 */
export function leaveFor(address) {
  leaves = true;
  location.replace(address);
}

/** Leads to the page where one logs in, and back here afterwards. */
export function logIn() {
  const here = `${location.pathname.slice(base.length)}${location.search}`;
  leaveFor(`${base}/login?next=${encodeURIComponent(here)}`);
}

/** Asks whether this browser may see what is here. @returns a promise of that; of null where the server does not say */
export async function mayStay() {
  const answer = await fetch(`${base}/api/trash`, { method: 'HEAD', signal: limited(PATIENCE) }).catch(() => null);
  const status = answer?.status ?? 0;
  return status > 0 && status < 500 ? status !== 401 : null;
}

/** Where a stream does not open, the reason may be that nobody is logged in any more; a stream does not say so. */
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
