"""Photos are dragged, moved by keys and menus, deleted, and everything is taken back."""

from conftest import TITLES
from sheetpage import (
    answer, at_rest, choose, drag_before, menu_of, move_before, photo, titles, toast, undo_by_toast,
    wait_count, wait_on_screen, wait_titles)


def put_back(page):
    """Takes the last change back and sees that everything is as it was."""
    page.key("Control+z")
    wait_titles(page, TITLES)
    at_rest(page)


def test_an_album_opens(page):
    wait_titles(page, TITLES)
    page.wait_for("() => [...document.querySelectorAll('#photos img')].filter(one => one.classList.contains('loaded')).length > 10")
    assert page.evaluate("() => document.getElementById('count').textContent") == "30 photos"
    at_rest(page)
    wait_on_screen(page, TITLES[:8])


def test_one_photo_is_dragged(page):
    drag_before(page, "Photo 06", "Photo 02")
    expected = move_before(TITLES, "Photo 06", "Photo 02")
    wait_titles(page, expected)
    toast(page, "moved to position")
    at_rest(page)
    wait_on_screen(page, expected[:8])
    undo_by_toast(page)
    wait_titles(page, TITLES)


def test_three_photos_are_dragged(page):
    at_rest(page)
    for title in ("Photo 03", "Photo 05", "Photo 07"):
        page.click(photo(title), modifier="Control")
    assert page.evaluate("() => document.getElementById('photos').selectionCount") == 3
    drag_before(page, "Photo 05", "Photo 02", release=False)
    page.wait_visible(".ll-preview")
    page.release()
    wait_titles(page, move_before(TITLES, ["Photo 03", "Photo 05", "Photo 07"], "Photo 02"))
    page.key("Escape")
    assert page.evaluate("() => document.getElementById('photos').selectionCount") == 0
    put_back(page)


def test_escape_ends_a_drag(page):
    drag_before(page, "Photo 06", "Photo 02", release=False)
    page.wait_visible(".ll-preview")
    page.key("Escape")
    page.wait_for("() => !document.querySelector('.ll-preview')")
    page.release()
    wait_titles(page, TITLES)
    at_rest(page)
    assert not page.is_visible("#viewer"), "the release is no click"


def test_the_arrows_move_the_focus_and_with_alt_the_photo(page):
    page.evaluate("() => { const list = document.getElementById('photos'); list.focusItem(list.ids()[1]) }")
    focused = """() => { const one = document.activeElement;
        return (one.closest('[data-title]') ?? one.querySelector('[data-title]'))?.dataset.title }"""
    page.wait_for(f"() => ({focused})() === 'Photo 02'")
    page.key("ArrowRight", times=2)
    page.wait_for(f"() => ({focused})() === 'Photo 04'")
    page.key("Alt+ArrowLeft", times=2)
    wait_titles(page, move_before(TITLES, "Photo 04", "Photo 02"))
    page.wait_for(f"() => ({focused})() === 'Photo 04'")
    toast(page, "moved to position")
    put_back(page)
    page.key("Alt+End")
    wait_titles(page, [one for one in TITLES if one != "Photo 04"] + ["Photo 04"])
    toast(page, "moved to position")
    put_back(page)
    page.evaluate("() => { document.getElementById('photos').scrollTop = 0 }")


def test_a_right_click_opens_a_menu_that_stays(page):
    menu_of(page, "Photo 03")
    choose(page, "Move to start")
    wait_titles(page, move_before(TITLES, "Photo 03", "Photo 01"))
    assert page.evaluate("() => document.querySelectorAll('.ll-menu').length") == 0
    toast(page, "moved to position")
    put_back(page)


def test_a_menu_goes_by_escape_and_by_a_click_elsewhere(page):
    menu_of(page, "Photo 03")
    page.key("Escape")
    page.wait_for("() => !document.querySelector('.ll-menu')")
    menu_of(page, "Photo 04")
    page.click("#title")
    page.wait_for("() => !document.querySelector('.ll-menu')")
    menu_of(page, "Photo 04")
    menu_of(page, "Photo 01")
    page.key("Escape")
    page.wait_for("() => !document.querySelector('.ll-menu')")


def test_the_menu_button_of_a_tile_opens_it_too(page):
    page.move(*page.box(photo("Photo 02")))
    page.click(f"{photo('Photo 02')} button.more")
    page.wait_visible(".ll-menu [role=menuitem]")
    page.key("ArrowDown")
    page.key("Escape")
    page.wait_for("() => !document.querySelector('.ll-menu')")


def test_a_photo_goes_to_a_position(page):
    menu_of(page, "Photo 02")
    choose(page, "Move to position…")
    answer(page, "5")
    wait_titles(page, move_before(TITLES, "Photo 02", "Photo 06"))
    at_rest(page)
    put_back(page)
    menu_of(page, "Photo 02")
    choose(page, "Move to position…")
    answer(page, "7", button="Cancel")
    wait_titles(page, TITLES)
    menu_of(page, "Photo 02")
    choose(page, "Move to position…")
    answer(page, "3", button="Done")
    wait_titles(page, move_before(TITLES, "Photo 02", "Photo 04"))
    at_rest(page)
    put_back(page)


def test_a_photo_is_placed_by_a_click(page):
    menu_of(page, "Photo 05")
    choose(page, "Reorder…")
    page.wait_visible(".ll-bar")
    at_rest(page)
    box = page.box(photo("Photo 02"))
    page.click((box.x - box.width / 4, box.y))
    wait_titles(page, move_before(TITLES, "Photo 05", "Photo 02"))
    page.wait_for("() => !document.querySelector('.ll-bar')")
    assert not page.is_visible("#viewer")
    at_rest(page)
    put_back(page)
    menu_of(page, "Photo 05")
    choose(page, "Reorder…")
    page.key("ArrowLeft")
    page.key("Escape")
    page.wait_for("() => !document.querySelector('.ll-bar')")
    wait_titles(page, TITLES)


def test_photos_are_deleted_and_come_back(page):
    menu_of(page, "Photo 02")
    choose(page, "Delete")
    wait_count(page, 29)
    undo_by_toast(page)
    wait_titles(page, TITLES)
    at_rest(page)
    page.click("#select")
    page.click(photo("Photo 01"))
    page.click(photo("Photo 03"))
    page.click("#delete-selected")
    wait_count(page, 28)
    page.click("#done")
    at_rest(page)
    put_back(page)
    page.evaluate("() => { const list = document.getElementById('photos'); list.focusItem(list.ids()[3]) }")
    page.key("Delete")
    wait_count(page, 29)
    assert "Photo 04" not in titles(page)
    at_rest(page)
    put_back(page)


def test_photos_are_dragged_from_the_selection_in_edit_mode(page):
    page.click("#select")
    page.click(photo("Photo 02"))
    page.click(photo("Photo 04"), modifier="Shift")
    assert page.evaluate("() => document.getElementById('photos').selectionCount") == 3
    drag_before(page, "Photo 03", "Photo 01")
    wait_titles(page, move_before(TITLES, ["Photo 02", "Photo 03", "Photo 04"], "Photo 01"))
    page.key("Escape")
    page.click("#done") if page.is_visible("#done") else None
    at_rest(page)
    put_back(page)


def test_the_album_is_sorted_and_turned_back(page):
    page.click("#more")
    choose(page, "Sort…")
    choose(page, "Reverse the order")
    wait_titles(page, TITLES[::-1])
    at_rest(page)
    wait_on_screen(page, TITLES[::-1][:5])
    put_back(page)
