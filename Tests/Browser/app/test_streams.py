"""Several lists in one stream: what travels, and ten windows of each browser that live on it."""

import http.client
import json
import urllib.parse
import zlib

import pytest
from engines import NETWORK
from photographs import jpeg

LISTED = "n => window.photos.isLoaded && window.photos.count === n && window.albums.isLoaded && 'complete' in document.body.dataset"


class Events:
    """The events of a stream, one after the other."""

    def __init__(self, server, *lists, **headers):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        query = urllib.parse.urlencode([("list", one) for one in lists])
        self.connection.request("GET", f"/api/streams?{query}", headers=headers)
        self.answer = self.connection.getresponse()
        packed = self.answer.getheader("Content-Encoding") == "gzip"
        self.unpack = zlib.decompressobj(31).decompress if packed else bytes
        self.text = b""

    def next(self):
        while b"\n\n" not in self.text:
            data = self.answer.read1(1 << 16)
            assert data, "the stream has ended"
            self.text += self.unpack(data)
        event, self.text = self.text.split(b"\n\n", 1)
        fields = dict(line.split(": ", 1) for line in event.decode().splitlines())
        return fields.get("event"), fields.get("id"), json.loads(fields["data"])

    def until(self, condition):
        while not condition(*(event := self.next())):
            pass
        return event

    def close(self):
        self.connection.close()


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_each_list_says_in_one_stream_what_it_says_alone(server, fill_album, encoding):
    ids = fill_album(300)
    other = server.post("/api/albums", {"title": "Empty"})["id"]
    album, empty, albums = f"/api/albums/{server.album}/stream", f"/api/albums/{other}/stream", "/api/albums/stream"
    events = Events(server, album, empty, albums, **{"Accept-Encoding": encoding})
    assert events.answer.getheader("Content-Type") == "text/event-stream"
    firsts = {name: (version, frame) for name, version, frame in (events.next() for _ in range(3))}
    assert sorted(firsts) == ["0", "1", "2"]
    assert firsts["0"][1]["sections"][0]["items"] == ids and firsts["1"][1]["sections"][0]["items"] == []
    assert all(version == f"{frame['epoch']}.{frame['seq']}" for version, frame in firsts.values())
    move = {"act": "0" * 8 + "-0000-4000-8000-" + "0" * 12, "ids": [ids[-1]], "after": None, "before": ids[0]}
    server.post(f"/api/albums/{server.album}/moves", move)
    name, _version, frame = events.until(lambda name, _, frame: name == "0")
    assert frame["kind"] == "change" and frame["acts"] == [move["act"]]
    events.close()

    # Resumed: one is told that it missed nothing, one what it missed, a third that it is not there.
    since = f"?since={firsts['0'][0]}"
    events = Events(server, f"{album}{since}", f"{empty}?since={firsts['1'][0]}", f"/api/albums/{'0' * 8}-{'0000-' * 3}{'0' * 12}/stream", "/nothing")
    said = {}
    while len(said) < 4:
        name, _, frame = events.next()
        said.setdefault(name, frame)
    assert said["0"]["acts"] == [move["act"]] and said["1"] == 1
    assert said["2"]["error"]["code"] == "notFound" and said["3"]["error"]["code"] == "notFound"
    # And the whole stream beats, once for all.
    assert events.until(lambda name, *_: name == "alive") == ("alive", None, 5)
    events.close()


@pytest.mark.parametrize("count", [0, 65])
def test_a_stream_has_at_least_one_list_and_at_most_64(server, count):
    events = Events(server, *["/api/albums/stream"] * count)
    assert events.answer.status == 400
    events.close()


def test_ten_windows_with_an_album_each_work_as_the_first(browser, server, tmp_path):
    albums = [server.album] + [server.post("/api/albums", {"title": f"Album {n}"})["id"] for n in range(1, 10)]
    pages = [browser.open(f"{server.url}/albums/{album}") for album in albums]
    for page in pages:
        page.wait_for(LISTED, 0)
    # The last one imports, everybody sees it in the list of albums, and the viewer opens.
    last = pages[-1]
    last.activate()
    last.set_files("#files", [jpeg(tmp_path / "Geyser.jpg", 1)])
    last.wait_for(LISTED, 1)
    for page in pages:
        page.wait_for("id => window.albums.contentOf(id)?.count === 1", albums[-1])
    last.click("#photos [data-ll-row=item]")
    last.wait_visible("#viewer")


def test_what_could_not_be_saved_is_counted_and_saved_at_the_next_visit(browser, start_server, tmp_path):
    browser.expect_errors(*NETWORK)
    server = start_server()
    keeper = browser.open(f"{server.url}/assets/icon.svg")  # the last window of WebKit takes the session along
    page = browser.open(server.url)
    page.set_files("#files", [jpeg(tmp_path / f"{name}.jpg", n) for n, name in enumerate("abc")])
    page.wait_for(LISTED, 3)
    ids = page.evaluate("() => window.photos.ids()")
    port, data = server.port, server.data
    assert server.stop() == 0
    page.evaluate("(id, before) => { window.photos.move([id], { before }) }", ids[2], ids[0])
    page.wait_visible("#unsaved :: 1 change not saved yet")
    page.wait_visible("#connection :: Reconnecting…")
    assert page.would_ask()
    page.close()
    server = start_server("--port", port, data=data)
    keeper.evaluate("() => 0")  # WebKit opens windows from one that is there
    page = browser.open(server.url)
    page.wait_for("ids => window.photos.isLoaded && window.photos.ids().join() === ids.join()", [ids[2], ids[0], ids[1]])
    page.wait_hidden("#unsaved")
    assert not page.would_ask()
