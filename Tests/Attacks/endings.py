"""Signals while others are slow: the server ends in time, and a second signal ends it at once."""

import signal
import socket
import subprocess

from ground import HOST


def attack(ground, dice, count, outcome):
    for number in range(count):
        album, port = ground.album, ground.port
        head = f"Host: {HOST}:{port}\r\nOrigin: {ground.server.url}\r\n"
        held = []
        for opening in (
            f"POST /api/albums/{album}/photos?name=a.jpg HTTP/1.1\r\n{head}Content-Length: 900000\r\n\r\nx",
            f"POST /api/albums/{album}/moves HTTP/1.1\r\n{head}Content-Length: 900000\r\n\r\n{{",
            f"GET /api/albums/{album}/stream HTTP/1.1\r\n{head}\r\n", f"GET / HTTP/1.1\r\n{head}",
        ):
            connection = socket.create_connection((HOST, port), timeout=60)
            connection.sendall(opening.encode())
            held.append(connection)
        ground.request("GET", "/api/albums")
        # The second is of the other kind: two of one kind that nobody has heard yet would be one.
        signals = dice.sample([signal.SIGTERM, signal.SIGINT], 1 + number % 2)
        for which in signals:
            ground.server.process.send_signal(which)
        try:
            # The promise is ten seconds; this is the limit for a hang, on a machine that is busy besides.
            status = ground.server.process.wait(60)
        except subprocess.TimeoutExpired:
            status = None
            ground.server.kill()
        outcome.attempt(
            status in ([128 + which for which in signals] if len(signals) > 1 else [0]), lambda: f"ended with {status} after {signals!r}")
        for connection in held:
            connection.close()
        ground.restart()
