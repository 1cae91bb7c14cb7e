// How long a photo stays in the trash.

const DAY = 86_400_000; // ms

/**
 * The days until a moment, the one that has begun included; at least 1: a photo whose time is over is about to be removed.
 * @param {string | null | undefined} expires in ISO 8601; null where it stays until the trash is emptied
 * @returns null where it stays
 */
export function daysLeft(expires, now = Date.now()) {
  const until = Date.parse(expires ?? '');
  return Number.isNaN(until) ? null : Math.max(1, Math.ceil((until - now) / DAY));
}
