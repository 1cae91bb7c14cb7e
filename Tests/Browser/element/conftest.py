import pytest
from playwright.sync_api import expect

from fake_server import PATIENCE, FakeServer
from gridpage import open_grid, until
from long_list import MILLION, QUERY, LongList

expect.set_options(timeout=PATIENCE * 1000)


@pytest.fixture
def server():
    server = FakeServer()
    yield server
    server.end()


@pytest.fixture
def new_page(chromium, server):
    """Makes pages whose errors fail the test; those a test expects it puts into `page.expected_errors`."""
    contexts = []
    pages = []

    def make(**options):
        context = chromium.new_context(**{"viewport": {"width": 900, "height": 700}, **options})
        context.set_default_timeout(PATIENCE * 1000)
        contexts.append(context)
        page = context.new_page()
        page.expected_errors = []
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(f"{error}\n{error.stack}"))
        page.on("console", lambda message: message.type == "error" and page.errors.append(message.text))
        pages.append(page)
        return page

    yield make
    errors = [
        error for page in pages for error in page.errors
        if not any(part in error for part in page.expected_errors)
    ]
    for context in contexts:
        context.close()
    assert not errors, errors


@pytest.fixture
def page(new_page):
    return new_page()


@pytest.fixture
def long(server):
    """A server's side of a list of a million."""
    return LongList(server, MILLION)


@pytest.fixture
def grid(page, server, long):
    """A page that shows that list; tests of other lists have a grid of their own."""
    open_grid(page, server, None, QUERY)
    until(page, "list.isLoaded")
    return page
