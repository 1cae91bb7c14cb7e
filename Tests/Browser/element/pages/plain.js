import '/live-list/live-list.js';

const list = document.querySelector('live-list');
list.renderer = (cell, { title }) => (cell.textContent = title);
list.receive({
  format: 1, kind: 'snapshot', epoch: 'e', seq: 1, sections: [{ id: '', items: ['a', 'b', 'c'] }],
  content: { a: { title: 'Item 0' }, b: { title: 'Item 1' }, c: { title: 'Item 2' } },
});
window.ready = true;
