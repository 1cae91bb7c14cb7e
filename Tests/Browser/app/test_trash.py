"""The trash: its page in every engine, beside an album's in another window."""

import urllib.request

import pytest
from album_page import settle, wait_for_count
from axe_playwright_python.sync_playwright import Axe
from engines.page import NETWORK
from engines.processes import poll
from photographs import jpeg
from program import run

READY = """count => { const list = document.getElementById('photos');
  return list?.isLoaded && list.count === count && 'complete' in document.body.dataset }"""
TITLES = "() => { const list = document.getElementById('photos'); return list.ids().map(id => list.contentOf(id).title).join() }"


class Albums:
    """Two albums, three photos of which are deleted: `b` and `c` of the first, `d` of the second."""

    def __init__(self, server, folder):
        self.server = server
        for album, names in {"Iceland": "abc", "Norway": "de"}.items():
            (folder / album).mkdir()
            for name in names:
                jpeg(folder / album / f"{name}.jpg", ord(name), taken=f"2024:05:{ord(name) - 90:02} 10:00:00")
            assert run("import", folder / album, "--album", album, "--data", server.data).returncode == 0
        self.ids = {one["title"]: one["id"] for one in server.json("/api/albums")}
        self.photos = {}
        for album in ("Iceland", "Norway"):
            rows = server.json(f"/api/albums/{self.ids[album]}/items?from=0&count=9")
            self.photos |= {photo["title"]: identity for identity, photo in rows["content"].items()}
        self.delete("Iceland", "b", "c")
        self.delete("Norway", "d")

    def delete(self, album, *titles):
        mutation_id = f"{len(titles):08d}-0000-4000-8000-{self.photos[titles[0]][-12:]}"
        self.server.post(f"/api/albums/{self.ids[album]}/deletes", {"act": mutation_id, "ids": [self.photos[one] for one in titles]})

    def delete_album(self, album):
        request = urllib.request.Request(
            f"{self.server.url}/api/albums/{self.ids[album]}", method="DELETE", headers={"Origin": self.server.url})
        urllib.request.urlopen(request, timeout=30).read()

    def address(self, album):
        return f"{self.server.url}/albums/{self.ids[album]}"

    def photo(self, title):
        return f"#photos a.open[data-photo='{self.photos[title]}']"

    @property
    def originals(self):
        return len([path for path in (self.server.data / "originals").rglob("*") if path.is_file()])

    def wait_for_originals(self, count):
        """Files go right after the rows whose going the pages are told of."""
        poll(lambda: self.originals == count, lambda: f"{count} originals; there are {self.originals}")


@pytest.fixture
def albums(server, tmp_path):
    (tmp_path / "photos").mkdir()
    return Albums(server, tmp_path / "photos")


@pytest.fixture
def trash(browser, albums, server):
    page = browser.open(f"{server.url}/trash")
    page.wait_for(READY, 3)
    return page


def choose(page, photo, entry):
    page.right_click(photo)
    page.click(f".ll-menu > button :: {entry}")


def test_the_trash_shows_the_deleted_photos_of_all_albums_and_their_days(browser, albums):
    page = browser.open(albums.address("Iceland"))
    page.wait_for(READY, 1)
    page.click("#trash")
    page.wait_for_url("/trash")
    page.wait_for(READY, 3)
    assert sorted(page.evaluate(TITLES).split(",")) == ["b", "c", "d"]
    assert page.evaluate("() => document.getElementById('photos').contentOf(document.getElementById('photos').ids()[0]).title") == "d"
    page.wait_for("() => [...document.querySelectorAll('.photo > .days')].every(one => one.textContent === '30 days left')")
    page.wait_visible("#count :: 3 photos, kept for 30 days each")
    assert page.evaluate("() => document.getElementById('trash').getAttribute('aria-current')") == "page"


def test_one_and_several_go_back_to_their_albums_and_positions_in_two_windows(browser, albums, trash):
    album = browser.open(albums.address("Iceland"))
    album.wait_for(READY, 1)
    choose(trash, albums.photo("b"), "Restore")
    trash.wait_visible(".toast :: Restored “b” to “Iceland”.")
    album.wait_for(f"() => ({TITLES})() === 'a,b'")
    trash.wait_for(READY, 2)
    trash.click(".toast button :: Undo")
    album.wait_for(f"() => ({TITLES})() === 'a'")
    trash.wait_for(READY, 3)
    # Several, of two albums.
    trash.click("#select")
    trash.click(albums.photo("c"))
    trash.click(albums.photo("d"))
    trash.click("#restore-selected")
    trash.wait_visible(".toast :: Restored 2 photos.")
    album.wait_for(f"() => ({TITLES})() === 'a,c'")
    # All that are left; the page says that there is nothing more.
    trash.click("#select-all")
    trash.click("#restore-selected")
    album.wait_for(f"() => ({TITLES})() === 'a,b,c'")
    trash.wait_visible("#empty :: The trash is empty")
    assert not trash.is_visible("#actions")
    # What is deleted in the other window is there at once.
    album.click(albums.photo("c"), modifier="Control")
    album.key("Delete")
    trash.wait_for(READY, 1)


