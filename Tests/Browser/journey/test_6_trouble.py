"""The server dies, the network goes, and nothing is lost."""

import pytest
from conftest import TITLES
from engines import NETWORK, Line
from sheetpage import STYLED, at_rest, drag_before, move_before, open_album, wait_titles

RECONNECTING = "#connection :: Reconnecting…"
UNSAVED = "#unsaved"
MOVED = move_before(TITLES, "Photo 04", "Photo 02")


@pytest.fixture
def line(chapter):
    line = Line(chapter.server.port)
    chapter.browser.expect_errors(*NETWORK)
    yield line
    line.close()


def through(chapter, line):
    """A page that comes to the server by a line of its own."""
    page = chapter.browser.open(line.url)
    page.wait_for("() => 'complete' in document.body.dataset")
    page.wait_for(STYLED)
    wait_titles(page, TITLES)
    return page



def put_back(page):
    page.key("Control+z")
    wait_titles(page, TITLES)
    at_rest(page)


def test_the_server_is_killed_and_comes_back(page, chapter):
    chapter.browser.expect_errors(*NETWORK)
    chapter.server.kill()
    page.wait_visible(RECONNECTING)
    drag_before(page, "Photo 04", "Photo 02")
    wait_titles(page, MOVED)
    page.wait_visible(f"{UNSAVED} :: 1 change not saved yet")
    chapter.restart()
    page.wait_hidden(RECONNECTING)
    page.wait_hidden(UNSAVED)
    other = open_album(chapter.people.browser(), chapter.server)
    wait_titles(other, MOVED)
    chapter.leave(other.browser)
    put_back(page)


def test_changes_that_wait_are_counted(page, chapter):
    chapter.browser.expect_errors(*NETWORK)
    chapter.server.kill()
    page.wait_visible(RECONNECTING)
    names = ["Photo 04", "Photo 05", "Photo 06"]
    for n, title in enumerate(names):
        drag_before(page, title, "Photo 01")
        wait_titles(page, move_before(TITLES, names[:n + 1], "Photo 01"))
    page.wait_visible(f"{UNSAVED} :: 3 changes not saved yet")
    chapter.restart()
    page.wait_hidden(UNSAVED)
    expected = move_before(TITLES, ["Photo 04", "Photo 05", "Photo 06"], "Photo 01")
    wait_titles(page, expected)
    at_rest(page)
    for _ in range(3):
        page.key("Control+z")
    wait_titles(page, TITLES)
    at_rest(page)


def test_a_line_that_is_cut_is_noticed(chapter, line):
    page = through(chapter, line)
    line.cut()
    page.wait_visible(RECONNECTING)
    drag_before(page, "Photo 04", "Photo 02")
    page.wait_visible(f"{UNSAVED} :: 1 change not saved yet")
    line.restore()
    page.wait_hidden(RECONNECTING)
    page.wait_hidden(UNSAVED)
    wait_titles(page, MOVED)
    at_rest(page)
    put_back(page)
    page.close()


def test_a_line_that_falls_silent_is_noticed(chapter, line):
    page = through(chapter, line)
    line.stall()
    page.wait_visible(RECONNECTING, timeout=40)  # a heartbeat each 5 s; 12 s without one are silence
    line.restore()
    page.wait_hidden(RECONNECTING)
    page.close()


def test_a_browser_that_goes_offline_says_so_and_sends_what_waits(chapter, line):
    page = through(chapter, line)
    # What browsers emulate does not reach the worker that holds the stream; so the network goes as well.
    chapter.browser.offline(True)
    line.cut()
    page.wait_visible(RECONNECTING)
    drag_before(page, "Photo 04", "Photo 02")
    wait_titles(page, MOVED)
    page.wait_visible(f"{UNSAVED} :: 1 change not saved yet")
    line.restore()
    chapter.browser.offline(False)
    page.wait_hidden(RECONNECTING)
    page.wait_hidden(UNSAVED)
    at_rest(page)
    put_back(page)
    page.close()


def test_closing_asks_while_something_is_not_saved(chapter, line):
    page = through(chapter, line)
    assert not page.would_ask()
    line.cut()
    drag_before(page, "Photo 04", "Photo 02")
    page.wait_visible(UNSAVED)
    assert page.would_ask()
    line.restore()
    page.wait_hidden(UNSAVED)
    assert not page.would_ask()
    at_rest(page)
    put_back(page)
    page.close()


def test_a_close_with_something_unsaved_can_be_taken_back(chapter, line):
    page = through(chapter, line)
    line.cut()
    drag_before(page, "Photo 04", "Photo 02")
    page.wait_visible(UNSAVED)
    assert page.close_asking(accept=False)
    wait_titles(page, MOVED)
    line.restore()
    page.wait_hidden(UNSAVED)
    at_rest(page)
    put_back(page)
    assert not page.close_asking(accept=True)


def test_what_is_not_saved_outlives_the_tab(page, chapter, line):
    tab = through(chapter, line)
    line.cut()
    drag_before(tab, "Photo 04", "Photo 02")
    tab.wait_visible(UNSAVED)
    tab.close()
    line.restore()
    again = chapter.browser.open(line.url)
    wait_titles(again, MOVED)
    wait_titles(page, MOVED)
    at_rest(again)
    again.close()
    chapter.server.post(f"/api/albums/{chapter.server.album}/order", {
        "act": "00000000-0000-4000-8000-000000000003", "by": "title"})
    wait_titles(page, TITLES)
