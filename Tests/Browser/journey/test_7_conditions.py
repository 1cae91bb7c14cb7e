"""The same pages for other eyes and hands: fingers, the dark, forced colours, less motion, large letters, narrow windows."""

import json
import urllib.request

import pytest
from conftest import TITLES
from engines.page import FIND
from sheetpage import at_rest, choose, drag_before, menu_of, move_before, open_album, photo, wait_titles

FITS = "() => document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight + 1"
CONTROLS = ("#more", "#add", "#select", "[type=search]")


def is_usable(page):
    """The controls can be clicked, and nothing runs out of the window."""
    page.wait_for(FITS)
    found = page.evaluate(f"controls => controls.map(one => ({FIND})(one, null).x ?? one)", list(CONTROLS))
    assert all(isinstance(x, (int, float)) for x in found), found
    menu_of(page, "Photo 02")
    box = page.evaluate("() => document.querySelector('.ll-menu').getBoundingClientRect().toJSON()")
    width, height = page.evaluate("() => [innerWidth, innerHeight]")
    assert box["left"] >= 0 and box["right"] <= width and box["top"] >= 0 and box["bottom"] <= height
    page.key("Escape")
    page.wait_for("() => !document.querySelector('.ll-menu')")


def put_back(page):
    page.key("Control+z")
    wait_titles(page, TITLES)
    at_rest(page)


@pytest.fixture
def person(chapter):
    """A function that opens the album for somebody with other settings."""
    opened = []

    def person(**options):
        page = open_album(chapter.people.browser(**options), chapter.server)
        wait_titles(page, TITLES)
        opened.append(page)
        return page

    yield person
    for page in opened:
        chapter.leave(page.browser)


def luminance(page, selector):
    rgb = page.evaluate("""selector => getComputedStyle(document.querySelector(selector)).backgroundColor
        .match(/[\\d.]+/g).slice(0, 3).map(Number)""", selector)
    return sum(rgb) / 3


def test_a_finger_drags_a_photo(person):
    page = person(touch=True)
    at_rest(page)
    box = page.box(photo("Photo 02"))
    page.touch_drag(photo("Photo 06"), photo("Photo 02"), lifted=".ll-preview", offset=(-box.width / 4, 0))
    wait_titles(page, move_before(TITLES, "Photo 06", "Photo 02"))
    at_rest(page)
    put_back(page)


def test_a_tap_opens_a_photo_and_a_long_press_its_menu(person):
    page = person(touch=True)
    at_rest(page)
    page.tap(photo("Photo 02"))
    page.wait_for("() => document.getElementById('viewer').open")
    at_rest(page)
    page.tap("#viewer .close")
    page.wait_for("() => !document.getElementById('viewer').open")
    at_rest(page)
    x, y = page.box(photo("Photo 03"))
    page.touch([("down", x, y)])
    page.wait_visible(".ll-preview")
    page.touch([("up",)])
    page.wait_visible(".ll-menu [role=menuitem]")
    page.tap(".ll-menu [role=menuitem] :: Move to start")
    wait_titles(page, move_before(TITLES, "Photo 03", "Photo 01"))
    at_rest(page)
    put_back(page)


def test_it_is_dark_in_the_dark(person):
    assert luminance(person(), "body") > 200
    page = person(dark=True)
    assert luminance(page, "body") < 60
    menu_of(page, "Photo 02")
    assert luminance(page, ".ll-menu") < 90


def test_nothing_travels_where_less_motion_is_wanted(person):
    page = person(reduced_motion=True)
    drag_before(page, "Photo 06", "Photo 02")
    wait_titles(page, move_before(TITLES, "Photo 06", "Photo 02"))
    assert page.evaluate("""() => document.getAnimations().filter(one => one.playState === 'running'
        && one.effect?.getKeyframes().some(frame => /translate|scale/.test(frame.transform ?? ''))).length""") == 0
    at_rest(page)
    put_back(page)


def test_all_of_it_is_usable_in_forced_colours(person):
    page = person(forced_colors=True)
    is_usable(page)
    borders = page.evaluate("""() => ['#more', '#add', '#select'].map(one =>
        parseFloat(getComputedStyle(document.querySelector(one)).borderTopWidth))""")
    assert all(width > 0 for width in borders), borders
    page.click("#select")
    page.click(photo("Photo 02"))
    assert page.evaluate("() => document.getElementById('photos').selectionCount") == 1
    page.click("#done")


def test_all_of_it_is_usable_at_twice_the_size(person):
    page = person()
    page.zoom(2)
    page.wait_for("() => innerWidth <= 520")
    at_rest(page)
    is_usable(page)


def test_all_of_it_is_usable_as_narrow_as_a_phone(person):
    page = person()
    if page.browser.name == "webkit":
        page.resize(500, 800)
        page.zoom(1.5)
    else:
        page.resize(320, 640)
    at_rest(page)
    page.wait_for("() => document.documentElement.scrollWidth <= innerWidth")
    page.click("#show-albums")
    page.wait_visible("#albums .album :: My photos")
    page.key("Escape")
    page.wait_for("() => document.activeElement.id === 'show-albums'")
    menu_of(page, "Photo 02")
    choose(page, "Move to end")
    wait_titles(page, [one for one in TITLES if one != "Photo 02"] + ["Photo 02"])
    at_rest(page)
    put_back(page)


def test_titles_from_right_to_left_keep_their_beginning(chapter, page):
    identity = page.evaluate("() => document.getElementById('photos').ids()[1]")
    def rename(title):
        request = urllib.request.Request(
            f"{chapter.server.url}/api/albums/{chapter.server.album}/photos/{identity}", method="PATCH",
            data=json.dumps({"title": title}).encode(),
            headers={"Content-Type": "application/json", "Origin": chapter.server.url})
        urllib.request.urlopen(request, timeout=30).close()

    title = "שלום עולם תמונה ארוכה מאוד"
    rename(title)
    page.wait_for("title => !!document.querySelector(`#photos [data-title='${title}']`)", title)
    assert page.evaluate("title => getComputedStyle(document.querySelector(`#photos [data-title='${title}']`)).direction",
                         title) == "rtl"
    at_rest(page)
    page.click(photo(title))
    page.wait_for("title => document.querySelector('#viewer .caption')?.textContent.includes(title)", title)
    assert page.evaluate("() => getComputedStyle(document.querySelector('#viewer .caption')).direction") == "rtl"
    page.key("Escape")
    page.wait_for("() => !document.getElementById('viewer').open")
    rename("Photo 02")
    wait_titles(page, TITLES)
