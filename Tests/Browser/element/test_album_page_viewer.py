"""The viewer: a sharp picture at once, zoom, fingers, its buttons, what is known of a photo, and the slideshow."""

import threading
import time

import pytest
from playwright.sync_api import expect

from gridpage import at_rest, until
from sheet import Sheet
from test_album_page import open_album, photo

DETAILS = {
    "title": "Dunes", "fileName": "IMG_1.jpg", "format": "jpeg", "width": 4000, "height": 3000, "bytes": 5_300_000,
    "taken": "2024-05-06T07:08:09Z", "imported": "2024-06-01T10:00:00Z", "camera": {
        "camera": "FUJIFILM X-T5", "lens": "XF33mm", "exposure": 0.004, "aperture": 2.8, "iso": 400, "focalLength": 33,
        "latitude": 52.520083, "longitude": -13.405}}
WITHOUT_CAMERA = {name: value for name, value in DETAILS.items() if name != "camera"}
# How the photo is zoomed and moved.
MATRIX = "new DOMMatrix(getComputedStyle(document.querySelector('#viewer .current .frame')).transform)"
SHARP = "document.querySelector('#viewer .current img.previews')?.complete"


@pytest.fixture
def sheet(server):
    sheet = Sheet(server, 8, features="undo albums titles details")
    for one in sheet.photos.values():
        one.update(width=4000, height=3000)
    server.answer("GET /api/albums/a/photos/p1", lambda body, query: (200, DETAILS))
    server.answer("GET /api/albums/a/photos/p2", lambda body, query: (200, {**WITHOUT_CAMERA, "fileName": "IMG_2.jpg"}))
    return sheet


@pytest.fixture
def asked(page):
    """The pictures that the page has asked for, without thumbnails."""
    asked = []

    def note(request):
        if "/previews/" in request.url or "/originals/" in request.url:
            asked.append(request.url.split("/", 3)[3])

    page.on("request", note)
    return asked


def open_photo(page, sheet, title="Dunes"):
    open_album(page, sheet)
    photo(page, title).click(force=True)
    until(page, SHARP)
    at_rest(page)  # it has grown out of its tile
    return page.locator("#viewer")


def fingers(page):
    """A function that moves fingers: `touch("touchStart", (x, y), (x, y))`; `at` seconds since 1970, however long the browser takes."""
    devtools = page.context.new_cdp_session(page)

    def touch(kind, *points, at=None):
        event = {"type": kind, "touchPoints": [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]}
        devtools.send("Input.dispatchTouchEvent", event | ({"timestamp": at} if at else {}))

    return touch


# A sharp picture at once

@pytest.mark.network
def test_the_thumbnail_is_there_until_the_preview_is_and_the_original_comes_when_it_is_zoomed(page, sheet, server, asked):
    gate, picture, width = threading.Event(), server.pictures, "img => img.naturalWidth"
    open_album(page, sheet)
    server.pictures = lambda name: (gate.wait(10), picture(name))[1]
    photo(page, "Dunes").click(force=True)
    shown = page.locator("#viewer .current img")
    expect(shown).to_have_count(1)
    assert shown.first.evaluate(width) == 120 and shown.first.get_attribute("alt") == "Dunes"
    gate.set()
    until(page, SHARP)
    assert asked[0] == "previews/p1" and not any("originals" in one for one in asked)
    page.locator("#viewer .stage").dblclick(position={"x": 300, "y": 300})
    until(page, "document.querySelector('#viewer .current img.originals')?.complete")
    assert [one for one in asked if "originals" in one] == ["originals/p1"]


