// The manifest of an export, read as the command reads it (Import/ManifestReader.swift): only what is wrong in it is left
// out, and named.

export const MANIFEST = 'manifest.json';

const LONGEST = 400 << 20; // bytes of a manifest
const MAXIMUM_TEXT = 64 << 10; // of a text in it
const NAMES = { title: 'title', fileName: 'file name', taken: 'date', hash: 'hash' };

/**
 * A photo of a manifest: its file, what an upload says of it, and the members that could not be read.
 * @typedef {{ file: string, title?: string, fileName?: string, taken?: string, hash?: string, faults: Set<string> }} Photo
 */

/**
 * The content of a manifest: what an upload says of each photo; or `isOther` where a file of that name is something else; or `refusal`, a sentence, where
 * nothing of it can be used.
 * @typedef {{ photos?: Photo[], notes?: string[], isOther?: boolean, refusal?: string }} Manifest
 */

/**
 * Decodes UTF-8; throws where it is none. A byte order mark is skipped at the beginning of a file, and nowhere else.
 * @param {Uint8Array | undefined} bytes
 * @param {{ ignoreBOM: boolean }} options
 */
const decoded = (bytes, { ignoreBOM }) => new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(bytes);

/**
 * @param {Blob} file the manifest
 * @param {number} fileCount how many files there are beside it
 * @returns {Promise<Manifest>}
 */
export async function readManifest(file, fileCount) {
  /** @param {string} reason */
  const useless = (reason) => ({
    refusal: `“${MANIFEST}” cannot be used: ${reason}. To import the photos without the order, titles and dates in it, take it away.`,
  });
  if (file.size > LONGEST) return useless('it is too long');
  const bytes = await file.arrayBuffer().catch(() => null); // the error is in each browser's own words
  if (!bytes) return useless('it could not be read');
  const { parts, rest, isCutOff } = cut(new Uint8Array(bytes), 2 * fileCount + 1000);
  if (!parts) return { refusal: `“${MANIFEST}” names far more photos than there are beside it, and was not read.` };
  /** @type {any} what it says, whatever that is */
  let head;
  /** @type {string | undefined} */
  let twice;
  try {
    const text = decoded(rest, { ignoreBOM: false });
    head = JSON.parse(text);
    twice = repeatedName(text, ['album', 'format', 'photos']);
  } catch {}
  if (head === undefined) return useless('it is damaged, or no text in UTF-8');
  if (Array.isArray(head)) return useless('it is a list, and no manifest');
  if (typeof head !== 'object' || head === null) return useless('it is a single value, and no manifest');
  if (Object.keys(head).length === 0) return useless('it is empty');
  if (!('format' in head) && !('photos' in head)) return { isOther: true };
  if (twice) return useless(`it has the member “${twice}” twice`);
  if (head.format !== 1) return useless('it is of a format that this release does not know; a newer one may');
  // The list is empty now: `cut` took its photos out.
  if (!Array.isArray(head.photos) || head.photos.length > 0) return useless('it has no list of photos that can be read');
  /** @type {Photo[]} */
  const photos = [];
  for (const [number, part] of parts.entries()) {
    const { photo, twice } = photoOf(part);
    if (twice) {
      const name = photo && twice !== 'file' ? `“${photo.file}”` : `photo ${number + 1}`;
      return useless(`it has the member “${twice}” of ${name} twice`);
    }
    if (photo) photos.push(photo);
  }
  return { photos, notes: notesOn(photos, { isCutOff, unreadable: parts.length - photos.length }) };
}

const [QUOTE, BACKSLASH, COMMA] = [...'"\\,'].map((letter) => letter.charCodeAt(0));
const [OPEN, CLOSE] = ['{[', '}]'].map((letters) => [...letters].map((letter) => letter.charCodeAt(0)));
const BRACKET = OPEN[1];
const BLANK = new Set([...' \n\r\t'].map((letter) => letter.charCodeAt(0)));

/**
 * Cuts a manifest into the bytes of each photo, and the rest. No photos where there are too many.
 * @param {Uint8Array} bytes
 * @param {number} limit
 * @returns {{ parts?: Uint8Array[], rest?: Uint8Array, isCutOff?: boolean }}
 */
function cut(bytes, limit) {
  /** @type {Uint8Array[][]} */
  const [parts, rest] = [[], []];
  let [start, depth, isInText, isInPhotos] = [0, 0, false, false];
  /** @param {number} end */
  const finish = (end) => {
    let from = start;
    while (from < end && BLANK.has(bytes[from])) from++;
    if (from < end) parts.push(bytes.subarray(from, end));
    start = end + 1;
  };
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isInText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) isInText = true;
    else if (OPEN.includes(byte)) {
      if (byte === BRACKET && depth === 1 && beginsPhotos(bytes, at)) {
        rest.push(bytes.subarray(start, at + 1));
        [start, isInPhotos] = [at + 1, true];
      }
      depth++;
    } else if (CLOSE.includes(byte)) {
      depth--;
      if (isInPhotos && depth === 1) {
        finish(at);
        [start, isInPhotos] = [at, false];
      }
    } else if (byte === COMMA && isInPhotos && depth === 2) finish(at);
    if (parts.length > limit) return {};
  }
  // A list of photos that ends too early is closed after the last whole one.
  rest.push(isInPhotos ? new TextEncoder().encode(']}') : bytes.subarray(start));
  return { parts, rest: joined(rest), isCutOff: isInText || depth !== 0 };
}

