"""The attacks in short: each kind once, with a fiftieth of its tries, by a seed that the day does not change."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Browser"), str(HERE.parent / "Browser/app")]

import peak  # noqa: E402
from attack import KINDS, play  # noqa: E402
from seeds import seeds  # noqa: E402


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", seeds(1))
@pytest.mark.parametrize("kind", list(KINDS))
def test_nothing_gets_through(kind, seed, tmp_path):
    outcome = play(kind, seed, 1 if kind == "crowds" else 0.02, tmp_path)
    assert outcome.tried > 0
    assert not outcome.through, "\n".join(outcome.through[:10])


def test_the_memory_of_a_program_is_not_that_of_whoever_starts_it():
    large = bytearray(300_000_000)
    large[::4096] = b"1" * len(large[::4096])
    status, megabytes, _ = peak.run("/bin/true")
    assert status == 0 and megabytes < 100
