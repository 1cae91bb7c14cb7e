import '/live-list/live-list.js';
// So that they are there when a test begins.
import '/live-list/view/keyboard.js';
import '/live-list/view/motion.js';
import '/live-list/moving/menu.js';
import '/live-list/reordering.js';

const list = document.querySelector('live-list');
const query = new URLSearchParams(location.search);
// Where the hub of shared streams may be.
if (query.has('no-workers')) Reflect.deleteProperty(window, 'SharedWorker');
if (query.has('no-locks')) Reflect.deleteProperty(Navigator.prototype, 'locks');
for (const name of ['items', 'moves', 'deletes', 'headers', 'data-rows', 'streams', 'outbox', 'src']) {
  const value = query.get(name);
  if (value !== null) list.setAttribute(name, value);
}
window.measures = {};
list.onMeasure = (name, time) => (window.measures[name] ??= []).push(time);
window.events = [];
for (const type of ['activate', 'drop', 'refused', 'state', 'failure', 'reorder', 'delete', 'waiting', 'old']) {
  list.addEventListener(`live-list-${type}`, (event) => window.events.push({ type, detail: /** @type {CustomEvent} */ (event).detail }));
}
list.renderer = (cell, content) => {
  cell.firstChild ?? cell.append(Object.assign(document.createElement('div'), { className: 'tile' }));
  cell.firstChild.textContent = content?.title ?? '';
};

/** A snapshot of n items whose ids look like what nobody should see or hear. */
window.snapshot = (n, { seq = 1, sections = 1 } = {}) => {
  const ids = Array.from({ length: n }, (_, i) => `id-${i}`);
  const share = Math.ceil(n / sections) || 1;
  return {
    format: 1, kind: 'snapshot', epoch: 'e', seq,
    sections: Array.from({ length: sections }, (_, s) => ({
      id: sections > 1 ? `Section ${s}` : '', items: ids.slice(s * share, (s + 1) * share),
    })),
    content: n <= 5000 ? Object.fromEntries(ids.map((id, i) => [id, { title: `Item ${i}` }])) : {},
  };
};
window.change = (seq, members) => ({ format: 1, kind: 'change', epoch: 'e', from: seq - 1, seq, ...members });
// A press before the list has made what moves things lifts nothing. It adds these styles then.
await new Promise((resolve) => {
  const look = () => document.head.querySelector('link[href$="/reordering.css"]') && resolve(undefined);
  new MutationObserver(look).observe(document.head, { childList: true });
  look();
});
window.ready = true;
