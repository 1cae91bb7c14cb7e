"""Turns: in which engine a test runs that is for each of them, and which cases of a test with very many, where a run has no time for all.

Each test runs once: at ten of twelve commits in Chromium, at one in Firefox, at another in WebKit. Of a test that is marked
`in_turns(3)` a third of the cases runs. `make test` takes its turn from the number of commits, so that twelve commits one after the
other go through all of it. `ENGINE_TURN=4` takes that turn, and without it everything runs in every engine: `make engines`.
"""

import os
import zlib
from collections import Counter

from . import ENGINES

TURNS = 12
#: The position of an engine among a test's turns; all others are Chromium's.
POSITIONS = {0: "firefox", TURNS // 2: "webkit"}


def turn():
    text = os.environ.get("ENGINE_TURN", "")
    if not text:
        return None
    if not text.isdecimal():
        raise ValueError(f"ENGINE_TURN is {text}; it is a number, or empty for every test in every engine")
    return int(text) % TURNS


def engine_of(name, number):
    """The engine in which a test runs, by the name that it has without the engine's."""
    return POSITIONS.get((zlib.crc32(name.encode()) + number) % TURNS, "chromium")


def is_due(item, position, number):
    """Whether a test runs: one of the cases of its function, at a position among these."""
    if marker := item.get_closest_marker("in_turns"):
        return (position + number) % marker.args[0] == 0
    call = getattr(item, "callspec", None)
    engine = call.params.get("engine") if call else None
    # What is special to an engine runs there always.
    if engine not in ENGINES or item.get_closest_marker("engines"):
        return True
    return engine == engine_of(item.nodeid.replace(engine, "", 1), number)


def select(items, number):
    """The tests that run, and those whose turn comes with another commit."""
    kept, left = [], []
    seen = Counter()
    for item in items:
        function = item.nodeid.partition("[")[0]
        (kept if is_due(item, seen[function], number) else left).append(item)
        seen[function] += 1
    return kept, left
