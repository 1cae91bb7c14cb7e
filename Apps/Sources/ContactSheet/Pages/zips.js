// Zip archives, read in pieces where they lie; nothing of one is whole in memory but what is compressed. It refuses what the command
// refuses, in the same words (Import/ZipReader.swift).

const MAXIMUM_UNPACKED = 500 << 20; // bytes of one file that has to be unpacked
const LARGE = 64 << 20; // bytes of a file that is no photo where it was packed
const MAXIMUM_RATIO = 200; // of unpacked to packed bytes

/** Why a file of an archive is refused, as the end of a sentence. */
class Refusal extends Error {
  /** @param {string} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * @param {Blob} blob
 * @param {number} start
 * @param {number} length
 */
async function view(blob, start, length) {
  if (start < 0 || length < 0 || start + length > blob.size) throw new Error('beyond the end');
  return new DataView(await blob.slice(start, start + length).arrayBuffer());
}

/** @typedef {ReturnType<typeof entryAt>} Entry a file that an archive lists */

/**
 * The files that an archive lists; throws where it is no archive, or its files overlap.
 * @param {Blob} archive
 */
export async function entriesOf(archive) {
  const { count, length, offset } = await directoryOf(archive);
  if (count > 100_000 || length > 100_000_000) throw new Error('too long');
  const directory = await view(archive, offset, length);
  /** @type {Entry[]} */
  const entries = [];
  for (let at = 0, n = 0; n < count; n++) {
    const entry = entryAt(directory, at);
    at = entry.next;
    if (!entry.path.endsWith('/')) entries.push(entry);
  }
  let bound = 0;
  for (const entry of [...entries].sort((a, b) => a.offset - b.offset)) {
    if (entry.offset < bound || entry.offset + 30 + entry.packed > offset) throw new Error('over each other');
    bound = entry.offset + 30 + entry.packed;
  }
  return entries;
}

/** @param {Blob} archive */
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

/**
 * @param {DataView} data
 * @param {number} at
 */
const large = (data, at) => Number(data.getBigUint64(at, true));

/**
 * @param {DataView} directory
 * @param {number} at
 */
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
    for (const key of /** @type {const} */ (['size', 'packed', 'offset'])) {
      if (sizes[key] !== 0xffffffff) continue;
      sizes[key] = large(directory, value);
      value += 8;
    }
  }
  const [made, attributes] = [directory.getUint16(at + 4, true), directory.getUint16(at + 40, true)];
  return {
    path,
    ...sizes,
    isLink: made >> 8 === 3 && (attributes & 0xf000) === 0xa000, // on Unix
    isLocked: (directory.getUint16(at + 8, true) & 1) === 1,
    method: directory.getUint16(at + 10, true),
    checksum: directory.getUint32(at + 16, true),
    next: extraEnd + directory.getUint16(at + 32, true),
  };
}

/**
 * Why a file is refused before anything of it is read.
 * @param {Entry} entry
 */
function problemOf({ path, size, packed, method, isLink, isLocked }) {
  // Some Windows programs separate folders by backslashes; no name becomes a path here.
  if (/^[/\\]|\0/.test(path) || path.split(/[/\\]/).includes('..')) return 'its name leads out of the archive';
  if (isLink) return 'it is a link and not a file';
  if (isLocked) return 'it is encrypted';
  if (method !== 0 && method !== 8) return 'it is compressed in a way that ContactSheet does not know';
  if (method === 0 && packed !== size) return 'its two sizes contradict each other';
  if (size > LARGE && Math.floor(size / Math.max(1, packed)) > MAXIMUM_RATIO) return 'it blows up to many times its size';
  if (method === 8 && size > MAXIMUM_UNPACKED) return `it is larger than the limit of ${MAXIMUM_UNPACKED >> 20} MB`;
  return undefined;
}

/**
 * The content of a file of an archive; throws an error with a `reason` where it cannot be read.
 *
 * @param {Blob} archive
 * @param {Entry} entry
 * @returns {Promise<{ parts: Blob[], checksum?: number }>} the parts of the file, and the checksum that it should
 *   have, if it was not tested yet: a file that is not compressed is read only when it is sent
 */
export async function contentOf(archive, entry) {
  const problem = problemOf(entry);
  if (problem) throw new Refusal(problem);
  const { offset, packed, size, method, checksum } = entry;
  const header = await view(archive, offset, 30);
  if (header.getUint32(0, true) !== 0x04034b50) throw new Refusal('it is not where the archive says');
  const start = offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  if (start + packed > archive.size) throw new Refusal('it is not where the archive says');
  const bytes = archive.slice(start, start + packed);
  if (method === 0) return { parts: [bytes], checksum };
  return { parts: [await unpacked(bytes, size, checksum)] };
}

/**
 * Decompresses, and stops at the first byte beyond the size that the archive says.
 * @param {Blob} bytes
 * @param {number} size
 * @param {number} checksum
 */
async function unpacked(bytes, size, checksum) {
  const reader = bytes.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const pieces = [];
  let [count, sum] = [0, 0];
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Refusal('its compressed data is damaged');
    });
    if (done) break;
    count += value.length;
    if (count > size) {
      await reader.cancel();
      throw new Refusal('it is longer than the archive says');
    }
    sum = updated(sum, value);
    pieces.push(value);
  }
  if (count !== size || sum !== checksum) throw new Refusal('it is not what the archive says');
  return new Blob(pieces);
}

/** @type {Uint32Array | undefined} */
let table;

/**
 * A CRC-32 with more bytes.
 * @param {number} sum
 * @param {Uint8Array} bytes
 */
function updated(sum, bytes) {
  const factors = (table ??= Uint32Array.from({ length: 256 }, (_, n) => {
    for (let bit = 0; bit < 8; bit++) n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
    return n;
  }));
  let value = ~sum;
  for (let at = 0; at < bytes.length; at++) value = factors[(value ^ bytes[at]) & 0xff] ^ (value >>> 8);
  return ~value >>> 0;
}

/**
 * Throws an error for people where a file is not what its archive says.
 * @param {{ file: File, checksum?: number }} upload
 * @param {AbortSignal} signal
 */
export async function checkSum({ file, checksum }, signal) {
  if (checksum === undefined) return;
  const reader = file.stream().getReader();
  let sum = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Error(`“${file.name}” was not imported: it could not be read.`);
    });
    signal.throwIfAborted();
    if (done) break;
    sum = updated(sum, value);
  }
  if (sum !== checksum) throw Object.assign(new Error(`“${file.name}” was not imported: it is not what the archive says.`), { isFinal: true });
}
