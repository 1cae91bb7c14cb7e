"""Every test has its turn in every engine."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

from . import ENGINES, turns

NAMES = [f"test_list.py::test_{number}" for number in range(200)]


class Marker:
    def __init__(self, *arguments):
        self.args = arguments


class Item:
    def __init__(self, name, parameter, **markers):
        self.nodeid = f"{name}[{parameter}]"
        self.callspec = SimpleNamespace(params={"engine": parameter} if parameter in ENGINES else {})
        self.get_closest_marker = markers.get


def names(items):
    return [item.nodeid for item in items]


def test_all_turns_after_one_another_take_every_test_in_every_engine():
    items = [Item(name, engine) for name in NAMES for engine in ENGINES]
    taken = [name for number in range(7, 7 + turns.TURNS) for name in names(turns.select(items, number)[0])]
    for engine in ENGINES:
        each = 1 if engine in turns.POSITIONS.values() else turns.TURNS - len(turns.POSITIONS)
        assert sorted(name for name in taken if engine in name) == sorted(names(
            item for item in items if item.callspec.params["engine"] == engine) * each)


def test_in_each_turn_every_test_runs_in_one_engine():
    items = [Item(name, engine) for name in NAMES for engine in ENGINES]
    kept, left = turns.select(items, 3)
    assert sorted(names(kept + left)) == sorted(names(items))
    assert sorted(name.partition("[")[0] for name in names(kept)) == sorted(NAMES)


def test_the_cases_of_a_test_that_takes_turns_come_all_in_as_many_turns_and_some_in_each():
    items = [Item(name, case, in_turns=Marker(3)) for name in NAMES[:4] for case in range(7)]
    taken = [names(turns.select(items, number)[0]) for number in range(5, 8)]
    assert sorted(name for turn in taken for name in turn) == sorted(names(items))
    assert all({name.partition("[")[0] for name in turn} == set(NAMES[:4]) for turn in taken)


def test_what_is_special_to_an_engine_and_what_has_none_are_in_each_turn():
    items = [Item("test_list.py::test_pinch", engine, engines=Marker(engine)) for engine in ENGINES]
    alone = SimpleNamespace(nodeid="test_size.py::test_size", get_closest_marker=lambda marker: None)
    for number in range(turns.TURNS):
        assert turns.select([*items, alone], number) == ([*items, alone], [])


FAILS_ONCE = """
import pathlib, pytest

@pytest.mark.in_turns(2)
@pytest.mark.parametrize("case", range(4))
def test_case(case):
    mark = pathlib.Path(__file__).with_name(f"tried {case}")
    was_there = mark.exists()
    mark.touch()
    assert case != 3 or was_there
"""


def test_a_case_that_failed_is_run_again_alone(tmp_path):
    (tmp_path / "test_case.py").write_text(FAILS_ONCE)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = in_turns")

    def run(*more):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "conftest", *more]
        path = str(Path(__file__).parent.parent)
        environment = {**os.environ, "PYTHONPATH": path, "ENGINE_TURN": "1"}
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False).stdout

    assert "1 failed, 1 passed" in run()
    assert run("--last-failed", "--last-failed-no-failures", "none").splitlines()[-1].startswith("1 passed")
