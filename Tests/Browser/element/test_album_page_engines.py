"""Dialogs, menus and the history, where engines differ: in each of them, with a person's own events."""

import pytest

from sheet import Sheet

READY = """count => { const list = document.getElementById('photos');
  return list?.isLoaded && list.count === count && 'complete' in document.body.dataset }"""
POSITION = """() => { const list = document.getElementById('photos'); const edge = list.getBoundingClientRect().top;
  return [...list.querySelectorAll('.ll-canvas a.open')].map(a => [a.dataset.photo, Math.round(a.getBoundingClientRect().top - edge)])
    .filter(([, top]) => top >= 0).sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))[0] }"""


@pytest.fixture
def sheet(server):
    return Sheet(server, 60, features="undo albums search months export trash titles")


@pytest.fixture
def page(browser, sheet):
    page = browser.open(sheet.url)
    page.wait_for(READY, 60)
    return page


def choose(page, entry):
    page.click(f".ll-menu > button :: {entry}")


def photo(identity):
    return f"#photos a.open[data-photo='{identity}']"


def last_post(server, count, path):
    return server.wait_for_posts(count, path)[-1]


def test_a_title_of_blanks_is_asked_for_again_and_the_dialog_stays(page, server):
    server.answer("POST /api/albums", lambda body, query: (409, {"error": {"message": "x"}}))
    server.answer("PATCH /api/albums/a/photos/p3", lambda body, query: (200, {}))
    page.click("#new-album")
    for title in ("", "   "):
        page.key("Control+a")
        page.type(title) if title else page.key("Delete")
        page.key("Enter")
        assert page.evaluate("() => document.querySelector('.ask[open] input').validationMessage") == "A title is needed."
    page.key("Escape")
    page.wait_for("() => !document.querySelector('.ask')")
    page.right_click(photo("p3"))
    choose(page, "Rename…")
    page.key("Control+a")
    page.type(" ")
    page.click(".ask button :: Rename")
    assert page.evaluate("() => document.querySelector('.ask[open] input').validationMessage") == "A title is needed."
    page.key("Control+a")
    page.type(" Puffin ")
    page.key("Enter")
    assert last_post(server, 1, "/api/albums/a/photos/p3")["body"] == {"title": "Puffin"}
    assert not [post for post in server.posts if post["path"] == "/api/albums"]


def test_every_dialog_does_what_it_asks(page, browser, sheet, server):
    browser.expect_errors("409")
    refuse = lambda body, query: (409, {"error": {"message": "There is one of this name."}})
    server.answer("POST /api/albums", refuse)
    server.answer("PATCH /api/albums/a", refuse)
    server.answer("DELETE /api/albums/b", lambda body, query: (204, None))
    server.answer("PATCH /api/albums/a/photos/p3", refuse)
    # With the key and with the button.
    page.click("#new-album")
    page.type("Faroe")
    page.key("Enter")
    assert last_post(server, 1, "/api/albums")["body"]["title"] == "Faroe"
    page.wait_visible(".ask [role=alert] :: There is one of this name.")
    page.click(".ask button :: Cancel")
    page.click("#more")
    choose(page, "Rename album…")
    page.key("Control+a")
    page.type("Shetland")
    page.click(".ask button :: Rename")
    assert last_post(server, 1, "/api/albums/a")["body"] == {"title": "Shetland"}
    page.wait_visible(".ask [role=alert] :: There is one of this name.")
    page.click(".ask button :: Cancel")
    page.right_click("#albums a[href='/albums/b']")
    choose(page, "Delete…")
    page.click(".ask button :: Delete album")
    assert last_post(server, 1, "/api/albums/b")["method"] == "DELETE"
    page.right_click(photo("p3"))
    choose(page, "Rename…")
    page.key("Control+a")
    page.type("Puffin")
    page.key("Enter")
    assert last_post(server, 1, "/api/albums/a/photos/p3")["body"] == {"title": "Puffin"}
    page.wait_visible(".ask [role=alert] :: There is one of this name.")
    page.click(".ask button :: Cancel")
    page.right_click(photo("p3"))
    choose(page, "Move to position…")
    page.key("Control+a")
    page.type("1")
    page.key("Enter")
    page.wait_for("() => document.getElementById('photos').ids(0, 1)[0] === 'p3'")
    assert last_post(server, 1, "/api/albums/a/moves")["body"]["ids"] == ["p3"]
    # Cancelled, nothing is done.
    sent = len(server.posts)
    page.click("#new-album")
    page.type("Orkney")
    page.click(".ask button :: Cancel")
    page.wait_hidden(".ask")
    page.click("#new-album")
    page.type("Orkney")
    page.key("Escape")
    page.wait_hidden(".ask")
    assert len(server.posts) == sent


