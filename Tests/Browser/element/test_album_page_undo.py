"""Undo over the whole of a tab: after a reload, in another album, in the viewer, and where the server says no."""

import threading

import pytest

from fake_server import PATIENCE
from sheet import Sheet

COMPLETE = "() => 'complete' in (document.body?.dataset ?? {}) && document.querySelector('#photos').isLoaded"
COUNT = "n => document.querySelector('#photos').count === n"
SHOWN = "title => document.querySelector('#viewer[open] .caption')?.textContent.startsWith(title)"


@pytest.fixture
def sheet(server):
    sheet = Sheet(server, 12, features="undo albums search months trash")
    # Another album at an address of its own, with the same list behind it.
    page = lambda: sheet.page().replace(b'data-album="a"', b'data-album="b"').replace(b"Iceland", b"Family")
    server.pages["/albums/b"] = (page, "text/html; charset=utf-8")
    server.stream("/api/albums/b/stream").on_open = lambda since: [{
        "format": 1, "kind": "snapshot", "epoch": "b", "seq": 1, "sections": [{"id": "", "items": ["o"]}],
        "content": {"o": {**sheet.photos["p0"], "title": "Other"}}}]
    return sheet


@pytest.fixture
def album(browser, sheet):
    page = browser.open(sheet.url)
    page.wait_for(COMPLETE)
    return page


def delete(page, identity):
    page.evaluate("id => { document.querySelector('#photos').delete([id]) }", identity)
    page.wait_for("() => document.querySelector('#photos').pending.length === 0")


def keep_messages(page):
    """Has the messages of what was done stay for a minute more, however long the next page takes."""
    page.evaluate("""() => {
        const [key] = Object.keys(sessionStorage).filter((one) => one.startsWith('contact-sheet-undo'));
        const later = (one) => ({ ...one, at: one.at + 60_000 });
        sessionStorage.setItem(key, JSON.stringify(JSON.parse(sessionStorage.getItem(key)).map(later)));
    }""")


def go(page, path):
    page.evaluate("path => { setTimeout(() => location.assign(path)) }", path)
    page.wait_for(f"path => location.pathname === path && ({COMPLETE})()", path)


def reload(page):
    page.evaluate("() => { window.isOld = true; setTimeout(() => location.reload()) }")
    page.wait_for(f"() => !window.isOld && ({COMPLETE})()")


def test_what_was_done_is_undone_after_a_reload_and_in_another_album(album, sheet, server):
    delete(album, "p3")
    delete(album, "p5")
    delete(album, "p7")
    keep_messages(album)
    reload(album)
    album.click(".toast button :: Undo")
    album.wait_for(COUNT, 10)
    go(album, "/albums/b")
    album.wait_visible(".toast :: deleted in “Iceland”.")
    album.click(".toast button :: Undo")
    album.wait_visible(".toast :: Undone: “")
    album.key("Control+z")
    # A page that is left before an answer has come leaves its request to the next one, which sends it again.
    done = list(dict.fromkeys(post["body"]["act"] for post in server.wait_for_posts(3, "/api/albums/a/deletes")))

    def undone():
        return list(dict.fromkeys(post["body"]["undoes"] for post in server.posts if post["path"] == "/api/albums/a/undo"))

    with server.posted:
        assert server.posted.wait_for(lambda: undone() == done[::-1], PATIENCE), f"done {done}, undone {undone()}"
    go(album, "/albums/a")
    album.wait_for(COUNT, 12)
    album.key("Control+z")
    album.wait_visible(".toast :: Nothing to undo.")


def test_an_undo_that_was_refused_can_be_tried_again(album, sheet, browser, server):
    browser.expect_errors("409")
    delete(album, "p3")
    delete(album, "p5")
    since = "The photo has been deleted since then."
    server.answer("/api/albums/a/undo", lambda body, query: (409, {"error": {"message": since}}))
    album.key("Control+z")
    album.wait_visible(f".toast :: Not undone: {since}")
    server.answer("/api/albums/a/undo", sheet.undo)
    album.click(".toast button :: Try again")
    album.wait_for(COUNT, 11)
    # What is refused is in nobody's way: it is tried after all that was done before it.
    delete(album, "p5")
    refused = server.wait_for_posts(3, "/api/albums/a/deletes")[-1]["body"]["act"]
    is_refusing = True
    server.answer("/api/albums/a/undo", lambda body, query: (409, {"error": {"message": since}})
                  if is_refusing and body["undoes"] == refused else sheet.undo(body, query))
    album.key("Control+z")
    album.wait_visible(f".toast :: Not undone: {since}")
    album.key("Control+z")
    album.wait_for("() => document.querySelector('#photos').indexOf('p3') >= 0")
    is_refusing = False
    album.key("Control+z")
    assert server.wait_for_posts(5, "/api/albums/a/undo")[-1]["body"]["undoes"] == refused
    album.wait_for("() => document.querySelector('#photos').indexOf('p5') >= 0")


