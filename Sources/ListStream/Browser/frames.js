// Looks whether a frame, or an answer of rows, is one before anything of it is applied: Documentation/Frames.md, 2. Members
// that are not known are passed over; those that would be empty may be missing.

const text = (value) => typeof value === 'string';
const index = (value) => Number.isSafeInteger(value) && value >= 0;
const object = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

// A shape is a test; or `[shape]`, a list; or several in an array, an entry of just these; or an object's members.
const ids = [text];
const edits = (place, move) => ({ deleted: [[text, ...place]], inserted: [[text, ...place]], moved: [[text, ...place, ...move]] });
// It stands in addresses and in `id` fields.
const epoch = (value) => text(value) && /^[\w-]{1,64}$/.test(value);
const common = { epoch, seq: index, acts: ids, content: object };
const rows = { ...common, sections: [{ id: text, items: ids, count: index, windows: [[index, ids]] }] };
const shapes = {
  __proto__: null, // a kind may have any name
  snapshot: rows,
  range: rows,
  change: {
    ...common, from: index, reloaded: ids, reconfigured: ids,
    sections: edits([index], [index]), items: edits([index, index], [index, index]),
  },
  failure: { epoch, seq: index, message: (value) => value === null || text(value) },
};
const required = ['epoch', 'seq', 'from', 'id', 'kind'];

/** Returns the path to the first member that is missing or not of its kind, such as `.items.moved[3][1]`; undefined if all is right. */
export const wrongIn = (frame) => wrongAt(frame, { kind: text, ...shapes[frame.kind] });

function wrongAt(value, shape) {
  if (typeof shape === 'function') return shape(value) ? undefined : '';
  const isArray = Array.isArray(shape);
  if (!(isArray ? Array.isArray(value) : object(value))) return '';
  if (shape.length === 1) {
    const n = value.findIndex((one) => wrongAt(one, shape[0]) !== undefined);
    return n < 0 ? undefined : `[${n}]${wrongAt(value[n], shape[0])}`;
  }
  for (const key in shape) {
    if (value[key] === undefined && !isArray && !required.includes(key)) continue;
    const path = wrongAt(value[key], shape[key]);
    if (path !== undefined) return `${isArray ? `[${key}]` : `.${key}`}${path}`;
  }
  return undefined;
}
