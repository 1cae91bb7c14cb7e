"""The common ground of attacks: a server to attack, raw connections, and a count of what was tried and what got through."""

import json
import re
import socket
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser/app"))

from program import Server, run  # noqa: E402  (the path comes first)

HOST = "127.0.0.1"
PASSWORD = "correct horse battery staple"
#: Numbers at the edges of what computers count with, as text from outside.
EDGES = [
    "-9223372036854775808", "-9223372036854775809", "9223372036854775807", "9223372036854775808", "18446744073709551615",
    "18446744073709551616", "-2147483648", "2147483647", "2147483648", "4294967295", "4294967296", "9007199254740992",
    "9007199254740993", "-1", "0", "1", "-0", "00", "+1", " 1", "1 ", "1e3", "1.5", "0x10", "NaN", "Infinity", "", "٣", "１",
    "9" * 400, "-" + "9" * 400, "1" + "0" * 18, "-9223372036854775807", "9223372036854775806",
]


class Outcome:
    """The tally of one kind of attack: what it tried, and what got through."""

    def __init__(self, kind):
        self.kind, self.tried, self.through = kind, 0, []

    def attempt(self, held, said):
        """Counts one try; `said` tells what got through where it was not held."""
        self.tried += 1
        if not held:
            self.through.append(said() if callable(said) else said)


class Ground:
    """A server with a folder of its own that is attacked."""

    def __init__(self, folder, *arguments, password=False):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.data = self.folder / "data"
        self.arguments = arguments
        if password:
            answer = run("password", "--data", self.data, stdin=f"{PASSWORD}\n")
            assert answer.returncode == 0, answer.stdout + answer.stderr
            self.arguments = [*arguments, "--with-password"]
        self.server = Server(self.data, *self.arguments)

    @property
    def port(self):
        return int(self.server.port)

    def restart(self):
        self.server = Server(self.data, *self.arguments)

    def request(self, method, path, body=None, headers=None, timeout=30):
        """One request as a page of the server sends it: `(status, headers, bytes)`; status 0 where there was no answer."""
        if isinstance(body, (dict, list)):
            body, headers = json.dumps(body).encode(), {"Content-Type": "application/json", **(headers or {})}
        head = "".join(f"{name}: {value}\r\n" for name, value in {
            "Host": f"{HOST}:{self.port}", "Origin": self.server.url, "Connection": "close",
            "Content-Length": len(body or b""), **(headers or {})}.items())
        return self.raw(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("utf-8", "surrogateescape") + (body or b""), timeout)

    def raw(self, sent, timeout=30):
        """Sends bytes as they are and answers what came back."""
        received = b""
        try:
            with socket.create_connection((HOST, self.port), timeout=timeout) as connection:
                connection.sendall(sent)
                while not is_whole(received, sent) and (piece := connection.recv(65536)):
                    received += piece
        except OSError:
            pass
        head, _, body = final(received).partition(b"\r\n\r\n")
        match = re.match(rb"HTTP/1\.1 (\d+)", head)
        if b"transfer-encoding: chunked" in head.lower():
            body = dechunked(body)
        return int(match[1]) if match else 0, head.decode("latin-1"), body

    @property
    def album(self):
        return json.loads(self.request("GET", "/api/albums")[2])[0]["id"]

    @property
    def lives(self):
        """Whether the process is the same and answers."""
        return self.server.process.poll() is None and self.request("GET", "/login")[0] in (200, 303)

    def close(self):
        self.server.kill()


def final(received):
    """The bytes after the answers that only say that another one follows, such as `100 Continue`."""
    while re.match(rb"HTTP/1\.1 1\d\d", received):
        received = received.partition(b"\r\n\r\n")[2]
    return received


def is_whole(received, sent):
    """Whether the answer to what was sent has come to its end, also where the connection stays open."""
    head, end, body = final(received).partition(b"\r\n\r\n")
    head = head.lower()
    if not end:
        return False
    # These have no body, whatever length their heads tell.
    if sent.startswith(b"HEAD ") or re.match(rb"http/1\.1 (204|304)", head):
        return True
    if b"text/event-stream" in head:
        return True
    if match := re.search(rb"content-length: (\d+)", head):
        return len(body) >= int(match[1])
    return b"transfer-encoding: chunked" in head and body.endswith(b"0\r\n\r\n")


def dechunked(body):
    whole = b""
    while body:
        size, _, rest = body.partition(b"\r\n")
        try:
            count = int(size, 16)
        except ValueError:
            break
        whole, body = whole + rest[:count], rest[count + 2:]
    return whole


def routes():
    """Every route that the server describes: `(method, path, parameters of the query)`."""
    described = yaml.safe_load((ROOT / "Documentation/ContactSheet.openapi.yaml").read_text())
    shared = described["components"]["parameters"]
    for path, methods in described["paths"].items():
        for method, route in methods.items():
            if method not in ("get", "post", "put", "patch", "delete"):
                continue
            names = []
            for parameter in [*methods.get("parameters", []), *route.get("parameters", [])]:
                if "$ref" in parameter:
                    parameter = shared[parameter["$ref"].rsplit("/", 1)[1]]
                if parameter["in"] == "query":
                    names.append(parameter["name"])
            yield method.upper(), path, names
