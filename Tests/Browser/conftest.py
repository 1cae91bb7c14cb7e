"""The whole program in a real browser: a server of its own for each test, and pages whose errors fail the test."""

import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("CONTACT_SHEET", ROOT / "Apps/.build/debug/contact-sheet"))


def chromium_path():
    candidates = [os.environ.get("CHROMIUM"), "chromium-headless-shell", "chromium", "google-chrome"]
    for candidate in filter(None, candidates):
        if found := shutil.which(candidate):
            return found
    raise RuntimeError("No Chromium was found: install chromium-headless-shell, or name one in CHROMIUM.")


class Server:
    """One running `contact-sheet serve`, on a port that the system chose."""

    def __init__(self, data, *arguments):
        self.data = data
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", "--data", data, *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        self.log = []
        self._told = threading.Event()
        self.url = None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._told.wait(60)
        if self.url is None:
            self.kill()
            raise RuntimeError("the server did not start:\n" + "".join(self.log))

    def _read(self):
        for line in self.process.stdout:
            self.log.append(line)
            if self.url is None and (match := re.search(r"http://[\w.:\[\]]+:\d+", line)):
                self.url = match.group()
                self._told.set()
        self._told.set()

    @property
    def port(self):
        return self.url.rsplit(":", 1)[1]

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=30) as response:
            return response.read()

    def json(self, path):
        return json.loads(self.get(path))

    def post(self, path, value):
        request = urllib.request.Request(
            self.url + path, data=json.dumps(value).encode(), method="POST",
            headers={"Content-Type": "application/json", "Origin": self.url})
        with urllib.request.urlopen(request, timeout=30) as response:
            body = response.read()
            return json.loads(body) if body else None

    @property
    def album(self):
        return self.json("/api/albums")[0]["id"]

    def stop(self):
        """Stops as Ctrl-C does, and answers the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            status = self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError("the server did not stop within 20 s:\n" + "".join(self.log))
        self._reader.join(5)
        self.process.stdout.close()
        return status

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


@pytest.fixture
def start_server(tmp_path):
    """A function that starts servers; what the test leaves running is stopped after it."""
    running = []

    def start(*arguments, data=None):
        server = Server(data or tmp_path / "data", *arguments)
        running.append(server)
        return server

    yield start
    for server in running:
        server.kill()


@pytest.fixture
def server(start_server):
    return start_server()


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_path(), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium):
    """A function that opens pages, each in a browser of its own; an error on any of them fails the test."""
    contexts, errors = [], []

    def open_page(url, expect_errors=False, **options):
        options.setdefault("viewport", {"width": 1000, "height": 800})
        context = chromium.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        if not expect_errors:
            page.on("pageerror", lambda error: errors.append(f"page error: {error}"))
            page.on("console", lambda message: message.type == "error" and errors.append(f"console: {message.text}"))
        if url:
            page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []
