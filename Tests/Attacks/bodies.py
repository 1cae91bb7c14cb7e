"""Bodies that never end, of a thousand connections from many addresses: memory is bounded in sum, and whoever behaves is served."""

import socket
import sys

from crowds import SERVER_LIMIT
from ground import HOST

#: One address alone gets half of a budget. The whole of 127.0.0.0/8 is this machine on Linux.
ADDRESSES = 64
UNKNOWN = "00000000-0000-0000-0000-000000000000"


def unfinished_json(ground):
    """A body of JSON that is as long as one may be, but for its end."""
    ids = b'{"ids": [' + f'"{UNKNOWN}", '.encode() * 200_000
    return request(ground, f"/api/albums/{UNKNOWN}/moves", "application/json", 8 << 20, ids[:7_000_000])


def unfinished_login(ground):
    """A form with a password that is as long as one may be, but for its end."""
    return request(ground, "/login", "application/x-www-form-urlencoded", 32 << 10, b"password=" + b"x" * 32_000)


def request(ground, path, kind, length, body):
    head = f"Host: {HOST}:{ground.port}\r\nOrigin: {ground.server.url}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
    return f"POST {path} HTTP/1.1\r\n{head}".encode() + body


def connect(port, source):
    connection = socket.socket()
    # What this side keeps for later costs time, and is nothing to the server.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 << 10)
    connection.settimeout(30)
    if sys.platform == "linux":
        connection.bind((source, 0))
    connection.connect((HOST, port))
    connection.setblocking(False)
    return connection


def send(connection, rest):
    """Sends as much as the network takes, and answers what is left of it."""
    try:
        return rest[connection.send(rest):]
    except BlockingIOError:
        return rest
    except OSError:
        return rest[:0]  # The server has closed the connection.


def attack(ground, dice, count, outcome, opening):
    sent = memoryview(opening(ground))
    idle = ground.server.memory("VmRSS")
    held = []
    for number in range(count):
        connection = connect(ground.port, f"127.0.0.{2 + number % ADDRESSES}")
        held.append([connection, send(connection, sent)])
        if number % 100 == 99:
            # Some of what did not go at once goes by now.
            for entry in dice.sample(held, 100):
                entry[1] = send(*entry)
            status, _, _ = ground.request("GET", "/login")
            outcome.attempt(status in (200, 303), lambda: f"{status} for a good request beside {len(held)} unfinished bodies")
    for entry in held:
        entry[1] = send(*entry)
    outcome.attempt(ground.request("GET", "/login")[0] in (200, 303), lambda: "nobody else is served")
    most = ground.server.memory("VmHWM") - idle
    outcome.attempt(most <= SERVER_LIMIT, lambda: f"{most:.0f} MB above idle with {count} unfinished bodies")
    outcome.tried += count
    for connection, _ in held:
        connection.close()


def attack_json(ground, dice, count, outcome):
    attack(ground, dice, count, outcome, unfinished_json)


def attack_login(ground, dice, count, outcome):
    attack(ground, dice, count, outcome, unfinished_login)
