"""Several windows, many windows, tabs in the background."""

from conftest import TITLES
from sheetpage import READY, at_rest, drag_before, move_before, open_album, photo, titles, wait_titles

COMPLETE = f"() => ({READY})() && document.querySelectorAll('#photos img.loaded').length > 5"


def test_a_move_in_one_window_is_seen_in_the_other(page, chapter):
    other = open_album(chapter.browser, chapter.server)
    drag_before(page, "Photo 04", "Photo 02")
    expected = move_before(TITLES, "Photo 04", "Photo 02")
    wait_titles(other, expected)
    drag_before(other, "Photo 06", "Photo 01")
    expected = move_before(expected, "Photo 06", "Photo 01")
    wait_titles(page, expected)
    at_rest(page), at_rest(other)
    other.key("Control+z")
    wait_titles(page, move_before(TITLES, "Photo 04", "Photo 02"))
    page.key("Control+z")
    wait_titles(other, TITLES)
    other.close()


def test_another_person_sees_it_too(page, chapter):
    stranger = open_album(chapter.people.browser(), chapter.server)
    drag_before(stranger, "Photo 05", "Photo 01")
    wait_titles(page, move_before(TITLES, "Photo 05", "Photo 01"))
    at_rest(stranger)
    stranger.key("Control+z")
    wait_titles(page, TITLES)
    chapter.leave(stranger.browser)


def test_ten_windows_work_side_by_side(page, chapter):
    windows = [page, *(open_album(chapter.browser, chapter.server) for _ in range(9))]
    for window in windows:
        window.wait_for(COMPLETE)
    last = windows[-1]
    drag_before(last, "Photo 04", "Photo 02")
    expected = move_before(TITLES, "Photo 04", "Photo 02")
    for window in windows:
        wait_titles(window, expected)
    last.click(photo("Photo 03"))
    last.wait_for("() => document.getElementById('viewer').open && document.querySelector('#viewer .current img').naturalWidth >= 240")
    last.key("Escape")
    at_rest(last)
    last.key("Control+z")
    for window in windows:
        wait_titles(window, TITLES)


def test_the_others_go_on_when_the_first_is_closed(page, chapter):
    while len(chapter.browser.pages) < 4:
        open_album(chapter.browser, chapter.server)
    first, *rest = chapter.browser.pages
    first.close()
    chapter._page = rest[0]
    chapter.server.post(f"/api/albums/{chapter.server.album}/order", {
        "act": "00000000-0000-4000-8000-000000000001", "by": "reversed"})
    for window in rest:
        wait_titles(window, TITLES[::-1])
    chapter.server.post(f"/api/albums/{chapter.server.album}/order", {
        "act": "00000000-0000-4000-8000-000000000002", "by": "reversed"})
    for window in rest:
        wait_titles(window, TITLES)
    for window in rest[1:]:
        window.close()


def test_tabs_in_the_background_hold_no_connection_and_follow_when_they_are_seen(page, chapter):
    tabs = [chapter.browser.open(chapter.server.url, background=True) for _ in range(8)]
    assert all(tab.hidden for tab in tabs)
    # With as many streams as a browser has connections, nothing would load any more.
    late = open_album(chapter.browser, chapter.server)
    late.wait_for(COMPLETE)
    drag_before(late, "Photo 04", "Photo 02")
    wait_titles(page, move_before(TITLES, "Photo 04", "Photo 02"))
    tabs[3].activate()
    tabs[3].wait_for(READY)
    wait_titles(tabs[3], move_before(TITLES, "Photo 04", "Photo 02"))
    at_rest(late)
    late.key("Control+z")
    wait_titles(tabs[3], TITLES)
    late.close()
    for tab in tabs:
        tab.close()


def test_the_front_goes_on_after_it_was_behind(page, chapter):
    behind = chapter.browser.open(chapter.server.url, background=True)
    behind.activate()
    page.wait_for("() => document.visibilityState === 'hidden'")
    behind.wait_for(READY)
    drag_before(behind, "Photo 06", "Photo 03")
    wait_titles(behind, move_before(TITLES, "Photo 06", "Photo 03"))
    at_rest(behind)
    page.activate()
    wait_titles(page, move_before(TITLES, "Photo 06", "Photo 03"))
    behind.close()
    assert len(titles(page)) == 30
