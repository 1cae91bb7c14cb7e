"""ContactSheet's page of an album, in front of a stand-in server."""

import re

import pytest
from playwright.sync_api import expect

from gridpage import at_rest, until
from pictures import landscape
from sheet import Sheet


@pytest.fixture
def sheet(server):
    return Sheet(server, 24)


def titles(page):
    return page.evaluate("photos => photos.ids().map(id => photos.contentOf(id).title)", page.query_selector("#photos"))


def photo(page, title):
    return page.get_by_role("img", name=title, exact=True)


def open_album(page, sheet):
    page.goto(sheet.url)
    until(page, "document.getElementById('photos').isLoaded")


def drag(page, source, target):
    a, b = photo(page, source).bounding_box(), photo(page, target).bounding_box()
    page.mouse.move(a["x"] + 40, a["y"] + 40)
    page.mouse.down()
    page.mouse.move(a["x"] + 46, a["y"] + 46)
    page.mouse.move(b["x"] + 8, b["y"] + b["height"] / 2, steps=4)
    page.mouse.up()


def test_an_album_shows_its_photos_and_how_many_they_are(page, sheet):
    open_album(page, sheet)
    expect(page.get_by_role("heading", name="Iceland")).to_be_visible()
    expect(page.locator("#count")).to_have_text("24 photos")
    expect(photo(page, "Beach")).to_be_visible()
    assert titles(page)[:3] == ["Beach", "Dunes", "Pier"]


