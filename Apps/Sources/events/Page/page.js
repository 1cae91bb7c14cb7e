const list = document.querySelector('live-list');
const form = document.querySelector('form');
const days = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

const post = (path, body) => fetch(path, {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
});

list.headerRenderer = (cell, { id, count }) => { cell.textContent = `${days.format(new Date(id))} · ${count}`; };

form.addEventListener('submit', (event) => {
  event.preventDefault();
  post('/events', Object.fromEntries(new FormData(form)));
  form.elements.title.value = '';
});

list.addEventListener('live-list-activate', (event) => {
  post('/postponements', { act: crypto.randomUUID(), ids: [event.detail.id] });
});
