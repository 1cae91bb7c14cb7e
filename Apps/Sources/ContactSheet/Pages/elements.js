// Making elements in one line.

export function element(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

export function button(label, className, action) {
  const node = element('button', { type: 'button', className, textContent: label });
  node.addEventListener('click', action);
  return node;
}
