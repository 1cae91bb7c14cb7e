// The content of rows: what the page draws, and what the list adds.

/** @typedef {Pick<import('../controller.js').Controller, 'host' | 'model' | 'view' | 'selection' | 'focus' | 'moving' | 'settings' | 'strings' | 'diagnose'>} List */
/** @typedef {import('./rows.js').Row} Row */

export class Cells {
  #list;

  /** @param {List} list */
  constructor(list) {
    this.#list = list;
  }

  /** @param {Row} row */
  draw(row) {
    if (row.isWaiting) return;
    const { model, view, settings: { renderer, headerRenderer } } = this.#list;
    const { node, cell, index } = row;
    node.removeAttribute('data-ll-failed');
    if (row.id === null) {
      const { id, count } = view.layout.sections[row.section];
      if (headerRenderer) this.ask(id, () => headerRenderer(cell, { id, count }), node);
      else cell.textContent = id;
      return;
    }
    const { id } = row;
    this.ask(id, () => renderer?.draw(cell, model.content.get(id), { id, index }), node);
    this.#decorate(row);
  }

  /** @param {Row} row */
  discard({ id, cell }) {
    if (id !== null) this.ask(id, () => this.#list.settings.renderer?.discard?.(cell));
  }

  /**
   * Calls a function of the page about an item; an error in it concerns that item alone, and its `node`.
   * @template Answer
   * @param {string | undefined} id
   * @param {() => Answer} question
   * @param {Element} [node]
   * @returns {Answer | undefined}
   */
  ask(id, question, node, kind = 'renderer') {
    try {
      return question();
    } catch (error) {
      node?.toggleAttribute('data-ll-failed', true);
      this.#list.diagnose(kind, { id, error });
      return undefined;
    }
  }

  /**
   * The name of an item for people.
   * @param {string | undefined} id
   * @returns {string}
   */
  labelOf(id) {
    const { model, settings: { label, labelKey }, strings } = this.#list;
    const content = model.content.get(/** @type {string} */ (id));
    return this.ask(id, () => label?.(content)) || /** @type {string | undefined} */ (content?.[labelKey]) || strings.item;
  }

  /** Shows selection, moving and the tab stop on every row. */
  decorate() {
    const list = this.#list;
    // A list without rows is no grid, and nothing of it can be selected.
    list.host.ariaMultiSelectable = list.settings.selectable && list.model.order.count ? 'true' : null;
    for (const row of list.view.rows) this.#decorate(row);
  }

  /** @param {Row} row */
  #decorate({ id, node, cell }) {
    if (id === null) return;
    const { selection, focus, moving, settings } = this.#list;
    cell.tabIndex = id === focus.id ? 0 : -1;
    const isSelected = selection.has(id);
    cell.ariaSelected = settings.selectable ? String(isSelected) : null;
    node.classList.toggle('ll-selected', isSelected);
    node.classList.toggle('ll-lifted', moving?.items.has(id) === true);
  }
}