@pytest.mark.network
def test_a_photo_of_no_more_pixels_than_its_preview_needs_no_original(page, sheet, asked):
    sheet.photos["p1"].update(width=2048, height=1000)
    open_photo(page, sheet)
    page.locator("#viewer .stage").dblclick(position={"x": 300, "y": 300})
    page.keyboard.press("0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("+")
    until(page, "document.querySelector('#viewer .current img.originals')?.complete")
    assert "originals/p1" not in asked and "originals/p2" in asked


@pytest.mark.network
def test_the_original_stands_in_for_a_preview_that_cannot_be_had(page, sheet, server):
    page.expected_errors.append("404")
    page.route("**/previews/p1", lambda route: route.fulfill(status=404))
    open_album(page, sheet)
    photo(page, "Dunes").click(force=True)
    until(page, "document.querySelector('#viewer .current img.originals')?.complete")


@pytest.mark.network
def test_the_next_picture_is_sharp_in_the_frame_of_its_key(page, sheet, asked):
    open_photo(page, sheet)
    until(page, "document.querySelectorAll('#viewer img.previews').length === 3")
    assert asked == ["previews/p1", "previews/p2", "previews/p0"]
    # In the frame of the key: nothing is painted between the key and the look, as both are in one task. How long that takes on a
    # busy machine says nothing of it.
    assert page.evaluate("""() => {
      const key = new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true });
      document.getElementById('viewer').dispatchEvent(key);
      const image = document.querySelector('#viewer .current img.previews');
      return image?.complete && image.src.endsWith('/previews/p2') && image.getBoundingClientRect().left === 0;
    }""")
    until(page, "document.querySelectorAll('#viewer img.previews').length === 3")
    # What was seen is a neighbour now, and not asked for again; first comes what lies in the reader's way.
    assert asked == ["previews/p1", "previews/p2", "previews/p0", "previews/p3"]


@pytest.mark.network
def test_what_is_passed_over_is_fetched_no_more(page, sheet, server):
    gate, picture = threading.Event(), server.pictures
    open_photo(page, sheet, "Beach")
    until(page, "document.querySelectorAll('#viewer img.previews').length === 2")
    server.pictures = lambda name: (gate.wait(30), picture(name))[1]
    with page.expect_request("**/previews/p7"):
        page.keyboard.press("End")
    expect(page.locator("#viewer .caption")).to_contain_text("8 of 8")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/previews/p7")):
        page.keyboard.press("Home")
    expect(page.locator("#viewer .caption")).to_contain_text("1 of 8")
    gate.set()
    until(page, SHARP)


# Zoom

def test_keys_zoom_pan_and_go_back(page, sheet):
    open_photo(page, sheet)
    position = f"[{MATRIX}].flatMap(m => [Math.round(m.e), Math.round(m.f)])"
    for _ in range(4):
        page.keyboard.press("+")
    expect(page.locator("#viewer .stage.zoomed")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate(position) == [-80, -80]
    expect(page.locator("#viewer .caption")).to_contain_text("Dunes")
    page.keyboard.press("-")
    expect(page.locator("#viewer .stage.zoomed")).to_have_count(1)
    page.keyboard.press("0")
    expect(page.locator("#viewer .stage.zoomed")).to_have_count(0)
    assert page.evaluate(position) == [0, 0]
    page.keyboard.press("+")
    page.keyboard.press("PageDown")
    expect(page.locator("#viewer .caption")).to_contain_text("Pier")
    expect(page.locator("#viewer .stage.zoomed")).to_have_count(0)


@pytest.mark.parametrize("way", ["double click", "wheel"])
def test_what_is_under_the_pointer_stays_there(page, sheet, way):
    open_photo(page, sheet)
    # Where a point of the picture is, in pixels of the window.
    seen = f"([x, y]) => {{ const m = {MATRIX}; return [(x - innerWidth / 2 - m.e) / m.a, (y - innerHeight / 2 - m.f) / m.a] }}"
    point = [400, 300]
    before = page.evaluate(seen, point)
    page.mouse.move(*point)
    if way == "double click":
        page.mouse.dblclick(*point)
    else:
        page.keyboard.down("Control")
        page.mouse.wheel(0, -100)
        page.keyboard.up("Control")
    expect(page.locator("#viewer .stage.zoomed")).to_have_count(1)
    assert page.evaluate(seen, point) == pytest.approx(before, abs=1)


def phone(new_page):
    return new_page(viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True)


def test_two_fingers_and_two_taps_zoom_where_they_are(new_page, sheet):
    page = phone(new_page)
    open_photo(page, sheet)
    touch, scale = fingers(page), f"({MATRIX}).a"
    touch("touchStart", (150, 350), (250, 350))
    touch("touchMove", (100, 350), (300, 350))
    touch("touchMove", (50, 350), (350, 350))
    touch("touchEnd")
    assert page.evaluate(scale) == pytest.approx(3, abs=0.05)
    # A finger drags what is zoomed, and goes to no neighbour.
    touch("touchStart", (300, 350))
    touch("touchMove", (200, 350))
    touch("touchMove", (100, 350))
    touch("touchEnd")
    expect(page.locator("#viewer .caption")).to_contain_text("Dunes")
    for expected in (1, 2.5):
        now = time.time()
        for tap in (now, now + 0.1):
            touch("touchStart", (195, 350), at=tap)
            touch("touchEnd", at=tap + 0.05)
        until(page, f"{scale} === {expected}")


def test_a_photo_that_two_fingers_make_small_is_put_away(new_page, sheet):
    page = phone(new_page)
    open_photo(page, sheet)
    touch, scale = fingers(page), f"({MATRIX}).a"
    shade = "document.getElementById('viewer').style.getPropertyValue('--shade')"

    def pinch(*widths):
        begin, *others = [((195 - width / 2, 350), (195 + width / 2, 350)) for width in widths]
        touch("touchStart", *begin)
        for points in others:
            touch("touchMove", *points)

    # A little is not meant.
    pinch(200, 190, 170)
    until(page, f"Math.abs({scale} - 0.85) < 0.02")
    assert 0.5 < float(page.evaluate(shade)) < 1
    touch("touchEnd")
    until(page, f"{scale} === 1")
    assert page.evaluate(shade) == "" and page.locator("#viewer[open]").count() == 1
    # What is zoomed is made as large as the window, and no smaller.
    pinch(100, 150, 200)
    touch("touchEnd")
    until(page, f"Math.abs({scale} - 2) < 0.05")
    pinch(200, 100, 40)
    until(page, f"{scale} === 1")
    touch("touchEnd")
    assert page.evaluate(scale) == 1 and page.locator("#viewer[open]").count() == 1
    pinch(200, 150, 100)
    touch("touchEnd")
    expect(page.locator("#viewer[open]")).to_have_count(0)
    until(page, "document.activeElement.matches('[data-ll-cell]') && document.activeElement.querySelector('img[alt=Dunes]')")
    # The next one is opened as ever.
    page.keyboard.press("Enter")
    expect(page.locator("#viewer[open]")).to_have_count(1)
    until(page, f"{scale} === 1")
    assert page.evaluate(shade) == ""


# Fingers

def test_a_photo_follows_the_finger_to_its_neighbour_and_back(new_page, sheet):
    page = phone(new_page)
    open_photo(page, sheet)
    until(page, "document.querySelectorAll('#viewer img.previews').length === 3")
    touch = fingers(page)
    left = "photo => document.querySelector(`#viewer .slide img[src$='/thumbnails/${photo}']`).getBoundingClientRect().left"
    touch("touchStart", (300, 350))
    touch("touchMove", (280, 350))
    touch("touchMove", (200, 352))
    until(page, f"({left})('p1') === -100 && ({left})('p2') === 390 + 24 - 100")
    # Back where it began: it is no swipe.
    touch("touchMove", (299, 350))
    until(page, f"({left})('p1') === -1")
    touch("touchEnd")
    expect(page.locator("#viewer .caption")).to_contain_text("Dunes")
    touch("touchStart", (300, 350))
    touch("touchMove", (200, 350))
    touch("touchMove", (100, 350))
    touch("touchEnd")
    expect(page.locator("#viewer .caption")).to_contain_text("Pier")
    until(page, f"({left})('p2') === 0")


def test_the_first_photo_follows_unwillingly(new_page, sheet):
    page = phone(new_page)
    open_photo(page, sheet, "Beach")
    touch = fingers(page)
    touch("touchStart", (100, 350))
    touch("touchMove", (150, 350))
    touch("touchMove", (250, 350))
    until(page, "document.querySelector('#viewer .current').getBoundingClientRect().left === 50")
    touch("touchEnd")
    expect(page.locator("#viewer .caption")).to_contain_text("Beach")


def test_a_photo_follows_the_finger_down_and_closes(new_page, sheet):
    page = phone(new_page)
    viewer = open_photo(page, sheet)
    touch = fingers(page)
    touch("touchStart", (200, 200))
    touch("touchMove", (200, 230))
    touch("touchMove", (205, 340))
    until(page, "document.querySelector('#viewer .current').getBoundingClientRect().top > 100")
    shade = page.evaluate("getComputedStyle(document.getElementById('viewer')).backgroundColor")
    assert shade.startswith("rgba(11, 11, 13, 0."), "the page is seen behind"
    touch("touchEnd")
    expect(viewer).to_be_hidden()


# Buttons

def test_buttons_go_when_nobody_moves_and_come_back(page, sheet):
    open_photo(page, sheet)
    page.mouse.move(450, 400)
    until(page, "document.querySelector('#viewer.idle')")
    expect(page.locator("#viewer .tools")).to_have_css("opacity", "0")
    page.mouse.move(460, 410)
    expect(page.locator("#viewer .tools")).to_have_css("opacity", "1")
    until(page, "document.querySelector('#viewer.idle')")
    # Whoever goes to a button by keys sees it, for as long as the focus is there.
    page.keyboard.press("Tab")
    expect(page.locator("#viewer .tools")).to_have_css("opacity", "1")
    assert page.evaluate("document.activeElement.closest('#viewer button') !== null")


def test_a_tap_shows_and_hides_the_buttons(new_page, sheet):
    page = phone(new_page)
    viewer = open_photo(page, sheet)
    touch = fingers(page)
    for isIdle in (True, False):
        touch("touchStart", (195, 350))
        touch("touchEnd")
        expect(page.locator("#viewer.idle")).to_have_count(int(isIdle))
        page.evaluate("new Promise(done => setTimeout(done, 350))")  # two quick taps are a zoom
    expect(viewer.get_by_role("button", name="Delete")).to_be_visible()


def test_a_photo_is_deleted_moved_renamed_and_downloaded_by_buttons(page, sheet, server):
    server.answer("PATCH /api/albums/a/photos/p1", lambda body, query: (200, {}))
    viewer = open_photo(page, sheet)
    with page.expect_download() as download:
        viewer.get_by_role("button", name="Download").click()
    assert download.value.url.endswith("/originals/p1") and download.value.suggested_filename == "Dunes.jpg"
    viewer.get_by_role("button", name="Rename…").click()
    page.keyboard.type("Puffin")
    page.keyboard.press("Enter")
    assert server.wait_for_posts(1, "/api/albums/a/photos/p1")[0]["body"] == {"title": "Puffin"}
    viewer.get_by_role("button", name="Delete").click()
    expect(viewer.locator(".caption")).to_contain_text("Pier")
    viewer.get_by_role("button", name="Undo").click()
    expect(viewer.locator(".caption")).to_contain_text("Dunes")
    viewer.get_by_role("button", name="To album…").click()
    page.get_by_role("option", name="Family").click()
    assert server.wait_for_posts(1, "/api/albums/a/transfers")[0]["body"]["ids"] == ["p1"]
    expect(viewer.locator(".caption")).to_contain_text("Pier")


def test_what_is_known_of_a_photo_is_beside_it(page, sheet):
    viewer = open_photo(page, sheet)
    button = viewer.get_by_role("button", name="Info")
    button.click()
    info = viewer.get_by_role("region", name="Info")
    expect(info).to_contain_text("FUJIFILM X-T5")
    expect(button).to_have_attribute("aria-expanded", "true")
    text = info.inner_text()
    for part in (
            "May 6, 2024", "7:08", "XF33mm", "1/250 s", "f/2.8", "ISO 400", "33 mm", "4,000 × 3,000 (12.0 megapixels)",
            "IMG_1.jpg, JPEG, 5.3 MB", "52.52008° N, 13.40500° W"):
        assert part in text, (part, text)
    # It follows the photo, and leaves out what is not known.
    page.keyboard.press("ArrowRight")
    expect(info).to_contain_text("IMG_2.jpg")
    expect(info).not_to_contain_text("Camera")
    page.keyboard.press("i")
    expect(info).to_be_hidden()
    expect(button).to_have_attribute("aria-expanded", "false")


def test_another_photo_is_said(page, sheet):
    open_photo(page, sheet)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#viewer .ll-status")).to_contain_text("Pier, 3 of 8.")


# What is said, and which keys are named

def test_info_is_read_out_when_a_key_opens_it(page, sheet):
    viewer = open_photo(page, sheet)
    said = page.locator("#viewer .ll-status")
    page.keyboard.press("i")
    expect(said).to_contain_text("Info. Taken: May 6, 2024")
    expect(said).to_contain_text("Camera: FUJIFILM X-T5.")
    expect(viewer.get_by_role("button", name="Info")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("i")
    expect(said).to_contain_text("Info closed.")


def test_a_zoom_is_said_once_it_rests(page, sheet):
    open_photo(page, sheet)
    said = page.locator("#viewer .ll-status")
    page.keyboard.press("+")
    page.keyboard.press("+")
    expect(said).to_contain_text("Zoomed to 225 %.")
    page.keyboard.press("0")
    expect(said).to_contain_text("The whole photo is seen.")
    # Another photo is said itself, and not that it is whole.
    page.keyboard.press("+")
    expect(said).to_contain_text("Zoomed to 150 %.")
    page.keyboard.press("PageDown")
    expect(said).to_contain_text("Pier, 3 of 8.")


def test_buttons_of_the_viewer_name_their_keys(page, sheet):
    viewer = open_photo(page, sheet)
    keys = {"Slideshow": "Space", "Info": "I", "Delete": "Delete", "Previous photo": "ArrowLeft", "Next photo": "ArrowRight", "Close": "Escape"}
    for name, key in keys.items():
        button = viewer.get_by_role("button", name=name, exact=True)
        expect(button).to_have_attribute("aria-keyshortcuts", key)
        expect(button).to_have_attribute("title", f"{name} ({key})")


# The slideshow

def test_the_slideshow_goes_on_until_it_is_stopped(page, sheet):
    viewer = open_photo(page, sheet)
    play = viewer.get_by_role("button", name="Slideshow")
    play.click()
    expect(play).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#viewer .ll-status")).to_contain_text("Slideshow started.")
    expect(viewer.locator(".caption")).to_contain_text("Pier")
    expect(viewer.locator(".caption")).to_contain_text("Lighthouse")
    page.mouse.click(450, 400)
    expect(play).to_have_attribute("aria-pressed", "false")


def test_the_slideshow_ends_with_the_last_photo(page, sheet):
    viewer = open_photo(page, sheet, "Waterfall")
    page.keyboard.press(" ")
    play = viewer.get_by_role("button", name="Slideshow")
    expect(play).to_have_attribute("aria-pressed", "true")
    expect(play).to_have_attribute("aria-pressed", "false")
    expect(viewer.locator(".caption")).to_contain_text("Waterfall")


def test_a_slideshow_of_one_photo_says_that_there_is_no_other(page, sheet):
    sheet.order = ["p2"]
    viewer = open_photo(page, sheet, "Pier")
    page.keyboard.press(" ")
    expect(page.locator("#viewer .ll-status")).to_contain_text("There is no other photo.")
    expect(viewer.get_by_role("button", name="Slideshow")).to_have_attribute("aria-pressed", "false")


def test_nothing_moves_by_itself_where_less_motion_is_wanted(new_page, sheet):
    page = new_page(viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True, reduced_motion="reduce")
    open_photo(page, sheet)
    touch = fingers(page)
    touch("touchStart", (300, 350))
    touch("touchMove", (200, 350))
    touch("touchMove", (100, 350))
    touch("touchEnd")
    expect(page.locator("#viewer .caption")).to_contain_text("Pier")
    assert page.evaluate("document.querySelector('#viewer .track').getAnimations().length") == 0
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Slideshow")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#viewer.playing")).to_have_count(0)
