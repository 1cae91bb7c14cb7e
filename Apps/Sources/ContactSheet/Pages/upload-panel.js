// Shows an import: its progress, the files that are being sent, and by name those that failed and why.

import { button, element } from './elements.js';
import { styleSheet } from './style-sheet.js';

await styleSheet('uploads');

const GONE_AFTER = 5_000;

/** @typedef {import('./upload-queue.js').Upload} Upload */
/** @typedef {import('./upload-queue.js').UploadQueue} UploadQueue */

export class UploadPanel {
  #root;
  /** @type {UploadQueue | undefined} */
  #queue;
  #title = element('h2');
  #total = element('progress', { max: 1 });
  #list = element('ul');
  #notes = element('ul', { className: 'notes' });
  #cancel;
  #retry;
  #close;
  /** @type {Map<Upload, HTMLElement>} */
  #rows = new Map();
  #timer = 0;
  #announce;
  #wasBusy = false;
  #frame = 0;

  /**
   * @param {HTMLElement} root
   * @param {(text: string) => void} announce
   */
  constructor(root, announce) {
    this.#root = root;
    this.#announce = announce;
    this.#total.ariaLabel = 'All imports';
    this.#cancel = button('Cancel', 'button plain', () => this.#queue?.cancel());
    this.#retry = button('Retry all', 'button plain', () => this.#queue?.retryAll());
    this.#close = button('Close', 'button plain', () => this.#queue?.clear());
    const line = element('div', { className: 'line' }, this.#title, this.#retry, this.#cancel, this.#close);
    root.append(element('header', {}, line, this.#total), this.#notes, this.#list);
    this.#list.ariaLabel = 'Files';
    this.#notes.ariaLabel = 'Notes';
  }

  /**
   * Shows the queue as it is, at most once per frame.
   * @param {UploadQueue} queue
   */
  show(queue) {
    this.#queue = queue;
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw(queue);
    });
  }

  /** @param {UploadQueue} queue */
  #draw(queue) {
    const { isBusy } = queue;
    const failed = queue.count('failed');
    clearTimeout(this.#timer);
    this.#root.hidden = queue.uploads.length + queue.notes.length === 0;
    this.#title.textContent = summary(queue);
    this.#total.value = queue.progress;
    this.#total.hidden = !isBusy;
    this.#cancel.hidden = !isBusy;
    this.#close.hidden = isBusy;
    this.#retry.hidden = isBusy || queue.uploads.filter(({ state, isFinal }) => state === 'failed' && !isFinal).length < 2;
    this.#showRows(queue.uploads.filter(({ state, message }) => state === 'sending' || state === 'failed' || message));
    if (this.#wasBusy && !isBusy) this.#announce(summary(queue));
    for (const note of queue.notes.slice(this.#notes.childElementCount)) this.#announce(note);
    this.#notes.replaceChildren(...queue.notes.map((textContent) => element('li', { textContent })));
    this.#notes.hidden = queue.notes.length === 0;
    this.#wasBusy = isBusy;
    if (!isBusy && failed === 0 && queue.notes.length === 0 && !queue.uploads.some(({ message }) => message)) this.#timer = setTimeout(() => queue.clear(), GONE_AFTER);
  }

  /** @param {Upload[]} uploads */
  #showRows(uploads) {
    for (const [upload, row] of this.#rows) {
      if (uploads.includes(upload)) continue;
      row.remove();
      this.#rows.delete(upload);
    }
    for (const upload of uploads) {
      let row = this.#rows.get(upload);
      if (!row || row.dataset.state !== upload.state) {
        const made = this.#row(upload);
        if (row) row.replaceWith(made);
        else this.#list.append(made);
        this.#rows.set(upload, made);
        row = made;
      }
      const progress = row.querySelector('progress');
      if (progress) progress.value = upload.size ? upload.sent / upload.size : 1;
    }
    this.#list.hidden = uploads.length === 0;
  }

  /** @param {Upload} upload */
  #row(upload) {
    const name = element('p', { className: 'name', dir: 'auto', textContent: upload.name, title: upload.name });
    const row = element('li', {});
    row.dataset.state = upload.state;
    if (upload.state === 'sending') {
      const progress = element('progress', { max: 1 });
      progress.ariaLabel = upload.name;
      row.append(name, progress);
    } else {
      const retry = button('Retry', 'button plain', () => this.#queue?.retry(upload));
      retry.ariaLabel = `Retry ${upload.name}`;
      row.append(
        element('div', { className: 'line' }, name, upload.isFinal ? '' : retry),
        element('p', { className: 'message', textContent: upload.message }),
      );
    }
    return row;
  }
}

/** @param {UploadQueue} queue */
function summary(queue) {
  if (queue.isBusy) {
    const all = queue.uploads.length - queue.count('cancelled');
    return `Adding photos: ${all - queue.count('waiting', 'sending')} of ${all}`;
  }
  /** @type {[number, (n: number) => string][]} */
  const parts = [
    [queue.count('done'), (n) => `${n} added`],
    [queue.count('duplicate'), (n) => `${n} already here`],
    [queue.count('failed'), (n) => `${n} failed`],
    [queue.count('cancelled'), (n) => `${n} cancelled`],
  ];
  return parts.filter(([n]) => n > 0).map(([n, say]) => say(n)).join(', ') || 'Nothing added';
}
