// Grouping by month of capture: ids of sections are months such as 2026-07.

const format = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** @typedef {'' | 'month' | 'month-newest'} Group '' is the album's own order; `month` has the newest last */

export const months = {
  /** @type {Group} */
  group: '',

  get areShown() {
    return this.group !== '';
  },

  /**
   * Sets the grouping that an address names.
   * @param {string | null} name
   */
  show(name) {
    this.group = name === 'month' || name === 'month-newest' ? name : '';
  },

  /**
   * @param {HTMLElement} cell
   * @param {{ id: string, count: number }} section
   */
  drawHeader(cell, { id, count }) {
    const date = /^\d{4}-\d\d$/.test(id) ? new Date(`${id}-01T00:00:00Z`) : null;
    const number = document.createElement('small');
    number.textContent = `${count}`;
    cell.replaceChildren(date ? format.format(date) : 'Without a date', number);
  },
};
