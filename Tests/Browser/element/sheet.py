"""A stand-in for ContactSheet's server: one album, with the HTTP contract that its page relies on."""

import threading

from fake_server import PAGES
from pictures import average, landscape

NAMES = ["Beach", "Dunes", "Pier", "Lighthouse", "Harbour", "Cliffs", "Meadow", "Waterfall", "Glacier", "Geyser"]


class Sheet:
    def __init__(self, server, count=0, title="Iceland", features="undo albums search months export trash"):
        self.server = server
        self.lock = threading.RLock()
        self.title = title
        self.features = features
        self.build = "one"
        self.done = {}
        self.undone = set()
        self.seq = 1
        self.photos = {}
        self.order = []
        self.uploads = {}
        for number in range(count):
            self.insert(f"p{number}", f"{NAMES[number % len(NAMES)]} {number // len(NAMES) + 1}".removesuffix(" 1"))
        self.stream = server.stream("/api/albums/a/stream")
        self.stream.on_open = self.opened
        self.albums = server.stream("/api/albums/stream")
        self.albums.on_open = lambda since: [self.album_list()]
        self.others = {
            "b": {"title": "Family", "count": 3, "cover": "family"}, "c": {"title": "Lists", "count": 0, "cover": None}}
        self.deleted = set()
        server.answer("GET /api/albums", self.listing)
        server.answer("GET /api/build", lambda body, query: (200, {"build": self.build}))
        server.answer("/api/albums/a/undo", self.undo)
        server.answer("/api/albums/a/transfers", self.delete)
        for path, page in (("/albums/a", self.page), ("/albums", self.albums_page), ("/trash", self.trash_page)):
            server.pages[path] = (page, "text/html; charset=utf-8")
        self.deleted_photos = server.stream("/api/trash/stream")
        self.deleted_photos.on_open = lambda since: [self.trash()]
        self.found = server.stream("/api/search/stream")
        self.found.on_open = self.find
        server.pictures = landscape
        server.answer("/api/albums/a/photos", self.upload)
        server.answer("/api/albums/a/moves", self.move)
        server.answer("/api/albums/a/deletes", self.delete)

    @property
    def url(self):
        return f"{self.server.url}/albums/a"

    def page(self, position="", name="album.html"):
        text = (PAGES / name).read_text()
        values = {
            "title": self.title, "albumID": "a", "features": self.features, "build": self.build, "position": str(position),
            "base": "", "preloads": "", "days": "30", "plain": ""}
        for name, value in values.items():
            text = text.replace(f"{{{{{name}}}}}", value)
        return text.encode()

    def albums_page(self):
        return self.page(name="albums.html")

    def trash_page(self):
        return self.page(name="trash.html")

    def trash(self):
        """The trash, which holds what the album does."""
        content = {one: photo | {"album": "a", "expires": "2100-01-01T00:00:00Z"} for one, photo in self.photos.items()}
        return self.snapshot() | {"content": content}

    def find(self, since):
        """Results of a search over all albums: they are all of this one."""
        query = self.found.query["query"].lower()
        content = {one: photo | {"album": "a"} for one, photo in self.photos.items() if query in photo["title"].lower()}
        return [self.snapshot() | {"epoch": f"f{query}", "sections": [{"id": "", "items": list(content)}], "content": content}]

    def opened(self, since):
        query, epoch = self.stream.query.get("query"), "e"
        if query:
            epoch = "q-" + "".join(f"{ord(letter):x}" for letter in query)
        if self.stream.query.get("sections"):
            epoch = "months"
        if since == f"{epoch}.{self.seq}":
            return []
        frame = self.snapshot() | {"epoch": epoch}
        if query:
            found = [one for one in self.order if query.lower() in self.photos[one]["title"].lower()]
            frame["sections"] = [{"id": "", "items": found}]
        if epoch == "months":
            half = len(self.order) // 2
            frame["sections"] = [
                {"id": "2026-06", "items": self.order[:half]}, {"id": "2026-07", "items": self.order[half:]}]
        return [frame]

    def album_list(self):
        content = {
            "a": {"title": self.title, "count": len(self.order), "cover": self.order[0] if self.order else None},
            **self.others}
        return {
            "format": 1, "kind": "snapshot", "epoch": "albums", "seq": self.seq,
            "sections": [{"id": "", "items": list(content)}], "content": content}

    def listing(self, body, query):
        content = self.album_list()["content"]
        return 200, [
            {"id": one, "title": album["title"], "count": album["count"]}
            for one, album in content.items() if one not in self.deleted]

    def insert(self, identity, title):
        self.photos[identity] = {
            "title": title, "fileName": f"{title}.jpg", "width": 120, "height": 120, "hash": identity,
            "taken": None, "color": average(identity)}
        self.order.append(identity)
        page = lambda: self.page(self.order.index(identity) + 1)
        self.server.pages[f"/albums/a/photos/{identity}"] = (page, "text/html; charset=utf-8")

    def snapshot(self):
        return {
            "format": 1, "kind": "snapshot", "epoch": "e", "seq": self.seq,
            "sections": [{"id": "", "items": list(self.order)}], "content": dict(self.photos)}

    def commit(self, mutation_ids=(), **items):
        """Sends a change; `items` are its entries, with positions as frames have them."""
        content = {one: self.photos[one] for one, *_ in items.get("inserted", [])}
        self.seq += 1
        self.stream.send({
            "format": 1, "kind": "change", "epoch": "e", "from": self.seq - 1, "seq": self.seq,
            "acts": list(mutation_ids), "items": items, "content": content})

    def upload(self, body, query):
        name = query["name"]
        if name in self.uploads:
            return self.uploads[name](body)
        with self.lock:
            identity = f"u{len(self.order)}"
            self.insert(identity, name.rsplit(".", 1)[0])
            self.commit(inserted=[[identity, 0, len(self.order) - 1]])
            return 201, {"id": identity, "title": name, "status": "imported"}

    def move(self, body, query):
        with self.lock:
            if body["act"] in self.done:  # pages send again what may not have arrived
                return 204, None
            before = self.done[body["act"]] = list(self.order)
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
            if body["act"] in self.done:
                return 204, None
            self.done[body["act"]] = list(self.order)
            entries = [[one, 0, n] for n, one in enumerate(self.order) if one in body["ids"]]
            self.order = [one for one in self.order if one not in body["ids"]]
            self.commit([body["act"]], deleted=entries)
            return 204, None

    def undo(self, body, query):
        """Back to the order of before, which is what the tests of the page need of it."""
        with self.lock:
            if body["undoes"] not in self.done:
                return 404, {"error": {"message": "That is too long ago."}}
            if body["act"] in self.undone:
                return 204, None
            self.undone.add(body["act"])
            before, after = list(self.order), self.done[body["undoes"]]
            self.order = after
            moved = [[one, 0, before.index(one), 0, n] for n, one in enumerate(after) if one in before]
            inserted = [[one, 0, n] for n, one in enumerate(after) if one not in before]
            self.commit([body["act"]], moved=moved, inserted=inserted)
            return 204, None
