// Looks for mistakes that would leave rows blank, with the first frame, and for invalid metrics, whenever they are read, and says
// them in the console. Fetched when a list has been shown.

import { metric } from './layout.js';

const SOON = 1_000; // ms in which a page sets its renderer
const metrics = ['tile', 'columns', 'least-columns', 'row-height', 'tile-aspect', 'gap', 'padding', 'header-height'];

/** @typedef {Pick<import('../controller.js').Controller, 'host' | 'model' | 'settings' | 'diagnose'>} List */
/** @typedef {import('../model/frames.js').Frame} Frame */

/** @param {List} list */
export const part = (list) => (/** @type {Frame} */ frame) => look(list, frame);

/**
 * @param {List} list
 * @param {Frame} [frame] the first snapshot; without it only metrics are looked at
 */
function look(list, frame) {
  if (frame) {
    lookAtFrame(list, frame);
    // The metrics are read anew when the list has another size.
    new ResizeObserver(() => look(list)).observe(list.host);
  }
  const style = getComputedStyle(list.host);
  for (const name of metrics) {
    const text = style.getPropertyValue(`--ll-${name}`).trim();
    if (text && Number.isNaN(metric(style, name))) list.diagnose('metric', `--ll-${name}: ${text}`);
  }
}

/**
 * @param {List} list
 * @param {Frame} frame
 */
function lookAtFrame(list, frame) {
  const { host, model, settings } = list;
  /** @type {HTMLTemplateElement | null} */
  const template = host.querySelector(':scope > template');
  const { count } = model.order;
  if (count === 0 && Object.keys(/** @type {import('../model/frames.js').Rows} */ (frame).content ?? {}).length > 0) list.diagnose('contents', 'none');
  if (count > 0 && model.content.size === 0 && !model.sparse) list.diagnose('contents', template ? 'template' : 'renderer');
  if (template) lookAt(template, [...model.content.values()], (text) => list.diagnose('template', text));
  else setTimeout(() => settings.renderer || list.diagnose('cells'), SOON);
}

/**
 * @param {HTMLTemplateElement} template
 * @param {(import('../model/frames.js').Content | undefined)[]} contents
 * @param {(text: string) => void} say
 */
function lookAt(template, contents, say) {
  const nodes = [...template.content.querySelectorAll('*')];
  if (nodes.length === 0 && !template.content.textContent?.trim()) say('is empty');
  for (const { dataset } of /** @type {HTMLElement[]} */ (nodes)) {
    for (const key in dataset) {
      if (!/^(text$|set|style)/.test(key) || contents.length === 0) continue;
      const name = String(dataset[key]);
      if (contents.some((content) => content && name in Object(content))) continue;
      say(`names “${name}”, which no item's content has; the first has: ${Object.keys(Object(contents[0])).join(', ')}`);
    }
  }
}
