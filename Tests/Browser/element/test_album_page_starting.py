"""A page of which a module could not be fetched tries again by itself, and then says so: in each engine."""

import pytest
from engines import NETWORK

from fake_server import BROWSER_FILES, PAGES
from sheet import Sheet
from test_every_browser_parts import Fuse

TROUBLE = "() => { const trouble = document.getElementById('trouble'); return trouble && !trouble.hidden && trouble.textContent }"
STARTED = "() => document.getElementById('photos')?.count === 24"
TOLD = "A part of this page could not be fetched, so it cannot show anything. Reload"


@pytest.fixture
def sheet(server):
    return Sheet(server, 24)


@pytest.fixture
def spoil(server, sheet, browser):
    """Lets a module fail, or be another, for so many loads of the page: answers a list with an entry for each load."""
    browser.expect_errors("500", "Failed", "error", "Error", "module")
    loads = []

    def page():
        loads.append(1)
        return sheet.page()

    server.pages["/albums/a"] = (page, "text/html; charset=utf-8")

    def spoil(path, times, answer=None):
        # Engines may ask for a module again that another one of the page needs, too.
        right = (PAGES / path.removeprefix("/assets/") if "assets" in path else BROWSER_FILES / path.removeprefix("/live-list/")).read_bytes()

        def spoiled():
            if len(loads) > times:
                return right
            assert answer, "no answer, as of a server that is being restarted"
            return answer

        server.pages[path] = (spoiled, "text/javascript; charset=utf-8")
        return loads

    return spoil


# The script itself, what it imports, and what that imports.
PARTS = ["/assets/album.js", "/assets/toasts.js", "/live-list/view/layout.js"]


@pytest.mark.parametrize("part", PARTS)
def test_a_page_whose_module_failed_once_is_loaded_again_by_itself(browser, sheet, spoil, part):
    loads = spoil(part, 1)
    page = browser.open(sheet.url)
    page.wait_for(STARTED)
    assert len(loads) == 2 and not page.evaluate(TROUBLE)
    page.wait_for("() => sessionStorage.getItem('contact-sheet-has-not-started') === null")


@pytest.mark.parametrize("part", PARTS)
def test_a_page_whose_module_fails_again_says_so_and_offers_to_reload(browser, sheet, spoil, part):
    loads = spoil(part, 2)
    page = browser.open(sheet.url)
    assert page.wait_for(TROUBLE) == TOLD
    assert len(loads) == 2, "it has not been reloaded for ever"
    assert page.evaluate("() => document.querySelector('#trouble').getAttribute('role')") == "alert"
    page.click("#trouble button :: Reload")
    page.wait_for(STARTED)
    assert not page.evaluate(TROUBLE)


def test_a_page_that_lost_its_server_stays_and_says_so(browser, server, sheet):
    """A reload would lead to the browser's own page about that."""
    browser.expect_errors(*NETWORK, "error", "Error", "module", "Failed", "EventSource", "connection")
    line = Fuse(server.server_address[1], "/live-list/view/announcer.js")
    browser.open(f"{line.url}/assets/icon.svg")  # so that the browser has begun
    page = browser.open(f"{line.url}/albums/a")
    assert page.wait_for(TROUBLE) == TOLD
    line.restore()
    page.click("#trouble button :: Reload")
    page.wait_for(STARTED)
    page.close()
    line.close()


def test_a_module_that_does_not_fit_the_others_is_one_that_is_missing(browser, sheet, spoil):
    """As in the moment in which a server is upgraded."""
    loads = spoil("/assets/toasts.js", 1, b"export const other = 1;")
    page = browser.open(sheet.url)
    page.wait_for(STARTED)
    assert len(loads) == 2


def test_a_page_that_can_keep_nothing_is_not_reloaded_for_ever(new_page, sheet, server):
    page = new_page()
    page.expected_errors.append("500")
    page.add_init_script("Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('no'); } })")
    server.answer("GET /live-list/view/layout.js", lambda body, query: (500, {}))
    page.goto(sheet.url)
    page.locator("#trouble button").wait_for()
    assert page.locator("#trouble").inner_text().replace("\n", " ") == TOLD


def test_an_error_on_a_page_that_has_started_is_not_taken_for_a_failed_start(new_page, sheet):
    page = new_page()
    page.expected_errors.append("not mine")
    page.goto(sheet.url)
    page.locator("body[data-complete]").wait_for()
    page.evaluate("setTimeout(() => { window.isDone = true; throw new Error('not mine'); })")
    while not page.evaluate("window.isDone"):
        pass
    assert page.locator("#trouble").is_hidden()


def test_what_is_fetched_later_and_could_not_be_is_told_and_asked_for_again(new_page, sheet, server):
    page = new_page()
    page.expected_errors.append("500")
    server.answer("GET /assets/edit-mode.js", lambda body, query: (500, {}))
    page.goto(sheet.url)
    page.locator(".toast").wait_for()
    assert page.locator(".toast").inner_text() == "A part of this page has not come yet. It works as soon as it is here."
    del server.answers["GET /assets/edit-mode.js"]
    page.locator("body[data-complete]").wait_for(state="attached")
    assert page.locator(".toast").count() == 0
