"""Where the focus is when nothing is left that had it, or would get it back: never nowhere."""

import pytest

from sheet import Sheet

COMPLETE = "() => 'complete' in (document.body?.dataset ?? {}) && document.querySelector('#photos').isLoaded"
FOCUSED = """id => { const one = document.activeElement; return one?.id === id && getComputedStyle(one).visibility === 'visible' }"""
# Twice through the frames: a browser takes the focus from what is not seen with the next one.
FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


@pytest.fixture
def sheet(server):
    return Sheet(server, 1, features="undo albums search")


@pytest.fixture
def album(browser, sheet):
    page = browser.open(sheet.url)
    page.wait_for(COMPLETE)
    page.evaluate("() => document.querySelector('#photos').focusIndex(0)")
    return page


def delete_by_key(page, sheet):
    page.key("Delete")


def delete_by_menu(page, sheet):
    page.key("Shift+F10")
    page.click(".ll-menu button :: Delete")


def delete_in_the_viewer(page, sheet):
    page.key("Enter")
    page.wait_visible("#viewer[open]")
    page.key("Delete")


def move_to_another_album(page, sheet):
    page.key("Shift+F10")
    page.click(".ll-menu button :: Move to album…")
    page.click("dialog.picker li :: Family")


def delete_elsewhere(page, sheet):
    with sheet.lock:
        sheet.order.clear()
        sheet.commit(deleted=[["p0", 0, 0]])


def delete_elsewhere_under_the_menu(page, sheet):
    page.key("Shift+F10")
    page.wait_visible(".ll-menu")
    delete_elsewhere(page, sheet)


def delete_elsewhere_under_the_viewer(page, sheet):
    page.key("Enter")
    page.wait_visible("#viewer[open]")
    delete_elsewhere(page, sheet)


WAYS = [delete_by_key, delete_by_menu, delete_in_the_viewer, move_to_another_album, delete_elsewhere, delete_elsewhere_under_the_menu,
        delete_elsewhere_under_the_viewer]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_where_the_last_photo_is_gone_the_focus_is_at_what_says_so(album, sheet, way):
    way(album, sheet)
    album.wait_for("() => document.querySelector('#photos').count === 0")
    album.evaluate(FRAMES)
    album.wait_for(FOCUSED, "empty")
    # Its name is its heading, and the next that Tab reaches is what to do about it.
    assert album.evaluate("() => document.querySelector('#empty').getAttribute('aria-labelledby')") == "empty-title"
    if "elsewhere" in way.__name__:
        with sheet.lock:
            sheet.order.append("p0")
            sheet.commit(inserted=[["p0", 0, 0]])
    else:
        album.key("Control+z")
    album.wait_for("() => document.activeElement.matches('#photos [role=gridcell]')")


def test_where_all_that_a_search_found_is_deleted_the_focus_is_at_what_says_so(album, sheet, server):
    album.click("#search input")
    album.type("beach")
    album.key("Enter")
    album.wait_for("() => document.querySelector('#count').textContent === '1 found'")
    epoch, seq = album.evaluate("() => document.querySelector('#photos').version").split(".")

    def delete(body, query):
        sheet.stream.send({
            "format": 1, "kind": "change", "epoch": epoch, "from": int(seq), "seq": int(seq) + 1, "acts": [body["act"]],
            "items": {"deleted": [["p0", 0, 0]]}})
        return 204, None

    server.answer("/api/albums/a/deletes", delete)
    album.key("ArrowDown")
    album.wait_for("() => document.activeElement.matches('#photos [role=gridcell]')")
    album.key("Delete")
    album.wait_visible("#no-results")
    album.evaluate(FRAMES)
    album.wait_for(FOCUSED, "no-results")


def test_who_types_keeps_the_focus_where_nothing_is_found(album):
    album.click("#search input")
    album.type("nobody")
    album.key("Enter")
    album.wait_visible("#no-results")
    album.evaluate(FRAMES)
    assert album.evaluate("() => document.activeElement.matches('#search input')")


def delete_album_elsewhere(sheet):
    sheet.deleted.add("a")
    frame = sheet.album_list()
    frame["seq"] += 1
    frame["sections"][0]["items"].remove("a")
    sheet.albums.send(frame)
    return frame


CONTROLS = ["#count", "#search", "#select", "#more", "#add", "#select-all", "#done", "#actions", "#empty", "#connection"]


