"""A page that was opened before the server was upgraded goes on with the newer API, and makes way for the newer page."""

import sys
from pathlib import Path

import pytest
from engines import NETWORK
from older_pages import EARLIER_BUILD, NotInHistory, OlderPages, files_of
from photographs import jpeg

sys.path.append(str(Path(__file__).resolve().parents[1] / "journey"))
from sheetpage import (
    READY, albums, answer, at_rest, choose, drag_before, more, photo, toast, wait_albums, wait_count, wait_titles)

EARLIER = "720d3b7"  # a page that does all of this in all three engines
NAMES = ["Beach", "Dunes", "Harbour", "Pier"]
BUILD = "() => document.body?.dataset.build"


@pytest.fixture
def older(server):
    try:
        files = files_of(EARLIER)
    except NotInHistory as reason:
        pytest.skip(f"the history of this checkout is too short: {reason}")
    older = OlderPages(server, files)
    yield older
    older.close()
    assert older.lost == []


@pytest.fixture
def page(older, browser, tmp_path):
    page = browser.open(older.url)
    page.wait_for(READY)
    assert page.evaluate(BUILD) == EARLIER_BUILD
    page.set_files("#files", [jpeg(tmp_path / f"{name}.jpg", n) for n, name in enumerate(NAMES)])
    wait_titles(page, NAMES)
    return page


def upgraded(page):
    page.wait_for(f"() => ({BUILD})() !== undefined && ({BUILD})() !== '{EARLIER_BUILD}'")
    page.wait_for(READY)


def test_an_earlier_page_goes_on_with_the_api_of_today(page, browser):
    at_rest(page)
    drag_before(page, "Pier", "Beach")
    wait_titles(page, ["Pier", "Beach", "Dunes", "Harbour"])
    toast(page, "Moved")
    at_rest(page)
    page.key("Control+z")
    wait_titles(page, NAMES)
    page.right_click(photo("Dunes"))
    choose(page, "Delete")
    wait_count(page, 3)
    at_rest(page)
    page.key("Control+z")
    wait_titles(page, NAMES)
    page.right_click(photo("Dunes"))
    choose(page, "Rename…")
    answer(page, "Sand")
    wait_titles(page, ["Beach", "Sand", "Harbour", "Pier"])
    page.click("#search input")
    page.type("sand")
    wait_titles(page, ["Sand"])
    page.key("Escape")
    wait_count(page, 4)
    more(page, "Sort…")
    choose(page, "Reverse the order")
    wait_titles(page, ["Pier", "Harbour", "Sand", "Beach"])
    before = albums(page)
    page.click("#new-album")
    answer(page, "Family")
    page.wait_for(f"() => document.title.startsWith('Family') && ({READY})()")
    wait_albums(page, [*before, "Family"])
    assert page.evaluate(BUILD) == EARLIER_BUILD


def test_an_earlier_page_saves_what_waits_and_then_makes_way(page, browser, older, server, start_server):
    browser.expect_errors(*NETWORK)
    at_rest(page)
    page.wait_hidden("#uploads")
    server.kill()
    page.wait_visible("#connection :: Reconnecting…")
    drag_before(page, "Pier", "Beach")
    moved = ["Pier", "Beach", "Dunes", "Harbour"]
    wait_titles(page, moved)
    page.wait_visible("#unsaved :: 1 change not saved yet")
    older.upgrade()
    server.__dict__.update(start_server("--port", server.port, data=server.data).__dict__)
    upgraded(page)
    wait_titles(page, moved)
    other = browser.open(older.url)
    wait_titles(other, moved)


def test_an_earlier_page_that_is_being_used_makes_way_afterwards(page, browser, older, server, start_server):
    browser.expect_errors(*NETWORK)
    page.wait_hidden("#uploads")
    more(page, "Rename album…")
    page.wait_for("() => document.activeElement.matches('dialog[open] input')")
    page.type("x")
    server.kill()
    page.wait_visible("#connection :: Reconnecting…")
    older.upgrade()
    server.__dict__.update(start_server("--port", server.port, data=server.data).__dict__)
    page.wait_hidden("#connection")
    page.wait_for("() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/api/build'))")
    assert page.evaluate(BUILD) == EARLIER_BUILD
    # That version looks every five seconds whether it can reload, and does not wait for a request that is under way: the
    # name could be lost with the page. It looks on as one that is busy until the name has come back.
    page.evaluate("() => { document.body.append(Object.assign(document.createElement('i'), { id: 'busy', className: 'editing' })); }")
    answer(page, "Iceland")
    page.wait_for("() => document.title.startsWith('Iceland')")
    assert page.evaluate(BUILD) == EARLIER_BUILD
    page.evaluate("() => { document.getElementById('busy').remove(); }")
    upgraded(page)
    page.wait_for("() => document.title.startsWith('Iceland')")
