/** @type {Record<string, string>} the style sheets that a bundle has inside, by name; none without a bundle */
export const embedded = {};

/**
 * Adds a style sheet of the element's to the page, unless the page has it, and to the shadow root that a list is in.
 * @param {string} name
 * @param {HTMLElement} list
 */
export function addStyles(name, list) {
  add(name, document, document.documentElement, 'page');
  const root = list.getRootNode();
  if (root instanceof ShadowRoot) add(name, root, list, 'list');
}

/**
 * @param {string} name
 * @param {Document | ShadowRoot} root
 * @param {Element} element
 * @param {string} where
 */
function add(name, root, element, where) {
  // Each style sheet sets a property, however it was loaded. An inherited value comes from another root.
  if (getComputedStyle(element).getPropertyValue(`--ll-has-${name}`).includes(where)) return;
  if (embedded[name]) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(embedded[name]);
    root.adoptedStyleSheets = [sheet, ...root.adoptedStyleSheets];
    return;
  }
  const href = new URL(`${name}.css`, import.meta.url ?? document.baseURI).href;
  if (root.querySelector(`link[href="${href}"]`)) return;
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  // Leaving the page ends the download with an error, too: the delay keeps that out of the console.
  link.onerror = () => {
    // The next list that needs it fetches it again.
    link.remove();
    setTimeout(() => console.error(`live-list: ${href} is missing`), 1e3);
  };
  (root instanceof Document ? root.head : root).prepend(link);
}
