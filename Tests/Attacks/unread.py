"""Readers that ask for answers and do not read them: what waits to be sent is bounded in sum, and others are served meanwhile."""

import os
import selectors
import socket
import struct
import sys
import time
import uuid
from pathlib import Path

from crowds import SERVER_LIMIT
from ground import HOST
from long_album import database, fill, rank

#: Another address of this machine: what one takes must not keep another from being served.
NEIGHBOR = "127.0.0.2"
#: How many albums and photos there are.
ALBUMS, PHOTOS = 1500, 1900


def picture(side):
    """A TIFF that is not compressed, of noise, so that neither the file nor what travels is small."""
    pixels = os.urandom(side * side * 3)
    entries = [(256, 4, 1, side), (257, 4, 1, side), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 2), (273, 4, 1, 122),
               (277, 3, 1, 3), (278, 4, 1, side), (279, 4, 1, len(pixels))]
    return b"II*\0" + struct.pack("<IH", 8, len(entries)) + b"".join(struct.pack("<HHII", *entry) for entry in entries) + b"\0" * 4 + pixels


def furnish(ground):
    """Gives the server many albums, an album of many photos, and one of two large ones; answers the paths of large answers."""
    first = ground.album
    ground.server.stop()
    fill(ground.data, PHOTOS, months=40)
    connection = database(ground.data)
    with connection:
        connection.executemany(
            "INSERT INTO album (id, title, createdDate, rank, photoCount, cover) VALUES (?, ?, 0, ?, 0, NULL)",
            [(uuid.uuid4().bytes, f"Album {number} " + "of holidays " * 4, rank(number + 1)) for number in range(ALBUMS)])
        [large] = connection.execute("SELECT id FROM album ORDER BY rank, id LIMIT 1 OFFSET 1").fetchone()
    connection.close()
    ground.restart()
    large = str(uuid.UUID(bytes=large))
    originals = []
    for _ in range(2):
        status, _, _ = ground.request("POST", f"/api/albums/{large}/photos?name=noise.tif", picture(2450))
        assert status == 201, status
    connection = database(ground.data, "ro")
    originals = [row[0] for row in connection.execute("SELECT contentHash FROM photo WHERE byteCount > 1000000")]
    connection.close()
    own = f"list=/api/albums/{first}/stream"
    lists = "&".join(["list=/api/albums/stream"] * 64)
    # Each of another part of a list, so that no two readers have the same bytes.
    windows = "&".join(f"{own}%3Fsections%3D{'month' if number % 2 else 'none'}%26window%3D{number}-1000" for number in range(64))
    return {
        "originals": f"/originals/{originals[0]}",
        "previews": f"/previews/{originals[1]}",
        "ranges": (f"/originals/{originals[1]}", "Range: bytes=1000-\r\n"),
        "export": f"/api/albums/{large}/export",
        "export of many": f"/api/albums/{first}/export",
        "streams": f"/api/streams?{lists}",
        "windows": f"/api/streams?{windows}",
        "stream": "/api/albums/stream",
        "compressed streams": (f"/api/streams?{lists}", "Accept-Encoding: gzip\r\n"),
        "page": (f"/albums/{first}", "Accept: text/html\r\n"),
        "albums": "/api/albums",
        "items": f"/api/albums/{first}/items?from=0&count=1000",
        "script": "/live-list/live-list.js",
    }


def reader(ground, request):
    """A connection that asks and has room for next to nothing of the answer."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.settimeout(30)
    connection.connect((HOST, ground.port))
    connection.sendall(request)
    return connection


def answered(connections, seconds):
    """Waits until each has been answered with something, or was closed; answers how many were."""
    chooser, count = selectors.DefaultSelector(), 0
    for connection in connections:
        chooser.register(connection, selectors.EVENT_READ)
    end = time.monotonic() + seconds
    while chooser.get_map() and time.monotonic() < end:
        for key, _ in chooser.select(1):
            chooser.unregister(key.fileobj)
            count += 1
    chooser.close()
    return count


def is_served(ground, path):
    """Whether somebody from another address is answered."""
    with socket.create_connection((HOST, ground.port), timeout=30, source_address=(NEIGHBOR, 0)) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {HOST}:{ground.port}\r\nConnection: close\r\n\r\n".encode())
        return connection.recv(4096).startswith(b"HTTP/1.1 200")


def reset_peak(ground):
    """From here on the most memory is counted anew."""
    Path(f"/proc/{ground.server.process.pid}/clear_refs").write_text("5")


def crowd(ground, kind, requests, idle, outcome):
    """So many readers at the same time, one for each request; counts whether memory was held and others were served."""
    reset_peak(ground)
    held = []
    try:
        held = [reader(ground, request) for request in requests]
        said = answered(held, 30)
        outcome.attempt(is_served(ground, "/api/build"), f"{kind}: nobody else is served beside {len(held)} readers who read nothing")
        most = ground.server.memory("VmHWM") - idle
        outcome.attempt(most <= SERVER_LIMIT, f"{kind}: {most:.0f} MB above idle with {len(held)} readers who read nothing")
    finally:
        for connection in held:
            connection.close()
    outcome.tried += len(held)
    if "VERBOSE" in os.environ:
        print(f"{kind:20} {most:6.0f} MB above idle of {idle:.0f}; {said} of {len(held)} answered; {ground.server.memory('VmRSS'):.0f} MB afterwards",
              file=sys.stderr, flush=True)


def attack(ground, dice, count, outcome, kinds=None):
    """At full length each kind of answer by itself, and then all of them; the short form is all of them."""
    paths = furnish(ground)
    for kind in ("previews", "albums", "items"):
        # What is made once, such as previews and lists, belongs to no reader.
        ground.request("GET", paths[kind])
    idle = ground.server.memory("VmRSS")
    requests = {}
    for kind, path in paths.items():
        path, extra = path if isinstance(path, tuple) else (path, "")
        requests[kind] = f"GET {path} HTTP/1.1\r\nHost: {HOST}:{ground.port}\r\n{extra}\r\n".encode()
    if count >= 400 or kinds:
        for kind in kinds or requests:
            crowd(ground, kind, [requests[kind]] * count, idle, outcome)
    everything = list(requests.values()) * (count // len(requests) + 1)
    dice.shuffle(everything)
    crowd(ground, "all kinds", everything[:count], idle, outcome)
    served = ground.request("GET", "/api/albums")
    outcome.attempt(served[0] == 200, lambda: f"{served[0]} in the end")
    # These have no files, which `check` would say.
    ground.server.stop()
    connection = database(ground.data)
    with connection:
        connection.execute("DELETE FROM photo WHERE byteCount = 1")
    connection.close()
    ground.restart()
