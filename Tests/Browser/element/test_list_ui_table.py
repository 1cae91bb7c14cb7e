"""Documentation/ListUITests.md names tests that there are, and every line of it one."""

import re

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