def test_the_menu_of_a_right_click_stays_when_the_button_is_let_go(page):
    page.right_click(photo("p0"))
    page.wait_visible(".ll-menu")
    assert page.evaluate("() => document.activeElement.matches('.ll-menu *')")
    page.key("Escape")
    page.wait_hidden(".ll-menu")
    assert page.evaluate("() => document.activeElement.matches('#photos [role=gridcell]')")
    # Another right click opens another menu, a click beside it closes it.
    page.right_click(photo("p0"))
    page.wait_visible(".ll-menu")
    page.right_click("#albums a[href='/albums/c']")
    page.wait_for("() => document.querySelector('.ll-menu')?.ariaLabel === 'Lists'")
    assert page.evaluate("() => document.querySelectorAll('.ll-menu').length") == 1
    page.click("#count")
    page.wait_hidden(".ll-menu")
    page.right_click("#albums a")
    page.wait_visible(".ll-menu")
    choose(page, "Rename…")
    page.wait_visible(".ask")
    page.key("Escape")
    page.wait_hidden(".ask")


def test_an_album_is_chosen_with_keys(page, server):
    page.right_click(photo("p1"))
    choose(page, "Move to album…")
    page.wait_visible(".picker")
    page.type("lis")
    page.wait_for("() => document.querySelectorAll('.picker [role=option]').length === 1")
    page.key("Enter")
    assert last_post(server, 1, "/api/albums/a/transfers")["body"]["album"] == "c"


def test_back_closes_a_photo_and_the_address_leads_to_it(page, browser, sheet):
    page.click(photo("p1"))
    page.wait_visible("#viewer")
    page.wait_for_url("/photos/p1")
    page.key("ArrowRight")
    page.wait_for_url("/photos/p2")
    page.back()
    page.wait_hidden("#viewer")
    page.wait_for("() => location.pathname === '/albums/a'")
    page.forward()
    page.wait_visible("#viewer")
    page.reload()
    page.wait_visible("#viewer")
    page.wait_for(READY, 60)
    page.key("Escape")
    page.wait_hidden("#viewer")
    page.wait_for("() => location.pathname === '/albums/a'")
    other = browser.open(f"{sheet.url}/photos/p1")
    other.wait_visible(".caption :: Dunes")


@pytest.mark.parametrize("way", ["reload", "back"])
def test_a_reload_and_back_keep_the_position(page, server, way):
    page.evaluate("() => { document.getElementById('photos').scrollTop = 633 }")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    before = page.evaluate(POSITION)
    if way == "reload":
        page.evaluate("() => { setTimeout(() => location.reload()) }")
        page.wait_for("() => performance.getEntriesByType('navigation')[0]?.type === 'reload'")
    else:
        page.goto(f"{server.url}/Tests/Browser/element/pages/blank.html")
        page.back()
    page.wait_for(READY, 60)
    page.wait_for(f"([id, top]) => (([now, at]) => now === id && Math.abs(at - top) <= 1)(({POSITION})())", before)


def test_clicks_right_after_a_photo_closes_are_not_swallowed(page):
    for identity in ("p0", "p1", "p2"):
        page.click(photo(identity))
        page.wait_for_url(f"/photos/{identity}")
        page.wait_visible("#viewer")
        page.key("Escape")
        page.wait_for("() => !document.getElementById('viewer').open && !location.pathname.includes('/photos/')")


def test_a_drag_on_a_link_moves_the_photo(page):
    page.drag(photo("p3"), photo("p1"), offset=(-30, 0))
    page.wait_for("() => document.getElementById('photos').ids(0, 3).join() === 'p0,p3,p1'")
    assert page.evaluate("() => location.pathname") == "/albums/a"


def test_a_narrow_window_has_a_drawer_that_holds_the_focus(page):
    page.resize(600, 700)
    page.click("#show-albums")
    page.wait_visible("#sidebar")
    page.wait_for("() => document.activeElement.matches('[data-album]')")
    page.key("Tab", times=4)
    assert page.evaluate("() => document.activeElement === document.body || Boolean(document.activeElement.closest('#sidebar'))")
    page.key("Escape")
    page.wait_hidden("#sidebar")
    assert page.evaluate("() => document.activeElement.id") == "show-albums"


# The viewer

DETAILS = {
    "title": "x", "fileName": "IMG_1.jpg", "format": "jpeg", "width": 120, "height": 120, "bytes": 5_300_000,
    "imported": "2024-06-01T10:00:00Z", "camera": {"camera": "FUJIFILM X-T5", "latitude": 52.5, "longitude": -13.405}}
SHARP = "id => document.querySelector('#viewer .current img.previews')?.src.endsWith(`/previews/${id}`)"


@pytest.fixture
def viewing(browser, server):
    sheet = Sheet(server, 12, features="undo albums titles details")
    server.answer("GET /api/albums/a/photos/p1", lambda body, query: (200, DETAILS))
    page = browser.open(sheet.url)
    page.wait_for(READY, 12)
    page.click(photo("p1"))
    page.wait_for(SHARP, "p1")
    return page


