"""Random requests: routes of the description with bodies and headers of all kinds, and bytes that are no requests."""

import json
import uuid
from urllib.parse import quote

from ground import EDGES, routes

METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", ""]
HEADERS = {
    "Content-Type": ["application/json", "text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", ""],
    "Accept": ["text/html", "*/*", "application/json;q=nan", "," * 2000], "Accept-Encoding": ["gzip", "gzip;q=0", "br, " * 500, "*"],
    "Range": ["bytes=0-", "bytes=-1", "bytes=" + "0-0," * 500, "bytes=5-1"], "If-None-Match": ["*", '"x"', "W/" * 1000],
    "Last-Event-ID": ["x", "0.0", "9" * 300, "-1.-1"], "Transfer-Encoding": ["chunked", "gzip, chunked", "x"],
    "Cookie": ["=" * 300, "contact-sheet", ";" * 3000],
    "Expect": ["100-continue"], "Upgrade": ["websocket", "h2c"], "Connection": ["Upgrade", "close", "keep-alive, close"],
    "X-Forwarded-For": ["1.2.3.4", "," * 100],
}


def value(dice, depth=0):
    """A JSON value that may be what a route wants, nearly so, or nothing of the kind."""
    kinds = [
        lambda: str(uuid.UUID(int=dice.getrandbits(128))), lambda: dice.choice(EDGES), lambda: dice.randrange(-2**70, 2**70), lambda: None, lambda: True,
        lambda: dice.random() * 1e308, lambda: "\u0000\u202e\U0010ffff" * dice.randrange(3), lambda: "x" * dice.randrange(100_000),
    ]
    if depth < 3:
        names = ["act", "ids", "all", "version", "except", "after", "before", "album", "title", "undoes", "order", "reversed", "photos", "by"]
        kinds += [
            lambda: [value(dice, depth + 1) for _ in range(dice.randrange(4))],
            lambda: {dice.choice(names): value(dice, depth + 1) for _ in range(dice.randrange(5))},
        ] * 2
    return dice.choice(kinds)()


def attack(ground, dice, count, outcome):
    album, known = ground.album, list(routes())
    for _ in range(count):
        if dice.random() < 0.1:
            junk = bytes(dice.randrange(256) for _ in range(dice.randrange(1, 300)))
            status = ground.raw(dice.choice([b"", b"GET / HTTP/1.1\r\n", b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"]) + junk + b"\r\n\r\n", timeout=2)[0]
            outcome.attempt(status < 500, lambda: f"{status} for junk {junk!r}")
        else:
            method, path, names = dice.choice(known)
            if dice.random() < 0.2:
                method = dice.choice(METHODS)
            path = path.replace("{album}", album if dice.random() < 0.8 else str(uuid.uuid4())).replace("{photo}", str(uuid.uuid4()))
            path = path.replace("{hash}", dice.choice(["0" * 64, "../" * 20, "G" * 64]))
            path = path.replace("{name}", dice.choice(["album.js", "..%2f..%2fREADME.md", "x"]))
            if names and dice.random() < 0.7:
                path += "?" + "&".join(f"{name}={quote(str(value(dice, 3)))[:2000]}" for name in names)
            if path in ("/logout",) or (path.endswith("/export") and dice.random() < 0.5):
                continue
            body = json.dumps(value(dice)).encode() if dice.random() < 0.6 else None
            headers = {name: dice.choice(choices) for name, choices in HEADERS.items() if dice.random() < 0.15}
            if "Transfer-Encoding" in headers and body:
                body = b"5\r\nabcde\r\n0\r\n\r\n"
            status, _, answer = ground.request(method, path, body, headers)
            # A body in chunks that never ends, or a method that is none, may get no answer; everything else gets one.
            may_be_silent = "Transfer-Encoding" in headers or method not in METHODS[:7]
            outcome.attempt(
                100 <= status < 500 or status in (501, 503) or (status == 0 and may_be_silent),
                lambda: f"{status} for {method} {path[:200]} {headers}: {(body or b'')[:200]!r} {answer[:200]!r}")
        if ground.server.process.poll() is not None:
            outcome.attempt(False, f"the server ended: {ground.server.log[-3:]}")
            ground.restart()
