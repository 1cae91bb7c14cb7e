// Files that come in: picked, dropped (whole folders too), pasted.

/**
 * Whether a file is one that systems leave in folders, and nobody means to add.
 * @param {string} name
 */
const isClutter = (name) => name.startsWith('.') || /^(thumbs\.db|desktop\.ini)$/i.test(name);

/** @type {WeakMap<File, string>} */
const folders = new WeakMap();

/**
 * The path of the folder that a file came in; empty where it came by itself.
 * @param {File} file
 */
export const folderOf = (file) => folders.get(file) ?? '';

/**
 * Every file of a drop, folders included. Must be called at once: a drop's items are gone after its event.
 * @param {DataTransfer} transfer
 */
export async function filesOf(transfer) {
  const entries = [...transfer.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
  /** @type {File[]} */
  const files = [];
  for (const entry of entries) if (entry) await gather(entry, files);
  return files;
}

/**
 * @param {File | FileSystemEntry} entry
 * @param {File[]} files
 */
async function gather(entry, files) {
  if (entry instanceof File) files.push(entry);
  else if (entry.isFile) {
    const one = /** @type {FileSystemFileEntry} */ (entry);
    const file = await new Promise((/** @type {(file: File | null) => void} */ done) => one.file(done, () => done(null)));
    if (!file) return;
    folders.set(file, entry.fullPath.slice(1, Math.max(1, entry.fullPath.lastIndexOf('/'))));
    files.push(file);
  } else {
    const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
    /** @type {FileSystemEntry[]} */
    const children = [];
    // A reader gives at most a hundred entries at a time; an empty answer is the end.
    for (;;) {
      const some = await new Promise((/** @type {(some: FileSystemEntry[]) => void} */ done) => reader.readEntries(done, () => done([])));
      if (some.length === 0) break;
      children.push(...some);
    }
    children.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
    for (const child of children) if (!isClutter(child.name)) await gather(child, files);
  }
}

/**
 * Calls `add` with the files that are dropped on the page or pasted into it.
 * @param {(files: File[]) => void} add
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
  addEventListener('drop', async (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    depth = 0;
    show(false);
    add(await filesOf(/** @type {DataTransfer} */ (event.dataTransfer)));
  });
  addEventListener('paste', (event) => {
    const files = [...(/** @type {ClipboardEvent} */ (event).clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  });
}
