// Where files come from: buttons, drops, pastes. What becomes of them is in a part that is fetched later.

import { receiveFiles } from './files.js';
import { onDemand } from './later.js';

const byID = (id) => document.getElementById(id);

/**
 * @param attempt runs work, and tells the user if it fails
 * @returns what makes the imports: called without files, it takes up what a reload interrupted
 */
export function startUploads(list, attempt) {
  const imports = onDemand('imports', ({ Imports }) => new Imports(list));
  const receive = (files) => attempt(async () => (await imports()).receive(files));

  const pickers = { files: ['add', 'add-first'], camera: ['take-first'] };
  for (const [id, buttons] of Object.entries(pickers)) {
    const picker = byID(id);
    for (const button of buttons) byID(button).addEventListener('click', () => picker.click());
    picker.addEventListener('change', () => {
      receive([...picker.files]);
      picker.value = ''; // so that the same files can be picked again
    });
  }
  receiveFiles(receive);
  return imports;
}
