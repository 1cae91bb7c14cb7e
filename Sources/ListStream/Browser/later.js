// Modules that come later than the first: each is fetched when it is wanted, and asked for again until it is here.

import { LATE, reach } from './reach.js';

/** @typedef {Record<string, () => Promise<any>>} Modules imports that are written out, so that bundlers find them, by their paths without `.js` */

/** @template {Modules} All */
export class Later {
  /** @type {Set<string>} what was asked for, and could not be fetched or is late */
  #missing = new Set();
  #modules;
  #base;
  #onMissing;
  /** @type {{ [Path in keyof All]?: Promise<any> }} */
  #all = {};
  /** @type {(() => void)[]} what ends them */
  #pauses = [];

  /**
   * @param {All} modules
   * @param {string | undefined} base the URL that their paths begin at; none in a bundle, in which they may have other names
   * @param {(missing: string[]) => void} onMissing gets the modules that could not be fetched or are late, when they change and when one is wished for
   */
  constructor(modules, base, onMissing) {
    this.#modules = modules;
    this.#base = base;
    this.#onMissing = onMissing;
  }

  /**
   * Fetches a module.
   * @template {keyof All & string} Path
   * @param {Path} path
   * @param {boolean} [isWish] whether it is a user's wish, which is given up when it is late
   * @returns {Promise<Awaited<ReturnType<All[Path]>> | null>} a promise that waits for as long as it takes; of null for a wish that took ten seconds
   */
  async fetch(path, isWish) {
    const start = Date.now();
    if (isWish && this.#missing.has(path)) this.#miss(path);
    const module = await (this.#all[path] ??= this.#fetch(path));
    return isWish && Date.now() - start > 1e4 ? null : module;
  }

  /** Asks again for what is missing, as when the server is heard again. */
  retry() {
    for (const end of this.#pauses.splice(0)) end();
  }

  /** @param {keyof All & string} path */
  async #fetch(path) {
    const late = setTimeout(() => this.#miss(path), LATE);
    for (let tries = 1; ; tries++) {
      try {
        await reach(`${path}.js`, this.#base, tries);
        const module = await this.#modules[path]();
        clearTimeout(late);
        if (this.#missing.delete(path)) this.#onMissing([...this.#missing]);
        return module;
      } catch {
        this.#miss(path);
      }
      await new Promise((/** @type {(value?: unknown) => void} */ end) => {
        this.#pauses.push(end);
        setTimeout(end, tries * 1e3); // a second more each time
      });
    }
  }

  /** @param {string} path */
  #miss(path) {
    this.#missing.add(path);
    this.#onMissing([...this.#missing]);
  }
}
