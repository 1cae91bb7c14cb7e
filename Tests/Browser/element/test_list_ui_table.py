"""Documentation/ListUITests.md names tests that there are, and every line of it one."""

import re

import pytest

from fake_server import ROOT


def test_every_promise_has_a_test():
    text = (ROOT / "Documentation/ListUITests.md").read_text()
    tests = "".join(path.read_text() for path in (ROOT / "Tests/Browser").rglob("test_*.py"))
    known = set(re.findall(r"^def (test_\w+)", tests, flags=re.M))
    lines = [line for line in text.splitlines() if line.startswith("|") and "---" not in line and "| promise |" not in line]
    assert len(lines) > 60
    for line in lines:
        named = re.findall(r"`(test_\w+)`", line)
        assert named, f"no test: {line}"
        assert set(named) <= known, f"{set(named) - known} is no test"


@pytest.mark.parametrize("name, most", [("colors", 200), ("events", 350), ("photos", 250)])
def test_an_example_reads_in_one_sitting(name, most):
    folder = ROOT / "Apps/Sources" / name
    data = {"NamedColors.swift", "Sample.swift"}
    files = [path for path in [*folder.glob("*.swift"), folder / "Page/page.js"] if path.name not in data]
    assert len(files) > 1 and sum(len(path.read_text().splitlines()) for path in files) <= most
