"""Each photo has an address; Back closes it; a reload and Back lead to where one was."""

import pytest
from playwright.sync_api import expect

from gridpage import at_rest, frames, until
from sheet import Sheet
from test_album_page import drag, open_album, photo


@pytest.fixture
def sheet(server):
    return Sheet(server, 120)


def viewer(page):
    return page.locator("#viewer")


def at(page, ending):
    page.wait_for_url(lambda url: url.endswith(ending))


def first_seen(page):
    """The photo that is wholly seen first, and how far below the list's upper edge it is."""
    return page.evaluate("""() => {
      const edge = document.getElementById('photos').getBoundingClientRect().top;
      return [...document.querySelectorAll('#photos .ll-canvas a.open')]
        .map((link) => [link.dataset.photo, Math.round(link.getBoundingClientRect().top - edge)])
        .filter(([, top]) => top >= 0).sort((a, b) => a[1] - b[1] || Number(a[0].slice(1)) - Number(b[0].slice(1)))[0];
    }""")


def scroll(page, pixels):
    page.evaluate("(by) => (document.getElementById('photos').scrollTop = by)", pixels)
    frames(page)


def test_a_photo_has_an_address_and_back_closes_it(page, sheet):
    open_album(page, sheet)
    photo(page, "Dunes").click(force=True)
    at(page, "/albums/a/photos/p1")
    expect(viewer(page)).to_be_visible()
    assert page.title() == "Dunes – Iceland – ContactSheet"
    page.keyboard.press("ArrowRight")
    at(page, "/albums/a/photos/p2")
    page.go_back()
    expect(viewer(page)).to_be_hidden()
    at(page, "/albums/a")
    expect(page.locator("#count")).to_have_text("120 photos")
    assert page.title() == "Iceland – ContactSheet"
    page.go_forward()
    expect(viewer(page).locator(".caption")).to_contain_text("Pier")


def test_on_and_back_again_at_once_leaves_no_photo_open_over_the_album(page, sheet):
    open_album(page, sheet)
    photo(page, "Dunes").click(force=True)
    expect(viewer(page)).to_be_visible()
    page.go_back()
    expect(viewer(page)).to_be_hidden()
    # Both steps before the next frame, in which the photo would be opened.
    page.evaluate("""() => new Promise((done) => {
      addEventListener('popstate', () => {
        addEventListener('popstate', () => setTimeout(done), { once: true });
        history.back();
      }, { once: true });
      history.forward();
    })""")
    at(page, "/albums/a")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
    expect(viewer(page)).to_be_hidden()
    at(page, "/albums/a")


def test_closing_a_photo_leaves_no_step_to_it_behind(page, sheet):
    page.goto(f"{sheet.server.url}/Tests/Browser/element/pages/blank.html")
    open_album(page, sheet)
    for title in ("Dunes", "Pier", "Beach"):
        photo(page, title).click(force=True)
        expect(viewer(page)).to_be_visible()
        page.keyboard.press("Escape")
        expect(viewer(page)).to_be_hidden()
        at(page, "/albums/a")
    page.go_back()
    at(page, "blank.html")


def test_one_photo_after_the_other_each_has_its_address(page, sheet):
    """Also where the next is opened before the history has gone back from the last."""
    open_album(page, sheet)
    page.evaluate("""async () => {
      const list = document.getElementById('photos');
      const open = (id) => list.dispatchEvent(new CustomEvent('live-list-activate', { detail: { id } }));
      const later = () => new Promise((done) => setTimeout(done));
      for (const id of ['p1', 'p2', 'p3']) {
        open(id);
        while (!document.getElementById('viewer').open) await later();
        document.querySelector('.viewer .close').click();
      }
      open('p4');
    }""")
    at(page, "/albums/a/photos/p4")
    expect(viewer(page).locator(".caption")).to_contain_text("Harbour")
    page.go_back()
    at(page, "/albums/a")
    expect(viewer(page)).to_be_hidden()


def test_the_address_of_a_photo_opens_it(page, sheet):
    page.goto(f"{sheet.url}/photos/p90")
    expect(viewer(page).locator(".caption")).to_contain_text("91 of 120")
    assert page.url.endswith("/albums/a/photos/p90")
    page.keyboard.press("ArrowRight")
    at(page, "/albums/a/photos/p91")
    page.keyboard.press("Escape")
    expect(viewer(page)).to_be_hidden()
    at(page, "/albums/a")
    assert page.evaluate("document.activeElement.querySelector('a').dataset.photo") == "p91"


