"""A server that was upgraded under its pages: an earlier version's pages and scripts, before the API of today."""

import html
import json
import mimetypes
import re
import socket
import subprocess
import tarfile
import threading
import urllib.request
from io import BytesIO

from program import ROOT

FOLDERS = {"/assets/": "Apps/Sources/ContactSheet/Pages/", "/live-list/": "Sources/ListStream/Browser/"}
EARLIER_BUILD = "an earlier one"
HEAD = re.compile(rb"(GET|POST|PATCH|DELETE|HEAD|PUT) ([^ ]+) HTTP/1\.1\r\n")


class NotInHistory(Exception):
    """The checkout has no history as long as that."""


def files_of(commit):
    """The files of the pages as they were in a commit, by the addresses that they are served at."""
    archived = subprocess.run(
        ["git", "-C", ROOT, "archive", commit, *FOLDERS.values()], capture_output=True)
    if archived.returncode:
        raise NotInHistory(archived.stderr.decode().strip())
    files = {}
    with tarfile.open(fileobj=BytesIO(archived.stdout)) as archive:
        for member in archive.getmembers():
            for address, folder in FOLDERS.items():
                if member.isfile() and member.name.startswith(folder):
                    files[address + member.name.removeprefix(folder)] = archive.extractfile(member).read()
    return files


class OlderPages:
    """Passes requests on to a server, but for the pages and scripts, and what names their build: those are an earlier version's
    until `upgrade()`."""

    def __init__(self, server, files):
        self.server, self.files = server, files
        self.is_old = True
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._lock = threading.Lock()
        self._sockets = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def upgrade(self):
        self.is_old = False

    def close(self):
        try:
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._listener.close()
        with self._lock:
            sockets = list(self._sockets)
        for one in sockets:
            self._shut(one)

    def _accept(self):
        while True:
            try:
                browser, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self._sockets.add(browser)
            threading.Thread(target=self._serve, args=[browser], daemon=True).start()

    def _serve(self, browser):
        """One request: the connection is closed after it, so that the next is looked at, too."""
        try:
            data = b""
            while b"\r\n\r\n" not in data:
                if not (more := browser.recv(1 << 16)):
                    return
                data += more
            head, _, body = data.partition(b"\r\n\r\n")
            path = HEAD.match(head + b"\r\n")[2].decode()
            if (answer := self.is_old and self._older(path)):
                content, kind = answer
                browser.sendall(
                    f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(content)}\r\nCache-Control: no-store\r\n"
                    "Connection: close\r\n\r\n".encode() + content)
                return
            server = socket.create_connection(("127.0.0.1", int(self.server.port)))
            with self._lock:
                self._sockets.add(server)
            head = re.sub(rb"\r\nConnection: [^\r]*", b"", head, flags=re.I) + b"\r\nConnection: close"
            server.sendall(head + b"\r\n\r\n" + body)
            threading.Thread(target=self._pass, args=[browser, server, False], daemon=True).start()
            self._pass(server, browser, True)
        except OSError:
            pass
        finally:
            self._shut(browser)

    def _pass(self, source, target, is_answer):
        try:
            while data := source.recv(1 << 16):
                target.sendall(data)
        except OSError:
            pass
        if is_answer:
            self._shut(source)
            return
        # A browser that leaves ends its streams.
        self._shut(target)

    def _shut(self, one):
        with self._lock:
            self._sockets.discard(one)
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        one.close()

    def _older(self, path):
        """The content and the type of what the earlier version had there; None where it is the server's own."""
        path = path.partition("?")[0]
        if content := self.files.get(path):
            kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
            return content, f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
        if path == "/api/build":
            return json.dumps({"build": EARLIER_BUILD}).encode(), "application/json"
        if not re.fullmatch(r"/albums/[^/]+(/photos/[^/]+)?", path):
            return None
        request = urllib.request.Request(self.server.url + path, headers={"Accept": "text/html"})
        with urllib.request.urlopen(request, timeout=30) as response:
            page = response.read().decode()
        values = {name: html.unescape(re.search(rf'data-{name}="([^"]*)"', page)[1]) for name in ("album", "features", "position")}
        values |= {"albumID": values["album"], "build": EARLIER_BUILD, "base": "",
                   "title": html.unescape(re.search(r"<h1 [^>]*>([^<]*)<", page)[1])}
        text = self.files["/assets/album.html"].decode()
        text = re.sub(r"\{\{(\w+)\}\}", lambda place: html.escape(values.get(place[1], "")), text)
        return text.encode(), "text/html; charset=utf-8"
