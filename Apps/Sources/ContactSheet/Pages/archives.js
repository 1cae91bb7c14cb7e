// Exports that come back, as a folder or a zip archive: their photos keep order, titles and dates.
// An archive is read in pieces, where it lies; nothing of it is whole in memory but what is compressed.

import { folderOf } from './files.js';
import { MANIFEST, readManifest } from './manifests.js';

const PICTURE = /\.(jpe?g|png|webp|hei[cf]|gif|tiff?)$/i;
const MOST_UNPACKED = 500_000_000; // bytes of one file that has to be unpacked
const MOST_TRIED = 8; // files of an archive that are called like a manifest

/**
 * The files to send, in order, each with what a manifest says of it.
 *
 * @returns `{files, notes}`: `files` is `[{file, details}]`, where `details` has `title`, `taken`, `place` and `hash`, or is
 *   undefined; `notes` are sentences on what was passed over
 */
export async function expand(files) {
  const groups = new Map();
  for (const file of files) {
    const inside = /\.zip$/i.test(file.name) ? await unpack(file).catch(() => null) : null;
    if (inside) groups.set(file, inside);
    else {
      // What cannot be read as an archive is sent as it is; the server says what it thinks of it. What is dropped as a
      // folder belongs together.
      const folder = folderOf(file);
      const [top] = folder.split('/');
      const group = groups.get(top) ?? { all: [] };
      group.all.push({ file, folder, isAtTop: folder === top });
      groups.set(top, group);
    }
  }
  const result = { files: [], notes: [] };
  let places = 0;
  for (const { all } of groups.values()) {
    const { files, notes, count } = await ordered(all, places);
    places += count;
    result.files.push(...files);
    result.notes.push(...notes);
  }
  return result;
}

const isManifest = ({ file }) => file.name === MANIFEST;

/** The files of one export, folder or archive; without those of which nothing is known, where its manifest cannot be used. */
async function ordered(all, places) {
  const pictures = all.filter((entry) => !isManifest(entry));
  const manifests = all.filter(isManifest).sort((a, b) => a.folder.length - b.folder.length);
  const [notes, unused] = [[], []];
  let [used, tries] = [undefined, 0];
  for (const entry of manifests) {
    const mayBe = !used && (entry.isAtTop || (entry.isInArchive && tries++ < MOST_TRIED));
    const read = mayBe ? await readManifest(entry.file, all.length) : undefined;
    if (read?.photos) used = { ...read, folder: entry.folder };
    else if (read?.isOther && entry.isAtTop) notes.push(`${MANIFEST} is no manifest of an album, and was passed over.`);
    else if (read?.refusal && entry.isAtTop) return { files: [], notes: [read.refusal], count: 0 };
    else unused.push(entry.folder.split('/').at(-1));
  }
  if (unused.length > 0) {
    const others = unused.length === 1 ? ' was' : `, and ${unused.length - 1} more in other folders, were`;
    notes.push(`${MANIFEST} in the folder “${unused[0]}”${others} not used: it does not lie at the top of what is imported.`);
  }
  if (!used) return { files: pictures.map(({ file }) => ({ file })), notes, count: 0 };
  const listed = new Map();
  for (const { file, title, taken, fileName, hash } of used.photos) {
    if (!listed.has(file)) listed.set(file, { title, taken, place: places + listed.size, fileName, hash });
  }
  const files = pictures.map(({ file, folder }) => ({ file, details: folder === used.folder ? listed.get(file.name) : undefined }));
  const there = new Set(files.filter(({ details }) => details).map(({ file }) => file.name));
  const missing = [...listed.keys()].filter((name) => !there.has(name));
  notes.push(...used.notes);
  if (missing.length > 0) {
    const others = missing.length === 1 ? ' is' : ` and ${missing.length - 1} others are`;
    notes.push(`“${missing[0]}”${others} named in ${MANIFEST}, but not there.`);
  }
  const place = ({ details }) => details?.place ?? Infinity;
  files.sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
  return { files, notes, count: listed.size };
}

async function view(blob, start, length) {
  if (start < 0 || length < 0 || start + length > blob.size) throw new Error('beyond the end');
  return new DataView(await blob.slice(start, start + length).arrayBuffer());
}

