"""A relay between a browser and a server that counts what it passes on: what a browser says of compressed streams is their
length when they are unpacked."""

import socket
import threading
import time


class Wire:
    def __init__(self, port):
        self._server_port = int(port)
        self._lock = threading.Lock()
        self._received = []  # (when, how many bytes the browser was sent)
        self._sockets = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def sent_until(self, moment):
        """Bytes that were sent to the browser until a moment of the machine's clock, headers and all."""
        with self._lock:
            return sum(count for when, count in self._received if when <= moment)

    def close(self):
        self._listener.close()
        with self._lock:
            for one in self._sockets:
                one.close()

    def _accept(self):
        while True:
            try:
                browser, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._server_port))
            with self._lock:
                self._sockets += [browser, server]
            threading.Thread(target=self._pass, args=(browser, server, False), daemon=True).start()
            threading.Thread(target=self._pass, args=(server, browser, True), daemon=True).start()

    def _pass(self, source, target, is_counted):
        try:
            while data := source.recv(1 << 16):
                if is_counted:
                    with self._lock:
                        self._received.append((time.time(), len(data)))
                target.sendall(data)
        except OSError:
            pass
        for one in (source, target):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


PAINTED = """
  new MutationObserver((_, observer) => {
    const cell = document.querySelector('#photos [data-ll-row=item] img, #photos [data-ll-row=item] [style]');
    if (!cell) return;
    observer.disconnect();
    // Painted with the frame that is being made, behind which the page fetches what comes later.
    window.painted = performance.now();
  }).observe(document, { subtree: true, childList: true, attributes: true });"""


def sent_before_paint(page, server, album):
    """Opens an album in a page that knows nothing of it: bytes that were sent until its photos' places were painted,
    without thumbnails, which are not asked for here."""
    wire = Wire(server.port)
    try:
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.setBlockedURLs", {"urls": ["*/thumbnails/*"]})
        page.add_init_script(PAINTED)
        page.goto(f"http://127.0.0.1:{wire.port}/albums/{album}")
        page.wait_for_function("() => window.painted != null", polling=20)
        return wire.sent_until(page.evaluate("(performance.timeOrigin + window.painted) / 1000"))
    finally:
        wire.close()
