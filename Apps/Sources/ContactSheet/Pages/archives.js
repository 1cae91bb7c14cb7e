// Exports that come back, as a folder or a zip archive: their photos keep order, titles and dates.

import { folderOf } from './folders.js';
import { MANIFEST, readManifest } from './manifests.js';
import { contentOf, entriesOf } from './zips.js';

const PICTURE = /\.(jpe?g|png|webp|hei[cf]|gif|tiff?)$/i;
const MAXIMUM_TRIES = 8; // files in an archive with the name of a manifest

/** @typedef {import('./upload-queue.js').Given} Given */

/**
 * A file of an export, with its folder, and whether everything else is in that folder or below.
 * @typedef {Given & { folder: string, isAtTop: boolean, isInArchive?: boolean }} Found
 */

/** @typedef {{ all: Found[] }} Group files that belong together */

/**
 * The files to send, in order, each with what a manifest says of it.
 *
 * @param {File[]} files
 * @returns {Promise<{ files: Given[], notes: string[] }>} of `files`, `details` has `title`, `taken`, `place` and
 *   `hash`, or is undefined, `checksum` is the one in the archive, and `problem` says why a file of it cannot be read;
//   `notes` are sentences on what was passed over
 */
export async function expand(files) {
  /** @type {Map<string | File, Group>} */
  const groups = new Map();
  for (const file of files) {
    const inside = /\.zip$/i.test(file.name) ? await unpack(file).catch(() => null) : null;
    if (inside) groups.set(file, inside);
    else {
      // What cannot be read as an archive is sent as it is, and the server judges it. The files of a dropped folder belong together.
      const folder = folderOf(file);
      const [top] = folder.split('/');
      /** @type {Group} */
      const group = groups.get(top) ?? { all: [] };
      group.all.push({ file, folder, isAtTop: folder === top });
      groups.set(top, group);
    }
  }
  /** @type {{ files: Given[], notes: string[] }} */
  const result = { files: [], notes: [] };
  let offset = 0;
  for (const { all } of groups.values()) {
    const { files, notes, count } = await ordered(all, offset);
    offset += count;
    result.files.push(...files);
    result.notes.push(...notes);
  }
  return result;
}

/** @param {Found} entry */
const isManifest = ({ file }) => file.name === MANIFEST;

/**
 * The files of one folder or archive; none where its manifest cannot be used.
 * @param {Found[]} all
 * @param {number} offset of its first photo in the import
 * @returns {Promise<{ files: Given[], notes: string[], count: number }>}
 */
async function ordered(all, offset) {
  const pictures = all.filter((entry) => !isManifest(entry));
  const manifests = all.filter(isManifest).sort((a, b) => a.folder.length - b.folder.length);
  /** @type {string[][]} */
  const [notes, unused] = [[], []];
  /** @type {{ photos: import('./manifests.js').Photo[], notes?: string[], folder: string } | undefined} */
  let used;
  let tries = 0;
  for (const entry of manifests) {
    if (!used && entry.isAtTop && entry.problem) return { files: [], notes: [entry.problem], count: 0 };
    const mayBe = !used && !entry.problem && (entry.isAtTop || (entry.isInArchive && tries++ < MAXIMUM_TRIES));
    const read = mayBe ? await readManifest(entry.file, all.length) : undefined;
    if (read?.photos) used = { photos: read.photos, notes: read.notes, folder: entry.folder };
    else if (read?.isOther && entry.isAtTop) notes.push(`${MANIFEST} is no manifest of an album, and was passed over.`);
    else if (read?.refusal && entry.isAtTop) return { files: [], notes: [read.refusal], count: 0 };
    else unused.push(entry.folder.split('/').at(-1) ?? '');
  }
  if (unused.length > 0) {
    const others = unused.length === 1 ? ' was' : `, and ${unused.length - 1} more in other folders, were`;
    notes.push(`${MANIFEST} in the folder “${unused[0]}”${others} not used: it does not lie at the top of what is imported.`);
  }
  const manifest = used;
  if (!manifest) return { files: pictures.map(({ file, checksum, problem }) => ({ file, checksum, problem })), notes, count: 0 };
  /** @type {Map<string, import('./upload-queue.js').Details>} */
  const listed = new Map();
  for (const { file, title, taken, fileName, hash } of manifest.photos) {
    if (!listed.has(file)) listed.set(file, { title, taken, place: offset + listed.size, fileName, hash });
  }
  const files = pictures.map(({ file, folder, checksum, problem }) => {
    return { file, checksum, problem, details: folder === manifest.folder ? listed.get(file.name) : undefined };
  });
  const there = new Set(files.filter(({ details }) => details).map(({ file }) => file.name));
  const missing = [...listed.keys()].filter((name) => !there.has(name));
  notes.push(...(manifest.notes ?? []));
  if (missing.length > 0) {
    const others = missing.length === 1 ? ' is' : ` and ${missing.length - 1} others are`;
    notes.push(`“${missing[0]}”${others} named in ${MANIFEST}, but not there.`);
  }
  /** @param {Given} given */
  const positionOf = ({ details }) => details?.place ?? Infinity;
  files.sort((a, b) => (positionOf(a) === positionOf(b) ? 0 : positionOf(a) - positionOf(b)));
  return { files, notes, count: listed.size };
}

/**
 * The pictures and manifests of a zip archive, with their folders, and whether everything else is in that folder or below.
 * @param {File} archive
 * @returns {Promise<Group>}
 */
async function unpack(archive) {
  const entries = [];
  for (const entry of await entriesOf(archive)) {
    const steps = entry.path.split(/[/\\]/);
    const name = String(steps.pop());
    if (name === '' || name.startsWith('.') || entry.path.startsWith('__MACOSX/')) continue;
    entries.push({ ...entry, name, folder: steps.join('/') });
  }
  const top = commonFolder(entries.map(({ folder }) => folder));
  /** @type {Found[]} */
  const all = [];
  for (const entry of entries) {
    const { name, folder } = entry;
    if (!(PICTURE.test(name) || name === MANIFEST)) continue;
    /** @type {{ parts: Blob[], checksum?: number, problem?: string }} */
    let content = { parts: [] };
    try {
      content = await contentOf(archive, entry);
    } catch (error) {
      content.problem = `“${name}” was not imported: ${/** @type {{ reason?: string }} */ (error).reason ?? 'it could not be read'}.`;
    }
    const { parts, checksum, problem } = content;
    all.push({ file: new File(parts, name), checksum, problem, folder, isAtTop: folder === top, isInArchive: true });
  }
  return { all };
}

/**
 * The folder that contains all these folders.
 * @param {string[]} folders
 */
function commonFolder(folders) {
  /** @type {string[] | undefined} */
  let common;
  for (const folder of folders) {
    const steps = folder.split('/');
    const differs = common?.findIndex((step, n) => step !== steps[n]) ?? -1;
    common = differs < 0 ? common ?? steps : steps.slice(0, differs);
  }
  return (common ?? []).join('/');
}
