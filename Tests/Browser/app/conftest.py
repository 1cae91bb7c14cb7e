"""The whole program in a real browser: a server of its own for each test, and pages whose errors fail the test."""

import os

import pytest
from examples import Example
from long_album import fill
from playwright.sync_api import expect
from program import Server

#: The seconds that what must come is waited for: what hangs ends, and a busy machine is no failure.
PATIENCE = float(os.environ.get("PATIENCE", "20"))
expect.set_options(timeout=PATIENCE * 1000)


@pytest.fixture
def start_server(tmp_path):
    """A function that starts servers; what the test leaves running is stopped after it."""
    running = []

    def start(*arguments, data=None, environment=None):
        server = Server(data or tmp_path / "data", *arguments, environment=environment)
        running.append(server)
        return server

    yield start
    for server in running:
        server.kill()


@pytest.fixture
def server(start_server):
    return start_server()


@pytest.fixture
def fill_album(server, start_server):
    """A function that puts photos into the server's first album and answers their ids. The server is another process
    afterwards, at the same address."""
    def fill_album(count, **options):
        server.get("/")
        port = server.port
        assert server.stop() == 0
        ids = fill(server.data, count, **options)
        server.__dict__.update(start_server("--port", port, data=server.data).__dict__)
        return ids

    return fill_album


@pytest.fixture
def open_page(chromium):
    """A function that opens pages, each in a browser of its own; an error on any of them fails the test."""
    contexts, errors = [], []

    def open_page(url, expect_errors=False, **options):
        options.setdefault("viewport", {"width": 1000, "height": 800})
        context = chromium.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
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


@pytest.fixture
def start_example(tmp_path):
    """A function that starts an example, `colors`, `events` or `photos`, and answers it: its address is `url`."""
    running = []

    def start(name, *arguments):
        running.append(Example(name, tmp_path, *arguments))
        return running[-1]

    yield start
    for example in running:
        example.kill()
