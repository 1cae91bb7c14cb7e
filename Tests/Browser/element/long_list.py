"""A server's side of a list that is long: counted snapshots, changes, and rows for those who ask. Documentation/Frames.md, 4.1."""

import json

from gridpage import frames

MILLION = 1_000_000
QUERY = "src=/stream&items=/items&moves=/moves&deletes=/deletes"
# Everything on screen is there, and nothing waits.
SETTLED = "list.isLoaded && !document.querySelector('[data-ll-row=waiting]')"


class LongList:
    def __init__(self, server, count, sections=1, longest_whole=2_000):
        self.stream = server.stream("/stream")
        # A lock of its own would be taken after the stream's by who opens it, and before it by who sends: each waits for the other.
        self.lock = self.stream.lock
        share = -(-count // sections)
        ids = [f"id-{n}" for n in range(count)]
        self.sections = [
            [f"Section {s}" if sections > 1 else "", ids[s * share:(s + 1) * share]] for s in range(sections)]
        self.seq, self.epoch = 1, "e"
        self.longest_whole = longest_whole
        self.bytes = 0
        self.ranges = []
        self.on_range = lambda number: None  # may wait
        self.alter = lambda answer: answer
        self.posts = server.posts
        self.stream.on_open = self.opened
        server.answer("GET /items", self.range)
        server.answer("/moves", self.move)
        server.answer("/deletes", self.delete)

    @property
    def count(self):
        return sum(len(items) for _, items in self.sections)

    @property
    def order(self):
        return [one for _, items in self.sections for one in items]

    @staticmethod
    def content(one):
        return {"title": f"Item {one.split('-')[1]}"}

    def counted(self, kind, start, count, contents=True):
        frame = {"format": 1, "kind": kind, "epoch": self.epoch, "seq": self.seq, "sections": []}
        named, at = [], 0
        for name, items in self.sections:
            first, last = max(0, start - at), min(len(items), start + count - at)
            section = {"id": name, "count": len(items)}
            if first < last:
                section["windows"] = [[first, items[first:last]]]
                named += items[first:last]
            frame["sections"].append(section)
            at += len(items)
        if contents:
            frame["content"] = {one: self.content(one) for one in named}
        return frame

    def opened(self, since):
        with self.lock:
            if since == f"{self.epoch}.{self.seq}":
                return []
            window = self.stream.query.get("window")
            if window is None or self.count <= self.longest_whole:
                frame = self.counted("snapshot", 0, self.count)
                for section, (_, items) in zip(frame["sections"], self.sections, strict=True):
                    section.pop("windows", None)
                    section.pop("count")
                    section["items"] = items
            else:
                start, _, count = window.rpartition(",")
                frame = self.counted("snapshot", int(start or 0), int(count))
            self.bytes += len(json.dumps(frame))
            return [frame]

    def range(self, body, query):
        start, count = int(query["from"][0]), int(query["count"][0])
        contents = "content" not in query
        number = len(self.ranges)
        self.ranges.append((start, count) if contents else (start, count, "ids"))
        with self.lock:
            answer = self.counted("range", start, min(count, 1_000 if contents else 50_000), contents)
        answer = self.alter(answer)
        self.on_range(number)
        if isinstance(answer, int):
            return answer, {"error": {"message": "Not now."}}
        self.bytes += len(json.dumps(answer))
        return 200, answer

    def commit(self, mutation_ids=(), **members):
        self.seq += 1
        self.stream.send({
            "format": 1, "kind": "change", "epoch": self.epoch, "from": self.seq - 1, "seq": self.seq,
            "acts": list(mutation_ids), **members})

    def insert(self, one, at, section=0):
        with self.lock:
            self.sections[section][1].insert(at, one)
            self.commit(items={"inserted": [[one, section, at]]}, content={one: self.content(one)})

    def remove(self, at, section=0):
        with self.lock:
            one = self.sections[section][1].pop(at)
            self.commit(items={"deleted": [[one, section, at]]})
            return one

    def shift(self, at, to, section=0):
        with self.lock:
            items = self.sections[section][1]
            one = items.pop(at)
            items.insert(to, one)
            self.commit(items={"moved": [[one, section, at, section, to]]})
            return one

    def named(self, body):
        """The ids that a mutation is about: its own, or everything but some of a version."""
        if "ids" in body:
            return body["ids"]
        assert body["all"]["version"] == f"{self.epoch}.{self.seq}", "led to the present by the one who sent it"
        rest = set(body["all"]["except"])
        return [one for one in self.order if one not in rest]

    def replace(self, mutation_id, items):
        """Another list, by a snapshot that counts: the change is too large."""
        self.sections[0][1] = items
        self.seq += 1
        self.stream.send(self.counted("snapshot", 0, 60) | {"acts": [mutation_id]})
        return 200, {"changed": True}

    def move(self, body, query):
        with self.lock:
            _, items = self.sections[0]
            ids = self.named(body)
            moving = set(ids)
            rest = [one for one in items if one not in moving]
            target = rest.index(body["after"]) + 1 if body["after"] else rest.index(body["before"])
            order = rest[:target] + ids + rest[target:]
            if "all" in body:
                return self.replace(body["act"], order)
            moved = [[one, 0, items.index(one), 0, target + n] for n, one in enumerate(ids)]
            self.sections[0][1] = order
            self.commit([body["act"]], items={"moved": moved})
            return 204, None

    def delete(self, body, query):
        with self.lock:
            _, items = self.sections[0]
            gone = set(self.named(body))
            rest = [one for one in items if one not in gone]
            if "all" in body:
                return self.replace(body["act"], rest)
            deleted = [[one, 0, n] for n, one in enumerate(items) if one in gone]
            self.sections[0][1] = rest
            self.commit([body["act"]], items={"deleted": deleted})
            return 204, None


def scroll(page, part):
    page.evaluate("(part) => { list.scrollTop = (list.scrollHeight - list.clientHeight) * part; }", part)
    frames(page)


def rows(page):
    """`[position, title]` of the rows on screen and around it; not of one far away that has the focus."""
    return page.eval_on_selector_all(
        ".ll-canvas [data-ll-row=item]", """rows => rows.filter((r) => Math.abs(r.getBoundingClientRect().y) < 3000)
          .map(r => [+r.getAttribute('aria-rowindex'), r.innerText.trim()])""")


def focused(page):
    return page.evaluate("document.activeElement.closest('[data-ll-row=item]')?.innerText.trim() ?? null")


def posts(server, count=1):
    return [post["body"] for post in server.wait_for_posts(count)]