/**
 * @param {Uint8Array} bytes
 * @param {number} at
 */
function beginsPhotos(bytes, at) {
  return /"photos"\s*:\s*$/.test(String.fromCharCode(...bytes.subarray(Math.max(0, at - 100), at)));
}

/** @param {Uint8Array[]} pieces */
function joined(pieces) {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/**
 * A photo of a manifest, or none where it names no file; and the member that it has twice, if there is one.
 * @param {Uint8Array} bytes
 * @returns {{ photo?: Photo, twice?: string }}
 */
function photoOf(bytes) {
  /** @type {any} what it says, whatever that is */
  let value;
  /** @type {string | undefined} */
  let twice;
  try {
    const text = decoded(bytes, { ignoreBOM: true });
    value = JSON.parse(text);
    twice = repeatedName(text, ['file', ...Object.keys(NAMES)]);
  } catch {}
  if (!isText(value?.file)) return { twice };
  /** @type {Photo} */
  const photo = { file: value.file, faults: new Set() };
  for (const key of /** @type {(keyof typeof NAMES)[]} */ (Object.keys(NAMES))) {
    if (isText(value[key])) photo[key] = value[key];
    else if (value[key] !== undefined && value[key] !== null) photo.faults.add(key);
  }
  if (photo.taken !== undefined && !isDate(photo.taken)) {
    photo.faults.add('taken');
    photo.taken = undefined;
  } else if (!photo.faults.has('taken')) photo.taken ??= ''; // unknown, and not to be read from the file
  if (photo.hash !== undefined && !/^[0-9a-f]{64}$/i.test(photo.hash)) {
    photo.faults.add('hash');
    photo.hash = undefined;
  }
  photo.hash = photo.hash?.toLowerCase();
  return { photo, twice };
}

/**
 * The first of some names that an object has twice, by their meaning and not by how they are escaped. The browser
 * takes the last of such members, and the command the first (Support/JSONText.swift), so neither takes any.
 *
 * @param {string} text JSON that has been parsed, so that it is known to be right
 * @param {string[]} names
 * @returns {string | undefined}
 */
export function repeatedName(text, names) {
  const seen = new Set();
  let depth = 0;
  let [start, end] = [0, 0]; // of the string that was last read at the top level
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') {
      // Not a regular expression: a long text would overflow its stack.
      const begin = at++;
      for (; text[at] !== '"'; at++) if (text[at] === '\\') at++;
      if (depth === 1) [start, end] = [begin, at + 1];
    } else if (letter === '{' || letter === '[') depth++;
    else if (letter === '}' || letter === ']') depth--;
    else if (letter === ':' && depth === 1) {
      const member = JSON.parse(text.slice(start, end));
      if (seen.has(member)) return member;
      if (names.includes(member)) seen.add(member);
    }
  }
  return undefined;
}

/**
 * A text, if it can be sent: half of a surrogate pair cannot, and what is far too long counts as none.
 * @param {unknown} value
 */
function isText(value) {
  if (typeof value !== 'string' || new TextEncoder().encode(value).length > MAXIMUM_TEXT) return false;
  try {
    return encodeURIComponent(value) !== undefined;
  } catch {
    return false;
  }
}

const DATE = /^(\d{4})[-:](\d\d)[-:](\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-]\d\d:?\d\d)?$/;

/**
 * Whether the server takes a text for a date.
 * @param {string} text
 */
function isDate(text) {
  const [year, month, day, hour, minute, second] = (DATE.exec(text) ?? []).slice(1).map(Number);
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && hour <= 23 && minute <= 59 && second <= 60)) return false;
  // The day before the first of the next month; the constructor takes years below 100 for others.
  return day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
}

/**
 * Sentences about what was passed over.
 * @param {Photo[]} photos
 * @param {{ isCutOff?: boolean, unreadable: number }} faults
 */
function notesOn(photos, { isCutOff, unreadable }) {
  /** @type {string[]} */
  const notes = [];
  if (isCutOff) notes.push(`${MANIFEST} ends too early; it was read as far as it goes.`);
  if (unreadable > 0) {
    notes.push(
      `${unreadable === 1 ? '1 photo' : `${unreadable} photos`} of ${MANIFEST} could not be read; files that it does not name follow the others.`,
    );
  }
  for (const [key, name] of Object.entries(NAMES)) {
    const concerned = photos.filter(({ faults }) => faults.has(key));
    if (concerned.length === 0) continue;
    const others = concerned.length === 1 ? '' : ` and of ${concerned.length - 1} others`;
    notes.push(`The ${name} of “${concerned[0].file}”${others} in ${MANIFEST} could not be read, and was passed over.`);
  }
  return notes;
}
