"""Many tabs of a browser whose session ends: each leads to the login, none asks again and again, and all go on."""

import sys
from collections import Counter
from pathlib import Path

import pytest
from engines import Line
from photographs import jpeg
from program import run

sys.path.append(str(Path(__file__).resolve().parents[1] / "journey"))
from sheetpage import READY, at_rest, choose, more, photo, wait_titles

PASSWORD = "correct horse battery"
COUNT = 5


@pytest.fixture
def guarded(start_server, tmp_path):
    data = tmp_path / "data"
    assert run("password", "--data", data, stdin=PASSWORD + "\n").returncode == 0
    pictures = [jpeg(tmp_path / f"{name}.jpg", n) for n, name in enumerate(("Beach", "Dunes", "Pier"))]
    assert run("import", *pictures, "--data", data).returncode == 0
    return start_server("--with-password", data=data)


@pytest.fixture
def line(guarded):
    line = Line(guarded.port)
    yield line
    line.close()


def log_in(page, password=PASSWORD):
    page.wait_visible("#password")
    page.click("#password")
    page.type(password)
    page.key("Enter")


def at_login(page):
    page.wait_for("() => location.pathname === '/login' && document.readyState === 'complete'")


@pytest.mark.in_turns(6)
@pytest.mark.parametrize("end", ["log out", "new password"])
def test_every_tab_leads_to_the_login_and_goes_on_after_it(browser, guarded, line, end):
    # What a page asks for with a session that has ended is refused, and what it has not got yet when it leaves is cancelled.
    browser.expect_errors("401", "Failed to load resource", "EventSource", "/api/streams", "Access-Control", "cancelled")
    first = browser.open(line.url)
    log_in(first)
    first.wait_for(READY)
    album = first.url
    tabs = [first, *(browser.open(album) for _ in range(COUNT - 1))]
    for tab in tabs:
        wait_titles(tab, ["Beach", "Dunes", "Pier"])
        tab.wait_for(READY)

    before = len(line.requests)
    password = PASSWORD
    if end == "log out":
        more(first, "Log out")
    else:
        password = "another password"
        assert run("password", "--data", guarded.data, stdin=password + "\n").returncode == 0
    for tab in tabs:
        at_login(tab)
        assert (end == "log out" and tab is first) or "next=" in tab.url
    asked = Counter(line.requests[before:])
    assert max(count for request, count in asked.items() if "/login" in request) <= COUNT, asked
    assert sum(count for request, count in asked.items() if "/api/streams" in request) <= 2 * COUNT, asked
    assert sum(count for request, count in asked.items() if request == "HEAD /api/trash") <= 2 * COUNT, asked

    # One logs in, and all are where they were.
    before = len(line.requests)
    log_in(tabs[2], password)
    for tab in tabs[1:]:
        tab.wait_for(f"album => location.href === album && ({READY})()", album)
    first.goto(album)
    first.wait_for(READY)
    at_rest(tabs[1])
    tabs[1].click(photo("Beach"))
    tabs[1].wait_for("() => document.getElementById('viewer').open")
    tabs[1].key("Escape")
    tabs[1].right_click(photo("Pier"))
    choose(tabs[1], "Move to start")
    for tab in tabs:
        wait_titles(tab, ["Pier", "Beach", "Dunes"])
    asked = Counter(line.requests[before:])
    assert sum(count for request, count in asked.items() if request.startswith("GET /login")) <= 2 * COUNT, asked


def shown(page, address):
    """Whether the browser shows a picture of this address."""
    page.evaluate("""address => {
      window.outcome = null;
      const image = new Image();
      image.onload = () => { window.outcome = 'shown'; };
      image.onerror = () => { window.outcome = 'refused'; };
      image.src = address;
    }""", address)
    page.wait_for("() => window.outcome")
    return page.evaluate("() => window.outcome") == "shown"


def test_a_first_password_beside_an_open_page_leads_to_the_login_and_shows_nothing_that_was_kept(browser, start_server, tmp_path):
    browser.expect_errors("401", "Failed to load resource", "EventSource", "/api/streams", "Access-Control", "cancelled")
    server = start_server()
    assert run("import", jpeg(tmp_path / "Beach.jpg", 1), "--data", server.data).returncode == 0
    [original] = [path.name for path in (server.data / "originals").rglob("*") if path.is_file()]
    pictures = [f"{server.url}/{kind}/{original}" for kind in ("thumbnails", "previews", "originals")]
    page = browser.open(f"{server.url}/albums/{server.album}")
    page.wait_for(READY)
    assert all(shown(page, picture) for picture in pictures)
    # One as a page of its own, too, which browsers show again without asking when one goes back.
    page.goto(pictures[2])
    page.wait_for("() => document.images.length === 1 && document.images[0].naturalWidth > 0")
    page.goto(f"{server.url}/albums/{server.album}")
    page.wait_for(READY)

    assert run("password", "--data", server.data, stdin=PASSWORD + "\n").returncode == 0
    at_login(page)
    assert not any(shown(page, picture) for picture in pictures)
    # WebKit keeps what one goes back to, whatever the answer said of it (Documentation/Security.md).
    if page.browser.name == "webkit":
        return
    page.evaluate("() => { history.go(-1); }")
    page.wait_for("() => location.search.includes('originals') && document.querySelector('#password') !== null")
    assert "/login" in page.url
    log_in(page)
    page.wait_for("() => document.images.length === 1 && document.images[0].naturalWidth > 0")
