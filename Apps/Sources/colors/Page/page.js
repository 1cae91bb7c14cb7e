const list = document.querySelector('live-list');
const [search, undo, form] = ['#search', '#undo', '#add'].map((one) => document.querySelector(one));

// Requests of the page are sent in order with the deletions, and wait for a server that is away. A refusal rejects with the server's words.
const write = (path, body) => list.enqueue((post) => post(path, body));

// The server keeps one list for this page, by this name.
const page = crypto.randomUUID();
list.src = `/stream?page=${page}`;

// Search as you type: the list gets another request, and the page is sent the difference. The last one counts.
function find() {
  show();
  return write('/search', { page, text: search.value.trim() });
}
search.addEventListener('input', find);
// A server that was started anew does not know what this page searches for.
list.addEventListener('live-list-state', ({ detail: { state } }) => state === 'connected' && search.value && find());

// The element deletes by key; a button and a swipe call it. The colours are kept for Undo each time.
const deleted = [];
list.addEventListener('live-list-delete', ({ detail: { ids } }) => {
  deleted.push([...ids].map((id) => list.contentOf(id)));
  undo.ariaDisabled = 'false';
});

/** @param {Event} event the element that it is at */
const elementOf = ({ target }) => /** @type {Element} */ (target);

list.addEventListener('click', (event) => {
  const button = elementOf(event).closest('button');
  if (button) list.delete([button.value]);
});

let swipe;
list.addEventListener('pointerdown', (event) => {
  const { pointerId, isPrimary, button, clientX } = event;
  const row = elementOf(event).closest('.color');
  if (row && isPrimary && button === 0 && !elementOf(event).closest('button')) swipe = { row, pointerId, from: clientX, by: 0 };
});
list.addEventListener('pointermove', ({ pointerId, clientX }) => {
  if (pointerId !== swipe?.pointerId) return;
  const { row, from } = swipe;
  const by = Math.min(0, clientX - from);
  // A hand that clicks moves a little, too.
  if (by > -10 && !swipe.by) return;
  if (!swipe.by) row.setPointerCapture(pointerId);
  swipe.by = by;
  row.style.translate = `${by}px`;
});
for (const type of /** @type {const} */ (['pointerup', 'pointercancel'])) {
  list.addEventListener(type, ({ pointerId }) => {
    if (pointerId !== swipe?.pointerId) return;
    const { row, by } = swipe;
    swipe = undefined;
    const isFar = type === 'pointerup' && by < -row.offsetWidth / 3;
    // The row slides back, or out. It may show another colour soon, so nothing of this stays with it.
    row.style.translate = '';
    const duration = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 150;
    row.animate({ translate: [`${by}px`, isFar ? '-100%' : '0px'] }, duration);
    if (isFar) list.delete([row.querySelector('button').value]);
  });
}

// Undo is a write like any other: what was deleted is added again, in all browsers.
undo.addEventListener('click', async () => {
  const colors = deleted.pop();
  if (!colors) return;
  undo.ariaDisabled = `${deleted.length === 0}`;
  list.own(colors.map(({ name }) => name));
  // Where others have brought them back meanwhile, they are back as well.
  await write('/colors', colors).catch(() => {});
  list.announce(colors.length === 1 ? `${colors[0].name} is back.` : `${colors.length} colours are back.`);
});
addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key !== 'z' || elementOf(event).matches('input')) return;
  event.preventDefault();
  undo.click();
});

// A new colour gets the focus when it comes, whatever was searched for before.
let added;
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { name, hex } = form.elements;
  const color = { name: name.value.trim(), hex: hex.value };
  try {
    list.own([color.name]);
    await write('/colors', [color]);
    name.value = '';
    added = color.name;
    if (search.value) {
      search.value = '';
      find();
    } else show();
  } catch ({ message }) {
    name.setCustomValidity(message);
    name.reportValidity();
  }
});
form.addEventListener('input', () => form.elements.name.setCustomValidity(''));
document.querySelector('#named').addEventListener('click', () => write('/named', {}));

function show() {
  if (list.indexOf(added) >= 0) {
    list.focusItem(added);
    added = undefined;
  }
  const { count } = list;
  const text = search.value.trim();
  document.querySelector('#count').textContent = count === 1 ? '1 colour' : `${count} colours`;
  document.querySelector('#nothing').textContent = text ? `No colour has “${text}” in its name or value.` : 'All colours are gone.';
  document.querySelector('#named').hidden = text !== '';
}
list.addEventListener('live-list-change', show);