def test_the_viewers_buttons_work_by_mouse_and_by_keys(viewing, server):
    page = viewing
    page.click("#viewer .info")
    for part in ("FUJIFILM X-T5", "52.50000° N, 13.40500° W"):
        page.wait_for("part => document.querySelector('#viewer-info:not([hidden])')?.innerText.includes(part)", part)
    page.key("i")
    page.wait_hidden("#viewer-info")
    page.wait_for("() => { document.querySelector('#viewer .play').focus(); return document.activeElement.matches('.play') }")
    page.key("Enter")
    page.wait_for("() => document.querySelector('#viewer .play').ariaPressed === 'true'")
    page.key("ArrowRight")
    page.wait_for("() => document.querySelector('#viewer .play').ariaPressed === 'false'")
    page.wait_for(SHARP, "p2")
    page.wait_for("() => document.querySelector('#viewer .ll-status').textContent.includes('3 of 12')")
    page.click("#viewer .remove")
    page.wait_for(SHARP, "p3")
    page.click("#viewer .toast button :: Undo")
    page.wait_for(SHARP, "p2")
    page.click("#viewer .tools .move")
    page.wait_visible(".picker")
    page.key("Escape")
    page.wait_for("() => !document.querySelector('.picker')")
    page.click("#viewer .rename")
    page.wait_visible(".ask[open]")
    page.key("Escape")
    page.wait_for("() => !document.querySelector('.ask')")
    page.key("+")
    page.wait_visible("#viewer .stage.zoomed")
    page.key("0")
    page.wait_for("() => !document.querySelector('#viewer .stage.zoomed')")
    page.double_click("#viewer .stage")
    page.wait_visible("#viewer .stage.zoomed")
    page.key("Escape")
    page.wait_hidden("#viewer")


def test_a_finger_goes_from_photo_to_photo_and_down_to_the_album(viewing):
    page = viewing
    page.touch([("down", 500, 300), ("move", 470, 300), ("move", 300, 300), ("move", 200, 300), ("up",)])
    page.wait_for(SHARP, "p2")
    page.touch([("down", 200, 300), ("move", 230, 300), ("move", 400, 300), ("move", 500, 300), ("up",)])
    page.wait_for(SHARP, "p1")
    page.touch([("down", 300, 200), ("move", 300, 240), ("move", 300, 350), ("move", 300, 420), ("up",)])
    page.wait_hidden("#viewer")


def test_over_a_photo_it_is_said_that_changes_are_not_saved(page, browser, server):
    browser.expect_errors("")
    server.answer("POST /api/albums/a/deletes", lambda body, query: (0, None))
    page.click(photo("p3"))
    page.wait_visible("#viewer")
    page.key("Delete")
    page.wait_visible("#viewer #unsaved :: 1 change not saved yet")
    page.key("Escape")
    page.wait_hidden("#viewer")
    page.wait_visible(".bar #unsaved :: 1 change not saved yet")
    order = "() => [...document.querySelector('.bar').children].map(one => one.id).join()"
    assert "connection,unsaved,search" in page.evaluate(order)


@pytest.mark.parametrize("button", ["rename", "move"])
def test_back_leaves_no_question_about_a_photo_behind(page, button):
    page.click(photo("p3"))
    page.wait_visible("#viewer")
    page.click(f"#viewer .{button}")
    page.wait_visible(".ask[open]")
    page.back()
    page.wait_hidden("#viewer")
    page.wait_for("() => !document.querySelector('.ask')")
    page.forward()
    page.wait_visible("#viewer")
    page.key("Escape")
    page.wait_hidden("#viewer")


def test_a_slideshow_begins_and_ends_by_a_finger(page):
    page.tap(photo("p3"))
    page.wait_visible("#viewer .play")
    page.tap("#viewer .play")
    page.wait_for("() => document.querySelector('#viewer .play').ariaPressed === 'true'")
    page.wait_for_url("/photos/p4")
    page.tap((500, 400))
    page.wait_for("() => document.querySelector('#viewer .play').ariaPressed === 'false'")


SCALE = "scale => Math.abs(new DOMMatrix(getComputedStyle(document.querySelector('#viewer .current .frame')).transform).a - scale) < 0.01"


def test_a_photo_is_zoomed_by_keys_a_double_click_and_the_wheel(page):
    page.click(photo("p3"))
    page.wait_visible("#viewer")
    page.wait_for_url("/photos/p3")
    page.key("+")
    page.wait_for(SCALE, 1.5)
    page.key("0")
    page.wait_for(SCALE, 1)
    page.double_click((500, 400))
    page.wait_for(SCALE, 2.5)
    page.double_click((500, 400))
    page.wait_for(SCALE, 1)
    page.wheel((500, 400), -200)
    page.wait_for("() => document.querySelector('#viewer .stage.zoomed') !== null")
    page.key("Escape")
    page.wait_for("() => !document.getElementById('viewer').open")
