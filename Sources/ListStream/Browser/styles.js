/** The style sheets that a bundle has inside, by name; none without a bundle. */
export const embedded = {};

const added = new Set();

/** Adds a style sheet of the element's to the page, unless the page has it. */
export function addStyles(name) {
  if (added.has(name)) return;
  added.add(name);
  // Each says by a property that it is there, whatever way it came.
  if (getComputedStyle(document.documentElement).getPropertyValue(`--ll-has-${name}`)) return;
  if (embedded[name]) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(embedded[name]);
    document.adoptedStyleSheets = [sheet, ...document.adoptedStyleSheets];
    return;
  }
  const href = new URL(`${name}.css`, import.meta.url ?? document.baseURI).href;
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  // Leaving the page ends loading with an error, too: the delay keeps that out of the console.
  link.onerror = () => setTimeout(() => console.error(`live-list: ${href} is missing`), 1_000);
  document.head.prepend(link);
}
