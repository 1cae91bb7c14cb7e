const list = document.querySelector('live-list'), [search, form, hint] = ['#search', 'form', '#hint'].map((one) => document.querySelector(one));
const fields = form.elements;

// Requests of the page are sent in order with the deletions. A refusal rejects with the server's words.
const write = (path, body) => list.enqueue((post) => post(path, body));

// The server keeps a draft and a list for this page, by this name.
const page = crypto.randomUUID();
list.src = `stream?page=${page}`;

const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
list.label = ({ event }) => event.title;
list.renderer = (cell, { event }) => {
  const time = document.createElement('time');
  time.textContent = times.format(new Date(`${event.time}Z`));
  cell.replaceChildren(time, event.title);
};
list.headerRenderer = (cell, { id, count }) => { cell.textContent = `${id} · ${count}`; };

// Search as you type: the list gets another request, and the page is sent the difference. The last one counts.
const find = (text = search.value.trim()) => write('search', { page, text });
search.addEventListener('input', () => find());
// A server that was started anew does not know what this page searches for.
list.addEventListener('live-list-state', ({ detail: { state } }) => state === 'connected' && search.value && find());
// While the database is away the list stays, and may be old.
list.addEventListener('live-list-failure', ({ detail: { message } }) => { document.querySelector('#trouble').textContent = message ?? ''; });

// Master and detail: the event that is shown, why it cannot be saved, and how many changes were made of it, and answered.
let shown, position, conflict, added, reports, changes = 0, answered = 0;
const isChanged = () => changes > answered;
function say(text) {
  form.querySelector('[role=alert]').textContent = text;
  form.querySelector('[value=mine]').hidden = !conflict;
}
function show(id) {
  if (isChanged()) return id !== shown ? say('Save or cancel this event first.') : undefined;
  [shown, position, conflict] = [id, list.indexOf(id), undefined];
  list.selection = [id];
  say('');
  update();
}
// Others may save the same event meanwhile: fields that are being changed here stay, and the others follow.
function update() {
  const content = list.contentOf(shown);
  if (!content && isChanged()) return;
  [form.hidden, hint.hidden] = [!content, Boolean(content)];
  for (const name in content?.event) {
    if (fields[name] && !(isChanged() && document.activeElement === fields[name])) fields[name].value = content.event[name];
  }
  if (content?.conflict !== conflict) say((conflict = content?.conflict) ?? '');
}
list.addEventListener('live-list-activate', ({ detail: { id } }) => show(id));

// What is typed goes into the draft, and the row moves in this page's list at once.
form.addEventListener('input', ({ target }) => {
  if (!target.checkValidity()) return;
  changes += 1;
  write('edits', { page, id: shown, [target.name]: target.value }).catch(({ message }) => say(message));
});
// The answer is about the changes up to now: later ones are neither saved nor discarded by it.
const settle = (path, isMine, before = changes) => write(path, { page, isMine }).then(() => { answered = before; });
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { value } = event.submitter, { activeElement } = document;
  try {
    await settle(value === 'cancel' ? 'discards' : 'saves', value === 'mine');
    if (isChanged()) return;
    say('');
    update();
    if ([activeElement, document.body].includes(document.activeElement)) list.focusItem(shown); // Whoever has gone elsewhere stays there.
  } catch ({ message }) { say(message); }
});
form.addEventListener('keydown', ({ key }) => key === 'Escape' && form.requestSubmit(form.querySelector('[value=cancel]')));
document.querySelector('#delete').addEventListener('click', () => {
  const id = shown;
  settle('discards', false).then(() => list.delete([id]), ({ message }) => say(message));
});

// A new event is selected when it comes, in the middle of the list.
document.querySelector('#new').addEventListener('click', async () => {
  if (isChanged()) return say('Save or cancel this event first.');
  const { section = 'Concerts' } = list.contentOf(shown)?.event ?? {};
  const event = { id: crypto.randomUUID(), section, time: new Date().toISOString().slice(0, 16), title: 'New event', note: '' };
  list.own([event.id]);
  if (search.value) find(search.value = '');
  added = event.id;
  await write('events', event);
});

list.addEventListener('live-list-change', ({ detail: { count } }) => {
  document.querySelector('#count').textContent = count === 1 ? '1 event' : `${count.toLocaleString('en')} events`;
  update();
  // While it is edited the row stays in view, wherever it goes.
  if (position !== (position = list.indexOf(shown)) && isChanged()) list.reveal(shown);
  if (!added || isChanged() || list.indexOf(added) < 0) return;
  show(added);
  list.focusItem(added);
  // To the middle by the list's own scroll box: scrollIntoView would scroll the page, too.
  const [outer, inner] = [list, document.activeElement ?? list].map((one) => one.getBoundingClientRect());
  list.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
  added = undefined;
});

// What the controller reports, while somebody looks: a browser has six connections to a server, for all of its windows and frames.
const costs = document.querySelector('#costs');
function follow() {
  reports?.close();
  if (!costs.open || document.visibilityState === 'hidden') return;
  reports = new EventSource(`reports?page=${page}`);
  reports.onmessage = ({ data }) => {
    const { isWholeList, columns, rowsRead, statements, microseconds, ...counts } = JSON.parse(data);
    const what = Object.entries(counts).filter(([, n]) => n > 0).map(([name, n]) => `${n} ${name}`);
    const item = document.createElement('li');
    const heading = [isWholeList && 'the whole list', ...what, columns.join(', ')].filter(Boolean).join(' · ');
    item.append(heading, document.createElement('br'), `rows read: ${rowsRead} · statements: ${statements} · ${microseconds} µs from commit`);
    costs.querySelector('ol').prepend(item);
    costs.querySelector('ol').children[20]?.remove();
  };
}
addEventListener('visibilitychange', follow);
costs.addEventListener('toggle', follow);
costs.open = window === top;
