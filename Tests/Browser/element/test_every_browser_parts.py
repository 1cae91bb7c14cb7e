"""Parts that come after the photos, where the line is lost or stalls while they are fetched: in each engine they come when it is back,
without a reload, and until then the page says so. What was wished for meanwhile is done if it is back soon."""

import threading

import pytest
from engines import NETWORK, Line
from engines.line import REQUEST
from engines.processes import poll

from fake_server import SECURITY_POLICY
from long_list import MILLION, QUERY
from sheet import Sheet

MISSING = "A part of this page has not come yet. It works as soon as it is here."
LOST = "A part of this page could not be fetched. Reload the page to go on. Reload"
COMPLETE = "() => document.body !== null && 'complete' in document.body.dataset"
SHOWN = "() => document.getElementById('photos')?.count === 24"
STYLED = "() => getComputedStyle(document.documentElement).getPropertyValue('--ll-has-reordering') !== ''"
TOASTS = "() => [...document.querySelectorAll('.toast')].map(one => one.innerText.trim().replace(/\\s+/g, ' '))"
SAYS = f"text => ({TOASTS})().includes(text)"
SILENT = f"() => ({TOASTS})().length === 0"
AWAY = (*NETWORK, "error loading", "Importing a module", "EventSource", "connection", "module", "is missing", "cancelled")


class Fuse(Line):
    """A line that is cut, or stalls, when a path is asked for the first time; or holds that request alone."""

    def __init__(self, port, path=None, trouble="cut"):
        self.path, self.trouble = path, trouble
        self._let_go = threading.Event()
        super().__init__(port)

    def hold(self):
        pass

    def restore(self):
        self._let_go.set()
        super().restore()

    def close(self):
        self._let_go.set()
        super().close()

    def passing(self, data, is_request):
        super().passing(data, is_request)
        if is_request and self.path and (asked := REQUEST.match(data)) and asked[0].decode().split("?")[0] == f"GET {self.path}":
            getattr(self, self.trouble)()
            self.path = None  # after it: a test that saw this first would mend a line that then stalls for good
            self._flows.wait()
            if self.trouble == "cut":
                raise OSError("cut")
            if self.trouble == "hold":
                self._let_go.wait()


@pytest.fixture
def line(browser, server):
    """Makes the one line of a test: `line(path, trouble)`."""
    browser.expect_errors(*AWAY)
    lines = []

    def line(*fuse):
        lines.append(Fuse(server.server_address[1], *fuse))
        return lines[-1]

    yield line
    for one in lines:
        one.close()


def open_sheet(browser, server, line):
    Sheet(server, 24)
    page = browser.open(f"{line.url}/albums/a")
    page.wait_for(SHOWN)
    page.evaluate("() => { window.isSame = true; }")
    return page


def photo(identity):
    return f"#photos a.open[data-photo='{identity}']"


def everything_works(page, server):
    page.wait_for(COMPLETE)
    page.wait_for(STYLED)
    page.wait_for(SILENT)
    page.drag(photo("p6"), photo("p0"), offset=(-40, 0))
    assert server.wait_for_posts(1, "/api/albums/a/moves")[-1]["body"]["ids"] == ["p6"]
    page.evaluate("() => document.querySelectorAll('#photos [role=gridcell]')[2].focus()")
    page.key("Alt+ArrowRight")
    server.wait_for_posts(2, "/api/albums/a/moves")
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


# Wanted itself; imported by one that is wanted; of the element, and what that imports.
@pytest.mark.parametrize("path", [
    "/assets/edit-mode.js", "/assets/zips.js", "/live-list/reordering.js", "/live-list/moving/drag.js",
    "/live-list/network/outbox.js"])
def test_what_was_lost_with_the_line_comes_when_it_is_back(browser, server, line, path):
    way = line(path)
    page = open_sheet(browser, server, way)
    page.wait_for(SAYS, MISSING)
    way.restore()
    everything_works(page, server)


def test_what_stalls_is_told_and_comes(browser, server, line):
    way = line("/live-list/reordering.js", "stall")
    page = open_sheet(browser, server, way)
    page.wait_for(SAYS, MISSING, timeout=12)
    way.restore()
    everything_works(page, server)


def test_a_line_that_was_lost_before_the_photos_were_there_shows_them_when_it_is_back(browser, server, line):
    way = line("/api/albums/a/stream")
    Sheet(server, 24)
    page = browser.open(f"{way.url}/albums/a")
    page.wait_for("() => document.getElementById('connection')?.checkVisibility()")
    page.evaluate("() => { window.isSame = true; }")
    way.restore()
    page.wait_for(SHOWN)
    everything_works(page, server)


