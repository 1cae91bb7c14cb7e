"""`make cluster CHECK=1`: three nodes behind nginx, and the faults that a page can see. After each, all pages and streams are right."""

import json
import os
import signal
import time
import urllib.error
import urllib.request
import uuid
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

import pytest
from stream_reader import StreamReader

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = float(os.environ.get("PATIENCE", 60))
COLUMNS = ("section", "time", "title", "note")


def load_script(name):
    loader = SourceFileLoader(name, str(ROOT / "scripts" / name))
    module = module_from_spec(spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def event(title):
    """A new event, as a page would post it."""
    return {"id": str(uuid.uuid4()), "section": "Meals", "time": "2026-06-03T12:00", "title": title, "note": ""}


def lives(pid):
    """Whether a process is there, and not only its number, for a parent that has not asked yet how it ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Play:
    """A cluster, a browser with pages of it, and a reader of the stream of each node."""

    def __init__(self, cluster, browser):
        self.cluster, self.added = cluster, 0
        self.context = browser.new_context(viewport={"width": 1500, "height": 1000}, locale="en-GB")
        self.page = self.context.new_page()
        self.page.goto(cluster.address)
        self.any = self.context.new_page()
        self.any.goto(cluster.address + "any/")
        self.readers = {
            name: StreamReader(f"{cluster.address}{name}/stream?page=reader-{name}") for name in ("1", "2", "3", "any")}

    def end(self):
        for reader in self.readers.values():
            reader.end()
        self.context.close()

    def proxy_log(self):
        """The end of what nginx has complained of."""
        return (self.cluster.folder / "error.log").read_text()[-1000:]

    def frame(self, node):
        return next(frame for frame in self.page.frames if frame.url.endswith(f"/{node}/"))

    @property
    def lists(self):
        """Each page's list, as its element has it, by name."""
        return {f"page {node}": self.frame(node) for node in (1, 2, 3)} | {"page any": self.any.main_frame}

    def post(self, node, path, body):
        """Posts as a page would. Returns the status."""
        request = urllib.request.Request(
            f"{self.cluster.address}{node}/{path}", data=json.dumps(body).encode(), method="POST",
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                return response.status
        except urllib.error.HTTPError as error:
            return error.code

    def add(self, node):
        """Adds an event at a node, and answers its title."""
        self.added += 1
        title = f"Added {self.added}"
        status = self.post(node, "events", event(title))
        assert status == 204, f"node {node} answered {status}; the proxy says: {self.proxy_log()}"
        return title

    def check(self, what):
        """Waits until every page and stream has the rows of the database, in its order."""
        begin = time.monotonic()
        rows = [
            dict(zip(COLUMNS, row, strict=True))
            for row in self.cluster.sql(
                f'SELECT {", ".join(COLUMNS)} FROM event ORDER BY section COLLATE "C", time COLLATE "C" DESC, title COLLATE "C", id')]

        def shown(contents):
            return [content and {name: content["event"][name] for name in COLUMNS} for content in contents]

        for name, reader in self.readers.items():
            assert reader.wait_until(lambda contents: shown(contents) == rows, PATIENCE), (
                f"{what}: the stream of {name} has {shown(reader.rows)}, the database {rows}; {reader.errors}")
        for name, frame in self.lists.items():
            frame.wait_for_function(
                """rows => {
                    const list = document.querySelector('live-list');
                    const shown = list.ids(0, list.count).map((id) => list.contentOf(id)?.event);
                    return list.dataset.state !== 'reconnecting' && shown.length === rows.length
                        && rows.every((row, at) => shown[at] && Object.keys(row).every((name) => shown[at][name] === row[name]));
                }""", arg=rows, timeout=PATIENCE * 1000)
            assert frame.evaluate("document.querySelector('live-list').getAttribute('aria-label')") == "Events", name
        print(f"  {what}: {len(rows)} events on 4 pages and 4 streams, {1000 * (time.monotonic() - begin):.0f} ms", flush=True)

    def wait_for_trouble(self, text):
        """Waits until every page says so of its list, or nothing."""
        for frame in self.lists.values():
            frame.wait_for_function(
                "text => document.querySelector('#trouble').textContent === text", arg=text, timeout=PATIENCE * 1000)

    def wait_reconnecting(self, frame):
        frame.wait_for_function("() => document.querySelector('live-list').dataset.state === 'reconnecting'", timeout=PATIENCE * 1000)


@pytest.fixture
def play(chromium):
    script = load_script("cluster")
    if script.with_postgres.programs() is None or not Path(script.NGINX).exists():
        pytest.skip("PostgreSQL or nginx is not installed")
    cluster = script.Cluster(script.build())
    made = None
    try:
        made = Play(cluster, chromium)
        yield made
    finally:
        if made:
            made.end()
        processes = [node.pid for node in cluster.nodes if node] + [cluster.nginx.pid]
        servers = [int((server.data / "postmaster.pid").read_text().split()[0]) for server in cluster.servers
                   if (server.data / "postmaster.pid").exists()]
        folders = [cluster.folder, *(server.folder for server in cluster.servers)]
        cluster.end()
        assert not [pid for pid in processes + servers if lives(pid)], "a process was left"
        assert not [folder for folder in folders if folder.exists()], "a folder was left"


def test_three_nodes_are_one_list_whatever_fails(play):
    cluster = play.cluster
    print()
    play.check("started")

    for node in (1, 2, 3, "any"):
        play.add(node)
        play.check(f"added at {node}")

    # A draft is its page's alone until it is saved, which is then a commit like any other.
    edited = cluster.sql("SELECT id FROM event WHERE title = 'Event 28'")[0][0]
    edit = {"page": "reader-1", "id": edited, "title": "Farewell at sea"}
    assert play.post(1, "edits", edit) == 204
    assert play.readers["1"].wait_until(lambda rows: any(row["event"]["title"] == "Farewell at sea" for row in rows), PATIENCE)
    assert all(row["event"]["title"] != "Farewell at sea" for row in play.readers["2"].rows)
    assert play.post(1, "saves", {"page": "reader-1", "isMine": False}) == 204
    play.check("edited in a draft and saved at 1")

    # Both have changed the title: a conflict, though they are on different nodes.
    for node in (1, 2):
        edit = {"page": f"reader-{node}", "id": edited, "title": f"By {node}"}
        assert play.post(node, "edits", edit) == 204
    assert play.post(1, "saves", {"page": "reader-1", "isMine": False}) == 204
    assert play.post(2, "saves", {"page": "reader-2", "isMine": False}) == 409
    assert play.post(2, "discards", {"page": "reader-2", "isMine": False}) == 204
    play.check("a conflict between nodes, discarded")

    for node in (1, 2, 3):
        others = [other for other in (1, 2, 3) if other != node]
        cluster.kill_node(node)
        play.wait_reconnecting(play.frame(node))
        assert play.post(node, "events", event("lost")) == 502
        play.add(others[0])
        play.add("any")
        cluster.start_node(node)
        play.check(f"node {node} killed, written at {others[0]} and any, started")

    # It stands still for longer than the log is kept.
    cluster.nodes[2].send_signal(signal.SIGSTOP)
    for _ in range(3):
        play.add(1)
    # What one pruning has seen, the next deletes.
    for _ in range(2):
        cluster.sql("SELECT livelists.prune('0 s')")
    assert cluster.sql("SELECT count(*) FROM livelists.log") == [["0"]], "the log was not pruned"
    cluster.nodes[2].send_signal(signal.SIGCONT)
    play.check("node 3 stood still until the log was pruned")

    cluster.stop_database("fast")
    assert play.post(1, "events", event("lost")) == 500
    play.wait_for_trouble("The list can't be brought up to date at the moment.")
    before = {name: reader.connections for name, reader in play.readers.items()}
    cluster.start_database()
    play.add(2)
    play.check("database restarted")
    play.wait_for_trouble("")
    assert before == {name: reader.connections for name, reader in play.readers.items()}, "a stream was cut, though its node lives"

    for round in range(3):
        play.add(round + 1)
        cluster.stop_database("immediate")
        cluster.start_database()
        # Writes go on as soon as the server takes them.
        play.add(3 - round)
        play.check(f"database crashed and started, {round + 1}")

    # The standby has all that was committed as soon as it has replayed it.
    title = play.add(1)
    deadline = time.monotonic() + PATIENCE
    while cluster.sql("SELECT count(*) FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_lsn()") != [["1"]]:
        assert time.monotonic() < deadline, "the standby does not follow"
    cluster.stop_database("immediate")
    cluster.promote()
    assert cluster.sql(f"SELECT count(*) FROM event WHERE title = '{title}'") == [["1"]]
    play.check("standby promoted")
    for node in (1, 2, 3, "any"):
        play.add(node)
    play.check("written at all after the promotion")
    assert not any(reader.errors for reader in play.readers.values())
