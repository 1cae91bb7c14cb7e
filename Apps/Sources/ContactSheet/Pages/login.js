// Goes on when somebody has logged in in another tab of this browser, whose page says so (api.js).

const base = new URL('..', import.meta.url).pathname.slice(0, -1);

new BroadcastChannel(`contact-sheet-login${base}`).onmessage = () => {
  // The server leads on those who are logged in.
  location.replace(`${base}/login?next=${encodeURIComponent(/** @type {HTMLInputElement} */ (document.querySelector('[name=next]')).value)}`);
};
