"""Changes that are not saved yet on an album's page, and a page that is older than its server."""

import itertools
import threading

import pytest
from playwright.sync_api import expect

from gridpage import KEPT, until
from sheet import Sheet

FEATURES = "undo albums search months export trash streams build"
MOVE = "document.getElementById('photos').move(['p3'], { before: 'p0' })"


@pytest.fixture
def sheet(server):
    return Sheet(server, 12, features=FEATURES)


def open_album(page, sheet):
    page.expected_errors = ["net::ERR", "409"]
    page.goto(sheet.url)
    until(page, "'complete' in document.body.dataset && document.getElementById('photos').count === 12")
    until(page, "document.getElementById('albums').isLoaded")


def fail(server):
    server.answer("/api/albums/a/moves", lambda body, query: (0, None))


def unsaved(page, sheet, server):
    fail(server)
    open_album(page, sheet)
    page.evaluate(MOVE)
    expect(page.locator("#unsaved")).to_have_text("1 change not saved yet")


def close(page, path):
    """Closes a page when the browser keeps what could not be saved, a request to a path. The page counts it before that, and what
    is not kept ends with the page."""
    kept = KEPT % "contact-sheet-changes"
    until(page, f"(await {kept}).map(({{ about }}) => new URL(about.url).pathname).join() === '{path}'")
    page.close()


# Notes the messages that are shown, with their buttons: they go after seconds, which a busy machine may take to look.
MESSAGES = """
  window.messages = [];
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node.matches?.('.toast') && node.checkVisibility()) messages.push([...node.children].map((one) => one.textContent));
    }
  }).observe(document, { childList: true, subtree: true });
"""


def would_ask(page):
    return page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")


def test_the_bar_says_how_many_changes_wait_and_closing_asks(page, sheet, server):
    unsaved(page, sheet, server)
    expect(page.locator("[role=status]")).to_have_text("1 change not saved yet.")
    server.answer("/api/albums/moves", lambda body, query: (0, None))
    page.evaluate("document.getElementById('albums').move(['c'], { before: 'a' })")
    page.evaluate("document.getElementById('photos').delete(['p5'])")
    expect(page.locator("#unsaved")).to_have_text("3 changes not saved yet")
    assert would_ask(page)
    server.answer("/api/albums/a/moves", sheet.move)
    server.answer("/api/albums/moves", lambda body, query: (200, {"changed": True}))
    expect(page.locator("#unsaved")).to_be_hidden()
    expect(page.locator("[role=status]")).to_have_text("All changes are saved.")
    assert not would_ask(page)


def test_a_page_has_one_stream_for_its_two_lists(page, sheet, server):
    open_album(page, sheet)
    server.wait_for_open_streams(1)
    assert any(len(lists) == 2 for lists in server.opens)


def test_what_an_earlier_visit_left_and_no_longer_fits_is_told_without_retry(page, sheet, server):
    unsaved(page, sheet, server)
    close(page, "/api/albums/a/moves")
    server.answer("/api/albums/a/moves", lambda body, query: (409, {"error": {"message": "The photo is gone."}}))
    other = page.context.new_page()
    other.add_init_script(MESSAGES)
    open_album(other, sheet)
    message = "messages.find(([text]) => text.startsWith('A change of your last visit'))"
    until(other, message)
    assert other.evaluate(message) == ["A change of your last visit was not saved: The photo is gone."], "without a button"


def test_a_transfer_and_an_undo_outlive_the_page_too(page, sheet, server):
    for path in ("transfers", "undo"):
        server.answer(f"/api/albums/a/{path}", lambda body, query: (0, None))
    open_album(page, sheet)
    page.evaluate(MOVE)
    server.wait_for_posts(1, "/api/albums/a/moves")
    page.keyboard.press("Control+z")
    expect(page.locator("#unsaved")).to_have_text("1 change not saved yet")
    undone = server.wait_for_posts(1, "/api/albums/a/undo")[0]["body"]
    close(page, "/api/albums/a/undo")
    server.posts.clear()
    server.answer("/api/albums/a/undo", sheet.undo)
    other = page.context.new_page()
    open_album(other, sheet)
    assert server.wait_for_posts(1, "/api/albums/a/undo")[0]["body"] == undone


def test_a_page_over_an_upgraded_server_reloads_itself_once(page, sheet, server):
    open_album(page, sheet)
    page.evaluate("() => { window.isOld = true; }")
    sheet.stream.drop()  # the same server again
    until(page, "document.getElementById('photos').dataset.state === 'connected'")
    assert page.evaluate("window.isOld")
    sheet.build = "two"
    old = (server.pages["/albums/a"][0]().replace(b'data-build="two"', b'data-build="one"'), "text/html; charset=utf-8")
    server.pages["/albums/a"] = old  # a page that stays old, as from a cache
    with page.expect_event("load"):
        sheet.stream.drop()
    until(page, "!window.isOld && 'complete' in document.body.dataset")
    page.evaluate("() => { window.isOld = true; }")
    opened = len(server.opens)
    sheet.stream.drop()
    until(page, "document.getElementById('photos').dataset.state === 'connected'")
    with server.opened:
        assert server.opened.wait_for(lambda: len(server.opens) > opened, 10)
    assert page.evaluate("async () => { await fetch('/api/build'); return window.isOld; }")


