"""A small server for the element's tests: files of the worktree, streams that the test writes, requests it answers."""

import json
import os
import queue
import select
import socket
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

ROOT = Path(__file__).resolve().parents[3]
#: The seconds that what must come is waited for: what hangs ends, and a busy machine is no failure.
PATIENCE = float(os.environ.get("PATIENCE", "10"))
BROWSER_FILES = ROOT / "Sources/ListStream/Browser"
PAGES = ROOT / "Apps/Sources/ContactSheet/Pages"
SECURITY_POLICY = "default-src 'self'; img-src 'self' blob: data:; style-src 'self'"
CLOSED = object()
ALIVE = object()
NOTHING_MISSED = object()


class Stream:
    """One live list: what the test sends goes to every browser that listens."""

    def __init__(self):
        self.lock = threading.Condition()
        self.listeners = []
        self.requests = []
        self.on_open = lambda since: []
        self.is_refusing = False

    def send(self, *frames):
        with self.lock:
            for listener, name in self.listeners:
                for frame in frames:
                    listener.put(name(frame))

    def beat(self):
        """Says that the server is there, and nothing else."""
        self.send(ALIVE)

    def drop(self):
        """Ends every connection, as a server that is killed does."""
        with self.lock:
            for listener, name in self.listeners:
                listener.put(name(CLOSED))

    def leave(self, listener):
        with self.lock:
            self.listeners = [one for one in self.listeners if one[0] is not listener]

    def wait_for_requests(self, count, timeout=PATIENCE):
        with self.lock:
            assert self.lock.wait_for(lambda: len(self.requests) >= count, timeout), self.requests
            return list(self.requests)


