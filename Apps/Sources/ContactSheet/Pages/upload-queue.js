// The queue of an import: a few files at a time, each with its progress; one that fails does not stop the others.
// A server that has too much to do is left alone for as long as it says, and then the import goes on by itself.
// No DOM here; `onChange` is called after every change.

import { waitWanted } from '../live-list/network/outbox.js';

const AT_ONCE = 3; // of the six connections to a server that a browser allows; the list uses one or two
const LATER = 2_000; // ms, where a busy server does not say how long to wait
const SILENCE = 60_000; // ms without progress: a line that stalls sends no error
const ANSWER = 180_000; // ms for the answer once all is sent: the server reads the picture then

const OTHER = 'This is not the file that the export names: its content is another. It was added as it is.';

/**
 * The sentence about a title of a manifest that could not be stored as it is; the command says the same.
 * @param {string} name
 * @param {string} wanted
 * @param {string} title
 */
const retitled = (name, wanted, title) =>
  `The title of “${name}” in manifest.json could not be kept: “${beginning(wanted)}” became “${beginning(title)}”. Titles are one line of at most 500 bytes, without control characters.`;

/**
 * A text, or the beginning of a long one, on one line.
 * @param {string} text
 */
function beginning(text) {
  const letters = [...text.slice(0, 200)];
  const line = letters.slice(0, 50).join('').replace(/\p{Cc}/gu, '').normalize();
  return letters.length > 50 ? `${line}…` : line;
}

/** @typedef {{ title?: string, taken?: string, place?: number, fileName?: string, hash?: string }} Details what a manifest says of a photo */

/**
 * A file on its way. `problem` is the sentence that says why it cannot be sent.
 * @typedef {object} Upload
 * @property {File} file
 * @property {Details} [details]
 * @property {number} [checksum]
 * @property {string} batch
 * @property {string} name
 * @property {number} size
 * @property {number} sent
 * @property {'waiting' | 'sending' | 'done' | 'duplicate' | 'failed' | 'cancelled'} state
 * @property {string} [message]
 * @property {boolean} [isFinal] whether another try is of no use
 * @property {AbortController} [abort]
 * @property {Promise<number | undefined>} [kept] its key in the store
 */

/** @typedef {{ file: File, details?: Details, checksum?: number, problem?: string }} Given */
/** @typedef {{ onProgress: (sent: number) => void, signal: AbortSignal }} Options */
/** @typedef {{ id: string, status: string, differs?: boolean, title?: string }} Answer */
/** @typedef {Error & { wait?: number, isFinal?: boolean }} Failure `wait`: the ms after which the file is to be sent again */

export class UploadQueue {
  /** @type {Upload[]} */
  uploads = [];
  /** @type {string[]} what people are told besides, in sentences */
  notes = [];
  #send;
  #onChange;
  #pause = 0;

  /**
   * @param {(upload: Upload, options: Options) => Promise<Answer>} send throws a `Failure` with a `message` for people
   * @param {() => void} onChange called after each change
   */
  constructor(send, onChange) {
    this.#send = send;
    this.#onChange = onChange;
  }

  /**
   * Called with an upload that is not going to be sent again.
   * @type {(upload: Upload) => void}
   */
  onOver = () => {};

  /**
   * @param {Given[]} files each with what a manifest says of it, and why it cannot be sent, if so
   * @param {string} batch shared by these files: they are ordered among themselves
   */
  add(files, batch) {
    for (const { file, details, checksum, problem } of files) {
      /** @type {Upload} */
      const upload = { file, details, checksum, batch, name: file.name, size: file.size, sent: 0, state: 'waiting' };
      this.uploads.push(problem ? Object.assign(upload, { state: 'failed', message: problem, isFinal: true }) : upload);
    }
    this.#next();
  }

  /** @param {string[]} notes */
  note(notes) {
    this.notes.push(...notes);
    this.#onChange();
  }

  /** @param {Upload} upload */
  retry(upload) {
    if (upload.state !== 'failed' || upload.isFinal) return;
    Object.assign(upload, { state: 'waiting', sent: 0, message: undefined });
    this.#next();
  }

  retryAll() {
    for (const upload of this.uploads) this.retry(upload);
  }

  /** Cancels all uploads that are not done. */
  cancel() {
    for (const upload of this.uploads) {
      if (upload.state === 'waiting') {
        upload.state = 'cancelled';
        this.onOver(upload);
      }
      upload.abort?.abort();
    }
    this.#onChange();
  }

  clear() {
    for (const upload of this.uploads) if (upload.state === 'failed') this.onOver(upload);
    this.uploads = this.uploads.filter(({ state }) => state === 'waiting' || state === 'sending');
    this.notes = [];
    this.#onChange();
  }

  /** @param {Upload['state'][]} states */
  count(...states) {
    return this.uploads.filter(({ state }) => states.includes(state)).length;
  }

  get isBusy() {
    return this.count('waiting', 'sending') > 0;
  }

