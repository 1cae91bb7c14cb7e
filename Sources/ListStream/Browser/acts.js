// What the user does with the list, and the page: shown at once, and sent.

import { Items } from './model/items.js';
import { uuid } from './uuid.js';

/** @typedef {import('./controller.js').Controller} Controller */
/** @typedef {import('./network/sending.js').Request} Request */
/** @typedef {import('./network/sending.js').Post} Post */
/** @typedef {import('./network/sending.js').SentAct} SentAct */

/**
 * What an act is about, as the page says it. `send` is what is posted where instead of by the URL of its kind, or a function of the act's
 * id that sends it; `label` is what the page wants to know again when it is told of the act.
 * @typedef {import('./model/items.js').Destination & { ids: unknown, send?: Post | ((act: string) => Promise<unknown>), label?: unknown }} Wish
 */

export class Acts {
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
   * Shows an act and sends it.
   * @param {'move' | 'delete'} kind
   * @param {Wish} wish
   * @returns the act's id, or null if the page did not allow it, or none of the items is in the list
   */
  do(kind, { ids: named, after = null, before = null, section, send: sendBy, label }) {
    const { model, view, settings, tell, diagnose } = this.#list;
    model.try(null);
    let items = Items.of(named);
    if (model.loaded && !model.sparse) {
      const { length } = items;
      items = items.stillIn(model.order);
      if (items.length < length) diagnose('unknown', kind);
      if (items.length === 0) return null;
    }
    const act = { act: uuid(), kind, ids: items.ids, after, before, section, label };
    const own = { ...items.body, ...(kind === 'move' && { after, before, section }) };
    const { url = /** @type {string} */ (settings[`${kind}s`]), body = own } = /** @type {Partial<Post>} */ (sendBy ?? {});
    // What is plain JSON can be sent by another page, if this one is closed before it could be.
    /** @type {Request} */
    let request = { about: { url, body: { ...body, act: act.act }, kind, label } };
    if (typeof sendBy === 'function') request = { send: () => sendBy(act.act) };
    /** @param {import('./network/sending.js').Answer} by */
    const respondWith = (by) => (request = { answer: { by } });
    const isAllowed = tell(kind === 'move' ? 'live-list-reorder' : 'live-list-delete', { ...act, respondWith }, true);
    if (isAllowed) this.#show({ ...act, items, send: sendBy }, request);
    else view.update();
    return isAllowed ? act.act : null;
  }

  /**
   * Sends something that belongs in the order of the acts.
   * @param {Post | import('./network/sending.js').Send} send
   */
  enqueue(send) {
    return new Promise((resolve, reject) => {
      /** @type {Request} */
      const request = 'url' in send ? { about: send } : { send };
      this.#send({ act: uuid(), ...request, promise: { resolve, reject } });
    });
  }

  /** @param {Request} request */
  #send(request) {
    this.#unsent.push(request);
    this.flush();
  }

  /** Sends what is to be sent, now rather than later. What it takes for that may have to be fetched itself. */
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
   * @param {Omit<SentAct, 'focus'>} shown
   * @param {Request} request
   */
  #show(shown, request) {
    const { model, view, selection, focus } = this.#list;
    const act = { ...shown, focus: focus.remember() };
    // It travels while it is shown.
    this.#send({ of: act, ...request });
    this.#list.measured('act', () => {
      model.add(act);
      view.update();
    });
    if (act.kind === 'delete') selection.follow(act.items.ids);
    act.focus();
    this.#list.countChanged();
  }
}
