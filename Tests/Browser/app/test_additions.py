"""A photo in several albums, in every engine: added by the menu and from a selection, and seen in another window."""

import pytest
from photographs import jpeg
from program import run

READY = """count => { const list = document.getElementById('photos');
  return list?.isLoaded && list.count === count && 'complete' in document.body.dataset }"""
TITLES = "() => { const list = document.getElementById('photos'); return list.ids().map(id => list.contentOf(id).title).join() }"


@pytest.fixture
def albums(server, tmp_path):
    for album, names in {"Iceland": "abc", "Norway": "d"}.items():
        (tmp_path / album).mkdir()
        for name in names:
            jpeg(tmp_path / album / f"{name}.jpg", ord(name), taken=f"2024:05:{ord(name) - 90:02} 10:00:00")
        assert run("import", tmp_path / album, "--album", album, "--data", server.data).returncode == 0
    return {one["title"]: f"{server.url}/albums/{one['id']}" for one in server.json("/api/albums")}


@pytest.fixture
def pages(browser, albums):
    one, other = browser.open(albums["Iceland"]), browser.open(albums["Norway"])
    one.wait_for(READY, 3)
    other.wait_for(READY, 1)
    return one, other


def photo(title):
    return f"#photos .photo[data-title='{title}']"


def menu(page, title, entry):
    page.right_click(photo(title))
    page.click(f".ll-menu > button :: {entry}")


def test_photos_are_added_to_another_album_and_stay_where_they_are(pages, server):
    one, other = pages
    menu(one, "b", "Add to album…")
    one.wait_visible(".picker :: Add 1 photo to")
    one.type("nor")
    one.key("Enter")
    one.wait_visible(".toast :: “b” added to “Norway”.")
    other.wait_for(f"() => ({TITLES})() === 'd,b'")
    assert one.evaluate(TITLES) == "a,b,c"
    # Each has a title of its own.
    menu(other, "b", "Rename…")
    other.key("Control+a")
    other.type("Kite")
    other.key("Enter")
    other.wait_for(f"() => ({TITLES})() === 'd,Kite'")
    assert one.evaluate(TITLES) == "a,b,c"
    # Taken back, the new one is in the trash, and the file stays.
    one.click(".toast button :: Undo")
    other.wait_for(f"() => ({TITLES})() === 'd'")
    assert one.evaluate(TITLES) == "a,b,c"
    assert server.json("/api/trash")["count"] == 1
    server.post("/api/trash/empty", {})
    assert len([path for path in (server.data / "originals").rglob("*") if path.is_file()]) == 4


def test_what_the_album_has_already_is_said(pages):
    one, other = pages
    for said in (".toast :: “a” added to “Norway”.", ".toast :: “Norway” has that photo already."):
        menu(one, "a", "Add to album…")
        one.type("nor")
        one.key("Enter")
        one.wait_visible(said)
    assert other.evaluate(TITLES) == "d,a"
    one.evaluate("() => { const list = document.getElementById('photos'); list.selection = list.ids(); }")
    menu(one, "a", "Add to album…")
    one.type("nor")
    one.key("Enter")
    one.wait_visible(".toast :: 2 photos added to “Norway”, which has the other one already.")
    other.wait_for(f"() => ({TITLES})() === 'd,a,b,c'")


def test_a_selection_is_added_by_fingers(pages):
    one, other = pages
    one.click("#select")
    one.tap(photo("c"))
    one.tap("#add-selected")
    one.wait_visible(".picker")
    one.tap(".picker [role=option] :: Norway")
    other.wait_for(f"() => ({TITLES})() === 'd,c'")


def test_a_selection_is_added_by_keys(pages):
    one, other = pages
    one.activate()
    one.click("#select")
    one.evaluate("() => document.getElementById('photos').focusIndex(0)")
    one.wait_for("() => Boolean(document.activeElement.closest('#photos [aria-rowindex]'))")
    one.key("Control+a")
    one.wait_for("() => document.getElementById('photos').selectionCount === 3")
    one.evaluate("() => document.getElementById('add-selected').focus()")
    one.key("Enter")
    one.wait_visible(".picker")
    one.type("nor")
    one.key("Enter")
    one.wait_visible(".toast :: 3 photos added to “Norway”.")
    other.wait_for(f"() => ({TITLES})() === 'd,a,b,c'")


def test_a_rectangle_by_the_mouse_selects_photos_of_an_album(pages):
    one, _ = pages
    one.activate()
    one.click("#select")
    start, end = one.box(photo("c")), one.box(photo("b"))
    # With the mouse comes the part that draws. From below the photos, where nothing is, up to the middle of the second.
    one.move(*end)
    one.move(start.x, start.y + 300)
    one.wait_for("() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/rectangle.js'))")
    one.evaluate("() => new Promise((done) => setTimeout(done, 50))")
    one.press()
    one.move(end.x, end.y, steps=8)
    one.wait_visible("#photos .ll-marquee")
    one.wait_for("() => document.getElementById('photos').selectionCount === 2")
    one.release()
    one.wait_hidden("#photos .ll-marquee")
    one.click("#delete-selected")
    one.wait_for(f"() => ({TITLES})() === 'a'")


def test_a_title_that_changes_elsewhere_is_seen_where_the_photo_is_open(browser, albums):
    one, other = browser.open(albums["Iceland"]), browser.open(albums["Iceland"])
    for page in (one, other):
        page.wait_for(READY, 3)
    one.click(photo("b"))
    one.wait_visible("#viewer .caption :: b")
    other.activate()
    menu(other, "b", "Rename…")
    other.key("Control+a")
    other.type("Kite")
    other.key("Enter")
    one.wait_for("() => document.querySelector('#viewer .caption bdi').textContent === 'Kite'")
    one.wait_for("() => document.title.startsWith('Kite – ') && document.getElementById('viewer').getAttribute('aria-label') === 'Kite'")
