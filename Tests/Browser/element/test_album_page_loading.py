"""The page fetches its parts when its photos are on the screen, and loses nothing that is done before they are there."""

import threading

import pytest
from playwright.sync_api import expect

from fake_server import BROWSER_FILES
from gridpage import until
from test_album_page import open_photos, photo, sheet  # noqa: F401  (a fixture)

LATER = ["reordering.js", "drag.js", "viewer.js", "imports.js", "upload-queue.js", "ask.js", "menu.js", "copy-link.js"]


@pytest.fixture
def held(page):
    """A function that lets the later parts through; until it is called they are held up."""
    gate = threading.Event()
    waiting = []

    def hold(route):
        if gate.is_set():
            route.continue_()
        else:
            waiting.append(route)

    for name in LATER:
        page.route(f"**/{name}", hold)

    def let_through():
        gate.set()
        for route in waiting:
            route.continue_()

    return let_through


@pytest.mark.network
def test_photos_are_shown_before_what_is_done_with_them_is_fetched(page, sheet, held):
    names = []
    page.on("request", lambda request: names.append(request.url.rsplit("/", 1)[1]))
    open_photos(page, sheet)
    expect(photo(page, "Dunes")).to_be_visible()
    until(page, "document.getElementById('photos').hasAttribute('reorder')")
    first = names.index(next(name for name in names if name in LATER))
    assert "view.js" in names[:first] and "stream" in " ".join(names[:first])
    assert "complete" not in page.evaluate("({ ...document.body.dataset })")
    held()
    until(page, "'complete' in document.body.dataset")


def test_a_page_is_complete_when_what_moves_has_its_style_sheet(page, sheet, server):
    is_asked, may_come = threading.Event(), threading.Event()

    def answer():
        is_asked.set()
        may_come.wait(60)
        return (BROWSER_FILES / "reordering.css").read_bytes()

    server.pages["/live-list/reordering.css"] = (answer, "text/css")
    open_photos(page, sheet)
    until(page, "document.head.querySelector('link[href$=\"reordering.css\"]')")
    assert is_asked.wait(10)
    page.evaluate("Promise.all([import('/assets/viewer.js'), import('/assets/imports.js')])")
    page.evaluate("() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done))))")
    assert "complete" not in page.evaluate("({ ...document.body.dataset })")
    may_come.set()
    until(page, "'complete' in document.body.dataset")
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--ll-has-reordering')")


@pytest.mark.network
def test_who_does_not_wait_for_the_viewer_gets_it_when_it_is_there(page, sheet, held):
    open_photos(page, sheet)
    photo(page, "Dunes").click(force=True)
    until(page, "document.getElementById('photos').hasAttribute('reorder')")
    expect(page.get_by_role("dialog")).to_be_hidden()
    held()
    expect(page.get_by_role("dialog").locator(".caption")).to_contain_text("Dunes")


@pytest.mark.parametrize("name,role", [("More", "menu"), ("New album", "dialog")])
@pytest.mark.network
def test_who_does_not_wait_for_a_menu_or_a_question_gets_it_when_it_is_there(page, sheet, held, name, role):
    open_photos(page, sheet)
    until(page, "document.getElementById('photos').hasAttribute('reorder')")
    page.get_by_role("button", name=name, exact=True).click()
    expect(page.get_by_role(role)).to_be_hidden()
    held()
    expect(page.get_by_role(role, name=name)).to_be_visible()


@pytest.mark.network
def test_what_is_taken_back_by_a_key_before_undo_is_there_is_so_when_it_is(page, sheet, server):
    waiting = []
    page.route("**/undo.js", lambda route: waiting.append(route))
    open_photos(page, sheet)
    until(page, "document.getElementById('photos').hasAttribute('reorder')")
    page.evaluate("() => { window.taken = []; addEventListener('keydown', ({ key, defaultPrevented }) => taken.push([key, defaultPrevented])); }")
    page.evaluate("document.getElementById('photos').move(['p3'], { before: 'p0' })")
    page.keyboard.press("Control+z")
    assert page.evaluate("taken.at(-1)") == ["z", True]
    for route in waiting:
        route.continue_()
    assert server.wait_for_posts(1, "/api/albums/a/undo")


@pytest.mark.network
def test_files_that_come_before_the_import_is_there_are_imported(page, sheet, held):
    open_photos(page, sheet)
    for name in ("one.jpg", "two.jpg"):
        page.locator("#files").set_input_files([{"name": name, "mimeType": "image/jpeg", "buffer": b"x"}])
    held()
    expect(page.locator("#count")).to_have_text("26 photos")


@pytest.mark.parametrize("part", ["viewer", "menu", "ask"])
@pytest.mark.network
def test_a_part_that_cannot_be_fetched_is_told_and_comes_later(page, sheet, part):
    page.expected_errors.append("net::ERR")
    page.route(f"**/{part}.js", lambda route: route.abort())
    open_photos(page, sheet)
    if part == "viewer":
        photo(page, "Dunes").click(force=True)
    else:
        page.get_by_role("button", name={"menu": "More", "ask": "New album"}[part], exact=True).click()
    expect(page.locator(".toast")).to_have_text("A part of this page has not come yet. It works as soon as it is here.")
    # The rest is there all the same.
    page.get_by_role("button", name="Select", exact=True).click()
    page.get_by_role("button", name="Done", exact=True).click()
    page.unroute(f"**/{part}.js")
    until(page, "'complete' in document.body.dataset")
    expect(page.locator(".toast")).to_have_count(0)
