// Gets files from buttons, drops and pastes, and gives them to a part that is fetched later.

import { receiveFiles } from './files.js';
import { onDemand } from './later.js';

/** @param {string} id */
const byID = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * @param {import('../../../../Packaging/live-list/live-list.js').LiveList} list
 * @param {(work: () => unknown) => Promise<void>} attempt runs work, and tells the user if it fails
 * @param {(ids: string[]) => void} onAdded called with the photos that an import has added
 * @returns a function that fetches the imports; it then goes on with what a reload interrupted
 */
export function startUploads(list, attempt, onAdded) {
  const imports = onDemand('imports', ({ Imports }) => new Imports(list, onAdded));
  /** @param {import('./files.js').Dropped[]} dropped */
  const receive = (dropped) => attempt(async () => (await imports(false)).receive(dropped));

  const pickers = { files: ['add', 'add-first'], camera: ['take-first'] };
  for (const [id, buttons] of Object.entries(pickers)) {
    const picker = /** @type {HTMLInputElement} */ (byID(id));
    for (const button of buttons) byID(button).addEventListener('click', () => picker.click());
    picker.addEventListener('change', () => {
      receive([...(picker.files ?? [])]);
      picker.value = ''; // so that the same files can be picked again
    });
  }
  receiveFiles(receive);
  return imports;
}
