/** Adds a style sheet of the element's to the page, unless the page linked it. */
export function addStyles(name) {
  const url = new URL(name, import.meta.url).href;
  if ([...document.styleSheets].some(({ href }) => href === url)) return;
  if (document.querySelector(`link[data-live-list="${name}"]`)) return;
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: url });
  link.dataset.liveList = name;
  document.head.prepend(link);
}