def test_a_page_that_cannot_read_its_server_reloads_itself_once(browser, sheet, server):
    asked = itertools.count()

    def counted():
        next(asked)
        return sheet.page()

    server.pages["/albums/a"] = (counted, "text/html; charset=utf-8")
    sheet.stream.on_open = lambda since: [{"format": 2, "kind": "snapshot", "epoch": "e", "seq": 9}]
    page = browser.open(sheet.url)
    page.wait_for("() => performance.getEntriesByType('navigation')[0].type === 'reload'")
    page.wait_visible("#trouble :: This page is out of date")
    page.wait_for("() => sessionStorage.getItem('contact-sheet-reloaded') === 'another format'")
    page.evaluate("async () => { await fetch('/api/build') }")
    assert next(asked) == 2


LOOKS = """
  window.looks = new Set();
  const { setInterval: begin, clearInterval: end } = window;
  window.setInterval = (action, time) => {
    const id = begin(action, time);
    if (time === 5000 && `${action}`.includes('reload')) { window.hasLooked = true; window.looks.add(id); }
    return id;
  };
  window.clearInterval = (id) => { window.looks.delete(id); end(id); };
"""
DENIED = """
  Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('denied', 'SecurityError'); } });
"""


@pytest.mark.parametrize("script", [LOOKS, LOOKS + DENIED], ids=["once", "where_nothing_is_kept"])
def test_a_page_that_stays_old_stops_looking(page, sheet, server, script):
    page.add_init_script(script)
    if DENIED not in script:
        page.add_init_script("sessionStorage.setItem('contact-sheet-reloaded', 'two');")
    open_album(page, sheet)
    page.evaluate("() => { window.isOld = true; }")
    sheet.build = "two"
    sheet.stream.drop()
    until(page, "window.hasLooked && window.looks.size === 0")
    assert page.evaluate("async () => { await fetch('/api/build'); return window.isOld; }")


@pytest.mark.network
def test_a_page_over_an_upgraded_server_waits_until_all_is_saved_and_nobody_is_busy(page, sheet, server):
    unsaved(page, sheet, server)
    page.evaluate("() => { window.isOld = true; }")
    page.get_by_role("button", name="Select", exact=True).click()
    sheet.build = "two"
    asked = page.expect_response("**/api/build")
    with asked:
        sheet.stream.drop()
    assert page.evaluate("window.isOld")
    server.answer("/api/albums/a/moves", sheet.move)
    expect(page.locator("#unsaved")).to_be_hidden()
    until(page, "document.getElementById('photos').pending.length === 0")
    assert page.evaluate("window.isOld")
    with page.expect_event("load"):
        page.get_by_role("button", name="Done").click()
    assert not page.evaluate("window.isOld")


OFTEN = """
  window.looks = 0;
  const { setInterval: begin } = window;
  window.setInterval = (action, time) =>
    time === 5000 && `${action}`.includes('reload') ? begin(() => { looks++; action(); }, 20) : begin(action, time);
"""


@pytest.mark.network
def test_a_page_over_an_upgraded_server_waits_for_the_answer_to_a_change(page, sheet, server):
    is_asked, may_answer = threading.Event(), threading.Event()

    def rename(body, query):
        is_asked.set()
        may_answer.wait(60)
        return 200, {"id": "a", "title": body["title"], "count": 3}

    server.answer("PATCH /api/albums/a", rename)
    page.add_init_script(OFTEN)
    open_album(page, sheet)
    page.evaluate("() => { window.isOld = true; }")
    page.locator("#more").click()
    page.get_by_role("menuitem", name="Rename album…").click()
    page.get_by_role("textbox", name="Title").fill("Iceland")
    sheet.build = "two"
    with page.expect_response("**/api/build"):
        sheet.stream.drop()
    page.keyboard.press("Enter")
    assert is_asked.wait(10)
    looks = page.evaluate("looks")
    until(page, f"looks > {looks} + 10")
    assert page.evaluate("window.isOld")
    with page.expect_event("load"):
        may_answer.set()
    assert not page.evaluate("window.isOld")


@pytest.mark.parametrize("width", [1000, 700])
def test_what_is_not_saved_leaves_room_for_the_title_and_the_search(new_page, sheet, server, width):
    page = new_page(viewport={"width": width, "height": 700})
    unsaved(page, sheet, server)
    page.evaluate("document.getElementById('connection').hidden = false")
    boxes = {name: page.locator(name).bounding_box() for name in ("#title", "#search input", "#unsaved", "#connection", "#add")}
    assert boxes["#title"]["width"] >= 90 and boxes["#search input"]["width"] >= 120, boxes
    assert boxes["#unsaved"]["width"] >= 60, boxes
    assert boxes["#add"]["x"] + boxes["#add"]["width"] <= width, boxes
    inside = sorted(boxes.values(), key=lambda box: box["x"])
    assert all(one["x"] + one["width"] <= other["x"] + 1 for one, other in itertools.pairwise(inside)), boxes