def test_a_photo_whose_album_is_gone_goes_to_one_that_is_chosen(browser, albums, trash):
    albums.delete_album("Norway")
    trash.wait_for(READY, 4)
    choose(trash, albums.photo("d"), "Restore")
    trash.wait_visible(".picker :: The album of “d” has been deleted. Restore to")
    trash.key("Escape")
    trash.wait_hidden(".picker")
    trash.wait_for(READY, 4)
    choose(trash, albums.photo("d"), "Restore")
    trash.type("ice")
    trash.key("Enter")
    trash.wait_visible(".toast :: Restored “d” to “Iceland”.")
    trash.wait_for(READY, 3)
    album = browser.open(albums.address("Iceland"))
    album.wait_for(f"() => document.getElementById('photos')?.isLoaded && ({TITLES})() === 'a,d'")


def test_photos_are_deleted_for_good_when_it_is_meant(browser, albums, trash):
    other = browser.open(f"{albums.server.url}/trash")
    other.wait_for(READY, 3)
    assert albums.originals == 5
    # By the keyboard alone: the focused one.
    trash.evaluate("id => document.getElementById('photos').focusItem(id)", albums.photos["b"])
    trash.key("Delete")
    trash.wait_visible(".ask :: Delete “b” for good?")
    trash.key("Escape")
    trash.wait_hidden(".ask")
    trash.key("Delete")
    trash.click(".ask button :: Delete for good")
    trash.wait_hidden(".ask")
    other.wait_for(READY, 2)
    albums.wait_for_originals(4)
    # By the menu, the other two; what cannot be undone is not offered to be.
    trash.click("#select")
    trash.click("#select-all")
    trash.click("#delete-selected")
    trash.wait_visible(".ask :: Delete 2 photos for good?")
    trash.click(".ask button :: Delete for good")
    other.wait_visible("#empty :: The trash is empty")
    albums.wait_for_originals(2)
    assert not trash.is_visible(".toast button")


def test_emptying_asks_says_why_it_failed_and_is_seen_elsewhere(browser, albums, trash):
    other = browser.open(f"{albums.server.url}/trash")
    other.wait_for(READY, 3)
    trash.click("#empty-trash")
    trash.wait_visible(".ask p :: 3 photos will be removed for good.")
    trash.click(".ask button :: Cancel")
    trash.wait_hidden(".ask")
    trash.click("#empty-trash")
    trash.click(".ask button :: Empty trash")
    trash.wait_visible(".toast :: The trash is empty.")
    for page in (trash, other):
        page.wait_visible("#empty :: Photos that you delete are kept here for 30 days")
    assert trash.evaluate("() => document.getElementById('empty-trash').disabled")
    albums.wait_for_originals(2)
    albums.delete("Iceland", "a")
    trash.wait_for(READY, 1)
    trash.click("#empty-trash")
    trash.wait_visible(".ask p :: 1 photo will be removed for good.")
    browser.expect_errors(*NETWORK)
    albums.server.stop()
    trash.click(".ask button :: Empty trash")
    trash.wait_visible(".ask .failure :: The server cannot be reached. Try again when it is back.")


def test_what_is_not_restored_is_counted_beside_what_is(albums, trash, tmp_path):
    again = run("import", tmp_path / "photos/Iceland/c.jpg", "--album", "Iceland", "--data", albums.server.data)
    assert again.returncode == 0, again.stderr
    trash.click("#select")
    trash.click("#select-all")
    trash.click("#restore-selected")
    trash.wait_visible(".toast :: Restored 2 photos; 1 photo not restored: the album has been deleted, or has the same photo.")
    trash.wait_for(READY, 1)
    assert trash.evaluate("() => document.querySelectorAll('.toast').length") == 1


def test_a_deleted_photo_is_looked_at_and_restored_from_there(browser, albums, trash):
    trash.click(albums.photo("d"))
    trash.wait_visible("#viewer")
    trash.wait_for_url(f"/trash/photos/{albums.photos['d']}")
    trash.back()
    trash.wait_hidden("#viewer")
    trash.forward()
    trash.wait_visible("#viewer .caption :: d")
    trash.key("i")
    trash.wait_for("() => document.querySelector('#viewer-info dl').textContent.includes('d.jpg')")
    trash.key("i")
    trash.click("#viewer .restore")
    trash.wait_for(READY, 2)
    trash.wait_visible("#viewer")
    trash.key("Escape")
    trash.wait_hidden("#viewer")
    # The address leads to a photo, and says so where it is there no more.
    page = browser.open(f"{albums.server.url}/trash/photos/{albums.photos['b']}")
    page.wait_visible("#viewer .caption :: b")
    browser.expect_errors("404")
    page.goto(f"{albums.server.url}/trash/photos/{albums.photos['d']}")
    page.wait_visible(".toast :: That photo is not in the trash any more.")