/** The pictures of a zip archive, and its manifests: with the folders that they lie in, and whether all else lies there or below. */
async function unpack(archive) {
  const { count, length, offset } = await directoryOf(archive);
  if (count > 100_000 || length > 100_000_000) throw new Error('too long');
  const directory = await view(archive, offset, length);
  const entries = [];
  for (let at = 0, n = 0; n < count; n++) {
    const entry = entryAt(directory, at);
    at = entry.next;
    const steps = entry.path.split(/[/\\]/);
    const name = steps.pop();
    if (name === '' || name.startsWith('.') || entry.path.startsWith('__MACOSX/')) continue;
    entries.push({ ...entry, name, folder: steps.join('/') });
  }
  const top = commonFolder(entries.map(({ folder }) => folder));
  const all = [];
  for (const entry of entries) {
    const { name, folder } = entry;
    if (!(PICTURE.test(name) || name === MANIFEST)) continue;
    const isAtTop = folder === top;
    // A manifest of another program may be packed in any way; to read it is not worth the photos.
    const content = await contentOf(archive, entry).catch((error) => {
      if (name === MANIFEST && !isAtTop) return new Blob();
      throw error;
    });
    all.push({ file: new File([content], name), folder, isAtTop, isInArchive: true });
  }
  return { all };
}

/** The folder in which all folders lie. */
function commonFolder(folders) {
  let common;
  for (const folder of folders) {
    const steps = folder.split('/');
    const differs = common?.findIndex((step, n) => step !== steps[n]) ?? -1;
    common = differs < 0 ? common ?? steps : common.slice(0, differs);
  }
  return (common ?? []).join('/');
}

async function directoryOf(archive) {
  const start = Math.max(0, archive.size - 65_557);
  const tail = await view(archive, start, archive.size - start);
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Error('no directory');
  if (end >= 20 && tail.getUint32(end - 20, true) === 0x07064b50) {
    const record = await view(archive, Number(tail.getBigUint64(end - 12, true)), 56);
    return { count: large(record, 32), length: large(record, 40), offset: large(record, 48) };
  }
  return { count: tail.getUint16(end + 10, true), length: tail.getUint32(end + 12, true), offset: tail.getUint32(end + 16, true) };
}

const large = (data, at) => Number(data.getBigUint64(at, true));

function entryAt(directory, at) {
  if (directory.getUint32(at, true) !== 0x02014b50) throw new Error('no entry');
  const nameLength = directory.getUint16(at + 28, true);
  const extraLength = directory.getUint16(at + 30, true);
  const path = new TextDecoder().decode(new Uint8Array(directory.buffer, at + 46, nameLength));
  const sizes = { size: directory.getUint32(at + 24, true), packed: directory.getUint32(at + 20, true), offset: directory.getUint32(at + 42, true) };
  const extraEnd = at + 46 + nameLength + extraLength;
  for (let field = at + 46 + nameLength; field + 4 <= extraEnd; field += 4 + directory.getUint16(field + 2, true)) {
    let value = field + 4;
    if (directory.getUint16(field, true) !== 1) continue;
    for (const key of ['size', 'packed', 'offset']) {
      if (sizes[key] !== 0xffffffff) continue;
      sizes[key] = large(directory, value);
      value += 8;
    }
  }
  const isLocked = (directory.getUint16(at + 8, true) & 1) === 1;
  return { path, ...sizes, isLocked, method: directory.getUint16(at + 10, true), next: extraEnd + directory.getUint16(at + 32, true) };
}

async function contentOf(archive, { offset, packed, size, method, isLocked }) {
  const header = await view(archive, offset, 30);
  if (header.getUint32(0, true) !== 0x04034b50 || isLocked) throw new Error('no file');
  const start = offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  const bytes = archive.slice(start, start + packed);
  if (method === 0) return bytes;
  if (method !== 8 || size > MOST_UNPACKED) throw new Error('cannot be unpacked');
  return unpacked(bytes, size);
}

/** Undoes the compression, and stops at the first byte more than was said. */
async function unpacked(bytes, size) {
  const reader = bytes.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const pieces = [];
  let count = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    count += value.length;
    if (count > size) throw new Error('longer than it says');
    pieces.push(value);
  }
  return new Blob(pieces);
}
