#!/usr/bin/env python3
"""The smallest server that <live-list> can talk to: one list in memory, Python's standard library alone.

It says everything as snapshots, which is always right: the element takes the difference to what it shows. A server
for long lists sends `change` frames as well; Documentation/Frames.md has both.
"""

import json
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from uuid import uuid4

ROOT = Path(__file__).resolve().parents[2]
ELEMENT = ROOT / "Sources/ListStream/Browser"
EPOCH = uuid4().hex[:12]  # one life of this list: numbers of another run mean nothing

chores = {"dishes": "Ada", "laundry": "Grace", "plants": "Ada", "bins": "Linus", "windows": "Grace", "shopping": "Ken"}
order = list(chores)
acts = []  # what was carried out lately, so that browsers know what to wait for no longer
seq = 1
changed = threading.Condition()


def frame():
    content = {one: {"title": one.capitalize(), "who": chores[one]} for one in order}
    return {
        "format": 1, "kind": "snapshot", "epoch": EPOCH, "seq": seq, "acts": acts[-100:],
        "sections": [{"id": "", "items": order}], "content": content}


def carry_out(path, act):
    """A user's act: sent with the neighbours that the items should have, and an id that makes it idempotent."""
    global seq
    with changed:
        if act["act"] in acts:
            return
        ids = [one for one in act["ids"] if one in order]
        if path == "/deletes":
            order[:] = [one for one in order if one not in ids]
        else:
            rest = [one for one in order if one not in ids]
            if act["after"] in rest:
                at = rest.index(act["after"]) + 1
            elif act["before"] in rest:
                at = rest.index(act["before"])
            else:
                at = len(rest)
            order[:] = rest[:at] + ids + rest[at:]
        acts.append(act["act"])
        seq += 1
        changed.notify_all()


class Handler(SimpleHTTPRequestHandler):
    def __init__(self, *arguments):
        super().__init__(*arguments, directory=str(ELEMENT))

    extensions_map = {".js": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8"}

    def translate_path(self, path):
        if path.startswith("/live-list/"):
            return super().translate_path(path.removeprefix("/live-list"))
        return str(ROOT / "Documentation/Examples/live-list.html")

    def do_GET(self):
        if not self.path.startswith("/stream"):
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        sent = 0
        try:
            while True:
                with changed:
                    text = f"id: {EPOCH}.{seq}\ndata: {json.dumps(frame())}\n\n" if seq != sent else "event: alive\ndata: 1\n\n"
                    sent = seq
                self.wfile.write(text.encode())
                self.wfile.flush()
                with changed:
                    changed.wait_for(lambda: seq != sent, timeout=15)
        except OSError:
            pass  # the browser has gone

    def do_POST(self):
        carry_out(self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *arguments):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True


if __name__ == "__main__":
    server = Server(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8000), Handler)
    sys.stdout.write(f"http://127.0.0.1:{server.server_address[1]}/\n")
    sys.stdout.flush()
    server.serve_forever()
