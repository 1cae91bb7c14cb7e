"""Albums are made, renamed, filled, opened and deleted."""

import urllib.error
import urllib.request

import pytest
from conftest import TITLES
from sheetpage import (
    READY, album_id, albums, answer, at_rest, choose, menu_of, more, photo, titles, toast, wait_albums, wait_count,
    wait_titles)


def test_an_album_is_made_and_opens(page):
    wait_albums(page, ["My photos"])
    page.click("#new-album")
    answer(page, "Summer")
    page.wait_for("() => document.title.startsWith('Summer')")
    page.wait_for(READY)
    page.wait_visible("h2 :: No photos yet")
    wait_albums(page, ["My photos", "Summer"])


def test_a_dialog_that_is_cancelled_does_nothing(page):
    page.click("#new-album")
    answer(page, "Winter", button="Cancel")
    page.click("#new-album")
    page.wait_visible("dialog[open]")
    page.key("Escape")
    page.wait_for("() => !document.querySelector('dialog[open]')")
    assert "Winter" not in albums(page)


def test_an_album_is_opened_by_a_click(page):
    page.click("#albums .album :: My photos")
    page.wait_for("() => document.title.startsWith('My photos')")
    page.wait_for(READY)
    wait_titles(page, TITLES)


def test_a_photo_is_dropped_on_an_album(page):
    wait_albums(page, ["My photos", "Summer"])
    at_rest(page)
    page.drag(photo("Photo 02"), "#albums .album :: Summer")
    wait_count(page, 29)
    toast(page, "moved to “Summer”")
    at_rest(page)
    page.key("Control+z")
    wait_titles(page, TITLES)
    at_rest(page)


def test_an_album_is_chosen_among_many(page, chapter):
    for number in range(1, 41):
        chapter.server.post("/api/albums", {"title": f"Box {number:02}"})
    page.wait_for("() => document.getElementById('albums').count === 42")
    menu_of(page, "Photo 03")
    choose(page, "Move to album…")
    page.wait_for("() => document.activeElement.matches('dialog[open] input')")
    page.type("box 37")
    page.wait_for("() => document.querySelectorAll('dialog[open] [role=option]').length === 1")
    box = page.box("dialog[open] [role=option] :: Box 37")
    assert 0 < box.y < page.evaluate("() => innerHeight")
    page.key("Enter")
    wait_count(page, 29)
    toast(page, "moved to “Box 37”")
    at_rest(page)
    page.key("Control+z")
    wait_titles(page, TITLES)


def test_an_album_is_made_on_the_way(page):
    at_rest(page)
    menu_of(page, "Photo 03")
    choose(page, "Move to album…")
    page.wait_for("() => document.activeElement.matches('dialog[open] input')")
    page.type("Quite new")
    page.click("dialog[open] button :: New album “Quite new”…")
    page.wait_for("() => document.activeElement.value === 'Quite new'")
    page.key("Enter")
    wait_count(page, 29)
    page.wait_for("() => document.getElementById('albums').count === 43")
    at_rest(page)
    page.key("Control+z")
    wait_titles(page, TITLES)


def test_an_album_is_renamed(page):
    more(page, "Rename album…")
    answer(page, "Été")
    page.wait_for("() => document.title.startsWith('Été')")
    page.wait_for("() => document.getElementById('title').textContent === 'Été'")
    assert albums(page)[0] == "Été"
    page.right_click("#albums .album :: Summer")
    choose(page, "Rename…")
    answer(page, "Autumn", button="Rename")
    page.wait_for("""() => { const list = document.getElementById('albums');
        return list.ids().some(id => list.contentOf(id)?.title === 'Autumn') }""")


def test_an_album_far_down_the_list_is_in_view_when_it_is_open(page, chapter):
    identity = album_id(page, "Box 40")
    page.goto(f"{chapter.server.url}/albums/{identity}")
    page.wait_for(READY)
    page.wait_for("""() => { const one = document.querySelector('#albums [aria-current=page]')?.getBoundingClientRect();
        return one && one.top >= 0 && one.bottom <= innerHeight }""")


def test_an_album_is_a_link(page, chapter):
    identity = album_id(page, "Autumn")
    page.evaluate("() => { document.getElementById('albums').scrollTop = 0 }")
    page.wait_for("id => document.querySelector(`#albums a[href$='/albums/${id}']`)?.textContent.includes('Autumn')", identity)


def test_an_album_is_deleted_after_a_question(page):
    page.evaluate("() => { document.getElementById('albums').scrollTop = 0 }")
    page.right_click("#albums .album :: Autumn")
    choose(page, "Delete…")
    answer(page, button="Cancel")
    assert "Autumn" in albums(page)
    page.right_click("#albums .album :: Autumn")
    choose(page, "Delete…")
    answer(page, button="Delete album")
    page.wait_for("""() => { const list = document.getElementById('albums');
        return !list.ids().some(id => list.contentOf(id)?.title === 'Autumn') }""")


def test_the_album_that_is_open_is_deleted(page):
    wait_albums(page, albums(page))
    more(page, "Delete album…")
    answer(page, button="Delete album")
    page.wait_for("() => document.title.startsWith('Été')")
    page.wait_for(READY)
    assert titles(page) == TITLES


def test_the_trash_is_emptied_after_a_question(page):
    menu_of(page, "Photo 30") if page.is_visible(photo("Photo 30")) else menu_of(page, "Photo 01")
    choose(page, "Delete")
    wait_count(page, 29)
    at_rest(page)
    page.click("#trash")
    page.wait_for_url("/trash")
    page.wait_for("() => document.getElementById('photos')?.isLoaded && 'complete' in document.body.dataset")
    page.click("#empty-trash")
    answer(page, button="Empty trash")
    toast(page, "The trash is empty")
    page.back()
    page.wait_for(READY)


@pytest.mark.parametrize("path", ["/albums/00000000-0000-4000-8000-000000000000", "/nowhere"])
def test_an_unknown_address_is_a_page_that_leads_back(chapter, path):
    # The list as it was may come before what has changed since: then a photo that is no more is asked for.
    # Firefox says of a picture that it is corrupt where its page is closed while it comes.
    chapter.browser.expect_errors("404", "/thumbnails/", "Image corrupt or truncated")
    page = chapter.browser.open()
    page.goto(chapter.server.url + path)
    assert "{" not in page.evaluate("() => document.body.textContent")
    page.click("a :: Go to the albums")
    page.wait_for(READY)
    page.close()
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(chapter.server.url + path, timeout=10)
