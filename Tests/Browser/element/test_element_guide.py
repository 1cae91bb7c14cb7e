"""The guide to lists in a browser has the code that other tests run, word for word."""

import re

import pytest

from fake_server import ROOT

GUIDE = (ROOT / "Sources/LiveLists/LiveLists.docc/InABrowser.md").read_text()
# Run by test_element_example.py (the servers and their page) and test_element_packaging.py (React and Vue).
TESTED = {
    "js": "Documentation/Examples/live-list-server.mjs",
    "html": "Documentation/Examples/live-list.html",
    "jsx": "Documentation/LiveListElement.md",
    "vue": "Documentation/LiveListElement.md",
}


def lines(text):
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


@pytest.mark.parametrize("language", TESTED)
def test_the_guides_code_is_run(language):
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, flags=re.M | re.S)
    assert blocks
    tested = lines((ROOT / TESTED[language]).read_text())
    for block in blocks:
        assert lines(block) in tested, f"{TESTED[language]} does not have this:\n{block}"


def test_every_block_is_in_a_language_that_is_looked_at():
    assert set(re.findall(r"^```(\w+)$", GUIDE, flags=re.M)) == {*TESTED, "swift", "sh", "text"}
