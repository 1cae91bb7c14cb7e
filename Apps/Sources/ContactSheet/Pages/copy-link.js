// Puts the address of something into the clipboard.

import { toast } from './toasts.js';

/** @param {string} path */
export async function copyLink(path) {
  const { href } = new URL(path, location.href);
  try {
    await navigator.clipboard.writeText(href);
  } catch {
    // Where the page did not come by https, nor from this machine, there is only the old way.
    const field = Object.assign(document.createElement('textarea'), { value: href, readOnly: true });
    field.style.position = 'fixed';
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    if (!isCopied) {
      toast(`The link could not be copied: ${href}`);
      return;
    }
  }
  toast('Link copied.');
}
