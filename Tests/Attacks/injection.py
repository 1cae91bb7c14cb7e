"""Titles and names that try to become a part of the page."""

import json
from html.parser import HTMLParser
from urllib.parse import quote

#: Scalars that share a grapheme cluster with what follows or comes before them.
JOINERS = ["\u0d4e", "\u0301", "\u200d", "\ufe0f", "\u0600", "\u110bd", "\U000110bd", "\u0f39", "\u034f",
           "\u20dd", "\u1160", "\u202e", "\u2066", "\ufeff", "\u0085"]
PIECES = [
    "<meta http-equiv=refresh content=0;url=http://127.0.0.1:1/ >", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)', "' autofocus onfocus='alert(1)", "</title><svg onload=alert(1)>", "--><b>", "&lt;b&gt;", "&#60;b&#62;",
    "]]><i>", "</script><script>", "javascript:alert(1)", "<", ">", '"', "'", "&", "`", "<!--", "</textarea>",
]


class Shape(HTMLParser):
    """The tags of a page with the names of their attributes; and whatever would run or lead away."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.bad = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, tuple(sorted(name for name, _ in attributes))))
        if any(name.startswith("on") for name, _ in attributes) or any(name == "http-equiv" for name, _ in attributes):
            self.bad.append((tag, attributes))

    def handle_comment(self, data):
        self.bad.append(("comment", data))


def hostile(dice):
    words = []
    for _ in range(dice.randrange(1, 4)):
        piece = dice.choice(PIECES)
        joined = "".join(letter if dice.random() < 0.5 else dice.choice(JOINERS) + letter + dice.choice(["", *JOINERS])
                         for letter in piece) if dice.random() < 0.7 else dice.choice(JOINERS) + piece + dice.choice(JOINERS)
        words.append(joined)
    return "x" + " ".join(words)


def attack(ground, dice, count, outcome):
    album = ground.album
    picture = ground.folder / "picture.jpg"
    from photographs import jpeg
    jpeg(picture, 1)
    answer = ground.request("POST", f"/api/albums/{album}/photos?name=a.jpg", picture.read_bytes())
    photo = json.loads(answer[2])["id"]

    def pages():
        accept = {"Accept": "text/html"}
        return [Shape(ground.request("GET", path, headers=accept)[2].decode()) for path in (f"/albums/{album}", f"/albums/{album}?query=x")]

    ground.request("PATCH", f"/api/albums/{album}", {"title": "x harmless"})
    ground.request("PATCH", f"/api/albums/{album}/photos/{photo}", {"title": "x harmless"})
    honest = pages()
    for number in range(count):
        title = hostile(dice)
        first = ground.request("PATCH", f"/api/albums/{album}", {"title": title})[0]
        second = ground.request("PATCH", f"/api/albums/{album}/photos/{photo}", {"title": title})[0]
        if first != 200 and second != 200:
            outcome.attempt(first == 400 and second == 400, f"{first}, {second} for the title {title!r}")
            continue
        for before, after in zip(honest, pages(), strict=True):
            outcome.attempt(before.tags == after.tags and not after.bad, lambda: f"{title!r} changed a page: {after.bad}")
        # What travels in a header stays in its header.
        status, head, _ = ground.request("GET", f"/api/albums/{album}/export")
        outcome.attempt(status == 200 and all(32 < ord(letter) < 127 for letter in _file_name(head)), lambda: f"{title!r} in a header: {head!r}")
        if number % 10 == 0:
            words = quote(title, safe="")
            for path in (f"/login?next={words}", f"/albums/{album}?query={words}", f"/{words}", f"/albums/{words}"):
                shape = Shape(ground.request("GET", path, headers={"Accept": "text/html"})[2].decode("utf-8", "replace"))
                outcome.attempt(not shape.bad, lambda: f"{path} reflects {shape.bad}")


def _file_name(head):
    """The name that an answer's file is saved by, as it travels."""
    return head.partition("filename*=UTF-8''")[2].partition("\r\n")[0] or " "
