// Short messages at the lower edge, with at most one thing to do about them.

import { button, element } from './elements.js';

const root = document.getElementById('toasts');

/** @returns a function that puts the message away */
export function toast(message, { label, action, duration = 8_000 } = {}) {
  const node = element('div', { className: 'toast' }, element('span', { textContent: message }));
  const close = () => node.remove();
  if (label) {
    node.append(
      button(label, '', () => {
        close();
        action();
      }),
    );
  }
  // The same again, with nothing to do about it, is said in place of what was said before.
  for (const other of [...root.children]) if (!label && !other.querySelector('button') && other.textContent === message) other.remove();
  root.append(node);
  while (root.children.length > 3) root.firstElementChild.remove();
  setTimeout(close, duration);
  return close;
}
