// Draws cells from a <template>, for pages that need no code of their own:
// `data-text="title"` sets an element's text, `data-set-src="thumb"` an attribute, `data-style-color="tint"` a
// style property, each from a member of the item's content.

/** @typedef {import('../model/frames.js').Content} Content */

/** Returns a function that makes a renderer of a template. */
export const part = () => templateRenderer;

/** @param {HTMLTemplateElement} template */
function templateRenderer(template) {
  return {
    /**
     * @param {HTMLElement} cell
     * @param {Content | undefined} content
     */
    draw(cell, content) {
      if (!cell.firstChild) cell.append(template.content.cloneNode(true));
      for (const node of /** @type {NodeListOf<HTMLElement>} */ (cell.querySelectorAll('*'))) fill(node, content ?? {});
    },
  };
}

/**
 * @param {HTMLElement} node
 * @param {Content} content
 */
function fill(node, content) {
  for (const name in node.dataset) {
    const value = /** @type {string | null | undefined} */ (content[String(node.dataset[name])]);
    if (name === 'text') node.textContent = value ?? '';
    else if (name.startsWith('set')) setAttribute(node, kebab(name.slice(3)), value);
    else if (name.startsWith('style')) node.style.setProperty(kebab(name.slice(5)), value ?? '');
  }
}

/**
 * @param {HTMLElement} node
 * @param {string} name
 * @param {string | null | undefined} value
 */
function setAttribute(node, name, value) {
  if (value == null) node.removeAttribute(name);
  else node.setAttribute(name, value);
}

/** @param {string} name */
const kebab = (name) => name.replace(/^[A-Z]/, (c) => c.toLowerCase()).replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
