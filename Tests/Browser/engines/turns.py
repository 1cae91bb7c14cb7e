"""Turns: which of the tests that are for each engine run in Firefox and WebKit, where a run has no time for all of them.

Each runs in Chromium, one of every twelve in Firefox as well, and another one in WebKit. `make test` takes its turn from the number
of commits, so that twelve commits one after the other go through all of it. `ENGINE_TURN=4` takes that turn, and without it every
test runs in every engine: `make engines`.
"""

import os
import zlib

from . import ENGINES

TURNS = 12
#: The turn in which a test is in Firefox comes that much before the one in which it is in WebKit.
APART = {"firefox": 0, "webkit": TURNS // 2}


def turn():
    text = os.environ.get("ENGINE_TURN", "")
    if not text:
        return None
    if not text.isdecimal():
        raise ValueError(f"ENGINE_TURN is {text}; it is a number, or empty for every test in every engine")
    return int(text) % TURNS


def is_due(name, parameter, number):
    """Whether a test runs in an engine, by the name that it has without the engine's."""
    return parameter not in APART or (zlib.crc32(name.encode()) + APART[parameter] + number) % TURNS == 0


def select(items, number):
    """The tests that run, and those whose turn comes with another commit."""
    kept, left = [], []
    for item in items:
        call = getattr(item, "callspec", None)
        engine = call.params.get("engine") if call else None
        # What is special to an engine runs there always.
        if engine not in ENGINES or item.get_closest_marker("engines"):
            kept.append(item)
            continue
        name = item.nodeid.replace(engine, "", 1)
        (kept if is_due(name, engine, number) else left).append(item)
    return kept, left
