"""The attacks in short: each kind once, with a fiftieth of its tries, by a seed that the day does not change."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Browser"), str(HERE.parent / "Browser/app")]

import peak  # noqa: E402
from attack import KINDS, play  # noqa: E402
from ground import final, is_whole  # noqa: E402
from seeds import seeds  # noqa: E402


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", seeds(1))
@pytest.mark.parametrize("kind", list(KINDS))
def test_nothing_gets_through(kind, seed, tmp_path):
    outcome = play(kind, seed, {"crowds": 1, "bodies": 1, "logins": 1, "unread": 0.5, "crowding": 0.5}.get(kind, 0.02), tmp_path)
    assert outcome.tried > 0
    assert not outcome.through, "\n".join(outcome.through[:10])


def test_the_memory_of_a_program_is_not_that_of_whoever_starts_it():
    large = bytearray(300_000_000)
    large[::4096] = b"1" * len(large[::4096])
    status, megabytes, _ = peak.run("/bin/true")
    assert status == 0 and megabytes < 100


@pytest.mark.parametrize("sent, received, whole", [
    ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", True),
    ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no", False),
    ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n", False),
    ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", True),
    ("POST", "HTTP/1.1 204 No Content\r\n\r\n", True),
    ("GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n", True),
    ("GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n", False),
    ("GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", True),
    ("POST", "HTTP/1.1 100 Continue\r\n\r\n", False),
    ("POST", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n", True),
])
def test_an_attack_waits_for_its_answer_and_no_longer(sent, received, whole):
    assert is_whole(received.encode(), f"{sent} / HTTP/1.1\r\n\r\n".encode()) == whole


def test_an_attack_counts_the_answer_and_not_the_promise_of_one():
    assert final(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 500 x\r\n\r\n").startswith(b"HTTP/1.1 500")
