"""Requests that two programs may read differently: where a body ends, whom a request is for, and whether another one follows."""

import json
import re
import socket

from ground import HOST

CODINGS = [
    "gzip, chunked", "gzip", "identity", "chunked, chunked", "chunked;x=1", "xchunked", "chunked, identity", "\x0bchunked", "", "deflate",
]
TARGETS = ["http://evil.example{}", "HTTP://evil.example:80{}", "http://127.0.0.1@evil.example{}", "http://evil.example?{}", "https://evil.example#{}", "ftp://127.0.0.1{}",
           "http://{}", "http://evil.example\\@127.0.0.1{}", "http://[::1]evil{}"]


def all_that_comes(ground, sent):
    """Sends bytes, keeps the connection open, and gives what comes until the server closes it; `None` where it does not."""
    received = b""
    try:
        with socket.create_connection((HOST, ground.port), timeout=15) as connection:
            connection.sendall(sent)
            while piece := connection.recv(65536):
                received += piece
    except TimeoutError:
        return None
    except OSError:
        pass
    return received


def attack(ground, dice, count, outcome):
    body = json.dumps({"title": "smuggled"}).encode()
    second = f"POST /api/albums HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    answers = re.compile(rb"HTTP/1\.[01] \d\d\d ")
    for _ in range(count):
        kind = dice.choice(["coding", "both", "old", "target", "extension"])
        host = f"Host: {HOST}:{ground.port}\r\n"
        head = f"POST /api/albums HTTP/1.1\r\n{host}Content-Type: application/json\r\n"
        if kind == "coding":
            sent = f"{head}Transfer-Encoding: {dice.choice(CODINGS)}\r\n\r\n0\r\n\r\n".encode() + second
        elif kind == "both":
            fields = ["Transfer-Encoding: chunked\r\n", f"Content-Length: {dice.choice([0, 5, 4, len(second)])}\r\n"]
            dice.shuffle(fields)
            sent = f"{head}{''.join(fields)}\r\n0\r\n\r\n".encode() + second
        elif kind == "old":
            coding = dice.choice(["", "Transfer-Encoding: chunked\r\n", "Connection: keep-alive\r\n"])
            sent = f"GET /api/albums HTTP/1.0\r\n{host}{coding}\r\n".encode() + second
        elif kind == "target":
            target = dice.choice(TARGETS).format(dice.choice(["/api/albums", "/", "/login"]))
            sent = f"GET {target} HTTP/1.1\r\n{host}Connection: close\r\n\r\n".encode()
        else:
            junk = "x" * dice.randrange(120_000, 400_000)
            sent = f"{head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n{len(body):x};{junk}\r\n".encode() + body + b"\r\n0\r\n\r\n"
        received = all_that_comes(ground, sent)
        shown = (sent[:200], (received or b"")[:200])
        outcome.attempt(received is not None, lambda: f"{kind}: the connection stays open after {shown}")
        found = answers.findall(received or b"")
        outcome.attempt(len(found) <= 1, lambda: f"{kind}: {len(found)} answers to {shown}")
        refused = kind != "old" and not (found and found[0].endswith((b" 400 ", b" 403 "))) and received not in (b"", None)
        outcome.attempt(not refused, lambda: f"{kind}: taken: {shown}")
    titles = [album["title"] for album in json.loads(ground.request("GET", "/api/albums")[2])]
    outcome.attempt("smuggled" not in titles, "an album was made by a request that was none")
