// Another search is another list; the element draws only the difference.
const list = document.querySelector('live-list');
const search = document.querySelector('input');

search.addEventListener('input', () => {
  list.setAttribute('src', `/stream?query=${encodeURIComponent(search.value.trim())}`);
});

list.addEventListener('live-list-change', () => {
  document.querySelector('[role=status]').textContent = list.count === 1 ? '1 colour' : `${list.count} colours`;
});

document.querySelector('button').addEventListener('click', () => {
  fetch('/restore', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
});
