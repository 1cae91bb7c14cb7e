// Checks the form of a frame, or of an answer of rows, before anything of it is applied: Documentation/Frames.md, 2. Unknown members
// are ignored, and empty ones may be missing.

/** @typedef {import('./order.js').ItemEdits} ItemEdits */
/** @typedef {import('./order.js').SectionEdits} SectionEdits */

/**
 * The content of an item: a value of JSON, most often an object.
 * @typedef {Record<string, unknown>} Content
 */

/**
 * A section in a frame: with all its items; or with their count, and those that are known.
 * @typedef {{ id: string, items?: string[], count?: number, windows?: [from: number, ids: string[]][] }} FrameSection
 */

/**
 * @typedef {{ format: number, epoch: string, seq: number, acts?: string[], content?: Record<string, Content> }} Common
 * @typedef {Common & { kind: 'snapshot' | 'range', sections?: FrameSection[] }} Rows
 * @typedef {Common & { kind: 'change', from: number, reloaded?: string[], reconfigured?: string[], sections?: SectionEdits, items?: ItemEdits }} ChangeFrame
 * @typedef {{ format: number, kind: 'failure', epoch: string, seq: number, message?: string | null }} FailureFrame
 * @typedef {Rows | ChangeFrame | FailureFrame} Frame
 */

/** @typedef {((value: Anything) => boolean) | Shapes | { [member: string]: Shape }} Shape */
/** @typedef {Shape[]} Shapes */

/** @typedef {any} Anything whatever a stream has sent, before these tests */

/** @param {Anything} value */
const text = (value) => typeof value === 'string';
/** @param {Anything} value */
const index = (value) => Number.isSafeInteger(value) && value >= 0;
/** @param {Anything} value */
const object = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

// A shape is a test; or `[shape]`: a list; or an array of several shapes: a tuple; or an object of shapes: its members.
const ids = [text];
/**
 * @param {Shape[]} indexPath
 * @param {Shape[]} move
 */
const edits = (indexPath, move) => ({ deleted: [[text, ...indexPath]], inserted: [[text, ...indexPath]], moved: [[text, ...indexPath, ...move]] });
// It stands in addresses and in `id` fields.
/** @param {Anything} value */
const epoch = (value) => text(value) && /^[\w-]{1,64}$/.test(value);
const common = { epoch, seq: index, acts: ids, content: object };
const rows = { ...common, sections: [{ id: text, items: ids, count: index, windows: [[index, ids]] }] };
/** @type {{ [kind: string]: { [member: string]: Shape } | null }} */
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

/**
 * Returns the path to the first member that is missing or not of its kind, such as `.items.moved[3][1]`; undefined if all is right.
 * @param {{ kind: string }} frame
 */
export const wrongIn = (frame) => wrongAt(frame, { kind: text, ...shapes[frame.kind] });

/**
 * @param {Anything} value
 * @param {any} shape a `Shape`; each kind of frame has members of its own
 * @returns {string | undefined}
 */
function wrongAt(value, shape) {
  if (typeof shape === 'function') return shape(value) ? undefined : '';
  const isArray = Array.isArray(shape);
  if (!(isArray ? Array.isArray(value) : object(value))) return '';
  if (shape.length === 1) {
    const n = value.findIndex((/** @type {Anything} */ one) => wrongAt(one, shape[0]) !== undefined);
    return n < 0 ? undefined : `[${n}]${wrongAt(value[n], shape[0])}`;
  }
  for (const key in shape) {
    if (value[key] === undefined && !isArray && !required.includes(key)) continue;
    const path = wrongAt(value[key], shape[key]);
    if (path !== undefined) return `${isArray ? `[${key}]` : `.${key}`}${path}`;
  }
  return undefined;
}
