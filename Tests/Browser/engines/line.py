"""A network between a browser and a server, which a test can cut and mend, alike for every engine."""

import re
import select
import socket
import threading

# A request begins a packet: browsers do not send the next before the last was answered.
REQUEST = re.compile(rb"[A-Z]+ [^ ]+(?= HTTP/1\.1\r\n)")


class Line:
    """Passes connections on to a server of this machine.

    `cut()` closes all connections and refuses new ones, as a machine without network does; `stall()` keeps them and
    passes nothing on, as a network does that went away silently; `restore()` ends both. `connections` counts those
    that are open, and `requests` lists what browsers have asked for, as `GET /path`.
    """

    def __init__(self, port):
        self.target = int(port)
        self._lock = threading.Lock()
        self._pairs = set()
        self.requests = []
        self._flows = threading.Event()
        self._flows.set()
        self._listener = None
        self._listen(0)
        self.url = f"http://127.0.0.1:{self.port}"

    def _listen(self, port):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(128)
        self.port = listener.getsockname()[1]
        self._listener = listener
        threading.Thread(target=self._accept, args=[listener], daemon=True).start()

    def _accept(self, listener):
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            if listener is not self._listener:
                near.close()
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.target), timeout=10)
                far.settimeout(None)
            except OSError:
                near.close()
                continue
            pair = (near, far)
            with self._lock:
                self._pairs.add(pair)
            for source, sink in (pair, pair[::-1]):
                threading.Thread(target=self._pass, args=[pair, source, sink], daemon=True).start()

    def _pass(self, pair, source, sink):
        try:
            while True:
                select.select([source], [], [])
                self._flows.wait()
                if not (data := source.recv(65536)):
                    break
                if source is pair[0] and (asked := REQUEST.match(data)):
                    self.requests.append(asked[0].decode())
                sink.sendall(data)
        except (OSError, ValueError):
            pass
        self._close(pair)

    def _close(self, pair):
        with self._lock:
            self._pairs.discard(pair)
        for one in pair:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()

    @property
    def connections(self):
        with self._lock:
            return len(self._pairs)

    def cut(self):
        if listener := self._listener:
            self._listener = None
            try:
                listener.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
            except OSError:
                pass
            listener.close()
        with self._lock:
            pairs = list(self._pairs)
        for pair in pairs:
            self._close(pair)

    def stall(self):
        self._flows.clear()

    def restore(self):
        self._flows.set()
        if self._listener is None:
            self._listen(self.port)

    def close(self):
        self._flows.set()
        self.cut()
