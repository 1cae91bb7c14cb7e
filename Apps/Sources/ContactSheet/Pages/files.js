// Files that come in: dropped (whole folders too), pasted.

/** @typedef {File | FileSystemEntry} Dropped a file, or a folder with all that is in it */

/**
 * The files of a drop. Read at once: a drop's items are gone after its event.
 * @param {DataTransfer} transfer
 */
const droppedIn = (transfer) => [...transfer.items]
  .filter(({ kind }) => kind === 'file')
  .flatMap((item) => item.webkitGetAsEntry?.() ?? item.getAsFile() ?? []);

/**
 * Calls `add` with what is dropped on the page or pasted into it.
 * @param {(dropped: Dropped[]) => void} add
 */
export function receiveFiles(add) {
  let depth = 0;
  /** @param {DragEvent} event */
  const carriesFiles = (event) => event.dataTransfer?.types.includes('Files');
  /** @param {boolean} isOver */
  const show = (isOver) => document.body.classList.toggle('dropping', isOver);
  addEventListener('dragenter', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    depth++;
    show(true);
  });
  addEventListener('dragover', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
  });
  addEventListener('dragleave', (event) => {
    if (!carriesFiles(event)) return;
    depth = Math.max(0, depth - 1);
    if (depth === 0) show(false);
  });
  addEventListener('drop', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    depth = 0;
    show(false);
    add(droppedIn(/** @type {DataTransfer} */ (event.dataTransfer)));
  });
  addEventListener('paste', (event) => {
    const files = [...(/** @type {ClipboardEvent} */ (event).clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  });
}
