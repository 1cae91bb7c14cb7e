"""Going back to a page that the browser kept: whoever has logged out, or has another password to give, sees nothing of it."""

import sys
from pathlib import Path

import pytest
from engines import NETWORK, Line
from photographs import jpeg
from program import run

sys.path.append(str(Path(__file__).resolve().parents[1] / "journey"))
from sheetpage import READY, photo

PASSWORD = "correct horse battery"
ERRORS = ("401", "404", "Failed to load", "EventSource", "/api/streams", "Access-Control", "cancelled")
# A page that is shown again notes on each frame whether something of it is seen, for a later page of the tab.
WATCH = """() => addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  sessionStorage.restored = 1 + Number(sessionStorage.restored ?? 0);
  const looks = () => [...document.querySelectorAll('#photos img, #title, #viewer img')]
    .some(one => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0);
  const look = () => {
    if (looks()) sessionStorage.seen = 1 + Number(sessionStorage.seen ?? 0);
    requestAnimationFrame(look);
  };
  look();
})"""


def seen(page):
    """How many frames showed something on a page that was restored."""
    return page.wait_for("() => String(sessionStorage.seen ?? 0)")


@pytest.fixture
def library(tmp_path):
    data = tmp_path / "data"
    pictures = [jpeg(tmp_path / f"{name}.jpg", n) for n, name in enumerate(("Beach", "Dunes", "Pier"))]
    assert run("import", *pictures, "--data", data).returncode == 0
    return data


def set_password(data, password=PASSWORD):
    assert run("password", "--data", data, stdin=password + "\n").returncode == 0


def log_in(page):
    page.wait_visible("#password")
    page.click("#password")
    page.type(PASSWORD)
    page.key("Enter")


def at_login(page):
    page.wait_for("() => location.pathname === '/login' && document.readyState === 'complete'")


@pytest.mark.parametrize("inside", ["album", "viewer"])
def test_nobody_who_has_logged_out_sees_the_album_however_often_they_go_back(browser, start_server, library, inside):
    browser.expect_errors(*ERRORS)
    set_password(library)
    server = start_server("--with-password", data=library)
    page = browser.open(f"{server.url}/login")
    log_in(page)
    page.wait_for(READY)
    if inside == "viewer":
        page.click(photo("Beach"))
        page.wait_for("() => document.getElementById('viewer').open")
    page.evaluate(WATCH)
    page.evaluate("""() => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: '/logout' });
      document.body.append(form);
      setTimeout(() => form.submit());
    }""")
    at_login(page)
    length = page.wait_for("() => history.length")
    for _ in range(2):
        page.back()
        page.wait_for("() => document.readyState === 'complete' && performance.now() > 200")
        at_login(page)
        assert seen(page) == "0"
    assert page.wait_for("() => history.length") <= length, "the login replaces what one may not see"


@pytest.mark.parametrize("password", ["first", "changed"])
def test_an_album_that_was_left_before_a_password_was_set_is_not_shown_again_without_it(browser, start_server, library, password):
    browser.expect_errors(*ERRORS)
    if password == "changed":
        set_password(library, "an earlier password")
        set_password(library)
    server = start_server(data=library)
    page = browser.open(f"{server.url}/")
    if password == "changed":
        log_in(page)
    page.wait_for(READY)
    page.evaluate(WATCH)
    page.goto(f"{server.url}/albums/none")
    set_password(library, "a new password")
    page.back()
    at_login(page)
    assert seen(page) == "0"


def test_an_album_that_is_shown_again_is_as_it_was_and_waits_for_a_server_that_is_away(browser, start_server, library):
    browser.expect_errors(*ERRORS, *NETWORK)
    server = start_server(data=library)
    line = Line(server.port)
    try:
        page = browser.open(f"{line.url}/")
        page.wait_for(READY)
        page.evaluate(WATCH)
        page.goto(f"{line.url}/albums/none")
        page.back()
        page.wait_for(READY)
        page.wait_visible(photo("Beach"))
        if page.evaluate("() => sessionStorage.restored ?? null") is None:
            return  # this engine kept nothing: it has asked
        page.goto(f"{line.url}/albums/none")
        line.cut()
        before = seen(page)
        page.back()
        page.wait_visible(".asking-note")
        assert seen(page) == before
        line.restore()
        page.wait_visible(photo("Beach"))
        page.wait_hidden(".asking-note")
    finally:
        line.close()
