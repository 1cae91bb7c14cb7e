// Questions in a dialog.

import { button, element } from './elements.js';

function show(title, content, action, { isDestructive = false, value = () => true } = {}) {
  return new Promise((resolve) => {
    const heading = element('h2', { textContent: title });
    const form = element('form', { method: 'dialog' });
    const done = element('button', { textContent: action, className: 'button primary' });
    done.classList.toggle('danger', isDestructive);
    const dialog = element('dialog', { className: 'ask', ariaLabel: title }, form);
    const cancel = button('Cancel', 'button', () => dialog.close());
    form.append(heading, ...content, element('div', { className: 'buttons' }, cancel, done));
    // Closed by hand: what a form of the method `dialog` answers is its button's value, and browsers differ in when it is set.
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      dialog.close('done');
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'done' ? value() : null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Asks for a line of text; null if it was not given. */
export function askText(title, label, text, action) {
  const input = element('input', { required: true, maxLength: 200, value: text, ariaLabel: label, dir: 'auto' });
  // `required` is content with blanks.
  const check = () => input.setCustomValidity(input.value.trim() ? '' : `A ${label.toLowerCase()} is needed.`);
  input.addEventListener('input', check);
  check();
  const answer = show(title, [input], action, { value: () => input.value.trim() || null });
  input.select();
  return answer;
}

/** Asks whether something is meant; null if not. */
export function confirmThat(title, text, action) {
  return show(title, [element('p', { textContent: text })], action, { isDestructive: true });
}
