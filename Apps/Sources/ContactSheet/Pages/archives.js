// Exports that come back, as a folder or a zip archive: their photos keep order, titles and dates.
// An archive is read in pieces, where it lies; nothing of it is whole in memory but what is compressed.

const MANIFEST = 'manifest.json';
const PICTURE = /\.(jpe?g|png|webp|hei[cf]|gif|tiff?)$/i;
const MOST_UNPACKED = 500_000_000; // bytes of one file that has to be unpacked

/**
 * What files are to be sent, in order, each with what a manifest says of it.
 *
 * @returns `[{file, details}]`; `details` has `title`, `taken`, `place` and `hash`, or is undefined
 */
export async function expand(files) {
  const all = [];
  for (const file of files) {
    const inside = /\.zip$/i.test(file.name) ? await unpack(file).catch(() => null) : null;
    // What cannot be read as an archive is sent as it is; the server says what it thinks of it.
    all.push(...(inside ?? [file]));
  }
  const manifests = all.filter(({ name }) => name === MANIFEST);
  const listed = new Map();
  for (const manifest of manifests) {
    const { format, photos } = await read(manifest);
    if (format !== 1 || !Array.isArray(photos)) continue;
    for (const { file, title, taken, fileName, hash } of photos) {
      if (!listed.has(file)) listed.set(file, { title, taken: taken ?? '', place: listed.size, fileName, hash: hashOf(hash) });
    }
  }
  if (listed.size === 0) return all.map((file) => ({ file }));
  const pictures = all.filter(({ name }) => name !== MANIFEST);
  const place = ({ name }) => listed.get(name)?.place ?? Infinity;
  return pictures.map((file) => ({ file, details: listed.get(file.name) })).sort((a, b) => {
    const [first, second] = [place(a.file), place(b.file)];
    return first === second ? 0 : first - second;
  });
}

/** The server compares the file with it. What is none is no reason to refuse the file. */
const hashOf = (text) => (/^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined);

async function read(manifest) {
  try {
    return JSON.parse(await manifest.text()) ?? {};
  } catch {
    return {};
  }
}

async function view(blob, start, length) {
  if (start < 0 || length < 0 || start + length > blob.size) throw new Error('beyond the end');
  return new DataView(await blob.slice(start, start + length).arrayBuffer());
}

/** The pictures of a zip archive, and its manifest. */
async function unpack(archive) {
  const { count, length, offset } = await directoryOf(archive);
  if (count > 100_000 || length > 100_000_000) throw new Error('too long');
  const directory = await view(archive, offset, length);
  const files = [];
  for (let at = 0, n = 0; n < count; n++) {
    const entry = entryAt(directory, at);
    at = entry.next;
    const name = entry.path.split(/[/\\]/).at(-1);
    const isClutter = name.startsWith('.') || entry.path.startsWith('__MACOSX/');
    if (isClutter || !(PICTURE.test(name) || name === MANIFEST)) continue;
    files.push(new File([await contentOf(archive, entry)], name));
  }
  return files;
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
