// A menu of the page's own, beside a button; it looks and behaves like the menu of a photo.

import { element } from './elements.js';

/** @param entries `{label, action, isDestructive, isDisabled, isChecked}`, or null for a line between */
export function openMenu(anchor, label, entries) {
  const menu = element('div', { className: 'll-menu', popover: 'auto', ariaLabel: label });
  menu.setAttribute('role', 'menu');
  for (const entry of entries) {
    if (!entry) {
      const line = element('div');
      line.setAttribute('role', 'separator');
      menu.append(line);
      continue;
    }
    const isCheck = entry.isChecked !== undefined;
    const item = element('button', { type: 'button', textContent: entry.label, tabIndex: -1 });
    item.setAttribute('role', isCheck ? 'menuitemcheckbox' : 'menuitem');
    if (isCheck) item.ariaChecked = String(entry.isChecked);
    item.disabled = entry.isDisabled === true;
    item.classList.toggle('ll-destructive', entry.isDestructive === true);
    item.addEventListener('click', () => {
      menu.hidePopover();
      entry.action();
    });
    menu.append(item);
  }
  const items = [...menu.querySelectorAll('button:not(:disabled)')];
  menu.addEventListener('keydown', (event) => {
    const now = items.indexOf(document.activeElement);
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 }[event.key];
    if (event.key === 'Tab') menu.hidePopover();
    if (to === undefined) return;
    event.preventDefault();
    items.at(to % items.length).focus();
  });
  menu.addEventListener('toggle', ({ newState }) => {
    anchor.ariaExpanded = String(newState === 'open');
    if (newState !== 'closed') return;
    if (menu.contains(document.activeElement)) anchor.focus();
    menu.remove();
  });
  anchor.after(menu);
  menu.showPopover();
  const box = anchor.getBoundingClientRect();
  const left = Math.min(box.left, innerWidth - menu.offsetWidth - 8);
  const below = box.bottom + 6;
  const top = below + menu.offsetHeight > innerHeight ? box.top - menu.offsetHeight - 6 : below;
  menu.style.left = `${Math.max(8, left)}px`;
  menu.style.top = `${Math.max(8, top)}px`;
  items[0]?.focus();
}
