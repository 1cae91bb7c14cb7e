// Where there is no room for a column, the sidebar is a drawer over the page: a dialog, with the page inert behind it.

const narrow = matchMedia('(max-width: 899px)');

export class Drawer {
  #sidebar;
  #button;
  #focus;
  #shade = /** @type {HTMLElement} */ (document.getElementById('shade'));

  /**
   * @param {HTMLElement} sidebar
   * @param {HTMLElement} button
   * @param {() => void} focus gives the focus to where it should begin
   */
  constructor(sidebar, button, focus) {
    this.#sidebar = sidebar;
    this.#button = button;
    this.#focus = focus;
    const close = () => {
      if (!this.#isOpen) return;
      this.#show(false);
      button.focus();
    };
    this.#shade.addEventListener('click', close);
    sidebar.querySelector('.close-drawer')?.addEventListener('click', close);
    addEventListener('keydown', ({ key, defaultPrevented }) => {
      const isBusy = document.querySelector('dialog[open], .ll-menu, .ll-bar, .ll-preview');
      if (key === 'Escape' && !defaultPrevented && !isBusy) close();
    });
    // With more room it is a column again.
    narrow.addEventListener('change', () => this.#isOpen && this.#show(false));
  }

  open() {
    this.#show(true);
    this.#focus();
    if (!this.#sidebar.contains(document.activeElement)) this.#sidebar.querySelector('button')?.focus();
  }

  get #isOpen() {
    return document.body.classList.contains('albums-open');
  }

  /** @param {boolean} isOpen */
  #show(isOpen) {
    document.body.classList.toggle('albums-open', isOpen);
    this.#button.ariaExpanded = String(isOpen);
    for (const node of /** @type {HTMLCollectionOf<HTMLElement>} */ (document.body.children)) {
      if (node !== this.#sidebar && node !== this.#shade && node.id !== 'toasts' && node.getAttribute('role') !== 'status') node.inert = isOpen;
    }
    this.#sidebar.setAttribute('role', isOpen ? 'dialog' : 'complementary');
    this.#sidebar.ariaModal = isOpen ? 'true' : null;
  }
}
