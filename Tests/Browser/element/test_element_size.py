"""How much the element weighs: minified, with private names shortened as a bundler would, and gzipped."""

import collections
import gzip
import posixpath
import re
import string
from pathlib import Path

import minify
import pytest

from fake_server import BROWSER_FILES, PAGES

# What lists fetch that need it, each with its style sheet: `keyboard.js` and `motion.js` all that have items, when these are
# shown, `reordering.js` and `menu.js` those whose items can be moved, `sending.js` those that send mutations, `outbox-store.js` those that
# keep them, `shared.js` those that share a stream, `ranges.js` those that are too long to travel whole, `all-except.js` those of them
# of which everything is selected, `template.js` those that are drawn by a template.
PARTS = {
    "diagnostics.js": [], "view/hints.js": [], "view/elsewhere.js": [], "view/keyboard.js": [], "view/motion.js": [],
    "view/marquee.js": [], "view/relayout.js": [],
    "reordering.js": ["reordering.css"], "moving/menu.js": [], "network/sending.js": [], "network/outbox-store.js": [],
    "network/shared.js": [], "network/shared-worker.js": [], "long-lists/ranges.js": [], "long-lists/all-except.js": [],
    "view/template.js": []}
MAXIMUM = {
    "live-list.js": 15_650, "diagnostics.js": 3_300, "view/hints.js": 900, "view/elsewhere.js": 650, "view/keyboard.js": 1_910,
    "view/motion.js": 1_010, "view/marquee.js": 2_700, "view/relayout.js": 1_400, "reordering.js": 8_000, "moving/menu.js": 2_200, "network/sending.js": 2_920,
    "network/outbox-store.js": 950, "network/shared.js": 2_800, "network/shared-worker.js": 1_700, "long-lists/ranges.js": 2_750,
    "long-lists/all-except.js": 1_000, "view/template.js": 500}
# What is there for its address alone.
ADDRESSES = {"outbox.js"}


def source(name):
    return (BROWSER_FILES / name).read_text()


def modules(name, found=None):
    """A module and all that it imports at once, each after what it imports."""
    found = [] if found is None else found
    for path in re.findall(r"^import .*?'(\.[\w./-]+\.js)';", source(name), flags=re.M | re.S):
        other = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
        if other not in found:
            modules(other, found)
    found.append(name)
    return found


def weigh(names):
    text = ""
    for name in names:
        script = source(name)
        private = collections.Counter(re.findall(r"#[a-zA-Z]\w*", re.sub(r"'[^']*'|`[^`]*`", "", script)))
        short = {long: f"#{letter}" for (long, _), letter in zip(private.most_common(), string.ascii_letters, strict=False)}
        script = re.sub(r"#[a-zA-Z]\w*", lambda found: short.get(found[0], found[0]), script)
        script = re.sub(r"^import .*?;$|^export ", "", script, flags=re.M)
        text += minify.string("application/javascript", script)
    return text


def size(text):
    return len(gzip.compress(text.encode(), 9))


def weigh_all(names, styles):
    return size(weigh(names) + "".join(minify.string("text/css", source(name)) for name in styles))


def test_the_element_does_not_grow_unnoticed():
    """The files that a list needs before it is shown: every module that is imported at once, and the style sheet."""
    names = modules("live-list.js")
    weight = weigh_all(names, ["live-list.css"])
    print(f"live-list.js and live-list.css: {weight} bytes, {len(names)} modules")
    assert not set(names) & set(PARTS)
    assert weight <= MAXIMUM["live-list.js"]


def test_parts_that_come_later_do_not_grow_unnoticed():
    counted = set(core := modules("live-list.js"))
    for part, styles in PARTS.items():
        names = [name for name in modules(part) if name not in core]
        weight = weigh_all(names, styles)
        print(f"{part}: {weight} bytes, {len(names)} modules")
        counted |= {*names, *styles}
        assert weight <= MAXIMUM[part], part
    everything = {str(path.relative_to(BROWSER_FILES)) for path in BROWSER_FILES.rglob("*") if path.is_file()}
    assert everything == {*counted, *ADDRESSES, "live-list.css"}, "every file is counted somewhere"


@pytest.mark.parametrize("folder", [BROWSER_FILES, PAGES], ids=["element", "ContactSheet"])
def test_no_module_imports_itself_by_way_of_others(folder):
    """`reach.js` waits for what a module imports, and would for ever."""
    def imports(path):
        text = path.read_text()
        return [path.parent / one for one in re.findall(r"""(?:from|import)\s*["'](\.[^"']+)""", text)]

    def look(path, above=()):
        path = Path(str(path.resolve()).replace(str(PAGES.parent / "live-list"), str(BROWSER_FILES)))
        assert path not in above, [one.name for one in (*above, path)]
        if path in done:
            return
        for other in imports(path):
            look(other, (*above, path))
        done.add(path)

    done = set()
    for path in folder.rglob("*.js"):
        look(path)
    assert len(done) > 30
