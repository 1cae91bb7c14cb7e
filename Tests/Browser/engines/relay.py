"""A relay between a browser and a server of this machine: a port of its own whose connections are passed on."""

import socket
import threading


class Relay:
    """Passes connections on to a server. Subclasses see what is passed on, or serve connections in another way."""

    def __init__(self, server_port):
        self.server_port = int(server_port)
        self._lock = threading.Lock()
        self._sockets = set()
        self._listener = None
        self.listen(0)
        self.url = f"http://127.0.0.1:{self.port}"

    def listen(self, port):
        listener = socket.create_server(("127.0.0.1", port), backlog=128)
        self.port = listener.getsockname()[1]
        self._listener = listener
        threading.Thread(target=self._accept, args=[listener], daemon=True).start()

    def _accept(self, listener):
        while True:
            try:
                browser, _ = listener.accept()
            except OSError:
                return
            if listener is not self._listener:
                browser.close()
                return
            with self._lock:
                self._sockets.add(browser)
            threading.Thread(target=self._serve, args=[browser], daemon=True).start()

    def _serve(self, browser):
        try:
            self.serve(browser)
        except OSError:
            pass
        finally:
            self._shut(browser)

    def serve(self, browser):
        """Serves one connection, in a thread of its own; it is closed afterwards."""
        self.pass_on(browser, self.connect())

    def connect(self):
        """A connection to the server."""
        server = socket.create_connection(("127.0.0.1", self.server_port), timeout=10)
        server.settimeout(None)
        with self._lock:
            self._sockets.add(server)
        return server

    def pass_on(self, browser, server):
        """Passes on what comes from either, until one of them ends; then both are closed."""
        threading.Thread(target=self._pass, args=[browser, server, True], daemon=True).start()
        self._pass(server, browser, False)

    def _pass(self, source, target, is_request):
        try:
            while data := self.receive(source):
                self.passing(data, is_request)
                target.sendall(data)
        except (OSError, ValueError):
            pass
        self._shut(source)
        self._shut(target)

    def receive(self, source):
        return source.recv(1 << 16)

    def passing(self, data, is_request):
        """Called with what is about to be passed on."""

    def _shut(self, one):
        with self._lock:
            self._sockets.discard(one)
        try:
            one.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits for it
        except OSError:
            pass
        one.close()

    def cut(self):
        """Closes all connections, and accepts no more."""
        if listener := self._listener:
            self._listener = None
            self._shut(listener)
        with self._lock:
            sockets = list(self._sockets)
        for one in sockets:
            self._shut(one)

    def close(self):
        self.cut()
