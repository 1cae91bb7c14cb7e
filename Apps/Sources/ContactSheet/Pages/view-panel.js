// Settings of the grid's looks: the size and the shape of photos, and whether they are in the album's own order or by months.

import { element } from './elements.js';
import { icons } from './icons.js';
import { inARow } from './size-gestures.js';
import { styleSheet } from './style-sheet.js';
import { icon } from '../live-list/moving/icon.js';

/** @typedef {{ label: string, choices: [value: string, label: string][], value: () => string, choose: (value: string) => void }} Group */

await styleSheet('view-panel');

export class ViewPanel {
  #size;
  #list;
  #groups;
  /** @type {HTMLElement | null} */
  #node = null;

  /**
   * @param {import('./grid-size.js').List} list
   * @param {import('./grid-size.js').GridSize} size
   * @param {Group[]} groups what else can be chosen
   */
  constructor(list, size, groups) {
    this.#list = list;
    this.#size = size;
    /** @type {Group} */
    const shape = {
      label: 'Photos', choices: [['square', 'Square'], ['whole', 'Whole picture']],
      value: () => (size.isWhole ? 'whole' : 'square'), choose: (value) => (size.isWhole = value === 'whole'),
    };
    this.#groups = [shape, ...groups];
  }

  /**
   * Opens it below a button, or closes it.
   * @param {HTMLElement} anchor
   */
  toggle(anchor) {
    if (this.#node) this.#node.hidePopover();
    else this.#open(anchor);
  }

  /** @param {HTMLElement} anchor */
  #open(anchor) {
    const node = element('div', { className: 'view-panel', ariaLabel: 'View', popover: 'auto', tabIndex: -1 });
    node.setAttribute('role', 'dialog');
    node.append(this.#slider(), ...this.#groups.map(choice));
    node.addEventListener('toggle', (event) => /** @type {Event & { newState: string }} */ (event).newState === 'closed' && this.#closed(anchor));
    // Escape closes the panel, and does not end edit mode.
    node.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      node.hidePopover();
      anchor.focus();
    });
    anchor.after(node);
    node.showPopover();
    anchor.ariaExpanded = 'true';
    this.#node = node;
    const box = anchor.getBoundingClientRect();
    node.style.setProperty('--top', `${box.bottom + 6}px`);
    node.style.setProperty('--left', `${Math.max(8, Math.min(box.right - node.offsetWidth, innerWidth - node.offsetWidth - 8))}px`);
    node.querySelector('input')?.focus();
  }

  /** @param {HTMLElement} anchor */
  #closed(anchor) {
    const node = this.#node;
    this.#size.onChange = () => {};
    anchor.ariaExpanded = 'false';
    const hadFocus = node?.contains(document.activeElement);
    node?.remove();
    if (hadFocus || document.activeElement === document.body) anchor.focus();
    // A press on the button closes the panel before the click comes, which must not open it again.
    setTimeout(() => (this.#node = null), 0);
  }

  #slider() {
    const size = this.#size;
    const input = element('input', { type: 'range', step: '1' });
    input.setAttribute('aria-label', 'Size of photos');
    const show = () => {
      const [least, most] = size.range;
      input.min = '0';
      input.max = `${most - least}`;
      input.value = `${most - size.columns}`;
      input.setAttribute('aria-valuetext', inARow(size.columns));
    };
    input.addEventListener('input', () => {
      const [, most] = size.range;
      const { left, top, width, height } = this.#list.getBoundingClientRect();
      size.setColumns(most - Number(input.value), this.#list.scrollTop > 0 ? { x: left + width / 2, y: top + height / 2 } : undefined);
    });
    size.onChange = show;
    show();
    return element('div', { className: 'size' }, icon(icons.view), input, icon('M5 5h14v14H5z'));
  }
}

/** @param {Group} group */
function choice({ label, choices, value, choose }) {
  const now = value();
  const fields = choices.map(([key, text]) => {
    const input = element('input', { type: 'radio', name: label, value: key, checked: key === now });
    input.addEventListener('change', () => choose(key));
    return element('label', {}, input, element('span', { textContent: text }));
  });
  return element('fieldset', {}, element('legend', { textContent: label }), ...fields);
}
