// Fetches a module with all that it imports, before it is imported. For as long as a page lives, Firefox remembers that a module
// could not be fetched, and never asks again; and no browser gives up an import whose line has stalled. A mere fetch can be given
// up and repeated.

/** The time in ms after which a module or a request is late: then the user is told. */
export const LATE = 5e3;
const IMPORT = /(?:from|import)\s*["'](\.[^"']+)/g;

/** @type {{ [url: string]: Promise<unknown> }} the modules that were asked for, each with all that it imports */
let asked = {};
let isBarred = false; // by the page's policy
globalThis.addEventListener?.('securitypolicyviolation', ({ effectiveDirective }) => (isBarred ||= effectiveDirective === 'connect-src'));

/**
 * Does so from the second try on; in Firefox from the first.
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
  // Where a file is missing for good, the import fails with the browser's error.
  if (response.status > 499) throw response;
  await Promise.all(Array.from((await response.text()).matchAll(IMPORT), ([, path]) => look(path, url)));
}
