// Questions in a dialog.

import { button, element } from './elements.js';
import { styleSheet } from './style-sheet.js';
import { wordsOf } from './toasts.js';

await styleSheet('ask');

/**
 * @template Answer
 * @param {string} title
 * @param {Node[]} content
 * @param {string} action
 * @param {{ isDestructive?: boolean, value: () => Answer | Promise<Answer> }} options `value` makes what the dialog answers; where it fails, the dialog
 *   stays and says why
 * @returns {Promise<Answer | null>}
 */
function show(title, content, action, { isDestructive = false, value }) {
  return new Promise((resolve) => {
    const heading = element('h2', { textContent: title });
    const form = element('form', { method: 'dialog' });
    const done = element('button', { textContent: action, className: 'button primary' });
    done.classList.toggle('danger', isDestructive);
    const dialog = element('dialog', { className: 'ask', ariaLabel: title }, form);
    const cancel = button('Cancel', 'button', () => dialog.close());
    const trouble = element('p', { className: 'failure', hidden: true });
    trouble.setAttribute('role', 'alert');
    form.append(heading, ...content, trouble, element('div', { className: 'buttons' }, cancel, done));
    // Closed here and not by the form, whose value browsers set at different times.
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (done.disabled) return;
      done.disabled = true;
      trouble.hidden = true;
      try {
        const answer = await value();
        dialog.close();
        // Answered before the event, which comes later: a key between the two, such as that of undo, is about what was just done.
        resolve(answer);
      } catch (error) {
        if (!dialog.open) resolve(null); // It was closed meanwhile, and nothing was done.
        trouble.textContent = wordsOf(error);
        trouble.hidden = false;
      }
      done.disabled = false;
      // A button that is disabled loses the focus.
      if (dialog.open && !form.contains(document.activeElement)) done.focus();
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      if (!done.disabled) resolve(null); // else what is under way answers
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Asks for a line of text, and works on it while the dialog is open: where that fails, nothing that was typed is lost.
 * @template Answer
 * @param {string} title
 * @param {string} label
 * @param {string} text
 * @param {string} action
 * @param {(text: string) => Answer | Promise<Answer>} work
 * @returns the result of the work; null if no text was given
 */
export function askText(title, label, text, action, work) {
  const input = element('input', { required: true, value: text, ariaLabel: label, dir: 'auto' });
  // `required` is content with blanks.
  const check = () => input.setCustomValidity(input.value.trim() ? '' : `A ${label.toLowerCase()} is needed.`);
  input.addEventListener('input', check);
  check();
  const answer = show(title, [input], action, { value: () => work(input.value.trim()) });
  input.select();
  return answer;
}

/**
 * Asks for a confirmation, and does the work while the dialog is open: where that fails, the dialog says why, and stays.
 * @param {string} title
 * @param {string} text
 * @param {string} action
 * @param {() => unknown} [work]
 * @returns a promise of true when it is done; of null if the user said no
 */
export function confirmThat(title, text, action, work = () => {}) {
  const value = async () => {
    await work();
    return true;
  };
  return show(title, [element('p', { textContent: text })], action, { isDestructive: true, value });
}
