// What the page does not need to show photos: fetched when they are on the screen, or as soon as somebody asks for it.

export const MISSING = 'A part of this page could not be fetched. Reload it to go on.';

/** A promise of the moment when a list has been painted, or has said why it cannot be. */
export function afterPaint(list) {
  return new Promise((done) => {
    const soon = () => requestAnimationFrame(() => setTimeout(done));
    for (const type of ['live-list-change', 'live-list-failure']) list.addEventListener(type, soon, { once: true });
  });
}

/** Makes something of a part of the page when it is wanted first, and gives the same ever after. */
export function onDemand(make) {
  let made;
  // No second try: browsers keep in mind that a module could not be fetched.
  return () => (made ??= make().catch(() => {
    throw new Error(MISSING);
  }));
}
