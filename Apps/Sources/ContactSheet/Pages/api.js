// What the page asks of the server: Documentation/ContactSheetHTTP.md.

import { post } from '/live-list/outbox.js';

const { album: albumID, features } = document.body.dataset;

export { albumID, post };
export const album = `/api/albums/${encodeURIComponent(albumID)}`;

const known = new Set(features.split(' '));

/** Whether the server can do this. */
export const can = (feature) => known.has(feature);

/** Sends a request; throws an error with the server's message. */
export async function request(method, url, body) {
  const response = await fetch(url, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new Error(answer?.error?.message ?? `The server answered ${response.status}.`);
  return answer;
}
