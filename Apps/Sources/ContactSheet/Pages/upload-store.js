// Keeps the files of an import until they are sent, so that it goes on after a reload.
// Where the browser keeps nothing (a private window, no room), an import just ends with the page.

import { Database } from '../live-list/network/database.js';
import { base } from './api.js';

const MOST = 1_000_000_000; // bytes that are kept

const database = new Database(`contact-sheet-imports${base}`, 'files');

let kept = 0;

/** @typedef {import('./upload-queue.js').Upload} Upload */

/**
 * Keeps an upload of an album; gives `upload.kept` a promise of its key.
 * @param {string} album
 * @param {Upload} upload
 */
export function keep(album, upload) {
  if (kept + upload.size > MOST) return;
  kept += upload.size;
  const { file, details, checksum, batch } = upload;
  upload.kept = database.run('readwrite', (store) => store.add({ album, file, details, checksum, batch }));
}

/**
 * Forgets an upload that is over.
 * @param {Upload} upload
 */
export async function letGo(upload) {
  const key = await upload.kept;
  if (key === undefined) return;
  kept -= upload.size;
  await database.run('readwrite', (store) => store.delete(key));
}

/**
 * Takes over what an earlier page kept of this album; it is not kept any more.
 * @param {string} album
 */
export async function takeKept(album) {
  /** @type {(Pick<Upload, 'file' | 'details' | 'checksum' | 'batch'> & { album: string })[]} */
  const values = (await database.run('readonly', (store) => store.getAll())) ?? [];
  const keys = (await database.run('readonly', (store) => store.getAllKeys())) ?? [];
  const own = values.map((value, n) => ({ ...value, key: keys[n] })).filter((value) => value.album === album);
  await database.run('readwrite', (store) => own.map(({ key }) => store.delete(key)).at(-1));
  return own;
}
