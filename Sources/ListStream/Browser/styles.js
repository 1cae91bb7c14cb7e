/** The style sheets that a bundle has inside, by name; none without a bundle. */
export const embedded = {};

const added = new WeakMap();

/** Adds a style sheet of the element's to the page, unless the page has it, and to the shadow root that a list is in. */
export function addStyles(name, list) {
  add(name, document, document.documentElement, 'page');
  const root = list?.getRootNode();
  if (root instanceof ShadowRoot) add(name, root, list, 'list');
}

function add(name, root, element, where) {
  const known = added.get(root) ?? new Set();
  if (known.has(name)) return;
  added.set(root, known.add(name));
  // Each says by a property that it is there, whatever way it came. What is inherited came from another root.
  if (getComputedStyle(element).getPropertyValue(`--ll-has-${name}`).includes(where)) return;
  if (embedded[name]) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(embedded[name]);
    root.adoptedStyleSheets = [sheet, ...root.adoptedStyleSheets];
    return;
  }
  const href = new URL(`${name}.css`, import.meta.url ?? document.baseURI).href;
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  // Leaving the page ends loading with an error, too: the delay keeps that out of the console.
  link.onerror = () => {
    // Whoever needs it next asks for it again.
    known.delete(name);
    link.remove();
    setTimeout(() => console.error(`live-list: ${href} is missing`), 1_000);
  };
  (root.head ?? root).prepend(link);
}
