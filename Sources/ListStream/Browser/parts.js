// The parts that not every list needs: fetched when they are. The module of each has a function `part`, which makes it for a list.

/** Each by a path that is written out, so that bundlers find them. */
const modules = {
  diagnostics: () => import('./diagnostics.js'),
  'view/elsewhere': () => import('./view/elsewhere.js'),
  'long-lists/everything': () => import('./long-lists/everything.js'),
  'view/hints': () => import('./view/hints.js'),
  'view/keyboard': () => import('./view/keyboard.js'),
  'moving/menu': () => import('./moving/menu.js'),
  'view/motion': () => import('./view/motion.js'),
  'long-lists/ranges': () => import('./long-lists/ranges.js'),
  reordering: () => import('./reordering.js'),
  'network/sending': () => import('./network/sending.js'),
};

/** @typedef {typeof modules} Modules */

/**
 * What was made of each part.
 * @typedef {{ [Path in keyof Modules]: ReturnType<Awaited<ReturnType<Modules[Path]>>['part']> }} Made
 */

export class Parts {
  /** @type {Partial<Made>} those that are here */
  made = {};
  /** @type {{ [path: string]: Promise<any> | undefined }} modules, each of a kind of its own */
  #fetched = {};
  #again = '';
  #list;

  /** @param {import('./controller.js').Controller} list */
  constructor(list) {
    this.#list = list;
  }

  /**
   * Uses a part: at once if it is here, or when it has been fetched.
   * @template {keyof Modules} Path
   * @param {Path} path
   * @param {(part: Made[Path]) => void} [use]
   */
  async use(path, use = () => {}) {
    const { made } = this;
    try {
      if (!made[path]) {
        const again = `./${path}.js${this.#again}`;
        this.#fetched[path] ??= this.#again ? import(/* @vite-ignore */ /* webpackIgnore: true */ again) : modules[path]();
        const { part } = await this.#fetched[path];
        made[path] ??= part(this.#list);
      }
    } catch {
      // The next time it is tried again, by another name: browsers keep in mind that a module could not be fetched.
      this.#fetched[path] = undefined;
      this.#again += '?';
      return;
    }
    use(/** @type {Made[Path]} */ (made[path]));
  }
}
