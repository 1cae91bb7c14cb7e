"""An album is chosen for photos: a dialog with a search, the albums, and a new one."""

import pytest
from playwright.sync_api import expect

from gridpage import until
from sheet import Sheet
from test_album_page import open_album, photo


@pytest.fixture
def sheet(server):
    sheet = Sheet(server, 24)
    for number in range(200):
        sheet.others[f"n{number}"] = {"title": f"Album {number}", "count": number, "cover": f"c{number}"}
    sheet.others["accents"] = {"title": "Été à Zürich", "count": 3, "cover": None}
    return sheet


def pick(page, title="Dunes"):
    photo(page, title).click(button="right", force=True)
    page.get_by_role("menuitem", name="Move to album…").click()
    dialog = page.get_by_role("dialog", name="Move 1 photo to")
    expect(dialog.get_by_role("combobox")).to_be_focused()
    return dialog


@pytest.mark.parametrize("size", [(900, 700), (320, 568)])
def test_two_hundred_albums_are_within_the_window_and_can_be_scrolled(new_page, sheet, server, size):
    page = new_page(viewport={"width": size[0], "height": size[1]})
    open_album(page, sheet)
    dialog = pick(page)
    expect(dialog.get_by_role("option")).to_have_count(203)
    box = dialog.bounding_box()
    assert box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= size[0] and box["y"] + box["height"] <= size[1]
    expect(dialog.get_by_role("button", name="Cancel")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    last = dialog.get_by_role("option", name="Album 199")
    expect(last).not_to_be_in_viewport()
    last.click()
    [post] = server.wait_for_posts(1, "/api/albums/a/transfers")
    assert post["body"]["ids"] == ["p1"] and post["body"]["album"] == "n199"
    expect(page.locator(".toast")).to_contain_text("moved to “Album 199”.")


def test_albums_are_found_whatever_their_case_and_accents_and_chosen_by_keys(page, sheet, server):
    open_album(page, sheet)
    dialog = pick(page)
    until(page, "document.querySelector('.picker img[src$=family]').naturalWidth > 0")
    field = dialog.get_by_role("combobox")
    field.press_sequentially("ZURICH ete")
    expect(dialog.get_by_role("option")).to_have_count(1)
    field.fill("album 19")
    expect(dialog.get_by_role("option")).to_have_count(12)

    def active():
        return field.evaluate("field => document.getElementById(field.getAttribute('aria-activedescendant')).innerText.split('\\n')[0]")

    assert active() == "Album 19"
    for key, name in [
            ("ArrowDown", "Album 119"), ("ArrowUp", "Album 19"), ("ArrowUp", "Album 199"), ("ArrowDown", "Album 19"),
            ("PageDown", None), ("PageUp", "Album 19"), ("ArrowDown", "Album 119")]:
        page.keyboard.press(key)
        assert name is None or active() == name
        expect(dialog.get_by_role("option", selected=True)).to_have_count(1)
        expect(dialog.get_by_role("option", selected=True)).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    [post] = server.wait_for_posts(1, "/api/albums/a/transfers")
    assert post["body"]["album"] == "n119"


def test_escape_and_cancel_choose_nothing_and_the_focus_returns(page, sheet, server):
    open_album(page, sheet)
    pick(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    pick(page).get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("document.activeElement.querySelector('img')?.alt") == "Dunes"
    assert [post for post in server.posts if "transfers" in post["path"]] == []


def test_photos_go_to_a_new_album_that_is_named_on_the_way(page, sheet, server):
    server.answer("POST /api/albums", lambda body, query: (201, {"id": "new", "title": body["title"], "count": 0}))
    open_album(page, sheet)
    dialog = pick(page)
    dialog.get_by_role("combobox").fill("Faroe")
    expect(dialog.locator(".nothing")).to_have_text("No album matches “Faroe”.")
    dialog.get_by_role("button", name="New album “Faroe”…").click()
    question = page.get_by_role("dialog", name="New album for 1 photo")
    expect(question.get_by_role("textbox")).to_have_value("Faroe")
    question.get_by_role("textbox").fill("Faroe Islands")
    page.keyboard.press("Enter")
    [post] = server.wait_for_posts(1, "/api/albums/a/transfers")
    assert post["body"]["ids"] == ["p1"] and post["body"]["album"] == "new"
    expect(page.locator(".toast")).to_contain_text("“Dunes” moved to “Faroe Islands”.")
    expect(photo(page, "Dunes")).to_have_count(0)


def test_a_new_album_that_cannot_be_made_moves_nothing(page, sheet, server):
    page.expected_errors.append("409")
    server.answer("POST /api/albums", lambda body, query: (409, {"error": {"message": "There is one of this name."}}))
    open_album(page, sheet)
    pick(page).get_by_role("button", name="New album…").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("Family")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_have_text("There is one of this name.")
    page.get_by_role("button", name="Cancel").click()
    expect(photo(page, "Dunes")).to_be_visible()
    assert [post for post in server.posts if "transfers" in post["path"]] == []


def test_the_choice_follows_the_albums(page, sheet):
    open_album(page, sheet)
    dialog = pick(page)
    dialog.get_by_role("combobox").fill("album 19")
    page.keyboard.press("ArrowDown")
    sheet.others.pop("n19")
    sheet.others["late"] = {"title": "Album 19 b", "count": 0, "cover": None}
    sheet.seq += 1
    sheet.albums.send(sheet.album_list())
    expect(dialog.get_by_role("option", name="Album 19 b")).to_be_visible()
    expect(dialog.get_by_role("option", name="Album 19", exact=True)).to_have_count(0)
    expect(dialog.get_by_role("option", selected=True)).to_contain_text("Album 119")
