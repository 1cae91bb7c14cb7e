"""A server that was upgraded under its pages: an earlier version's pages and scripts, before the API of today."""

import html
import json
import mimetypes
import re
import subprocess
import tarfile
import threading
import urllib.request
from io import BytesIO

from engines.relay import Relay
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


def _closing_answer(server):
    """The beginning of a server's answer, with the word that the connection ends with it. A browser that is not told uses the
    connection once more; what it asks for then is lost, and is not always asked for again."""
    data = b""
    while b"\r\n\r\n" not in data:
        if not (more := server.recv(1 << 16)):
            return data
        data += more
    head, end, body = data.partition(b"\r\n\r\n")
    return re.sub(rb"\r\nConnection: [^\r]*", b"", head, flags=re.I) + b"\r\nConnection: close" + end + body


class OlderPages(Relay):
    """Passes requests on to a server, but for the pages and scripts, and what names their build: those are an earlier version's
    until `upgrade()`."""

    def __init__(self, server, files):
        self.server, self.files = server, files
        self.is_old = True
        self.lost = []  # requests that came on a connection which ends
        super().__init__(server.port)

    def upgrade(self):
        self.is_old = False

    def serve(self, browser):
        """Serves one request: the connection is closed after it, so that the next is looked at, too."""
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
        server = self.connect()
        head = re.sub(rb"\r\nConnection: [^\r]*", b"", head, flags=re.I) + b"\r\nConnection: close"
        server.sendall(head + b"\r\n\r\n" + body)
        threading.Thread(target=self._pass, args=[browser, server, True], daemon=True).start()
        browser.sendall(_closing_answer(server))
        self._pass(server, browser, False)

    def passing(self, data, is_request):
        if is_request and (one := HEAD.match(data)):
            self.lost.append(one[2].decode())

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
        text = re.sub(r"\{\{(\w+)\}\}", lambda match: html.escape(values.get(match[1], "")), text)
        return text.encode(), "text/html; charset=utf-8"
