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
 * The direction of a text by its first letter, for what is not in an element of its own that could tell (`dir="auto"`).
 * @param {string | undefined} text
 */
export const directionOf = (text) => (RIGHT_TO_LEFT.test(text ?? '') ? 'rtl' : 'ltr');

/** True on Apple's keyboards, where the key that is called Delete sends `Backspace`. */
export const isMac = /^(Mac|iP)/.test(navigator.platform);

/**
 * Whether a key asks to take back what was done last. In a field it is the field's, and a question has nothing to take back.
 * @param {KeyboardEvent} event
 */
export function isUndo(event) {
  const isKey = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === 'z';
  return isKey && !(/** @type {Partial<Element>} */ (event.target).closest?.('input, textarea, dialog:not(#viewer)'));
}
