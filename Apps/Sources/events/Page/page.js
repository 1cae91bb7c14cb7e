const list = document.querySelector('live-list');
const form = document.querySelector('#new');
const editor = document.querySelector('dialog');
const fields = editor.querySelector('form');
const days = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

const post = (path, body) => fetch(path, {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
});

// The server keeps a draft for each page, by this name, and the list is that of the draft.
const page = crypto.randomUUID();
list.setAttribute('src', `stream?page=${page}`);
list.headerRenderer = (cell, { id, count }) => { cell.textContent = `${days.format(new Date(id))} · ${count}`; };

form.addEventListener('submit', (event) => {
  event.preventDefault();
  post('events', Object.fromEntries(new FormData(form)));
  form.elements.title.value = '';
});

// The editor. Requests go one after another, so that the last that was typed counts.
let edited;
let isChanged = false;
let conflict;
let last = Promise.resolve();
const next = (path, body) => (last = last.catch(() => {}).then(() => post(path, { page, ...body })).then(async (answer) => {
  if (!answer.ok) throw new Error((await answer.json()).error.message);
}));

const say = (text, isConflict) => {
  editor.querySelector('p').textContent = text;
  editor.querySelector('[value=mine]').hidden = !isConflict;
};

list.addEventListener('live-list-activate', ({ detail }) => {
  if (editor.open && isChanged && detail.id !== edited) return say('Save or cancel this event first.', Boolean(conflict));
  edited = detail.id;
  isChanged = false;
  const { day, time, title } = list.contentOf(edited);
  Object.assign(fields.elements.day, { value: day });
  Object.assign(fields.elements.time, { value: time });
  Object.assign(fields.elements.title, { value: title });
  conflict = undefined;
  say('', false);
  if (!editor.open) editor.show();
  fields.elements.title.focus();
});

// Somebody else has saved the same, or nobody any more: known while one is still typing.
list.addEventListener('live-list-change', () => {
  if (!editor.open) return;
  const now = list.contentOf(edited)?.conflict ?? undefined;
  if (now === conflict) return;
  conflict = now;
  say(now ?? '', Boolean(now));
});

fields.addEventListener('input', ({ target }) => {
  if (!target.checkValidity()) return;
  isChanged = true;
  next('edits', { id: edited, field: target.name, value: target.value }).catch((error) => say(error.message, false));
});

fields.addEventListener('submit', (event) => {
  event.preventDefault();
  const how = event.submitter.value;
  const end = () => {
    editor.close();
    isChanged = false;
    list.focus();
  };
  if (how === 'save' || how === 'mine') {
    next('saves', { isMine: how === 'mine' }).then(end, (error) => say(error.message, true));
    return;
  }
  next('discards', { isMine: false }).then(end, end);
  if (how === 'later') post('postponements', { act: crypto.randomUUID(), ids: [edited] });
});

editor.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') fields.requestSubmit(editor.querySelector('[value=cancel]'));
});