def test_a_phone_has_three_columns_at_320_pixels(new_page, sheet):
    page = new_page(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    open_album(page, sheet)
    boxes = [photo(page, name).bounding_box() for name in ("Beach", "Dunes", "Pier", "Lighthouse")]
    assert len({round(box["y"]) for box in boxes[:3]}) == 1 and boxes[3]["y"] > boxes[0]["y"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.get_by_role("button", name="Add photos").first).to_be_in_viewport()
    expect(page.locator("input[capture=environment]")).to_have_attribute("accept", "image/*")


def test_a_drag_in_one_browser_is_seen_in_the_other(new_page, sheet):
    one, other = new_page(), new_page()
    open_album(one, sheet)
    open_album(other, sheet)
    drag(one, "Lighthouse", "Dunes")
    until(other, "document.getElementById('photos').ids(0, 3).join() === 'p0,p3,p1'")
    assert titles(one)[:3] == titles(other)[:3] == ["Beach", "Lighthouse", "Dunes"]
    until(one, "document.getElementById('photos').pending.length === 0")


def test_a_photo_is_deleted_from_its_menu(page, sheet):
    open_album(page, sheet)
    photo(page, "Pier").click(button="right", force=True)
    page.get_by_role("menuitem", name="Delete").click()
    expect(photo(page, "Pier")).to_have_count(0)
    expect(page.locator("#count")).to_have_text("23 photos")
    assert "p2" not in sheet.order


def test_a_refused_move_is_taken_back_and_can_be_tried_again(page, sheet, server):
    page.expected_errors.append("409")
    server.answer("/api/albums/a/moves", lambda body, query: (409, {"error": {"message": "The album is locked."}}))
    open_album(page, sheet)
    drag(page, "Lighthouse", "Dunes")
    expect(page.get_by_text("Not moved: The album is locked.")).to_be_visible()
    expect(page.locator("[role=status]")).to_have_text("Move refused, order restored.")
    assert titles(page)[:3] == ["Beach", "Dunes", "Pier"]
    server.answer("/api/albums/a/moves", sheet.move)
    page.get_by_role("button", name="Retry").click()
    until(page, "document.getElementById('photos').ids(1, 2)[0] === 'p3'")
    until(page, "document.getElementById('photos').pending.length === 0")


def test_the_viewer_opens_steps_and_closes_with_the_keyboard(page, sheet):
    open_album(page, sheet)
    photo(page, "Dunes").click(force=True)
    viewer = page.get_by_role("dialog")
    expect(viewer).to_be_visible()
    expect(viewer.locator(".caption")).to_contain_text("Dunes2 of 24")
    page.keyboard.press("ArrowRight")
    expect(viewer.locator(".caption")).to_contain_text("Pier")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(viewer.locator(".caption")).to_contain_text("Beach")
    expect(viewer.get_by_role("button", name="Previous photo")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(viewer).to_be_hidden()
    assert page.evaluate("document.activeElement.querySelector('img').alt") == "Beach"


def test_picked_files_are_imported_and_failures_are_listed_by_name(page, sheet):
    page.expected_errors.append("422")
    broken = "broken.jpg is cut off: copy it again from the camera."
    attempts = []

    def truncated(body):
        attempts.append(body)
        return 422, {"error": {"code": "truncated", "message": broken}}

    sheet.uploads["broken.jpg"] = truncated
    sheet.uploads["again.jpg"] = lambda body: (200, {"id": "p0", "status": "duplicate"})
    open_album(page, sheet)
    names = ["new.jpg", "broken.jpg", "again.jpg", "höher 1.jpg", "more.png"]
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Add photos").first.click()
    chooser.value.set_files(
        [{"name": name, "mimeType": "image/jpeg", "buffer": landscape(name)} for name in names])
    panel = page.get_by_role("complementary", name="Imports")
    expect(panel.get_by_role("heading")).to_have_text("3 added, 1 already here, 1 failed")
    expect(panel.get_by_text("broken.jpg", exact=True)).to_be_visible()
    expect(panel.get_by_text(broken)).to_be_visible()
    expect(page.locator("#count")).to_have_text("27 photos")
    assert attempts == [landscape("broken.jpg")]
    del sheet.uploads["broken.jpg"]
    panel.get_by_role("button", name="Retry broken.jpg").click()
    expect(panel.get_by_role("heading")).to_have_text("4 added, 1 already here")
    expect(page.locator("#count")).to_have_text("28 photos")


def test_an_empty_album_says_what_goes_here_and_offers_the_import(page, server):
    sheet = Sheet(server, 0)
    open_album(page, sheet)
    expect(page.get_by_role("heading", name="No photos yet")).to_be_visible()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("region", name="No photos yet").get_by_role("button", name="Add photos").click()
    chooser.value.set_files([{"name": "first.jpg", "mimeType": "image/jpeg", "buffer": landscape("x")}])
    expect(photo(page, "first")).to_be_visible()
    expect(page.get_by_role("heading", name="No photos yet")).to_be_hidden()


def test_a_folder_that_is_dropped_is_imported_whole(page, sheet, tmp_path):
    folder = tmp_path / "holidays"
    (folder / "day two").mkdir(parents=True)
    for number in range(120):
        (folder / f"{number}.png").write_bytes(landscape("small", 8, 8))
    (folder / "day two" / "last.png").write_bytes(landscape("small", 8, 8))
    (folder / ".DS_Store").write_bytes(b"x")
    open_album(page, sheet)
    devtools = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        if kind == "drop":
            expect(page.locator("#drop")).to_be_visible()
        devtools.send("Input.dispatchDragEvent", {
            "type": kind, "x": 400, "y": 300,
            "data": {"items": [], "files": [str(folder)], "dragOperationsMask": 1}})
    panel = page.get_by_role("complementary", name="Imports")
    expect(panel.get_by_role("heading")).to_have_text("121 added")
    expect(page.locator("#count")).to_have_text("145 photos")
    added = {sheet.photos[one]["title"] for one in sheet.order[24:]}
    assert added == {*map(str, range(120)), "last"}


def test_reconnecting_is_said_and_what_was_missed_comes(page, sheet):
    page.expected_errors.append("net::ERR")
    open_album(page, sheet)
    sheet.stream.is_refusing = True
    sheet.stream.drop()
    expect(page.get_by_text("Reconnecting…").first).to_be_visible()
    sheet.order.remove("p1")
    sheet.seq += 1
    sheet.stream.is_refusing = False
    expect(photo(page, "Dunes")).to_have_count(0)
    expect(page.locator("#connection")).to_be_hidden()
    assert re.fullmatch(r"e\.1", sheet.stream.requests[-1]["since"])
