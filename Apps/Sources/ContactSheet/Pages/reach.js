// Sees that a module can be had, with all that it imports, before it is imported. Firefox keeps in mind for as long as a page lives
// that a module could not be fetched. One that is wanted itself can be asked for by another name; one that it imports cannot.

const doesRemember = navigator.userAgent.includes('Firefox/');
const IMPORT = /^(?:import|export)\b[^;]*?'(\.[^']+)';/gm;

const reached = new Map();

/** Whether the browser has fetched it already. */
const isHere = (url) => performance.getEntriesByName(url, 'resource').some(({ responseStatus }) => responseStatus > 0 && responseStatus < 400);

/** @returns a promise that rejects when one of the modules cannot be fetched */
export async function reach(url) {
  if (!doesRemember || isHere(url)) return;
  if (!reached.has(url)) reached.set(url, look(url));
  await reached.get(url).catch((error) => {
    reached.delete(url);
    throw error;
  });
}

async function look(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status}: ${url}`);
  const text = await response.text();
  await Promise.all([...text.matchAll(IMPORT)].map(([, path]) => reach(new URL(path, url).href)));
}
