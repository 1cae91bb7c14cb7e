// The mutations of the user and of the page: shown at once, and sent.

import { Items } from './model/items.js';
import { uuid } from './uuid.js';

/** @typedef {import('./controller.js').Controller} Controller */
/** @typedef {import('./network/sending.js').Request} Request */
/** @typedef {import('./network/sending.js').Post} Post */
/** @typedef {import('./network/sending.js').SentMutation} SentMutation */

/**
 * A mutation, as the page wants it. `send` is a request to post instead of the one of its kind, or a function that sends the mutation
 * by its id; `label` comes back in the events of the mutation.
 * @typedef {import('./model/items.js').Destination & { ids: unknown, send?: Post | ((mutationID: string) => Promise<unknown>), label?: unknown }} WantedMutation
 */

export class Mutations {
  /** The number of mutations that wait to be saved since a request failed. */
  waiting = 0;
  #list;
  /** @type {Request[]} */
  #unsent = [];

  /** @param {Controller} list */
  constructor(list) {
    this.#list = list;
  }

  /**
   * Shows a mutation and sends it.
   * @param {'move' | 'delete'} kind
   * @param {WantedMutation} wish
   * @returns the mutation's id, or null if the page did not allow it, or none of the items is in the list
   */
  do(kind, { ids: named, after = null, before = null, section, send: sendBy, label }) {
    const { model, view, settings, dispatch, diagnose } = this.#list;
    model.try(null);
    let items = Items.of(named);
    if (model.loaded && !model.sparse) {
      const all = items;
      items = all.stillIn(model.order);
      if (items.length < all.length) diagnose('unknown', kind);
      if (items.length === 0) return null;
    }
    const mutationID = uuid();
    const mutation = { kind, ids: items.ids, after, before, section, label };
    const own = { ...items.body, ...(kind === 'move' && { after, before, section }) };
    const { url = /** @type {string} */ (settings[`${kind}s`]), body = own } = /** @type {Partial<Post>} */ (sendBy ?? {});
    // Plain JSON can be sent by another page, if this one is closed before.
    /** @type {Request} */
    let request = typeof sendBy === 'function'
      ? { send: () => sendBy(mutationID) }
      : { about: { url, body: { ...body, act: mutationID }, kind, label } };
    /** @param {import('./network/sending.js').Answer} by */
    const respondWith = (by) => {
      request = { answer: { by } };
      // A promise may fail before the part that sends is here to hear of it; that is no error of the page's.
      Promise.resolve(by).catch(() => {});
    };
    const isAllowed = dispatch(`live-list-${kind === 'move' ? 'reorder' : kind}`, { act: mutationID, ...mutation, respondWith }, true);
    if (isAllowed) this.#show({ mutationID, ...mutation, items, send: sendBy }, request);
    else view.update();
    return isAllowed ? mutationID : null;
  }

  /**
   * Sends something that belongs in the order of the mutations.
   * @param {Post | import('./network/sending.js').Send} send
   */
  enqueue(send) {
    return new Promise((resolve, reject) => {
      /** @type {Request} */
      const request = 'url' in send ? { about: send } : { send };
      this.#send({ mutationID: uuid(), ...request, promise: { resolve, reject } });
    });
  }

  /** @param {Request} request */
  #send(request) {
    this.#unsent.push(request);
    this.flush();
  }

  /** Sends what waits, as soon as the part that sends is fetched. */
  flush() {
    this.#list.parts.use('network/sending', (sending) => {
      for (const one of this.#unsent.splice(0)) sending.add(one);
      sending.connected();
    });
  }

  /**
   * Takes note of whether the server is heard.
   * @param {boolean} isHeard
   */
  heard(isHeard) {
    const { parts, settings } = this.#list;
    const sending = parts.made['network/sending'];
    if (!isHeard) sending?.lost();
    else if (this.#unsent.length > 0 || sending || settings.outbox) this.flush();
  }

  /**
   * @param {Omit<SentMutation, 'focus'>} shown
   * @param {Request} request
   */
  #show(shown, request) {
    const { model, view, selection, focus } = this.#list;
    const mutation = { ...shown, focus: focus.remember() };
    // Sent first, so that it travels while it is being shown.
    this.#send({ of: mutation, ...request });
    this.#list.measured('act', () => {
      model.add(mutation);
      view.update();
    });
    if (mutation.kind === 'delete') selection.follow(mutation.items.ids);
    mutation.focus();
    this.#list.countChanged();
  }
}
