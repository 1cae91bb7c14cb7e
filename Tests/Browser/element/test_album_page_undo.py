"""Undo over the whole of a tab: after a reload, in another album, in the viewer, and where the server says no."""

import pytest

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
    done = [post["body"]["act"] for post in server.wait_for_posts(3, "/api/albums/a/deletes")]

    def undone():
        # A page that is left before the answer has come leaves its request to the next one, which sends it again.
        return list(dict.fromkeys(post["body"]["undoes"] for post in server.posts if post["path"] == "/api/albums/a/undo"))

    with server.posted:
        assert server.posted.wait_for(lambda: undone() == done[::-1], 10), server.posts
    go(album, "/albums/a")
    album.wait_for(COUNT, 12)
    album.key("Control+z")
    album.wait_for("() => document.querySelector('.ll-status').textContent.includes('Nothing to undo.')")


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
    album.wait_for("() => document.querySelector('.ll-status').textContent.includes('Nothing to undo.')")


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
