"""Parts of the page that come after the photos, where the line is lost while they are fetched: in each engine they come when it
is back, without a reload, and until then the page says so."""

import pytest
from engines import NETWORK, Line
from engines.line import REQUEST

from long_list import MILLION, QUERY
from sheet import Sheet

MISSING = "A part of this page could not be fetched. It works when the server is back."
COMPLETE = "() => document.body !== null && 'complete' in document.body.dataset"
SHOWN = "() => document.getElementById('photos')?.count === 24"
STYLED = "() => getComputedStyle(document.documentElement).getPropertyValue('--ll-has-reordering') !== ''"
TOASTS = "() => [...document.querySelectorAll('.toast')].map(one => one.innerText.trim().replace(/\\s+/g, ' '))"


class Fuse(Line):
    """A line that is cut, or stalls, when a path is asked for the first time."""

    def __init__(self, port, path, trouble):
        self.path, self.trouble = path, trouble
        super().__init__(port)

    def passing(self, data, is_request):
        super().passing(data, is_request)
        if is_request and self.path and (asked := REQUEST.match(data)) and asked[0].decode().split("?")[0] == f"GET {self.path}":
            self.path = None
            getattr(self, self.trouble)()
            self._flows.wait()
            if self.trouble == "cut":
                raise OSError("cut")


@pytest.fixture
def open_sheet(browser, server):
    browser.expect_errors(*NETWORK, "Failed", "error loading", "Importing a module", "EventSource", "connection", "500", "Load", "module", "missing")
    lines = []

    def open_sheet(path, trouble="cut"):
        line = Fuse(server.server_address[1], path, trouble)
        lines.append(line)
        Sheet(server, 24)
        page = browser.open(f"{line.url}/albums/a")
        page.wait_for(SHOWN)
        page.evaluate("() => { window.isSame = true; }")
        return page, line

    yield open_sheet
    for line in lines:
        line.close()


def photo(identity):
    return f"#photos a.open[data-photo='{identity}']"


# Wanted itself; imported by one that is wanted; of the element, and what that imports.
@pytest.mark.parametrize("path", ["/assets/edit-mode.js", "/assets/zips.js", "/live-list/reordering.js", "/live-list/drag.js", "/live-list/outbox.js"])
def test_what_was_lost_with_the_line_comes_when_it_is_back(open_sheet, server, path):
    page, line = open_sheet(path)
    page.wait_for(f"text => ({TOASTS})().includes(text)", MISSING)
    line.restore()
    page.wait_for(COMPLETE)
    page.wait_for(STYLED)
    page.wait_for(f"() => ({TOASTS})().length === 0")
    page.drag(photo("p6"), photo("p0"), offset=(-40, 0))
    assert server.wait_for_posts(1, "/api/albums/a/moves")[-1]["body"]["ids"] == ["p6"]
    page.click("#select")
    page.wait_visible("#done")
    page.click("#done")
    page.click("#more")
    page.wait_visible(".ll-menu")
    page.key("Escape")
    page.wait_for("() => !document.querySelector('.ll-menu')")
    page.click(photo("p1"))
    page.wait_for("() => document.getElementById('viewer').open")
    assert page.evaluate("() => window.isSame"), "the page was not reloaded"


def test_what_is_tried_while_it_is_missing_is_told_and_works_later(open_sheet, server):
    page, line = open_sheet("/assets/menu.js")
    page.wait_for(f"text => ({TOASTS})().includes(text)", MISSING)
    page.evaluate("() => { document.querySelector('.toast').dataset.old = ''; }")
    page.click("#more")
    page.wait_for("() => document.querySelector('.toast:not([data-old])') !== null")
    line.restore()
    page.wait_for(COMPLETE)
    page.click("#more")
    page.wait_visible(".ll-menu")


def test_a_part_that_stalls_is_told_and_works_when_it_comes(open_sheet):
    page, line = open_sheet("/assets/menu.js", "stall")
    page.click("#more")
    page.wait_for(f"text => ({TOASTS})().includes(text)", MISSING)
    line.restore()
    page.wait_visible(".ll-menu")
    page.wait_for(COMPLETE)
    page.wait_for(f"() => ({TOASTS})().length === 0")


def test_everything_of_a_long_list_that_cannot_be_selected_now_is_told_and_selected_later(browser, server, long):
    browser.expect_errors(*NETWORK, "Failed", "error loading", "Importing a module", "EventSource", "connection", "Load", "module", "missing")
    line = Line(server.server_address[1])
    try:
        page = browser.open(f"{line.url}/Tests/Browser/element/pages/grid.html?{QUERY}")
        page.wait_for("() => window.ready && list.isLoaded && list.dataset.state === 'connected'")
        page.evaluate("() => { window.missing = []; addEventListener('live-list-missing', ({ detail }) => { missing = detail.missing; }); }")
        line.cut()
        page.evaluate("() => list.selectAll()")
        page.wait_for("() => missing.includes('everything')")
        line.restore()
        page.wait_for("() => missing.length === 0")
        page.evaluate("() => list.selectAll()")
        page.wait_for("count => list.selectionCount === count", MILLION)
    finally:
        line.close()


def test_where_asking_again_is_of_no_use_a_reload_is_offered(browser, server):
    browser.expect_errors("500", "Failed", "error loading", "Importing", "module")
    sheet = Sheet(server, 24)
    server.answer("GET /assets/edit-mode.js", lambda body, query: (500, {}))
    loads = []

    def load():
        loads.append(1)
        return sheet.page()

    server.pages["/albums/a"] = (load, "text/html; charset=utf-8")
    page = browser.open(sheet.url)
    page.wait_for("() => sessionStorage.getItem('contact-sheet-reloaded')", timeout=30)
    # It was reloaded by itself, once.
    page.wait_for(f"() => document.body && ({TOASTS})().includes('A part of this page could not be fetched. Reload the page to go on. Reload')")
    assert len(loads) == 2
    page.evaluate("() => { window.isSame = true; }")
    server.answers.pop("GET /assets/edit-mode.js", None)
    page.click(".toast button :: Reload")
    page.wait_for(COMPLETE)
    assert not page.evaluate("() => window.isSame")