class FakeServer(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.streams = {}
        #: The lists of each stream of several that was opened, and how many streams of all kinds are open.
        self.opens = []
        self.open_streams = 0
        self.opened = threading.Condition()
        #: What is said with a heartbeat: after how many seconds the next one comes, or 1.
        self.beat_data = 1
        self.posts = []
        self.posted = threading.Condition()
        self.answers = {}
        self.pages = {}
        self.pictures = None
        self.allowed_origin = None
        self.policy = SECURITY_POLICY
        # `shutdown` waits for a turn of its loop.
        threading.Thread(target=self.serve_forever, args=[0.01], daemon=True).start()

    def end(self):
        """Drops the streams and stops."""
        for stream in self.streams.values():
            stream.drop()
        self.shutdown()
        self.server_close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def wait_for_opens(self, condition, timeout=PATIENCE):
        """Waits until the streams of several lists that were asked for are as they should be."""
        with self.opened:
            assert self.opened.wait_for(lambda: condition(self.opens), timeout), self.opens

    def wait_for_open_streams(self, count, timeout=PATIENCE):
        with self.opened:
            assert self.opened.wait_for(lambda: self.open_streams == count, timeout), self.open_streams

    def stream(self, path):
        return self.streams.setdefault(path, Stream())

    def answer(self, path, respond):
        """`respond(body, query)` gives `(status, json or None)`, and headers if there are any, for each POST to this path."""
        self.answers[path] = respond

    def wait_for_posts(self, count, path=None, timeout=PATIENCE):
        def matching():
            return [post for post in self.posts if path is None or post["path"] == path]

        with self.posted:
            assert self.posted.wait_for(lambda: len(matching()) >= count, timeout), self.posts
            return matching()

    def handle_error(self, request, client_address):
        pass  # a browser that went away in the middle of an answer


class Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # the body follows the head at once
    extensions_map = {
        ".js": "text/javascript; charset=utf-8",
        ".css": "text/css; charset=utf-8",
        ".html": "text/html; charset=utf-8",
        ".svg": "image/svg+xml",
        "": "application/octet-stream",
    }

    def log_message(self, *arguments):
        pass

    def end_headers(self):
        self.send_header("Content-Security-Policy", self.server.policy)
        # A module that was fetched is imported a moment later: ContactSheet lets browsers keep it for that long, too.
        is_looked_for = self.headers and self.headers.get("Sec-Fetch-Dest") == "empty" and urlsplit(self.path).path.endswith(".js")
        self.send_header("Cache-Control", "max-age=10" if is_looked_for else "no-store")
        if self.server.allowed_origin:
            self.send_header("Access-Control-Allow-Origin", self.server.allowed_origin)
        super().end_headers()

    def translate_path(self, path):
        path = urlsplit(path).path
        for prefix, folder in (("/live-list/", BROWSER_FILES), ("/assets/", PAGES)):
            if path.startswith(prefix):
                return str(folder / path.removeprefix(prefix))
        return str(ROOT / path.lstrip("/"))

    def answer_with(self, status, body, kind="application/json", headers=None):
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        parts = urlsplit(self.path)
        if parts.path in ("/streams", "/api/streams"):
            self.serve_streams(parse_qs(parts.query)["list"])
        elif parts.path in self.server.streams:
            self.serve_stream(self.server.streams[parts.path], parse_qs(parts.query))
        elif parts.path in self.server.pages:
            body, kind = self.server.pages[parts.path]
            self.answer_with(200, body() if callable(body) else body, kind)
        elif f"GET {parts.path}" in self.server.answers:
            status, answer = self.server.answers[f"GET {parts.path}"](None, parse_qs(parts.query))
            self.answer_with(status, json.dumps(answer).encode())
        elif parts.path.startswith(("/thumbnails/", "/previews/", "/originals/")) and self.server.pictures:
            self.answer_with(200, self.server.pictures(parts.path.split("/")[2]), "image/png")
        else:
            super().do_GET()

    def do_OPTIONS(self):
        """Answers the preflight request that a browser sends before it posts JSON to another origin."""
        self.answer_with(204, b"", headers={"Access-Control-Allow-Headers": "Content-Type"} if self.server.allowed_origin else {})

    def do_PATCH(self):
        self.do_POST()

    def do_DELETE(self):
        self.do_POST()

    def do_POST(self):
        parts = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        raw = self.rfile.read(length)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        is_json = "json" in (self.headers.get("Content-Type") or "")
        body = json.loads(raw) if is_json else raw
        respond = self.server.answers.get(f"{self.command} {parts.path}") or self.server.answers.get(parts.path)
        with self.server.posted:
            self.server.posts.append(
                {"method": self.command, "path": parts.path, "query": query, "body": body})
            self.server.posted.notify_all()
        status, answer, *headers = respond(body, query) if respond else (404, None)
        if status == 0:  # the network fails
            self.close_connection = True
            self.connection.close()
            return
        data = b"" if answer is None else json.dumps(answer).encode()
        self.answer_with(status, data, headers=headers[0] if headers else {})

    def serve_stream(self, stream, query):
        listener = queue.Queue()
        if self.open_stream(stream, query, listener, lambda frame: (None, frame)):
            self.pass_on(listener, [stream])

    def serve_streams(self, addresses):
        """Several lists in one stream: Documentation/Frames.md, 4.2."""
        merged = queue.Queue()
        followed = []
        with self.server.opened:
            self.server.opens.append(addresses)
            self.server.opened.notify_all()
        for index, address in enumerate(addresses):
            parts = urlsplit(address)
            stream = self.server.streams.get(parts.path)
            if stream is None:
                merged.put((index, {"error": {"code": "notFound", "message": "There is no such list."}}))
                continue
            if not self.open_stream(stream, parse_qs(parts.query), merged, lambda frame, index=index: (index, frame)):
                for other in followed:
                    other.leave(merged)
                return
            followed.append(stream)
        self.pass_on(merged, followed)

    def open_stream(self, stream, query, listener, name):
        """Begins to listen. Whether the server answers at all."""
        since = query.get("since", [None])[0]
        with stream.lock:
            stream.requests.append({"since": since, "last": self.headers.get("Last-Event-ID")})
            stream.lock.notify_all()
            if stream.is_refusing:
                self.close_connection = True
                self.connection.close()
                return False
            stream.query = {name: values[0] for name, values in query.items()}
            frames = stream.on_open(since)
            if name(None)[0] is not None and not frames:
                frames = [NOTHING_MISSED]
            for frame in frames:
                listener.put(name(frame))
            stream.listeners.append((listener, name))
        return True

    def pass_on(self, listener, streams):
        self.close_connection = True
        with self.server.opened:
            self.server.open_streams += 1
            self.server.opened.notify_all()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        try:
            self.say(f"event: alive\ndata: {self.server.beat_data}\n\n")
            while True:
                try:
                    index, frame = listener.get(timeout=0.05)
                except queue.Empty:
                    if select.select([self.connection], [], [], 0)[0] and not self.connection.recv(1, socket.MSG_PEEK):
                        return  # the browser has closed it
                    continue
                if frame is CLOSED:
                    return
                if frame is ALIVE:
                    self.say(f"event: alive\ndata: {self.server.beat_data}\n\n")
                    continue
                text = "" if index is None else f"event: {index}\n"
                if frame is NOTHING_MISSED:
                    self.say(f"{text}data: 1\n\n")
                    continue
                if frame.get("kind") in ("snapshot", "change"):
                    text += f"id: {frame['epoch']}.{frame['seq']}\n"
                self.say(f"{text}data: {json.dumps(frame)}\n\n")
        except OSError:
            pass
        finally:
            for stream in streams:
                stream.leave(listener)
            with self.server.opened:
                self.server.open_streams -= 1
                self.server.opened.notify_all()

    def say(self, text):
        self.wfile.write(text.encode())
        self.wfile.flush()
