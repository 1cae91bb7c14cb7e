// The parts that not every list needs, fetched when they are wanted. Each module has a function `part`, which makes it for a list.

import { Later } from './later.js';

/** Each by a path that is written out, so that bundlers find them. */
const modules = {
  diagnostics: () => import('./diagnostics.js'),
  'view/elsewhere': () => import('./view/elsewhere.js'),
  'long-lists/all-except': () => import('./long-lists/all-except.js'),
  'view/hints': () => import('./view/hints.js'),
  'view/keyboard': () => import('./view/keyboard.js'),
  'moving/menu': () => import('./moving/menu.js'),
  'view/marquee': () => import('./view/marquee.js'),
  'view/motion': () => import('./view/motion.js'),
  'view/relayout': () => import('./view/relayout.js'),
  'long-lists/ranges': () => import('./long-lists/ranges.js'),
  reordering: () => import('./reordering.js'),
  'network/sending': () => import('./network/sending.js'),
  'view/template': () => import('./view/template.js'),
};

/** @typedef {typeof modules} Modules */

/**
 * The instance of each part.
 * @typedef {{ [Path in keyof Modules]: ReturnType<Awaited<ReturnType<Modules[Path]>>['part']> }} Made
 */

/** @extends Later<Modules> */
export class Parts extends Later {
  /** @type {Partial<Made>} those that are here */
  made = {};
  #list;

  /** @param {import('./controller.js').Controller} list */
  constructor(list) {
    super(modules, import.meta.url?.endsWith('parts.js') ? import.meta.url : '', (missing) => list.dispatch('live-list-missing', { missing }));
    this.#list = list;
  }

  /**
   * Uses a part: at once if it is here, or when it has been fetched.
   * @template {keyof Modules} Path
   * @param {Path} path
   * @param {(part: Made[Path]) => void} [use]
   * @param {boolean} [isWish] whether it is a user's wish, which is given up when the part is late
   */
  async use(path, use = () => {}, isWish = false) {
    const { made } = this;
    if (!made[path]) {
      /** @type {any} */
      const module = await this.fetch(path, isWish);
      if (!module) return;
      made[path] ??= module.part(this.#list);
    }
    use(/** @type {Made[Path]} */ (made[path]));
  }
}