def test_a_key_takes_a_restore_back_also_after_its_message_has_gone(browser, albums, trash):
    choose(trash, albums.photo("b"), "Restore")
    trash.wait_for(READY, 2)
    trash.wait_visible("#toasts .toast")
    trash.evaluate("() => document.querySelector('#toasts').replaceChildren()")
    trash.evaluate("id => document.getElementById('photos').focusItem(id)", albums.photos["c"])
    trash.key("Control+z")
    trash.wait_for(READY, 3)


def test_the_pages_own_words_are_read_from_the_left_beside_a_title_from_the_right(browser, albums, trash):
    title = "\u05d7\u05d5\u05e3"  # Hebrew
    choose(trash, albums.photo("b"), "Restore")
    trash.wait_for(READY, 2)
    # Not every driver can type it.
    rename = """(path, title) => fetch(path, { method: 'PATCH', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ title }) })
      .then(({ status }) => status)"""
    assert trash.evaluate(rename, f"/api/albums/{albums.ids['Iceland']}/photos/{albums.photos['b']}", title) == 200
    page = browser.open(f"{albums.address('Iceland')}/photos/{albums.photos['b']}")
    page.wait_visible(f"#viewer .caption :: {title}")
    directions = "css => [...document.querySelectorAll(css)].map(one => getComputedStyle(one).direction).join()"
    assert page.evaluate(directions, "#viewer .caption small") == "ltr"
    page.click("#viewer .remove")
    trash.wait_for(f"() => document.querySelector('[data-title=\"{title}\"]') !== null")
    assert trash.evaluate(directions, f"[data-title='{title}'] .days") == "ltr"


def test_fingers_open_select_and_restore(browser, albums, trash):
    trash.resize(390, 800)
    trash.tap(albums.photo("b"))
    trash.wait_visible("#viewer .caption :: b")
    trash.tap("#viewer .close")
    trash.wait_hidden("#viewer")
    trash.tap("#select")
    trash.tap(albums.photo("b"))
    trash.tap("#restore-selected")
    trash.wait_for(READY, 2)


def test_the_trash_says_what_it_holds_to_who_does_not_see_it(browser, albums, trash):
    assert trash.evaluate("() => document.getElementById('photos').ariaLabel") == "Photos in the trash"
    text = trash.evaluate(
        "id => document.querySelector(`a.open[data-photo='${id}']`).closest('[role=gridcell]').textContent", albums.photos["b"])
    assert "30 days left" in text and "Iceland" in text
    choose(trash, albums.photo("c"), "Restore")
    trash.wait_for("() => document.querySelector('#toasts').textContent.includes('Restored “c” to “Iceland”')")


def test_days_left_count_the_one_that_has_begun(browser, albums, trash):
    left = lambda moment: trash.evaluate(
        """async moment => (await import(`${new URL('assets/days-left.js', location.origin + '/')}`)).daysLeft(moment, 0)""", moment)
    assert [left(moment) for moment in
            ["1970-01-01T00:00:01Z", "1970-01-02T00:00:00Z", "1970-01-02T00:00:01Z", "1969-12-01T00:00:00Z"]] == [1, 1, 2, 1]
    assert left(None) is None


@pytest.mark.in_turns(3)
@pytest.mark.parametrize("state", ["idle", "menu", "question", "editing", "viewer", "empty", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_trash(server, open_page, albums, state, scheme):
    options = {"viewport": {"width": 390, "height": 800}} if state == "phone" else {}
    page = open_page(f"{server.url}/trash", color_scheme=scheme, **options)
    wait_for_count(page, 3)
    if state == "menu":
        page.click(albums.photo("b"), button="right")
    elif state == "question":
        page.click("#empty-trash")
    elif state == "editing":
        page.click("#select")
        page.click(albums.photo("b"))
    elif state == "viewer":
        page.click(albums.photo("b"))
    elif state == "empty":
        server.post("/api/trash/empty", {})
        page.wait_for_selector("#empty:not([hidden])")
    settle(page)
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    results = Axe().run(page, options={"runOnly": {"type": "tag", "values": tags}})
    assert not [f"{one['help']}: {[node['html'][:160] for node in one['nodes'][:3]]}" for one in results.response["violations"]]