def test_a_reload_keeps_the_photo_open_and_back_still_closes_it(page, sheet):
    open_album(page, sheet)
    photo(page, "Dunes").click(force=True)
    at(page, "/albums/a/photos/p1")
    page.reload()
    expect(viewer(page).locator(".caption")).to_contain_text("Dunes")
    page.keyboard.press("Escape")
    at(page, "/albums/a")
    expect(viewer(page)).to_be_hidden()
    expect(page.locator("#count")).to_have_text("120 photos")


def test_the_address_of_a_photo_that_is_gone_says_so_and_shows_the_album(page, sheet, server):
    server.pages["/albums/a/photos/gone"] = (lambda: sheet.page(6), "text/html; charset=utf-8")
    page.goto(f"{sheet.url}/photos/gone")
    expect(page.locator(".toast")).to_contain_text("That photo is not in this album any more.")
    at(page, "/albums/a")
    expect(viewer(page)).to_be_hidden()


def test_the_address_follows_the_photo_that_replaces_a_deleted_one(page, sheet):
    open_album(page, sheet)
    photo(page, "Dunes").click(force=True)
    at(page, "/albums/a/photos/p1")
    page.keyboard.press("Delete")
    at(page, "/albums/a/photos/p2")


@pytest.mark.parametrize("way", ["reload", "back"])
def test_a_reload_and_back_keep_the_position_in_the_list(page, sheet, way):
    open_album(page, sheet)
    scroll(page, 1730)
    identity, top = first_seen(page)
    if way == "back":
        page.goto(f"{sheet.server.url}/Tests/Browser/element/pages/blank.html")
    with sheet.lock:  # what changes above meanwhile does not move it
        for gone in ("p3", "p4", "p5", "p6"):
            sheet.order.remove(gone)
        sheet.seq += 40
    page.reload() if way == "reload" else page.go_back()
    until(page, "document.getElementById('photos').isLoaded")
    frames(page)
    assert page.evaluate("document.getElementById('photos').count") == 116
    seen = page.locator(f"#photos a[data-photo={identity}]").bounding_box()["y"] - page.locator("#photos").bounding_box()["y"]
    assert abs(seen - top) <= 1
    # So does whoever comes by a link, in this tab; in another the album begins at the top.
    page.goto(f"{sheet.server.url}/Tests/Browser/element/pages/blank.html")
    open_album(page, sheet)
    until(page, f"""document.querySelector('#photos a[data-photo={identity}]') && Math.abs({top}
        - document.querySelector('#photos a[data-photo={identity}]').getBoundingClientRect().top
        + document.getElementById('photos').getBoundingClientRect().top) <= 1""")
    other = page.context.new_page()
    open_album(other, sheet)
    assert other.evaluate("document.getElementById('photos').scrollTop") == 0


def test_a_reload_keeps_the_position_while_changes_come_after_the_list_as_it_was(page, sheet):
    """A server may send the album of before and then, one by one, what has changed since."""
    open_album(page, sheet)
    scroll(page, 1730)
    identity, top = first_seen(page)
    snapshot = sheet.snapshot()
    far_above = {"deleted": [["p2", 0, 2]]}, {"inserted": [["p2", 0, 2]]}, {"deleted": [["p2", 0, 2]]}, {"inserted": [["p2", 0, 2]]}
    changes = [{
        "format": 1, "kind": "change", "epoch": "e", "from": n + 1, "seq": n + 2, "acts": [], "items": items,
        "content": {"p2": sheet.photos["p2"]} if "inserted" in items else {},
    } for n, items in enumerate(far_above)]
    sheet.seq = 5
    sheet.stream.on_open = lambda since: [snapshot, *changes]
    page.reload()
    until(page, "document.getElementById('photos').version === 'e.5'")
    at_rest(page)
    seen = page.locator(f"#photos .ll-canvas a[data-photo={identity}]").bounding_box()["y"]
    assert abs(seen - page.locator("#photos").bounding_box()["y"] - top) <= 1


