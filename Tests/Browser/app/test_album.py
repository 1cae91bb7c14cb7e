"""Looking at photos and deleting them."""

import pytest
from album_page import ITEM, box, settle, titles, until, wait_for_count
from photographs import jpeg


@pytest.fixture
def album(server, open_page, tmp_path):
    page = open_page(server.url)
    wait_for_count(page, 0)
    for n in range(3):
        page.set_input_files("#files", jpeg(tmp_path / f"photo {n}.jpg", n))
        wait_for_count(page, n + 1)
    page.locator("#uploads").wait_for(state="hidden")
    return page


def open_menu(page, title):
    point = box(page, title)
    page.mouse.click(point["x"], point["y"], button="right")


def test_a_click_opens_a_photo_and_the_arrows_turn_the_pages(album):
    point = box(album, "photo 1")
    album.mouse.click(point["x"], point["y"])
    viewer = album.locator("#viewer")
    viewer.wait_for(state="visible")
    assert "photo 1" in viewer.locator(".caption").inner_text()
    until(album, "() => document.querySelector('#viewer .current img.previews')?.src.includes('/previews/')")
    album.keyboard.press("ArrowRight")
    until(album, "() => document.querySelector('#viewer .caption').textContent.includes('photo 2')")
    assert viewer.locator(".next").is_disabled()
    album.keyboard.press("Escape")
    viewer.wait_for(state="hidden")


def test_a_deleted_photo_is_gone_everywhere(server, album, open_page):
    other = open_page(server.url)
    wait_for_count(other, 3)
    open_menu(album, "photo 1")
    album.get_by_role("menuitem", name="Delete").click()
    wait_for_count(album, 2), wait_for_count(other, 2)
    settle(album), settle(other)
    assert titles(other) == ["photo 0", "photo 2"]
    assert other.locator(ITEM).count() == 2


def test_a_photo_that_another_deletes_makes_room_in_the_viewer(server, album, open_page):
    other = open_page(server.url)
    wait_for_count(other, 3)
    point = box(other, "photo 1")
    other.mouse.click(point["x"], point["y"])
    other.locator("#viewer").wait_for(state="visible")
    open_menu(album, "photo 1")
    album.get_by_role("menuitem", name="Delete").click()
    until(other, "() => !document.querySelector('#viewer .caption').textContent.includes('photo 1')")
