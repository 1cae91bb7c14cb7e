// Says that the page has not started, where a module that it needs could not be fetched or does not fit the others, and tries once
// more by itself. It is no module, so that it needs none; and it blocks the parser, so that it is there before a module can fail.

(() => {
  const UNSTARTED = 'contact-sheet-has-not-started';
  const PATIENCE = 5_000; // ms
  const { src: address } = /** @type {HTMLScriptElement} */ (document.currentScript);
  let hasStarted = false;
  let hasFailed = false;

  /** Uses what the tab keeps beyond a reload. @returns what `work` returns; true where nothing can be kept */
  function keeping(/** @type {(store: Storage) => unknown} */ work) {
    try {
      return work(sessionStorage);
    } catch {
      return true;
    }
  }

  /** Notes that the page reloads itself. @returns whether it has done so since it last started */
  const isSecondTime = () => keeping((store) => {
    const isSecond = store.getItem(UNSTARTED) !== null;
    store.setItem(UNSTARTED, 'yes');
    return isSecond;
  });

  /** Asks whether the server would answer a reload: if not, a reload would replace the page by the browser's own error. */
  function isHeard() {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), PATIENCE);
    return fetch(address, { cache: 'no-store', signal: abort.signal }).then(({ ok }) => ok, () => false);
  }

  async function fail() {
    if (hasFailed) return;
    hasFailed = true;
    // Another try needs another page: browsers remember that a module could not be fetched.
    if (await isHeard() && !isSecondTime()) {
      location.reload();
      return;
    }
    const again = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Reload' });
    again.addEventListener('click', () => location.reload());
    const trouble = /** @type {HTMLElement} */ (document.getElementById('trouble'));
    trouble.hidden = false;
    trouble.replaceChildren('A part of this page could not be fetched, so it cannot show anything. ', again);
  }

  addEventListener('error', ({ target }) => {
    // The script, with all that it imports; or an error in one of them, for which not every engine names a file.
    if (hasStarted || !(target === window || target instanceof HTMLScriptElement)) return;
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', fail);
    else fail();
  }, { capture: true });
  addEventListener('contact-sheet-started', () => {
    hasStarted = true;
    keeping((store) => store.removeItem(UNSTARTED));
  });
})();
