"""Photos are looked at, found, named and grouped."""

from conftest import TITLES
from sheetpage import READY, answer, at_rest, choose, menu_of, photo, titles, view, wait_count, wait_titles

CAPTION = "() => document.querySelector('#viewer[open] .caption')?.textContent ?? ''"


def caption(page, text):
    page.wait_for(f"text => ({CAPTION})().includes(text)", text)


def closed(page):
    page.wait_for("() => !document.getElementById('viewer').open")


def test_the_viewer_opens_and_steps(page):
    page.click(photo("Photo 02"))
    caption(page, "2 of 30")
    page.key("ArrowRight")
    caption(page, "Photo 03")
    page.key("ArrowLeft", times=2)
    caption(page, "Photo 01")
    page.wait_for("() => { const one = document.querySelector('#viewer .current img'); return one.complete && one.naturalWidth >= 240 }")
    page.key("Escape")
    closed(page)


def test_clicks_right_after_the_viewer_are_not_swallowed(page):
    at_rest(page)
    page.click(photo("Photo 02"))
    caption(page, "Photo 02")
    at_rest(page)
    box = page.evaluate("""() => { const { left, top, width, height } =
        document.querySelector('#photos [data-title="Photo 05"]').getBoundingClientRect();
        return [left + width / 2, top + height / 2] }""")
    page.key("Escape")
    page.click(tuple(box))  # before it shrinks into its tile, or while it does
    caption(page, "Photo 05")
    page.key("Escape")
    closed(page)
    at_rest(page)


def test_back_closes_the_viewer_and_forward_opens_it(page):
    address = page.url
    page.click(photo("Photo 03"))
    caption(page, "Photo 03")
    page.wait_for("address => location.href !== address", address)
    page.key("ArrowRight")
    caption(page, "Photo 04")
    page.back()
    closed(page)
    assert page.url == address
    page.forward()
    caption(page, "Photo 04")
    page.back()
    closed(page)
    at_rest(page)


def test_a_photo_has_an_address_that_opens_it(page, chapter):
    page.click(photo("Photo 05"))
    caption(page, "Photo 05")
    page.wait_for_url("/photos/")
    address = page.url
    other = chapter.browser.open(address)
    caption(other, "Photo 05")
    other.reload()
    caption(other, "Photo 05")
    other.key("Escape")
    closed(other)
    other.wait_for("() => !location.pathname.includes('/photos/')")
    wait_titles(other, TITLES)
    other.close()
    page.key("Escape")
    closed(page)


def test_a_photo_is_deleted_in_the_viewer(page):
    at_rest(page)
    page.click(photo("Photo 03"))
    caption(page, "Photo 03")
    page.key("Delete")
    caption(page, "Photo 04")
    page.key("Escape")
    closed(page)
    wait_count(page, 29)
    page.key("Control+z")
    wait_titles(page, TITLES)
    at_rest(page)


def test_a_photo_is_a_link(page):
    assert page.evaluate("""() => document.querySelector('#photos [data-title="Photo 02"] a')?.pathname ?? ''""").count("/photos/")


def test_a_photo_is_zoomed(page):
    at_rest(page)
    page.click(photo("Photo 02"))
    caption(page, "Photo 02")
    at_rest(page)
    page.double_click("#viewer .stage")
    page.wait_visible("#viewer .stage.zoomed")
    page.double_click("#viewer .stage")
    page.wait_for("() => !document.querySelector('#viewer .stage.zoomed')")
    page.wheel("#viewer .stage", -300)
    page.wait_visible("#viewer .stage.zoomed")
    page.key("Escape")
    closed(page)


def test_a_photo_is_renamed(page):
    at_rest(page)
    menu_of(page, "Photo 02")
    choose(page, "Rename…")
    answer(page, "Größe")
    wait_titles(page, ["Photo 01", "Größe", *TITLES[2:]])
    menu_of(page, "Größe")
    choose(page, "Rename…")
    answer(page, "Photo 02", button="Rename")
    wait_titles(page, TITLES)


def test_photos_are_searched_for(page):
    page.key("Control+f")
    page.wait_for("() => document.activeElement.type === 'search'")
    page.type("photo 17")
    wait_titles(page, ["Photo 17"])
    page.wait_for("() => document.getElementById('count').textContent === '1 found'")
    page.type("xyz")
    page.wait_visible("h2 :: No results")
    page.click("#clear-search")
    wait_titles(page, TITLES)
    page.key("Escape")


def test_a_photo_that_was_found_opens(page):
    page.key("Control+f")
    page.type("Photo 21")
    wait_titles(page, ["Photo 21"])
    at_rest(page)
    page.click(photo("Photo 21"))
    caption(page, "1 of 1")
    page.key("Escape")
    closed(page)
    page.key("Control+f")
    page.key("Escape")
    wait_titles(page, TITLES)


def test_photos_are_grouped_by_month(page):
    at_rest(page)
    view(page, "Months, newest last")
    page.wait_visible("[role=rowheader] :: January 2024")
    assert titles(page) == TITLES
    view(page, "The album’s own")
    page.wait_for("() => !document.querySelector('#photos [role=rowheader]')")
    wait_titles(page, TITLES)


def test_the_position_in_the_list_is_kept_on_reload_and_back(page, chapter):
    at_rest(page)
    page.resize(620, 500)
    for least in (50, 150, 250):
        page.wheel("#photos", 200)
        page.wait_for("least => document.getElementById('photos').scrollTop > least", least)
    first = """() => { const list = document.getElementById('photos'), edge = list.getBoundingClientRect().top;
        return [...list.querySelectorAll('[data-title]')].map(one => [one.getBoundingClientRect().top - edge, one])
          .filter(([top]) => top >= -1).sort(([a], [b]) => a - b)[0]?.[1].dataset.title ?? null }"""
    page.wait_for("""async () => { const list = document.getElementById('photos'), was = list.scrollTop;
        await new Promise(done => setTimeout(done, 120)); return list.scrollTop === was }""")
    was = page.evaluate(first)
    page.reload()
    page.wait_for(READY)
    row = [was, TITLES[TITLES.index(was) - 1], TITLES[TITLES.index(was) + 1]]
    page.wait_for(f"row => row.includes(({first})())", row)
    page.goto(chapter.server.url + "/nowhere")
    page.back()
    page.wait_for(READY)
    page.wait_for(f"row => row.includes(({first})())", row)
    chapter.browser.expect_errors("404")
    page.resize(1000, 800)