@pytest.mark.parametrize("state", ["grid", "viewer", "selecting"])
def test_of_an_album_that_was_deleted_elsewhere_nothing_is_left_but_the_way_to_another(album, sheet, server, state):
    server.pages["/albums/b"] = (b"<title>Family</title><link rel=icon href=data:,>", "text/html")
    if state == "viewer":
        album.key("Enter")
        album.wait_visible("#viewer[open]")
    elif state == "selecting":
        album.click("#select")
        album.wait_visible("#done")
    else:
        album.key("Delete")
        album.wait_visible(".toast :: ” deleted.")
    frame = delete_album_elsewhere(sheet)
    album.wait_visible("#trouble :: This album has been deleted.")
    album.wait_hidden("#viewer")
    album.evaluate(FRAMES)
    assert not [one for one in CONTROLS if album.is_visible(one)]
    assert not album.is_visible("#photos")
    # Nor is anything said of its photos.
    assert album.evaluate("() => document.querySelector('#toasts').childElementCount + document.querySelector('.ll-status').textContent.length") == 0
    # Another change of the albums is no news.
    frame["seq"] += 1
    sheet.albums.send(frame)
    album.wait_for("() => document.activeElement.matches('#trouble a')")
    album.key("Enter")
    album.wait_for("() => document.title === 'Family'")


@pytest.fixture
def many(browser, server):
    sheet = Sheet(server, 12, features="undo albums titles")
    page = browser.open(sheet.url)
    page.wait_for(COMPLETE)
    return page, sheet


def open_dialog(page, entry):
    if entry == "Rename album…":
        page.click("#more")
    else:
        page.evaluate("() => document.querySelector('#photos').focusIndex(3)")
        page.key("Shift+F10")
    page.click(f".ll-menu button :: {entry}")
    page.wait_visible("dialog:modal")


def close_dialog(page):
    page.key("Escape")
    page.wait_hidden("dialog")
    page.evaluate(FRAMES)


@pytest.mark.parametrize("entry", ["Rename album…", "Rename…", "Move to album…", "Move to position…"])
def test_a_dialog_over_an_album_that_was_deleted_elsewhere_leaves_the_focus_at_the_way_to_another(many, entry):
    page, sheet = many
    open_dialog(page, entry)
    delete_album_elsewhere(sheet)
    page.wait_for("() => document.body.classList.contains('gone')")
    close_dialog(page)
    page.wait_for("() => document.activeElement.matches('#trouble a')")


@pytest.mark.parametrize("entry", ["Rename…", "Move to album…", "Move to position…"])
def test_a_dialog_on_a_photo_that_is_gone_leaves_the_focus_at_the_one_in_its_position(many, entry):
    page, sheet = many
    open_dialog(page, entry)
    with sheet.lock:
        sheet.order.remove("p3")
        sheet.commit(deleted=[["p3", 0, 3]])
    page.wait_for("() => document.querySelector('#photos').count === 11")
    page.evaluate(FRAMES)
    close_dialog(page)
    page.wait_for("() => document.activeElement.querySelector('[data-photo]')?.dataset.photo === 'p4'")


@pytest.mark.parametrize("entry", ["Add to album…", "Move to album…", "Move to position…"])
def test_what_a_dialog_cannot_do_any_more_is_said(many, server, entry):
    page, sheet = many
    if entry == "Add to album…":
        sheet.features += " additions"
        page.reload()
        page.wait_for("() => 'complete' in document.body.dataset && document.querySelector('#photos').count === 12")
    open_dialog(page, entry)
    with sheet.lock:
        sheet.order.remove("p3")
        sheet.commit(deleted=[["p3", 0, 3]])
    page.wait_for("() => document.querySelector('#photos').count === 11")
    if entry == "Move to position…":
        page.key("Enter")
        page.wait_visible(".toast :: Not moved: What you were moving was deleted elsewhere.")
    else:
        page.click("dialog.picker li :: Family")
        page.wait_visible(f".toast :: Not {'added' if entry.startswith('Add') else 'moved'}: the photo is not in this album any more.")
    assert server.posts == []


@pytest.mark.parametrize("way", ["Delete", "Move to album…"])
def test_in_a_narrow_window_the_focus_stays_in_the_bar_when_what_was_selected_is_gone(many, way):
    page, _ = many
    page.resize(450, 700)
    page.click("#select")
    for identity in ("p1", "p2"):
        page.click(f"#photos a.open[data-photo='{identity}']")
    page.click(f"#actions button :: {way}")
    if way == "Move to album…":
        page.click("dialog.picker li :: Family")
    page.wait_for("() => document.querySelector('#photos').count === 10")
    page.evaluate(FRAMES)
    page.wait_for(FOCUSED, "done")
