// Draws cells from a <template>, for pages that need no code of their own:
// `data-text="title"` sets an element's text, `data-set-src="thumb"` an attribute, `data-style-color="tint"` a
// style property, each from a member of the item's content.

export function templateRenderer(template) {
  return {
    draw(cell, content) {
      if (!cell.firstChild) cell.append(template.content.cloneNode(true));
      for (const node of cell.querySelectorAll('*')) fill(node, content ?? {});
    },
  };
}

function fill(node, content) {
  for (const name in node.dataset) {
    const value = content[node.dataset[name]];
    if (name === 'text') node.textContent = value ?? '';
    else if (name.startsWith('set')) setAttribute(node, kebab(name.slice(3)), value);
    else if (name.startsWith('style')) node.style.setProperty(kebab(name.slice(5)), value ?? '');
  }
}

function setAttribute(node, name, value) {
  if (value == null) node.removeAttribute(name);
  else node.setAttribute(name, value);
}

const kebab = (name) => name.replace(/^[A-Z]/, (c) => c.toLowerCase()).replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);
