"""A reader of a list's stream without a browser, by the rules of Documentation/Frames.md."""

import http.client
import json
import threading
from urllib.parse import urlsplit


class FrameError(Exception):
    """A frame that does not fit what the reader has."""


class List:
    """The state of a reader: sections of item ids, the content of each, and the version."""

    def __init__(self):
        self.sections, self.content, self.version = [], {}, None

    def take(self, frame):
        match frame["kind"]:
            case "snapshot":
                self.sections = [[section["id"], list(section.get("items", []))] for section in frame.get("sections", [])]
                self.content = frame.get("content", {})
            case "change":
                if self.version != (frame["epoch"], frame["from"]):
                    raise FrameError(f"{self.version} is followed by a change from {frame['epoch']}.{frame['from']}")
                self._change(frame)
            case _:
                return
        self.version = (frame["epoch"], frame["seq"])

    def _change(self, frame):
        sections, items = frame.get("sections", {}), frame.get("items", {})
        before = [(id, list(ids)) for id, ids in self.sections]
        for id, section, item, *_ in items.get("deleted", []) + items.get("moved", []):
            if before[section][1][item] != id:
                raise FrameError(f"{id} is not at {section}, {item}")
        for id, section, *_ in sections.get("deleted", []) + sections.get("moved", []):
            if before[section][0] != id:
                raise FrameError(f"the section {id} is not at {section}")
        for _, section, item, *_ in sorted(items.get("deleted", []) + items.get("moved", []), key=lambda entry: entry[1:3], reverse=True):
            del self.sections[section][1][item]
        kept = {}
        for id, section, *_ in sorted(sections.get("deleted", []) + sections.get("moved", []), key=lambda entry: entry[1], reverse=True):
            kept[id] = self.sections.pop(section)[1]
        arriving = [(position, id, []) for id, position in sections.get("inserted", [])]
        arriving += [(position, id, kept[id]) for id, _, position in sections.get("moved", [])]
        for position, id, ids in sorted(arriving, key=lambda entry: entry[0]):
            self.sections.insert(position, [id, ids])
        arriving = [(section, item, id) for id, section, item in items.get("inserted", [])]
        arriving += [(section, item, id) for id, _, _, section, item in items.get("moved", [])]
        for section, item, id in sorted(arriving):
            self.sections[section][1].insert(item, id)
        for id, *_ in items.get("deleted", []):
            self.content.pop(id, None)
        self.content.update(frame.get("content", {}))

    @property
    def rows(self):
        """The content in the order of the list."""
        return [self.content.get(id) for _, ids in self.sections for id in ids]


class StreamReader:
    """Follows a stream in a thread of its own, and connects again when it ends."""

    def __init__(self, url):
        self.url = urlsplit(url)
        self.connections, self.errors = 0, []
        self._changed = threading.Condition()
        self._list, self._response, self._ended = List(), None, False
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self):
        pause = threading.Event()
        while not self._ended:
            try:
                self._read()
            except (OSError, http.client.HTTPException, ValueError):
                # The server is gone, or is not there yet.
                pause.wait(0.05)
            except (FrameError, LookupError) as error:
                self.errors.append(repr(error))
                return

    def _read(self):
        connection = http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=30)
        try:
            connection.request("GET", f"{self.url.path}?{self.url.query}")
            self._response = connection.getresponse()
            if self._response.status != 200:
                raise http.client.HTTPException(self._response.status)
            self.connections += 1
            self._list = List()
            event, data = None, None
            for line in self._response:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "event":
                    event = value
                elif name == "data":
                    data = value
                elif not line.strip():
                    if data is not None and event is None:
                        with self._changed:
                            self._list.take(json.loads(data))
                            self._changed.notify_all()
                    event, data = None, None
        finally:
            connection.close()

    @property
    def rows(self):
        with self._changed:
            return self._list.rows

    def wait_until(self, holds, seconds):
        """Waits until something holds of the rows. Answers whether it does."""
        with self._changed:
            return self._changed.wait_for(lambda: bool(self.errors) or holds(self._list.rows), seconds) and not self.errors

    def end(self):
        self._ended = True
