"""A network between a browser and a server, which a test can cut and mend, alike for every engine."""

import re
import select
import threading

from .relay import Relay

# A request begins a packet: browsers do not send the next before the last was answered.
REQUEST = re.compile(rb"[A-Z]+ [^ ]+(?= HTTP/1\.1\r\n)")


class Line(Relay):
    """Passes connections on to a server of this machine.

    `cut()` closes all connections and refuses new ones, as a machine without network does; `stall()` keeps them and
    passes nothing on, as a network does that went away silently; `restore()` ends both. `connections` counts those
    that are open, and `requests` lists what browsers have asked for, as `GET /path`.
    """

    def __init__(self, port):
        self.requests = []
        self._open = set()
        self._flows = threading.Event()
        self._flows.set()
        super().__init__(port)

    def serve(self, browser):
        server = self.connect()
        with self._lock:
            self._open.add(browser)
        try:
            self.pass_on(browser, server)
        finally:
            with self._lock:
                self._open.discard(browser)

    def receive(self, source):
        select.select([source], [], [])
        self._flows.wait()
        return super().receive(source)

    def passing(self, data, is_request):
        if is_request and (asked := REQUEST.match(data)):
            self.requests.append(asked[0].decode())

    @property
    def connections(self):
        with self._lock:
            return len(self._open)

    def stall(self):
        self._flows.clear()

    def restore(self):
        self._flows.set()
        if self._listener is None:
            self.listen(self.port)

    def close(self):
        self._flows.set()
        self.cut()
