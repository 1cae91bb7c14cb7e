"""A relay between a browser and a server that counts what it passes on: what a browser says of compressed streams is their
length when they are unpacked."""

import time

from engines.relay import Relay


class Wire(Relay):
    def __init__(self, port):
        self._received = []  # (when, how many bytes the browser was sent)
        super().__init__(port)

    def passing(self, data, is_request):
        if not is_request:
            with self._lock:
                self._received.append((time.time(), len(data)))

    def sent_until(self, moment):
        """Bytes that were sent to the browser until a moment of the machine's clock, headers and all."""
        with self._lock:
            return sum(count for when, count in self._received if when <= moment)


PAINTED = """
  new MutationObserver((_, observer) => {
    const cell = document.querySelector('#photos [data-ll-row=item] img, #photos [data-ll-row=item] [style]');
    if (!cell) return;
    observer.disconnect();
    // Painted with the frame that is being made, behind which the page fetches what comes later.
    window.painted = performance.now();
  }).observe(document, { subtree: true, childList: true, attributes: true });"""


def sent_before_paint(page, server, album):
    """Opens an album in a page that knows nothing of it: bytes that were sent until the positions of its photos were painted,
    without thumbnails, which are not asked for here."""
    wire = Wire(server.port)
    try:
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.setBlockedURLs", {"urls": ["*/thumbnails/*"]})
        page.add_init_script(PAINTED)
        page.goto(f"{wire.url}/albums/{album}")
        page.wait_for_function("() => window.painted != null", polling=20)
        return wire.sent_until(page.evaluate("(performance.timeOrigin + window.painted) / 1000"))
    finally:
        wire.close()
