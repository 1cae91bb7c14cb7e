"""Every test has its turn in every engine."""

from types import SimpleNamespace

from . import ENGINES, turns

NAMES = [f"test_list.py::test_{number}" for number in range(200)]


class Item:
    def __init__(self, name, engine, special=False):
        self.nodeid = f"{name}[{engine}]"
        self.callspec = SimpleNamespace(params={"engine": engine})
        self.get_closest_marker = lambda marker: special and marker == "engines"


def names(items):
    return [item.nodeid for item in items]


def test_all_turns_after_one_another_take_every_test_in_every_engine_once_and_chromium_always():
    items = [Item(name, engine) for name in NAMES for engine in ENGINES]
    taken = [name for number in range(7, 7 + turns.TURNS) for name in names(turns.select(items, number)[0])]
    for engine in ENGINES:
        each = 1 if engine in turns.APART else turns.TURNS
        assert sorted(name for name in taken if engine in name) == sorted(names(
            item for item in items if item.callspec.params["engine"] == engine) * each)


def test_no_test_is_lost_and_none_is_in_both_other_engines_in_one_turn():
    items = [Item(name, engine) for name in NAMES for engine in ENGINES]
    kept, left = turns.select(items, 3)
    assert sorted(names(kept + left)) == sorted(names(items))
    others = [name.partition("[")[0] for name in names(kept) if "chromium" not in name]
    assert len(others) == len(set(others)) > len(NAMES) / turns.TURNS


def test_what_is_special_to_an_engine_and_what_has_none_are_in_each_turn():
    items = [Item("test_list.py::test_pinch", engine, special=True) for engine in ENGINES]
    alone = SimpleNamespace(nodeid="test_size.py::test_size", get_closest_marker=lambda marker: None)
    for number in range(turns.TURNS):
        assert turns.select([*items, alone], number) == ([*items, alone], [])