def test_what_keeps_changes_beyond_the_page_comes_too(browser, server, line):
    way = line("/live-list/network/outbox-store.js")
    page = open_sheet(browser, server, way)
    page.wait_for("() => document.getElementById('photos').dataset.state === 'reconnecting'")
    way.restore()
    page.wait_for(COMPLETE)
    browser.expect_errors("503")
    server.answer("/api/albums/a/moves", lambda body, query: (503, {}))
    page.drag(photo("p6"), photo("p0"), offset=(-40, 0))
    page.wait_visible("#unsaved")
    page.wait_for("""() => new Promise(done => {
      const asked = indexedDB.open('contact-sheet-changes');
      asked.onupgradeneeded = () => asked.transaction.abort();
      asked.onerror = () => done(0);
      asked.onsuccess = () => {
        const all = asked.result.transaction('mutations').objectStore('mutations').count();
        all.onsuccess = () => { asked.result.close(); done(all.result); };
      };
    })""")
    server.answer("/api/albums/a/moves", lambda body, query: (204, None))
    page.wait_hidden("#unsaved", timeout=40)


WISHES = {
    "select": (lambda page: page.click("#select"), "#done"),
    "menu": (lambda page: page.click("#more"), ".ll-menu"),
    "new album": (lambda page: page.click("#new-album"), "dialog.ask[open]"),
    "photo": (lambda page: page.click(photo("p1")), "#viewer[open]"),
    "menu of a photo": (lambda page: page.right_click(photo("p1")), ".ll-menu"),
}


@pytest.mark.parametrize("wish", WISHES)
def test_a_wish_is_done_when_the_line_is_soon_back(browser, server, line, wish):
    way = line("/assets/nothing-left.js")
    page = open_sheet(browser, server, way)
    page.wait_for(SAYS, MISSING)
    wish_for, done = WISHES[wish]
    wish_for(page)
    way.restore()
    page.wait_visible(done)
    page.wait_for(COMPLETE)
    page.wait_for(SILENT)


def test_what_is_missing_is_said_once(browser, server, line):
    way = line("/assets/menu.js")
    page = open_sheet(browser, server, way)
    page.wait_for(SAYS, MISSING)
    page.evaluate("""() => {
      window.said = 0;
      new MutationObserver(() => { window.said++; }).observe(document.getElementById('toasts'), { childList: true });
    }""")
    page.click("#more")
    page.click("#select")
    page.evaluate("() => document.querySelectorAll('#photos [role=gridcell]')[2].focus()")
    page.key("Alt+ArrowRight")
    page.wait_for("() => document.getElementById('photos').dataset.state === 'reconnecting'")
    assert page.evaluate("() => window.said") == 0 and page.evaluate(TOASTS) == [MISSING]
    way.restore()
    page.wait_for(COMPLETE)
    page.wait_for(SILENT)


def test_what_the_server_never_gives_is_told_with_an_offer_to_reload(browser, server, line):
    browser.expect_errors("404")
    server.answer("GET /assets/edit-mode.js", lambda body, query: (404, {}))
    page = open_sheet(browser, server, line())
    page.wait_for(SAYS, MISSING)
    page.wait_for(SAYS, LOST, timeout=30)
    page.click(".toast button :: Reload")
    page.wait_for("() => !window.isSame")
    # Only now: before, it would come by itself, and take the offer with it.
    server.answers.pop("GET /assets/edit-mode.js")
    page.wait_for(COMPLETE)


# The element alone

@pytest.fixture
def open_list(browser, server, line):
    """Opens a page with a list of ten, by a line; what its parts lack is in `missing`."""
    order = [f"c{n}" for n in range(10)]
    frame = {
        "format": 1, "kind": "snapshot", "epoch": "e", "seq": 1, "sections": [{"id": "", "items": order}],
        "content": {one: {"title": f"Chore {one[1:]}"} for one in order}}
    server.stream("/stream").on_open = lambda since: [] if since else [frame]
    server.answer("/moves", lambda body, query: (200, {"changed": True}))

    def open_list(*fuse):
        way = line(*fuse)
        server.pages["/list.js"] = (b"""
          window.missing = [];
          addEventListener('live-list-missing', ({ detail }) => { missing = detail.missing; });
          const { LiveList } = await import('/live-list/live-list.js');
          const list = Object.assign(new LiveList(), { id: 'list', renderer: (cell, content) => (cell.textContent = content?.title) });
          for (const [name, value] of [['src', '/stream'], ['moves', '/moves']]) list.setAttribute(name, value);
          document.body.append(list);
          window.isSame = true;
        """, "text/javascript")
        server.pages["/list.css"] = (b"live-list { height: 400px; --ll-columns: 1; --ll-row-height: 30 }", "text/css")
        server.pages["/list"] = (
            b'<!DOCTYPE html><html lang="en"><title>A list</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/list.css">'
            # A script waits for style sheets before it: rows are visible, whatever its part takes with it.
            b'<link rel="stylesheet" href="/live-list/live-list.css">'
            b'<script type="module" src="/list.js"></script><body></body></html>', "text/html; charset=utf-8")
        page = browser.open(f"{way.url}/list")
        page.wait_for("() => document.getElementById('list')?.count === 10")
        page.evaluate("() => { list.reorder = true; }")
        return page, way

    return open_list


