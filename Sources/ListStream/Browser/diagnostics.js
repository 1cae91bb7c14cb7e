// Says in the console what keeps a list from being shown, each thing once for a list. Fetched when there is something to say.

const said = new WeakMap();
const LAID_OUT = 500; // ms
const SILENT = 'is open, but no frame has come: is it held back on the way, by a proxy that gathers answers?';
const FORMAT_PAGE = 'Documentation/Frames.md';

/**
 * @param list the controller of the list
 * @param kind `height`, `stream`, `frame` or `items`
 * @param detail the frame that is none, or what is wrong with an answer
 */
export function diagnose(list, kind, detail) {
  const { host } = list;
  const known = said.get(host) ?? new Set();
  said.set(host, known);
  if (known.has(kind)) return;
  const say = (text, level = 'error') => {
    if (known.has(kind)) return;
    known.add(kind);
    console[level](`live-list: ${text}`, host);
  };
  checks[kind](list, say, detail);
}

const checks = {
  height({ host, view }, say) {
    setTimeout(() => {
      // What is not shown at all, or only not yet, has no height for good reasons; nor has what waits for its style sheet.
      if (view.viewport || host.clientHeight || host.getClientRects().length === 0) return;
      if (getComputedStyle(host).display === 'inline') return;
      say('the list has items and no height, so nothing is seen. Give the element a height, such as `height: 100%`.');
    }, LAID_OUT);
  },

  async stream({ host, model }, say) {
    // A hidden page opens no stream.
    if (!host.isConnected || document.visibilityState === 'hidden') return;
    const src = host.getAttribute('src');
    if (src === null) {
      say('there is no stream: the attribute `src` is missing, and nothing was given to `receive()`.', 'warn');
      return;
    }
    const wrong = await wrongWith(src);
    // A page that was shown only now has just begun to wait.
    setTimeout(() => wrong && !model.loaded && say(`the stream ${src} ${wrong}`), wrong === SILENT && 5_000);
  },

  frame(list, say, frame) {
    const shown = JSON.stringify(frame)?.slice(0, 200);
    // A newer format comes from a server that was upgraded: the element asks the user to reload the page.
    const level = frame?.format > 1 ? 'warn' : 'error';
    say(`the stream sent what is no frame of a format that this element knows (${FORMAT_PAGE}): ${shown}`, level);
  },

  items({ settings }, say, detail) {
    say(`rows were asked for at ${settings.items}, which ${detail}`);
  },
};

/** Finds out why no frame has come. @returns the rest of a sentence about the stream */
async function wrongWith(src) {
  const abort = new AbortController();
  try {
    const response = await fetch(new URL(src, document.baseURI), { headers: { Accept: 'text/event-stream' }, signal: abort.signal });
    if (!response.ok) return `was answered with status ${response.status}.`;
    const type = response.headers.get('Content-Type') ?? 'nothing';
    if (!type.startsWith('text/event-stream')) return `was answered with ${type}, and should be text/event-stream.`;
    return SILENT;
  } catch {
    const isElsewhere = new URL(src, document.baseURI).origin !== location.origin;
    return `cannot be reached${isElsewhere ? ', or its server does not allow this page to (Access-Control-Allow-Origin)' : ''}.`;
  } finally {
    abort.abort();
  }
}