def test_whoever_scrolls_after_a_reload_stays_there(page, sheet):
    open_album(page, sheet)
    scroll(page, 1730)
    page.reload()
    until(page, "document.getElementById('photos').scrollTop > 1000")
    page.mouse.move(450, 400)
    page.mouse.wheel(0, -5000)
    until(page, "document.getElementById('photos').scrollTop === 0")
    frames(page)
    sheet.order.remove("p100")
    sheet.commit(deleted=[["p100", 0, 100]])
    until(page, "document.getElementById('photos').count === 119")
    frames(page)
    assert page.evaluate("document.getElementById('photos').scrollTop") == 0


def test_clicks_are_not_swallowed_while_a_photo_shrinks_into_its_tile(page, sheet):
    open_album(page, sheet)
    photo(page, "Dunes").click(force=True)
    expect(viewer(page)).to_be_visible()
    at_rest(page)
    page.evaluate("""() => {
      document.querySelector('.viewer .close').click();
      document.querySelector('.shrinking').getAnimations()[0].pause();
    }""")
    box = photo(page, "Lighthouse").bounding_box()
    page.mouse.click(box["x"] + 40, box["y"] + 40)
    expect(viewer(page).locator(".caption")).to_contain_text("Lighthouse")
    page.evaluate("document.querySelector('.shrinking').getAnimations()[0].finish()")
    at_rest(page)


@pytest.mark.parametrize("way", ["button", "key", "back"])
def test_keys_and_clicks_are_the_albums_as_soon_as_the_viewer_is_closed(page, sheet, way):
    """Not only from the next frame on: a busy browser paints that one late."""
    open_album(page, sheet)
    photo(page, "Dunes").click(force=True)
    at(page, "/albums/a/photos/p1")
    expect(viewer(page)).to_be_visible()
    at_rest(page)
    seen = page.evaluate("""(way) => new Promise((done) => {
      const look = () => {
        const input = document.querySelector('#search input');
        const { x, y } = document.querySelector('#photos a[data-photo=p3]').getBoundingClientRect();
        const hit = document.elementFromPoint(x + 20, y + 20).closest('a')?.dataset.photo;
        const isSeenToShrink = document.querySelector('.shrinking') !== null;
        const focused = document.activeElement.querySelector('a')?.dataset.photo;
        input.focus();
        done({ hit, isSeenToShrink, focused, takesFocus: document.activeElement === input });
      };
      if (way === 'back') {
        addEventListener('popstate', () => queueMicrotask(() => queueMicrotask(look)), { once: true });
        history.back();
      } else if (way === 'key') {
        document.getElementById('viewer').dispatchEvent(new Event('cancel', { cancelable: true }));
        look();
      } else {
        document.querySelector('.viewer .close').click();
        look();
      }
    })""", way)
    assert seen == {"hit": "p3", "isSeenToShrink": True, "focused": "p1", "takesFocus": True}
    at_rest(page)
    expect(viewer(page)).to_be_hidden()
    at(page, "/albums/a")


def test_a_photo_is_opened_right_after_another_was_closed(page, sheet):
    open_album(page, sheet)
    photo(page, "Dunes").click(force=True)
    expect(viewer(page)).to_be_visible()
    at_rest(page)
    page.evaluate("""() => {
      document.querySelector('.viewer .close').click();
      const { x, y } = document.querySelector('#photos a[data-photo=p3]').getBoundingClientRect();
      document.elementFromPoint(x + 20, y + 20).click();
    }""")
    at(page, "/albums/a/photos/p3")
    expect(viewer(page).locator(".caption")).to_contain_text("Lighthouse")
    at_rest(page)
    page.keyboard.press("Escape")
    expect(viewer(page)).to_be_hidden()
    at(page, "/albums/a")


def test_a_drag_begins_on_the_link_of_a_photo(page, sheet):
    open_album(page, sheet)
    drag(page, "Lighthouse", "Dunes")
    until(page, "document.getElementById('photos').ids(0, 3).join() === 'p0,p3,p1'")
    at(page, "/albums/a")
    # The focus is on the cell, not on its link: keys go on from there.
    assert page.evaluate("document.activeElement.getAttribute('role')") == "gridcell"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.querySelector('a').dataset.photo") == "p1"
