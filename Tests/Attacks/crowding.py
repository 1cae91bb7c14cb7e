"""Strangers that take every connection of a server with a password: whoever has logged in is served before them."""

import json
import select
import socket
import sys
from urllib.parse import quote

from ground import HOST, PASSWORD

#: How many connections the server has for all.
CONNECTIONS = 64
ARGUMENTS = ["--max-connections", str(CONNECTIONS)]


def log_in(ground):
    _, head, _ = ground.request(
        "POST", "/login", f"password={quote(PASSWORD)}".encode(),
        {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"})
    return next(line.split(": ", 1)[1].split(";")[0] for line in head.split("\r\n") if line.lower().startswith("set-cookie: contact-sheet="))


def connect(ground, number):
    # The whole of 127.0.0.0/8 is this machine on Linux.
    source = (f"127.0.0.{2 + number % 32}", 0) if sys.platform == "linux" else None
    return socket.create_connection((HOST, ground.port), timeout=10, source_address=source)


def attack(ground, dice, count, outcome):
    cookie = {"Cookie": log_in(ground)}
    album = json.loads(ground.request("GET", "/api/albums", headers=cookie)[2])[0]["id"]
    head = f"Host: {HOST}:{ground.port}\r\n"
    stream = connect(ground, 0)
    stream.sendall(f"GET /api/albums/{album}/stream HTTP/1.1\r\n{head}Cookie: {cookie['Cookie']}\r\n\r\n".encode())
    outcome.attempt(stream.recv(65536).startswith(b"HTTP/1.1 200"), lambda: "a list is not followed")
    openings = [b"", b"GET / HTTP/1.1\r\nX-Slow: ", f"POST /login HTTP/1.1\r\n{head}Content-Length: 9000\r\n\r\npass".encode(),
                f"GET /login HTTP/1.1\r\n{head}Cookie: contact-sheet=forged\r\n\r\n".encode()]
    held = []
    for number in range(count):
        stranger = connect(ground, number)
        try:
            stranger.sendall(dice.choice(openings))
        except OSError:
            pass
        held.append(stranger)
        if number % 8 == 7:
            status, _, _ = ground.request("GET", "/api/albums", headers=cookie)
            outcome.attempt(status == 200, lambda: f"{status} for someone who has logged in beside {len(held)} strangers")
    outcome.tried += count
    ended = False
    while select.select([stream], [], [], 0)[0] and not ended:
        ended = stream.recv(65536) == b""
    outcome.attempt(not ended, lambda: "the list of someone who has logged in was given up for a stranger")
    stream.close()
    for stranger in held:
        stranger.close()