def test_an_undo_that_can_never_be_is_not_offered_again(album, browser, server):
    browser.expect_errors("404")
    delete(album, "p3")
    gone = "The photos have been removed for good."
    server.answer("/api/albums/a/undo", lambda body, query: (404, {"error": {"message": gone}}))
    album.key("Control+z")
    album.wait_visible(f".toast :: Not undone: {gone}")
    assert not album.is_visible(".toast button")
    album.key("Control+z")
    album.wait_visible(".toast :: Nothing to undo.")


@pytest.mark.parametrize("way", ["message", "key"])
def test_undo_in_the_viewer_goes_back_to_the_photo(album, way):
    album.evaluate("() => document.querySelector('#photos').focusIndex(3)")
    album.key("Enter")
    album.wait_for(SHOWN, "Lighthouse")
    album.key("Delete")
    album.wait_for(SHOWN, "Harbour")
    album.key("ArrowRight")
    album.wait_for(SHOWN, "Cliffs")
    if way == "key":
        album.key("Control+z")
    else:
        album.click("#viewer .toast button :: Undo")
    album.wait_for(SHOWN, "Lighthouse")
    album.wait_for("() => location.pathname === '/albums/a/photos/p3'")


@pytest.fixture
def titles(sheet, server):
    """Titles of photos and albums, as the server gives and takes them back."""
    sheet.features += " titles"

    def rename(body, query):
        photo = sheet.photos["p3"]
        former, photo["title"] = photo["title"], body["title"]
        return 200, {"id": "p3", "title": body["title"], "former": former}

    def rename_album(body, query):
        former, sheet.title = sheet.title, body["title"]
        return 200, {"id": "a", "title": body["title"], "count": 12, "former": former}

    server.answer("PATCH /api/albums/a/photos/p3", rename)
    server.answer("PATCH /api/albums/a", rename_album)


def send_title(page, title):
    page.wait_visible("dialog.ask[open]")
    page.evaluate("() => { document.querySelector('dialog.ask input').value = ''; }")
    page.type(title)
    page.key("Enter")


def type_title(page, title):
    send_title(page, title)
    page.wait_hidden("dialog.ask")


def test_a_title_is_taken_back_before_what_was_done_earlier(browser, titles, sheet, server):
    album = browser.open(sheet.url)
    album.wait_for(COMPLETE)
    delete(album, "p5")
    album.click("#photos a.open[data-photo='p3']", button="right")
    album.click(".ll-menu button :: Rename…")
    type_title(album, "Kite")
    album.wait_visible(".toast :: Renamed to “Kite”.")
    album.click("#more")
    album.click(".ll-menu button :: Rename album…")
    type_title(album, "Spain")
    album.wait_visible(".toast :: Renamed to “Spain”.")
    album.key("Control+z")
    album.wait_visible(".toast :: Undone: Renamed to “Spain”.")
    album.key("Control+z")
    album.wait_visible(".toast :: Undone: Renamed to “Kite”.")
    album.key("Control+z")
    album.wait_for(COUNT, 12)
    sent = [(post["path"], post["body"]) for post in server.posts if post["method"] == "PATCH"][2:]
    assert sent == [
        ("/api/albums/a", {"title": "Iceland", "former": "Spain"}),
        ("/api/albums/a/photos/p3", {"title": "Lighthouse", "former": "Kite"})]


def test_a_title_that_could_not_be_taken_back_is_still_what_was_done_last(browser, titles, sheet, server):
    album = browser.open(sheet.url)
    album.wait_for(COMPLETE)
    delete(album, "p5")
    album.click("#more")
    album.click(".ll-menu button :: Rename album…")
    type_title(album, "Spain")
    browser.expect_errors("net::ERR", "NetworkError", "Load failed", "network connection", "PATCH", "409", "404")
    answer = server.answers["PATCH /api/albums/a"]
    server.answer("PATCH /api/albums/a", lambda body, query: (0, None))
    album.key("Control+z")
    album.wait_visible(".toast :: Not undone: The server cannot be reached.")
    server.answer("PATCH /api/albums/a", answer)
    album.key("Control+z")
    album.wait_visible(".toast :: Undone: Renamed to “Spain”.")
    assert sheet.title == "Iceland" and not any(post["path"].endswith("/undo") for post in server.posts)


def press_before_the_event(page):
    """Has the key of undo pressed when a dialog has closed, and before the dialog hears of it: it is gone from the screen some time
    before its event, and a browser may pass on a key between the two."""
    page.evaluate("""() => {
        const press = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }));
        addEventListener('close', ({ target }) => target.matches('dialog.ask, .ll-dialog') && press(), { capture: true, once: true });
    }""")


