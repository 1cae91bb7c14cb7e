// One photo, as large as the window. It follows the list: what is deleted elsewhere makes room for its neighbour.

const SWIPE = 50; // px

export class Viewer {
  #dialog;
  #list;
  #image;
  #caption;
  #previous;
  #next;
  #id = null;
  #index = 0;
  #press = null;

  constructor(dialog, list) {
    this.#dialog = dialog;
    this.#list = list;
    this.#image = dialog.querySelector('img');
    this.#caption = dialog.querySelector('.caption');
    this.#previous = dialog.querySelector('.previous');
    this.#next = dialog.querySelector('.next');
    this.#previous.addEventListener('click', () => this.#step(-1));
    this.#next.addEventListener('click', () => this.#step(1));
    dialog.querySelector('.close').addEventListener('click', () => dialog.close());
    dialog.addEventListener('keydown', (event) => this.#key(event));
    dialog.addEventListener('close', () => this.#closed());
    dialog.addEventListener('pointerdown', ({ clientX, clientY }) => (this.#press = { x: clientX, y: clientY }));
    dialog.addEventListener('pointerup', (event) => this.#swiped(event));
    list.addEventListener('live-list-change', () => this.#listChanged());
  }

  open(id) {
    this.#show(id);
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  #show(id) {
    const photo = this.#list.contentOf(id);
    this.#id = id;
    this.#index = this.#list.indexOf(id);
    const { count } = this.#list;
    this.#previous.disabled = this.#index <= 0;
    this.#next.disabled = this.#index >= count - 1;
    const position = document.createElement('small');
    position.textContent = `${this.#index + 1} of ${count}`;
    this.#caption.replaceChildren(photo?.title ?? '', position);
    if (!photo || this.#image.dataset.hash === photo.hash) return;
    this.#image.dataset.hash = photo.hash;
    this.#image.alt = photo.title;
    // The thumbnail is there already; the photo itself takes its place when it is decoded.
    this.#image.src = `/thumbnails/${photo.hash}`;
    const full = new Image();
    full.src = `/originals/${photo.hash}`;
    full.decode().then(
      () => this.#image.dataset.hash === photo.hash && (this.#image.src = full.src),
      () => {}, // a format that this browser cannot show: the thumbnail stays
    );
  }

  #step(by) {
    const id = this.#list.ids(this.#index + by, this.#index + by + 1)[0];
    if (id === undefined || this.#index + by < 0) return;
    this.#show(id);
    if (document.activeElement?.disabled) this.#dialog.querySelector('.close').focus();
  }

  #key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step) this.#step(step);
    else if (event.key === 'Home') this.#show(this.#list.ids(0, 1)[0]);
    else if (event.key === 'End') this.#show(this.#list.ids(this.#list.count - 1)[0]);
    else return;
    event.preventDefault();
  }

  #swiped({ clientX, clientY, pointerType }) {
    const press = this.#press;
    this.#press = null;
    if (!press || pointerType === 'mouse') return;
    const [dx, dy] = [clientX - press.x, clientY - press.y];
    if (dy > SWIPE && dy > Math.abs(dx)) this.#dialog.close();
    else if (Math.abs(dx) > SWIPE) this.#step(dx < 0 ? 1 : -1);
  }

  #listChanged() {
    if (!this.#dialog.open) return;
    if (this.#list.count === 0) this.#dialog.close();
    else if (this.#list.indexOf(this.#id) >= 0) this.#show(this.#id);
    else this.#show(this.#list.ids(Math.min(this.#index, this.#list.count - 1))[0]);
  }

  #closed() {
    this.#image.removeAttribute('src');
    delete this.#image.dataset.hash;
    if (this.#list.indexOf(this.#id) >= 0) this.#list.focusItem(this.#id);
  }
}