  /** The part that is done, by bytes; each file counts 1,000 more, so that small ones count, too. */
  get progress() {
    /** @param {Upload} upload */
    const weight = ({ size }) => size + 1000;
    const all = this.uploads.filter(({ state }) => state !== 'cancelled');
    const total = all.reduce((sum, upload) => sum + weight(upload), 0);
    const done = all.reduce((sum, upload) => {
      const isOver = upload.state !== 'waiting' && upload.state !== 'sending';
      return sum + (isOver ? weight(upload) : upload.sent);
    }, 0);
    return total === 0 ? 0 : done / total;
  }

  #next() {
    while (!this.#pause && this.count('sending') < AT_ONCE) {
      const upload = this.uploads.find(({ state }) => state === 'waiting');
      if (!upload) break;
      this.#start(upload);
    }
    this.#onChange();
  }

  /**
   * Sends nothing for some time; several uploads may call this at once.
   * @param {number} time
   */
  #waitFor(time) {
    this.#pause ||= setTimeout(() => {
      this.#pause = 0;
      this.#next();
    }, time);
  }

  /** @param {Upload} upload */
  async #start(upload) {
    upload.state = 'sending';
    const abort = (upload.abort = new AbortController());
    /** @param {number} sent */
    const onProgress = (sent) => {
      upload.sent = sent;
      this.#onChange();
    };
    try {
      const { status, differs, title } = await this.#send(upload, { onProgress, signal: abort.signal });
      upload.state = status === 'duplicate' ? 'duplicate' : 'done';
      if (differs) Object.assign(upload, { message: OTHER, isFinal: true });
      const wanted = upload.details?.title;
      if (status === 'imported' && wanted && title !== undefined && title !== wanted) this.note([retitled(upload.name, wanted, title)]);
    } catch (failure) {
      const error = /** @type {Failure} */ (failure);
      if (abort.signal.aborted) upload.state = 'cancelled';
      else if (error.wait === undefined) Object.assign(upload, { state: 'failed', message: error.message, isFinal: error.isFinal });
      else {
        Object.assign(upload, { state: 'waiting', sent: 0 });
        this.#waitFor(error.wait);
      }
    }
    upload.abort = undefined;
    if (!['failed', 'waiting'].includes(upload.state)) this.onOver(upload);
    this.#next();
  }
}

/** Answers about the file itself (no picture, damaged, too large): another try would get the same. */
const FINAL = new Set([400, 413, 415, 422]);
/** Answers of a proxy that has none of the server's. */
const UNREACHED = new Set([502, 504]);

/**
 * A text without its middle if it is very long: the head of a request has its limit.
 * @param {string} text
 * @param {number} first
 * @param {number} last
 */
function shortened(text, first, last) {
  const letters = [...text];
  return letters.length > first + last ? [...letters.slice(0, first), ...letters.slice(letters.length - last)].join('') : text;
}

/**
 * Sends a file as it is, by XMLHttpRequest: fetch does not report an upload's progress.
 * @param {string} url
 * @param {Upload} upload
 * @param {Options} options
 * @returns {Promise<Answer>}
 */
export function sendFile(url, { file, details, batch }, { onProgress, signal }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const unreached = `${file.name} could not be sent: the server cannot be reached. Try again.`;
    const fail = () => reject(new Error(unreached));
    let query = `name=${encodeURIComponent(shortened(details?.fileName ?? file.name, 1000, 20))}&batch=${batch}`;
    for (const key of /** @type {const} */ (['title', 'taken', 'place', 'hash'])) {
      if (details?.[key] !== undefined) query += `&${key}=${encodeURIComponent(shortened(String(details[key]), 4000, 0))}`;
    }
    request.open('POST', `${url}?${query}`);
    request.setRequestHeader('Content-Type', file.type || 'application/octet-stream');
    request.responseType = 'json';
    let timer = 0;
    let sent = 0;
    /** @param {number} time */
    const giveUpIn = (time) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        fail();
        request.abort();
      }, time);
    };
    request.upload.onprogress = ({ loaded }) => {
      if (loaded > sent) giveUpIn(SILENCE);
      sent = loaded;
      onProgress(loaded);
    };
    request.upload.onload = () => giveUpIn(ANSWER);
    request.onloadend = () => clearTimeout(timer);
    request.onload = () => {
      if (request.status < 300) resolve(request.response ?? {});
      else {
        const ownWords = UNREACHED.has(request.status) ? unreached : `${file.name} was refused (${request.status}).`;
        const message = request.response?.error?.message ?? ownWords;
        const isBusy = request.status === 503 || request.status === 429;
        const wait = isBusy ? waitWanted(request.getResponseHeader('Retry-After')) ?? LATER : undefined;
        reject(Object.assign(new Error(message), { wait, isFinal: FINAL.has(request.status) }));
      }
    };
    request.onerror = fail;
    request.ontimeout = fail;
    request.onabort = () => reject(new Error('cancelled'));
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
    giveUpIn(SILENCE);
  });
}
