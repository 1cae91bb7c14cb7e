// Sees that a module can be had, with all that it imports, before it is imported. Firefox keeps in mind for as long as a page lives that a
// module could not be fetched, also one that another imports, and never asks again; and no browser gives up an import whose line
// has stalled. What is only fetched can be given up, and asked for again.

/** The time in ms after which what has no answer is late, a module or a request: then people are told. */
export const LATE = 5e3;
const IMPORT = /(?:from|import)\s*["'](\.[^"']+)/g;

/** @type {{ [url: string]: Promise<unknown> }} the modules that were asked for, each with all that it imports */
let asked = {};
let isBarred = false; // by the page's policy
globalThis.addEventListener?.('securitypolicyviolation', ({ effectiveDirective }) => (isBarred ||= effectiveDirective === 'connect-src'));

/**
 * Sees to it, from the second try on; in Firefox from the first.
 * @param {string} path
 * @param {string | undefined} base the URL that it begins at; without one nothing is done
 * @param {number} tries how often it is tried, with this time
 * @returns a promise that rejects if the module cannot be had
 */
export async function reach(path, base, tries) {
  if (tries > 1) asked = {};
  else if (!navigator.userAgent.includes('Firefox')) return;
  if (base && !isBarred) await look(path, base);
}

/**
 * @param {string} path
 * @param {string} base
 */
function look(path, base) {
  const { href } = new URL(path, base);
  return (asked[href] ??= see(href));
}

/** @param {string} url */
async function see(url) {
  const response = await fetch(url, { signal: /** @type {any} TypeScript does not know it yet */ (AbortSignal).timeout(LATE) });
  // What is not there, and will not be, is for the browser to tell.
  if (response.status > 499) throw response;
  await Promise.all(Array.from((await response.text()).matchAll(IMPORT), ([, path]) => look(path, url)));
}
