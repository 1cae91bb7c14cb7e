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
        which = dice.choice([signal.SIGTERM, signal.SIGINT])
        ground.server.process.send_signal(which)
        twice = number % 2 == 1
        if twice:
            # The first has been heard when the door is closed.
            while _is_open(port):
                pass
            ground.server.process.send_signal(which)
        try:
            # The promise is ten seconds; this is the limit for a hang, on a machine that is busy besides.
            status = ground.server.process.wait(60)
        except subprocess.TimeoutExpired:
            status = None
            ground.server.kill()
        outcome.attempt(status == (128 + which if twice else 0), lambda: f"ended with {status} after {which!r}, twice: {twice}")
        for connection in held:
            connection.close()
        ground.restart()


def _is_open(port):
    try:
        socket.create_connection((HOST, port), timeout=5).close()
        return True
    except OSError:
        return False