def row(number):
    return f"#list [data-ll-row=item] :: Chore {number}"


def list_works(page, server):
    page.wait_for("() => missing.length === 0 && list.dataset.state === 'connected'")
    page.wait_for(STYLED)
    page.wait_for("() => getComputedStyle(document.querySelector('.ll-canvas > *')).position === 'absolute'")
    page.right_click(row(3))
    page.click(".ll-menu [role=menuitem] :: Move to start")
    assert server.wait_for_posts(1, "/moves")[-1]["body"]["ids"] == ["c3"]
    page.wait_for("() => list.ids(0, 1)[0] === 'c3'")
    page.drag(row(6), row(3), offset=(0, -10))
    assert server.wait_for_posts(2, "/moves")[-1]["body"]["ids"] == ["c6"]
    page.evaluate("() => list.focusItem('c8')")
    page.key("Alt+ArrowUp")
    assert server.wait_for_posts(3, "/moves")[-1]["body"]["ids"] == ["c8"]
    assert page.evaluate("() => window.isSame")


@pytest.mark.parametrize("trouble", ["cut", "stall"])
@pytest.mark.parametrize("path", ["reordering.js", "moving/slots.js", "view/keyboard.js", "network/sending.js"])
def test_a_part_of_the_element_that_was_lost_is_told_and_comes(open_list, server, path, trouble):
    page, way = open_list(f"/live-list/{path}", trouble)
    part = "reordering" if "slots" in path else path.removesuffix(".js")
    page.wait_for("part => missing.includes(part)", part)
    way.restore()
    list_works(page, server)


# A wish is given up after ten seconds, which a machine with much to do may take for what a test does in the meantime.
WISHES_STAY = "() => { const now = Date.now(); Date.now = () => now; }"


def test_keys_that_wait_for_their_part_go_on_from_one_another(open_list, server):
    """Each is for the item that those before it lead to, and not for that which had the focus when the part was not there."""
    page, way = open_list("/live-list/view/keyboard.js", "stall")
    page.evaluate("() => { Object.assign(list, { selectable: true, deletes: '/deletes' }); }")
    page.evaluate(WISHES_STAY)
    page.click(row(1))
    for key in ("ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown", "Delete", "ArrowDown"):
        page.key(key)
    # What was clicked meanwhile counts from there.
    page.click(row(8))
    page.key("ArrowUp")
    page.key("Delete")
    way.restore()
    posts = server.wait_for_posts(2, "/deletes")
    assert [one["body"]["ids"] for one in posts] == [["c2", "c3", "c4"], ["c7"]]


def draw(page):
    """A rectangle from the gap beside the first photo over the second."""
    x, y, width, height, gap = page.evaluate("""() => {
      const [before, row] = ['p0', 'p1'].map((id) => document.querySelector(`#photos a.open[data-photo='${id}']`).closest('[role=row]'));
      const { x, y, width, height } = row.getBoundingClientRect();
      return [x, y, width, height, x - before.getBoundingClientRect().right] }""")
    page.move(x - gap / 2, y + 10)
    page.press()
    page.move(x + 20, y + 20, steps=2)
    page.move(x + width / 2, y + height / 2, steps=4)
    page.release()


def delete_and_undo(page):
    page.evaluate("() => { photos.focusItem('p3'); }")
    page.key("Delete")
    page.key("Control+z")


EARLY = {
    "rectangle": ("/live-list/view/marquee.js", draw, "() => photos.selection.join() === 'p1'"),
    "drag": ("/live-list/moving/drag.js", lambda page: page.drag(photo("p6"), photo("p0"), offset=(-40, 0)),
             "() => photos.ids(0, 1)[0] === 'p6'"),
    "drop on an album": ("/live-list/moving/drag.js", lambda page: page.drag(photo("p6"), "#albums [data-album='b']"),
                         "() => photos.indexOf('p6') < 0"),
    "rectangle and Delete": ("/live-list/view/marquee.js", lambda page: (draw(page), page.key("Delete")),
                             "() => photos.count === 23 && photos.indexOf('p1') < 0"),
    "Delete and Control+z": ("/live-list/view/keyboard.js", delete_and_undo,
                             "() => photos.count === 24 && (document.querySelector('.toast')?.innerText ?? '').startsWith('Undone')"),
    "size": ("/assets/size-gestures.js", lambda page: page.key("+"), "() => photos.style.getPropertyValue('--ll-tile') !== ''"),
    "photo": ("/assets/viewer.js", lambda page: (page.click(photo("p1")), page.key("ArrowRight"), page.key("End")),
              "() => document.querySelector('#viewer[open] .caption small')?.textContent === '24 of 24'"),
    "photo before its keys": ("/live-list/view/keyboard.js", lambda page: (page.click(photo("p1")), page.key("ArrowRight")),
                              "() => document.querySelector('#viewer[open] .caption small')?.textContent === '3 of 24'"),
}