def test_a_key_right_after_a_dialog_takes_back_what_was_done_in_it(browser, titles, sheet, server):
    album = browser.open(sheet.url)
    album.wait_for(COMPLETE)
    delete(album, "p5")
    press_before_the_event(album)
    album.click("#more")
    album.click(".ll-menu button :: Rename album…")
    type_title(album, "Spain")
    album.wait_visible(".toast :: Undone: Renamed to “Spain”.")
    assert sheet.title == "Iceland" and not any(post["path"].endswith("/undo") for post in server.posts)


def test_what_a_dialog_did_that_was_closed_meanwhile_is_told_and_taken_back(browser, titles, sheet, server):
    album = browser.open(sheet.url)
    album.wait_for(COMPLETE)
    delete(album, "p5")
    answer, goes_on = server.answers["PATCH /api/albums/a"], threading.Event()
    server.answer("PATCH /api/albums/a", lambda body, query: answer(body, query) if goes_on.wait(120) else (500, None))
    album.click("#more")
    album.click(".ll-menu button :: Rename album…")
    send_title(album, "Spain")
    server.wait_for_posts(1, "/api/albums/a")
    album.key("Escape")
    album.wait_hidden("dialog.ask")
    goes_on.set()
    album.wait_visible(".toast :: Renamed to “Spain”.")
    album.key("Control+z")
    album.wait_visible(".toast :: Undone: Renamed to “Spain”.")


def test_a_key_right_after_an_album_was_picked_takes_back_the_move_there(album, server):
    delete(album, "p5")
    press_before_the_event(album)
    album.click("#photos a.open[data-photo='p3']", button="right")
    album.click(".ll-menu button :: Move to album…")
    album.click("dialog.picker li :: Family")
    undone = server.wait_for_posts(1, "/api/albums/a/undo")[0]["body"]["undoes"]
    assert undone == server.wait_for_posts(1, "/api/albums/a/transfers")[0]["body"]["act"]


def test_a_key_right_after_a_position_was_given_takes_back_the_move_there(album, server):
    delete(album, "p5")
    press_before_the_event(album)
    album.click("#photos a.open[data-photo='p3']", button="right")
    album.click(".ll-menu button :: Move to position…")
    album.key("Control+a")
    album.type("1")
    album.key("Enter")
    undone = server.wait_for_posts(1, "/api/albums/a/undo")[0]["body"]["undoes"]
    assert undone == server.wait_for_posts(1, "/api/albums/a/moves")[0]["body"]["act"]


def test_a_deleted_album_comes_back(album, server):
    delete(album, "p5")
    server.answer("DELETE /api/albums/b", lambda body, query: (204, None))
    server.answer("POST /api/albums/b/restore", lambda body, query: (200, {"id": "b", "title": "Family", "count": 3}))
    album.click("#albums a[href='/albums/b']", button="right")
    album.click(".ll-menu button :: Delete…")
    album.click("dialog.ask[open] button.primary")
    album.wait_visible(".toast :: “Family” deleted.")
    album.key("Control+z")
    album.wait_visible(".toast :: Undone: “Family” deleted.")
    assert server.wait_for_posts(1, "/api/albums/b/restore")


def test_what_cannot_be_undone_says_so_before_what_was_done_earlier(album, sheet, server):
    delete(album, "p5")
    server.answer("POST /api/albums", lambda body, query: (201, {"id": "b", "title": body["title"], "count": 0}))
    album.click("#new-album")
    type_title(album, "Trip")
    album.wait_for(f"() => location.pathname === '/albums/b' && ({COMPLETE})()")
    album.key("Control+z")
    album.wait_visible(".toast :: “Trip” created. That cannot be undone.")
    assert not any(post["path"].endswith("/undo") for post in server.posts)
    album.key("Control+z")
    album.wait_visible(".toast :: Undone: “")


def test_what_another_album_has_already_stays_and_nothing_else_is_said(album, sheet, server):
    """The server moves what the other album has not."""
    known = {"p3", "p5"}

    def transfer(body, query):
        left = [one for one in body["ids"] if one in known]
        sheet.delete({**body, "ids": [one for one in body["ids"] if one not in known]}, query)
        return 200, {"changed": len(left) < len(body["ids"]), "left": len(left)}

    def move(*ids):
        album.evaluate("ids => { document.querySelector('#photos').selection = ids; }", list(ids))
        album.click(f"#photos a.open[data-photo='{ids[0]}']", button="right")
        album.click(".ll-menu button :: Move to album…")
        album.click("dialog.picker li :: Family")

    server.answer("/api/albums/a/transfers", transfer)
    move("p3")
    album.wait_visible(".toast :: “Family” has that photo already.")
    album.wait_for(COUNT, 12)
    assert album.evaluate("() => [...document.querySelectorAll('.toast')].every((one) => !one.textContent.includes('moved'))")
    move("p4", "p5", "p6")
    album.wait_visible(".toast :: 2 photos moved to “Family”, which has the other one already.")
    album.wait_for(COUNT, 10)
    assert album.evaluate("() => [...document.querySelectorAll('.toast')].filter((one) => one.textContent.includes('moved')).length") == 1
