// Reads folders that are dropped on the page.

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
 * Every file of what was dropped, folders included.
 * @param {import('./files.js').Dropped[]} dropped
 */
export async function filesIn(dropped) {
  /** @type {File[]} */
  const files = [];
  for (const one of dropped) await gather(one, files);
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