@pytest.mark.parametrize("gesture", EARLY)
def test_what_is_done_before_its_part_is_there_is_done_when_it_comes(browser, server, line, gesture):
    path, do, done = EARLY[gesture]
    # The albums' list may ask for a part before the photos are there, which are to come all the same.
    way = line(path, "hold")
    page = open_sheet(browser, server, way)
    page.evaluate("() => { window.photos = document.getElementById('photos'); }")
    page.evaluate(WISHES_STAY)
    if gesture.startswith("dr"):
        page.wait_for("() => photos.reorder")
    do(page)
    poll(lambda: way.path is None, f"{path} to be asked for")
    way.restore()
    page.wait_for(done)
    assert page.evaluate("() => window.isSame")


TAKEN = """() => {
  window.taken = [];
  const note = ({ type, key = type, defaultPrevented }) => ['Alt', 'Shift'].includes(key) || taken.push([key, defaultPrevented]);
  for (const type of ['keydown', 'contextmenu']) addEventListener(type, note);
  list.focusItem('c3');
}"""


@pytest.mark.parametrize("path", ["reordering.js", "moving/key-moves.js", "view/keyboard.js"])
def test_keys_that_move_are_taken_at_once_and_done_when_their_part_comes(open_list, server, path):
    page, way = open_list(f"/live-list/{path}")
    page.wait_for("() => missing.length > 0")
    page.evaluate(WISHES_STAY)
    page.evaluate(TAKEN)
    for _ in range(2):
        page.key("Alt+ArrowDown")
    # Else Alt and an arrow go to another page in the history.
    assert page.evaluate("() => taken") == [["ArrowDown", True]] * 2
    way.restore()
    sent = server.wait_for_posts(1, "/moves")[-1]["body"]
    assert (sent["ids"], sent["after"]) == (["c3"], "c5")
    page.wait_for("() => missing.length === 0")
    assert len(server.wait_for_posts(1, "/moves")) == 1 and page.evaluate("() => window.isSame")


def test_keys_are_taken_before_what_deals_with_them_is_there(open_list):
    page, way = open_list("/live-list/view/keyboard.js")
    page.wait_for("() => missing.length > 0")
    page.evaluate(TAKEN)
    for key in ("ArrowDown", "ArrowDown", "End", "ArrowUp"):
        page.key(key)
    assert page.evaluate("() => taken") == [["ArrowDown", True], ["ArrowDown", True], ["End", True], ["ArrowUp", True]]
    way.restore()
    page.wait_for("() => document.activeElement?.textContent === 'Chore 8'")


def test_the_lists_menu_opens_when_it_is_there_and_not_the_browsers_own(open_list):
    page, way = open_list("/live-list/view/keyboard.js")
    page.wait_for("() => missing.length > 0")
    page.evaluate(TAKEN)
    page.right_click(row(2))
    assert page.evaluate("() => taken") == [["contextmenu", True]]
    way.restore()
    page.wait_visible(".ll-menu")


def test_a_style_sheet_of_the_element_that_was_lost_comes(open_list, server):
    page, way = open_list("/live-list/reordering.css")
    page.wait_for("() => list.dataset.state === 'reconnecting'")
    way.restore()
    list_works(page, server)


def test_a_part_is_had_where_the_policy_forbids_to_fetch_files(open_list, browser, server):
    """Then it is imported without being looked for, as there is nothing else to do."""
    browser.expect_errors("connect-src", "Content-Security-Policy", "Content Security Policy", "Refused to connect")
    server.policy = f"{SECURITY_POLICY}; connect-src http://127.0.0.1:*/stream http://127.0.0.1:*/moves"
    page, _ = open_list()
    list_works(page, server)


def test_all_of_a_long_list_that_cannot_be_selected_now_is_told_and_selected_later(browser, server, long, line):
    way = line()
    page = browser.open(f"{way.url}/Tests/Browser/element/pages/grid.html?{QUERY}")
    page.wait_for("() => window.ready && list.isLoaded && list.dataset.state === 'connected'")
    page.evaluate("() => { window.missing = []; addEventListener('live-list-missing', ({ detail }) => { missing = detail.missing; }); }")
    way.cut()
    page.evaluate("() => list.selectAll()")
    page.wait_for("() => missing.includes('long-lists/all-except')")
    way.restore()
    page.wait_for("count => list.selectionCount === count", MILLION)
    page.wait_for("() => missing.length === 0")
