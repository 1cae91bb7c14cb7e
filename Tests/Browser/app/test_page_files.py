"""The scripts and style sheets that pages are sent: those of the source, without the lines that are comments, and all at once."""

import re

import minify
import pytest
from album_page import until
from program import ROOT

FOLDERS = {"assets": ROOT / "Apps/Sources/ContactSheet/Pages", "live-list": ROOT / "Sources/ListStream/Browser"}
TYPES = {".js": "application/javascript", ".css": "text/css"}


def test_scripts_and_style_sheets_mean_the_same_without_their_comments(server):
    files = [(name, folder, path) for name, folder in FOLDERS.items() for path in sorted(folder.rglob("*")) if path.suffix in TYPES]
    assert len(files) > 80
    before = after = 0
    for name, folder, path in files:
        source = path.read_text()
        sent = server.get(f"/{name}/{path.relative_to(folder)}").decode()
        kind = TYPES[path.suffix]
        assert minify.string(kind, sent) == minify.string(kind, source), path
        # The numbers of lines in errors are those of the source.
        assert sent.count("\n") == source.count("\n"), path
        comments = r"^ *(//|/\*)" if path.suffix == ".js" else r"^ */\*"
        assert not re.search(comments, sent, flags=re.M), path
        before, after = before + len(source), after + len(sent)
    print(f"{len(files)} files: {before} characters, {after} sent")
    assert after < 0.9 * before


AT_START = """() => addEventListener('contact-sheet-started', () => {
    window.scripts = performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.js'));
})"""


@pytest.mark.parametrize("path", ["", "/photos"])
@pytest.mark.parametrize("name", ["album", "albums", "trash"])
def test_a_page_names_at_once_what_its_script_imports_and_nothing_for_later(start_server, open_page, path, name):
    """A browser that finds imports only in modules asks for them level by level."""
    server = start_server(*(["--path", path] if path else []))
    page = open_page(None)
    page.add_init_script(f"({AT_START})()")
    page.goto(f"{server.url}{path}/{name if name != 'album' else ''}")
    until(page, "() => window.scripts !== undefined")
    named = page.evaluate("() => [...document.querySelectorAll('link[rel=modulepreload]')].map((link) => link.href)")
    own = page.evaluate("() => [...document.querySelectorAll('script[src]')].map((script) => script.src)")
    # Workers and what comes later may have begun by then; what was imported is among them.
    needed = [one for one in page.evaluate("() => scripts") if one not in own]
    assert sorted(named) == sorted(needed)
    assert len(named) > 30 and not any("search.js" in one for one in named if name == "albums")
