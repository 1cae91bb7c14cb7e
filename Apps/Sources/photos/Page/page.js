const list = document.querySelector('live-list'), undo = document.querySelector('#undo');

list.addEventListener('live-list-change', ({ detail: { count } }) => {
  document.querySelector('#count').textContent = count === 1 ? '1 photo' : `${count} photos`;
});

// The element shows a drag at once, and posts it to `moves`. What it was told of each photo before is kept for Undo.
const moves = [];
let isUndoing = false;
list.addEventListener('live-list-reorder', ({ detail: { act: id, ids } }) => {
  if (isUndoing) return;
  const isMoved = new Set(ids);
  const steps = [...ids].map((photo) => {
    const at = list.indexOf(photo);
    const after = at > 0 ? list.ids(at - 1, at)[0] : null;
    return { id: photo, after, before: list.ids(at + 1, list.count).find((one) => one !== undefined && !isMoved.has(one)) ?? null };
  });
  moves.push({ id, steps });
  undo.ariaDisabled = 'false';
});
list.addEventListener('live-list-refused', ({ detail }) => forget(moves.findIndex((one) => one.id === detail.act)));

// Undo is a move like any other: each photo goes back behind the one that it followed, in all browsers.
undo.addEventListener('click', () => {
  const last = forget(moves.length - 1);
  if (!last) return;
  isUndoing = true;
  for (const { id, after, before } of last.steps) list.move([id], { after, before });
  isUndoing = false;
  list.announce(last.steps.length === 1 ? 'The photo is back.' : `${last.steps.length} photos are back.`);
});
addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key !== 'z') return;
  event.preventDefault();
  undo.click();
});

function forget(index) {
  const [move] = index < 0 ? [] : moves.splice(index, 1);
  undo.ariaDisabled = `${moves.length === 0}`;
  return move;
}
