"""One stream for a browser, and an outbox that outlives its page, in each engine."""

import pytest
from engines import NETWORK

from test_element_shared import GONE, HUBS
from test_element_stream import change, snapshot

SHOWN = "() => window.ready && window.list.isLoaded && window.list.count === 12 && window.list.dataset.state === 'connected'"
WITHOUT = "number => window.list.isLoaded && window.list.indexOf(`id-${number}`) < 0"
NAMES = [f"list-{number}" for number in range(10)]


@pytest.fixture(autouse=True)
def quick(engine):
    """The browsers go before the server that they show."""


@pytest.fixture
def lists(server):
    lists = {}
    for name in NAMES:
        stream = lists[name] = server.stream(f"/{name}")
        stream.on_open = lambda since, name=name: [snapshot(epoch=name)] if since is None else []
    return lists


def address(server, name, more=""):
    return f"{server.url}/Tests/Browser/element/pages/grid.html?streams=/streams&src=/{name}{more}"


@pytest.mark.parametrize("hub", ["worker", "leader"])
def test_ten_windows_have_one_stream_also_when_the_first_is_closed(browser, server, lists, hub):
    browser.expect_errors(*NETWORK)
    pages = {name: browser.open(address(server, name, HUBS[hub])) for name in NAMES}
    for page in pages.values():
        page.wait_for(SHOWN)
    server.wait_for_open_streams(1)
    for name in NAMES:
        lists[name].send(change(2, epoch=name, items={"deleted": GONE}))
    for page in pages.values():
        page.wait_for(WITHOUT, 0)
    # A server that answers nobody else would show who asks twice: six connections are all that browsers have.
    for page in pages.values():
        assert page.evaluate("async () => (await fetch('/live-list/uuid.js', { cache: 'no-store' })).ok")
    pages.pop(NAMES[0]).close()
    for name in pages:
        lists[name].on_open = lambda since, name=name: (
            [change(3, epoch=name, items={"deleted": [["id-1", 0, 0]]})] if since == f"{name}.2" else [])
        lists[name].send(change(3, epoch=name, items={"deleted": [["id-1", 0, 0]]}))
    for page in pages.values():
        page.wait_for(WITHOUT, 1)
    server.wait_for_open_streams(1)


def test_a_tab_in_the_background_opens_no_stream_before_it_is_shown(browser, server, lists):
    front = browser.open(address(server, "list-0"))
    front.wait_for(SHOWN)
    behind = browser.open(address(server, "list-1"), background=True)
    behind.wait_for("() => window.ready")
    assert behind.hidden and lists["list-1"].requests == []
    behind.activate()
    behind.wait_for(SHOWN)


@pytest.mark.parametrize("hub", HUBS)
def test_the_server_that_was_gone_is_told_and_found_again(browser, server, lists, hub):
    browser.expect_errors(*NETWORK)
    page = browser.open(address(server, "list-0", HUBS[hub]))
    page.wait_for(SHOWN)
    lists["list-0"].is_refusing = True
    lists["list-0"].drop()
    page.wait_for("() => window.list.dataset.state === 'reconnecting'")
    lists["list-0"].on_open = lambda since: [change(2, epoch="list-0", items={"deleted": GONE})]
    lists["list-0"].is_refusing = False
    page.wait_for(WITHOUT, 0)
    page.wait_for("() => window.list.dataset.state === 'connected'")


def test_what_was_not_saved_is_counted_and_sent_by_the_next_page(browser, server, lists):
    browser.expect_errors(*NETWORK)
    server.answer("/moves", lambda body, query: (0, None))
    first = browser.open(address(server, "list-0", "&moves=/moves&outbox=kept"))
    first.wait_for(SHOWN)
    first.evaluate("() => window.list.move(['id-1'], { after: 'id-3' })")
    first.wait_for("() => window.list.waiting === 1")
    mutation_id = first.evaluate("() => window.list.pending[0].act")
    other = browser.open(address(server, "list-1", "&moves=/moves&outbox=kept"))
    other.wait_for(SHOWN)
    # It is the first page's for as long as that lives.
    assert other.evaluate("() => window.list.waiting") == 0
    first.close()
    server.answer("/moves", lambda body, query: (200, {"changed": True}))
    server.posts.clear()
    lists["list-1"].drop()
    assert [post["body"]["act"] for post in server.wait_for_posts(1)] == [mutation_id]
