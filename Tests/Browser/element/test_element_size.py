"""How much the element weighs: minified, with private names shortened as a bundler would, and gzipped."""

import collections
import gzip
import re
import string

import minify

from fake_server import BROWSER_FILES

# Loaded when they are needed, or when the page is at rest.
PARTS = {"menu.js": 1_700, "move-mode.js": 800, "ranges.js": 1_200}


def source(name):
    return (BROWSER_FILES / name).read_text()


def modules(name, found=None):
    """A module and all that it imports at once, each after what it imports."""
    found = [] if found is None else found
    for other in re.findall(r"^import .*?'\./([\w-]+\.js)';", source(name), flags=re.M | re.S):
        if other not in found:
            modules(other, found)
    found.append(name)
    return found


def weigh(names):
    text = ""
    for name in names:
        script = source(name)
        private = collections.Counter(re.findall(r"#[a-zA-Z]\w*", re.sub(r"'[^']*'|`[^`]*`", "", script)))
        short = {long: f"#{letter}" for (long, _), letter in zip(private.most_common(), string.ascii_letters)}
        script = re.sub(r"#[a-zA-Z]\w*", lambda found: short.get(found[0], found[0]), script)
        script = re.sub(r"^import .*?;$|^export ", "", script, flags=re.M)
        text += minify.string("application/javascript", script)
    return text


def size(text):
    return len(gzip.compress(text.encode(), 9))


def test_the_element_does_not_grow_unnoticed():
    """What has to be there before a list is shown: every module that is imported at once, and the style sheet."""
    names = modules("live-list.js")
    style = minify.string("text/css", source("live-list.css"))
    script = weigh(names)
    print(f"script {size(script)}, style {size(style)}, together {size(script + style)} bytes; {len(names)} modules")
    assert not set(names) & set(PARTS)
    assert size(script + style) <= 20_500


def test_parts_that_come_later_do_not_grow_unnoticed():
    everything = {path.name for path in BROWSER_FILES.glob("*.js")}
    assert everything == {*modules("live-list.js"), *PARTS}, "every module is counted somewhere"
    for name, most in PARTS.items():
        print(f"{name}: {size(weigh([name]))} bytes")
        assert size(weigh([name])) <= most, name
