"""A stand-in for ContactSheet's server: one album, with the HTTP contract that its page relies on."""

import threading

from fake_server import PAGES
from pictures import average, landscape

NAMES = ["Beach", "Dunes", "Pier", "Lighthouse", "Harbour", "Cliffs", "Meadow", "Waterfall", "Glacier", "Geyser"]


class Sheet:
    def __init__(self, server, count=0, title="Iceland"):
        self.server = server
        self.lock = threading.RLock()
        self.title = title
        self.seq = 1
        self.photos = {}
        self.order = []
        self.uploads = {}
        for number in range(count):
            self.insert(f"p{number}", f"{NAMES[number % len(NAMES)]} {number // len(NAMES) + 1}".removesuffix(" 1"))
        self.stream = server.stream("/api/albums/a/stream")
        self.stream.on_open = lambda since: [] if since == f"e.{self.seq}" else [self.snapshot()]
        server.pages["/albums/a"] = (self.page, "text/html; charset=utf-8")
        server.pictures = lambda name: landscape(name)
        server.answer("/api/albums/a/photos", self.upload)
        server.answer("/api/albums/a/moves", self.move)
        server.answer("/api/albums/a/deletes", self.delete)

    @property
    def url(self):
        return f"{self.server.url}/albums/a"

    def page(self):
        text = (PAGES / "album.html").read_text()
        return text.replace("{{title}}", self.title).replace("{{albumID}}", "a").encode()

    def insert(self, identity, title):
        self.photos[identity] = {
            "title": title, "fileName": f"{title}.jpg", "width": 120, "height": 120, "hash": identity,
            "taken": None, "color": average(identity)}
        self.order.append(identity)

    def snapshot(self):
        return {
            "format": 1, "kind": "snapshot", "epoch": "e", "seq": self.seq,
            "sections": [{"id": "", "items": list(self.order)}], "content": dict(self.photos)}

    def commit(self, acts=(), **items):
        """Sends a change; `items` are its entries, with places as frames have them."""
        content = {one: self.photos[one] for one, *_ in items.get("inserted", [])}
        self.seq += 1
        self.stream.send({
            "format": 1, "kind": "change", "epoch": "e", "from": self.seq - 1, "seq": self.seq,
            "acts": list(acts), "items": items, "content": content})

    def upload(self, body, query):
        with self.lock:
            name = query["name"]
            if name in self.uploads:
                return self.uploads[name](body)
            identity = f"u{len(self.order)}"
            self.insert(identity, name.rsplit(".", 1)[0])
            self.commit(inserted=[[identity, 0, len(self.order) - 1]])
            return 201, {"id": identity, "title": name, "status": "imported"}

    def move(self, body, query):
        with self.lock:
            before = list(self.order)
            ids = [one for one in body["ids"] if one in before]
            rest = [one for one in before if one not in ids]
            if body["after"] in rest:
                at = rest.index(body["after"]) + 1
            else:
                at = rest.index(body["before"]) if body["before"] in rest else 0
            self.order = rest[:at] + ids + rest[at:]
            moved = [[one, 0, before.index(one), 0, self.order.index(one)] for one in ids]
            self.commit([body["act"]], moved=moved)
            return 204, None

    def delete(self, body, query):
        with self.lock:
            entries = [[one, 0, n] for n, one in enumerate(self.order) if one in body["ids"]]
            self.order = [one for one in self.order if one not in body["ids"]]
            self.commit([body["act"]], deleted=entries)
            return 204, None
