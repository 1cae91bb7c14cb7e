// Making elements in one line.

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<HTMLElementTagNameMap[Name]>} [properties]
 * @param {(Node | string)[]} children
 */
export function element(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

/**
 * @param {string} label
 * @param {string} className
 * @param {() => unknown} action
 */
export function button(label, className, action) {
  const node = element('button', { type: 'button', className, textContent: label });
  node.addEventListener('click', action);
  return node;
}

const RIGHT_TO_LEFT = /^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * The direction of a text by its first letter, where the text has no element of its own with `dir="auto"`.
 * @param {string | undefined} text
 */
export const directionOf = (text) => (RIGHT_TO_LEFT.test(text ?? '') ? 'rtl' : 'ltr');

/** True on Apple's keyboards, where the key that is called Delete sends `Backspace`. */
export const isMac = /^(Mac|iP)/.test(navigator.platform);

/**
 * Whether a key asks to undo. In a text field it is the field's own, and in a dialog there is nothing to undo.
 * @param {KeyboardEvent} event
 */
export function isUndo(event) {
  const isKey = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === 'z';
  return isKey && !(/** @type {Partial<Element>} */ (event.target).closest?.('input, textarea, dialog:not(#viewer)'));
}
