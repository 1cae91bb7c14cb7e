"""Those who are slow on purpose, or too many, cost the server little and the others nothing."""

import socket
import urllib.request

import pytest
from photographs import jpeg

HOST = "127.0.0.1"


def connect(server):
    connection = socket.create_connection((HOST, int(server.port)), timeout=60)
    return connection


def head(server, method, path, *more):
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}:{server.port}", *more]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def read_to_the_end(connection):
    """The bytes until the server closes the connection; a reset is an end, too."""
    received = b""
    try:
        while piece := connection.recv(65536):
            received += piece
    except ConnectionResetError:
        pass
    return received


@pytest.fixture
def strict(start_server):
    return start_server("--idle-seconds", "1", "--max-megabytes", "50")


def test_headers_that_never_end_are_not_waited_for(strict):
    connections = [connect(strict) for _ in range(20)]
    for connection in connections:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: " + HOST.encode() + b"\r\nX-Slow: ")
    assert strict.json("/api/albums"), "the others are served meanwhile"
    for connection in connections:
        assert read_to_the_end(connection) == b""


def test_headers_that_come_byte_by_byte_are_not_waited_for(strict):
    connection = connect(strict)
    connection.settimeout(0.1)
    sent = 0
    # Each byte comes well within the limit; the whole head does not.
    with pytest.raises((BrokenPipeError, ConnectionResetError, EOFError)):
        for sent in range(600):
            connection.sendall(b"GET / HTTP/1.1\r\nX: "[sent:sent + 1] or b"x")
            try:
                if connection.recv(100) == b"":
                    raise EOFError
            except TimeoutError:
                pass
    assert sent < 100


def test_a_connection_without_a_request_is_closed(strict):
    connection = connect(strict)
    connection.sendall(head(strict, "GET", "/api/albums"))
    assert b"200" in connection.recv(65536)
    assert read_to_the_end(connection) == b""


def test_an_upload_that_stalls_is_given_up_and_leaves_nothing(strict):
    connections = [connect(strict) for _ in range(10)]
    path = f"/api/albums/{strict.album}/photos?name=stalled.jpg"
    for connection in connections:
        connection.sendall(head(strict, "POST", path, "Content-Length: 1000000") + b"\xff\xd8\xff" * 1000)
    for connection in connections:
        read_to_the_end(connection)
    incoming = strict.data / "incoming"
    # The answer is the closed connection; the file goes a moment later.
    for _ in range(1000):
        if not any(incoming.iterdir()):
            break
        strict.json("/api/albums")
    assert not any(incoming.iterdir())


def test_a_file_that_nobody_takes_is_given_up(strict, tmp_path):
    from PIL import Image
    import random
    big = tmp_path / "big.png"
    Image.frombytes("RGB", (2600, 2600), random.Random(1).randbytes(2600 * 2600 * 3)).save(big, "PNG", compress_level=0)
    path = f"/api/albums/{strict.album}/photos?name=big.png"
    request = urllib.request.Request(strict.url + path, data=big.read_bytes(), method="POST")
    urllib.request.urlopen(request, timeout=60).close()
    digest = next(path.name for path in (strict.data / "originals").rglob("*") if path.is_file())
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(60)
    connection.connect((HOST, int(strict.port)))
    connection.sendall(head(strict, "GET", f"/originals/{digest}"))
    # Nothing is read until the server has given up: only then does the connection count as closed for sending.
    closed = False
    for _ in range(3000):
        with open(f"/proc/{strict.process.pid}/net/tcp") as table:
            port = f":{connection.getsockname()[1]:04X}"
            rows = [line.split() for line in table if port in line]
        # Of the two rows of a connection on this machine, the server's has our port as the remote one.
        states = [row[3] for row in rows if row[2].endswith(port)]
        if "01" not in states:
            closed = True
            break
        strict.json("/api/albums")
    assert closed
    assert len(read_to_the_end(connection)) < big.stat().st_size


def test_many_slow_uploads_cost_little_memory_and_the_others_nothing(start_server, tmp_path):
    server = start_server()
    path = f"/api/albums/{server.album}/photos?name=slow.jpg"
    before = server.memory("VmRSS")
    connections = [connect(server) for _ in range(200)]
    for connection in connections:
        connection.sendall(head(server, "POST", path, "Content-Length: 100000000") + b"\xff\xd8\xff" + b"x" * 200_000)
    # A whole photo comes in between; so everything that was sent before has been taken in.
    good = jpeg(tmp_path / "good.jpg", 1)
    request = urllib.request.Request(
        server.url + f"/api/albums/{server.album}/photos?name=good.jpg", data=good.read_bytes(), method="POST")
    with urllib.request.urlopen(request, timeout=60) as response:
        assert response.status == 201
    assert server.memory("VmRSS") - before < 120, "200 uploads of 200 kB each"
    for connection in connections:
        connection.close()


def test_more_uploads_than_there_may_be_are_told_so(start_server):
    server = start_server()
    path = f"/api/albums/{server.album}/photos?name=slow.jpg"
    connections = [connect(server) for _ in range(256)]
    for connection in connections:
        connection.sendall(head(server, "POST", path, "Content-Length: 100000") + b"\xff\xd8\xff")
    # All of them have begun once each has its file.
    for _ in range(3000):
        if len(list((server.data / "incoming").iterdir())) == 256:
            break
        server.json("/api/albums")
    late = connect(server)
    late.sendall(head(server, "POST", path, "Content-Length: 3", "Connection: close") + b"abc")
    answer = read_to_the_end(late)
    assert b" 503 " in answer and b'"busy"' in answer and b"retry-after: 5\r\n" in answer.lower()
    for connection in connections:
        connection.close()


def test_connections_beyond_the_limit_wait_for_their_turn(start_server):
    server = start_server("--max-connections", "4")
    held = [connect(server) for _ in range(4)]
    for connection in held:
        connection.sendall(head(server, "GET", "/api/albums"))
        assert b" 200 " in connection.recv(65536)
    late = connect(server)
    late.sendall(head(server, "GET", "/api/albums", "Connection: close"))
    late.settimeout(0.5)
    with pytest.raises(TimeoutError):
        late.recv(100)
    held[0].close()
    late.settimeout(60)
    assert b" 200 " in read_to_the_end(late)
