"""Crowds of slow connections: memory is bounded in sum, and whoever behaves is served."""

import json
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from ground import HOST

#: How much more than idle the server may take, and its decoders together, in megabytes.
SERVER_LIMIT, DECODER_LIMIT = 256, 1024


def decoders(ground):
    """The most memory that each decoder has had so far, in megabytes."""
    children = subprocess.run(["pgrep", "-P", str(ground.server.process.pid)], capture_output=True, text=True).stdout.split()
    total = 0
    for child in children:
        try:
            for line in open(f"/proc/{child}/status"):
                if line.startswith("VmHWM"):
                    total += int(line.split()[1]) / 1024
        except FileNotFoundError:
            pass
    return total


def bomb():
    """A JPEG of a few hundred bytes that announces 361 million pixels in several passes."""
    def segment(marker, body):
        return bytes([0xFF, marker]) + (len(body) + 2).to_bytes(2, "big") + body
    code = bytes([1]) + bytes(15) + b"\0"
    side = (19_000).to_bytes(2, "big")
    return (b"\xff\xd8" + segment(0xDB, b"\0" + b"\1" * 64)
            + segment(0xC2, b"\x08" + side + side + bytes([3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]))
            + segment(0xC4, b"\0" + code) + segment(0xC4, b"\x10" + code) + segment(0xDA, bytes([3, 1, 0, 2, 0, 3, 0, 0, 0, 0]))
            + bytes(300) + b"\xff\xd9")


def attack(ground, dice, count, outcome):
    album = ground.album
    idle = ground.server.memory("VmRSS")
    port, held = ground.port, []
    head = f"Host: {HOST}:{port}\r\nOrigin: {ground.server.url}\r\n"
    filling = b'{"ids": [' + b'"00000000-0000-0000-0000-000000000000", ' * 200_000
    openings = [
        # An unfinished body of JSON, an unfinished photo, headers that never end, a stream and a page that nobody reads, silence.
        (f"POST /api/albums/{album}/moves HTTP/1.1\r\n{head}Content-Length: 8388608\r\n\r\n".encode(), filling[:7_000_000]),
        (f"POST /api/albums/{album}/photos?name=a.jpg HTTP/1.1\r\n{head}Content-Length: 9000000\r\n\r\n".encode(), b"\xff\xd8\xff" + b"x" * 400_000),
        (f"GET / HTTP/1.1\r\n{head}X-Slow: ".encode(), b"y" * 60_000),
        (f"GET /api/albums/{album}/stream HTTP/1.1\r\n{head}\r\n".encode(), b""),
        ((f"GET /albums/{album} HTTP/1.1\r\nAccept: text/html\r\n{head}\r\n" * 20).encode(), b""),
        # The same compressed, which keeps a state for each; none of it is read.
        (f"GET /api/albums/{album}/stream HTTP/1.1\r\nAccept-Encoding: gzip\r\n{head}\r\n".encode(), b""),
        ((f"GET /albums/{album} HTTP/1.1\r\nAccept: text/html\r\nAccept-Encoding: gzip\r\n{head}\r\n" * 20).encode(), b""),
        # A length that no request has: refused at once.
        (f"POST /api/albums/{album}/moves HTTP/1.1\r\n{head}Content-Length: {2**63 - 1}\r\n\r\n".encode(), filling[:60_000]),
        (b"", b""),
    ]
    for number in range(count):
        opening, more = openings[number % len(openings)]
        # One address alone gets half of a budget; a crowd has many. The whole of 127.0.0.0/8 is this machine on Linux.
        source = (f"127.0.0.{1 + number // len(openings) % 32}", 0) if sys.platform == "linux" else None
        connection = socket.create_connection((HOST, port), timeout=30, source_address=source)
        connection.settimeout(0.05)
        try:
            connection.sendall(opening + more)
        except (TimeoutError, ConnectionError):
            pass  # It is not read from any more: that is how the server keeps its memory.
        held.append(connection)
        if number % 50 == 49:
            answer = ground.request("GET", "/api/albums")
            outcome.attempt(answer[0] == 200, lambda: f"{answer[0]} for a good request beside {len(held)} hostile ones")
    most = ground.server.memory("VmHWM") - idle
    outcome.attempt(most <= SERVER_LIMIT, lambda: f"{most:.0f} MB above idle with {count} hostile connections")
    outcome.tried += count
    for connection in held:
        connection.close()
    # Pictures that announce a gigabyte each, all at the same time.
    def throw(number):
        return ground.request("POST", f"/api/albums/{album}/photos?name=bomb{number}.jpg", bomb() + bytes([number]))

    with ThreadPoolExecutor(8) as crowd:
        answers = list(crowd.map(throw, range(8)))
    for answer in answers:
        outcome.attempt(answer[0] in (413, 415, 422), lambda: f"{answer[0]} for a picture that announces a gigabyte")
    together = decoders(ground)
    outcome.attempt(together <= DECODER_LIMIT, lambda: f"decoders took {together:.0f} MB")
    status, _, body = ground.request("GET", "/api/albums")
    outcome.attempt(status == 200 and isinstance(json.loads(body), list), f"{status} in the end")
