"""A stream that is compressed once for all readers says the same as one that is not, and comes to a proper end."""

import http.client
import zlib

import pytest

COUNT = 300


@pytest.fixture
def running(server, fill_album):
    fill_album(COUNT)
    return server


def opened(server, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("GET", f"/api/albums/{server.album}/stream", headers=headers)
    answer = connection.getresponse()
    assert answer.getheader("Content-Type") == "text/event-stream"
    return connection, answer


def first_event(read):
    """The bytes of the first event, and nothing behind it."""
    text = b""
    while not text.endswith(b"\n\n"):
        text += read()
    return text


def test_it_says_the_same_in_fewer_bytes(running):
    plain, answer = opened(running)
    assert answer.getheader("Content-Encoding") is None and answer.getheader("Vary") == "Accept-Encoding"
    expected = first_event(lambda: answer.read1(1 << 16))
    plain.close()

    packed, answer = opened(running, **{"Accept-Encoding": "gzip"})
    assert answer.getheader("Content-Encoding") == "gzip" and answer.getheader("Vary") == "Accept-Encoding"
    unpack, count = zlib.decompressobj(31), 0

    def read():
        nonlocal count
        bytes = answer.read1(1 << 16)
        count += len(bytes)
        return unpack.decompress(bytes)

    assert first_event(read) == expected
    assert count * 2 < len(expected)
    # The server's end is the stream's: its checksum is right, or this would fail.
    assert running.stop() == 0
    while not unpack.eof:
        bytes = answer.read1(1 << 16)
        assert bytes, "the stream broke off"
        unpack.decompress(bytes)
    packed.close()
