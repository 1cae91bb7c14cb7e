"""Edit mode and undo on ContactSheet's page."""

import re

import pytest
from playwright.sync_api import expect

from gridpage import Finger, at_rest, freeze, until
from sheet import Sheet
from test_album_page import drag, open_album, photo


@pytest.fixture
def sheet(server):
    return Sheet(server, 24)


def order(page):
    return page.evaluate("document.getElementById('photos').ids().join()")


def test_edit_mode_works_on_the_selection(page, sheet):
    open_album(page, sheet)
    page.get_by_role("button", name="Select", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Select photos")
    delete = page.get_by_role("toolbar").get_by_role("button", name="Delete")
    expect(delete).to_be_disabled()
    photo(page, "Dunes").click(force=True)
    photo(page, "Harbour").click(force=True, modifiers=["Shift"])
    expect(page.get_by_role("heading", level=1)).to_have_text("4 selected")
    sheet.order.remove("p2")
    sheet.commit(deleted=[["p2", 0, 2]])
    expect(page.get_by_role("heading", level=1)).to_have_text("3 selected")
    delete.click()
    expect(page.locator("#count")).to_have_text("20 photos")
    expect(page.get_by_role("heading", level=1)).to_have_text("Select photos")
    expect(delete).to_be_disabled()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Iceland")
    assert not {"p1", "p2", "p3", "p4"} & set(sheet.order)


def test_edit_mode_ends_when_the_album_is_empty_and_there_is_nothing_to_select(page, sheet):
    open_album(page, sheet)
    page.get_by_role("button", name="Select", exact=True).click()
    page.get_by_role("button", name="Select all").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("24 selected")
    page.get_by_role("toolbar").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="No photos yet")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Iceland")
    expect(page.get_by_role("button", name="Select", exact=True)).to_be_disabled()


def test_a_move_and_a_delete_are_undone_by_the_message_and_by_the_keyboard(new_page, sheet):
    page, other = new_page(), new_page()
    open_album(page, sheet)
    open_album(other, sheet)
    before = order(page)
    drag(page, "Lighthouse", "Dunes")
    expect(page.locator(".toast")).to_contain_text("“Lighthouse” moved to position 2.")
    at_rest(page)  # a tile that is on its way is not where it was when the pointer gets there
    photo(page, "Pier").click(button="right", force=True)
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.locator(".toast")).to_contain_text("“Pier” deleted.")
    expect(photo(other, "Pier")).to_have_count(0)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(photo(page, "Pier")).to_be_visible()
    page.keyboard.press("Control+z")
    until(page, f"document.getElementById('photos').ids().join() === '{before}'")
    until(other, f"document.getElementById('photos').ids().join() === '{before}'")


def test_a_selection_goes_to_another_album_by_the_menu(page, sheet, server):
    open_album(page, sheet)
    page.get_by_role("button", name="Select", exact=True).click()
    photo(page, "Dunes").click(force=True)
    photo(page, "Pier").click(force=True)
    page.get_by_role("toolbar").get_by_role("button", name="Move to album…").click()
    page.get_by_role("option", name="Lists").click()
    [post] = server.wait_for_posts(1, "/api/albums/a/transfers")
    assert post["body"]["ids"] == ["p1", "p2"] and post["body"]["album"] == "c"


def test_what_needs_a_selection_is_disabled_without_one(page, sheet):
    open_album(page, sheet)
    page.get_by_role("button", name="Select", exact=True).click()
    buttons = page.get_by_role("toolbar").get_by_role("button")
    assert buttons.all_inner_texts() == ["Reorder…", "Move to album…", "Delete"]
    assert [buttons.nth(n).is_disabled() for n in range(3)] == [True] * 3
    photo(page, "Dunes").click(force=True)
    assert [buttons.nth(n).is_disabled() for n in range(3)] == [False] * 3
    photo(page, "Dunes").click(force=True)
    assert [buttons.nth(n).is_disabled() for n in range(3)] == [True] * 3


def test_in_edit_mode_a_photo_is_dragged_from_anywhere(new_page, sheet, server):
    page = new_page(viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True)
    open_album(page, sheet)
    page.get_by_role("button", name="Select", exact=True).tap()
    box = photo(page, "Dunes").bounding_box()
    finger = Finger(page)
    # Where the mark of a selected photo is, as everywhere else on it.
    finger("touchStart", (box["x"] + box["width"] - 18, box["y"] + box["height"] - 18))
    until(page, "document.querySelector('.ll-preview')")
    target = photo(page, "Harbour").bounding_box()
    for part in (0.5, 1):
        finger("touchMove", (
            box["x"] + (target["x"] + 5 - box["x"]) * part, box["y"] + (target["y"] + 40 - box["y"]) * part))
    finger("touchEnd")
    [post] = server.wait_for_posts(1, "/api/albums/a/moves")
    assert (post["body"]["ids"], post["body"]["before"]) == (["p1"], "p4")
    assert page.locator(".ll-selected").count() == 0, "it was no tap"


def test_in_edit_mode_a_photo_has_one_mark_and_all_of_it_selects(new_page, sheet):
    page = new_page(viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True)
    open_album(page, sheet)
    page.get_by_role("button", name="Select", exact=True).tap()
    assert page.locator("#photos .photo button").count() == 0
    box = photo(page, "Dunes").bounding_box()
    assert box["width"] >= 44 and box["height"] >= 44
    page.touchscreen.tap(box["x"] + 10, box["y"] + 10)
    expect(page.get_by_role("heading", level=1)).to_have_text("1 selected")
    page.touchscreen.tap(box["x"] + box["width"] - 10, box["y"] + box["height"] - 10)
    expect(page.get_by_role("heading", level=1)).to_have_text("Select photos")


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_the_actions_are_in_one_line_at_the_lower_edge(new_page, sheet, width):
    sheet.features += " additions"
    page = new_page(viewport={"width": width, "height": 700}, has_touch=True, is_mobile=True)
    open_album(page, sheet)
    page.get_by_role("button", name="Select", exact=True).tap()
    boxes = [one.bounding_box() for one in page.get_by_role("toolbar").get_by_role("button").all()]
    assert len(boxes) == 4
    assert len({round(box["y"]) for box in boxes}) == 1
    assert all(box["height"] >= 44 and box["width"] >= 44 for box in boxes)
    assert boxes[-1]["x"] + boxes[-1]["width"] <= width and boxes[0]["y"] > 600


def test_undo_is_offered_for_ten_seconds(page, sheet):
    open_album(page, sheet)
    freeze(page)
    page.evaluate("() => { const l = document.getElementById('photos'); l.delete([l.ids()[2]]); }")
    expect(page.locator(".toast")).to_have_text(re.compile("^“.+” deleted\\.Undo$"))
    page.clock.run_for(9_900)
    assert page.locator(".toast").count() == 1
    page.clock.run_for(200)
    assert page.locator(".toast").count() == 0


def test_twenty_mutations_of_all_kinds_are_taken_back_and_seen_by_others(new_page, sheet):
    page, other = new_page(), new_page()
    open_album(page, sheet)
    open_album(other, sheet)
    history = []
    for number in range(21):
        history.append(",".join(sheet.order))
        done = len(sheet.done)
        if number % 3 == 0:
            page.evaluate("() => { const l = document.getElementById('photos'); l.move([l.ids()[5]], { before: l.ids()[1] }); }")
        elif number % 3 == 1:
            page.evaluate("() => { const l = document.getElementById('photos'); l.delete([l.ids()[2]]); }")
        else:
            page.get_by_role("button", name="Select", exact=True).click()
            page.evaluate("() => { const l = document.getElementById('photos'); l.selection = [l.ids()[1]]; }")
            page.get_by_role("toolbar").get_by_role("button", name="Move to album…").click()
            page.get_by_role("option", name="Family").click()
            page.get_by_role("button", name="Done").click()
        until(page, "document.getElementById('photos').pending.length === 0")
        assert len(sheet.done) == done + 1
    for expected in reversed(history):
        page.keyboard.press("Control+z")
        for one in (page, other):
            until(one, f"document.getElementById('photos').ids().join() === '{expected}'")
    page.keyboard.press("Control+z")
    expect(page.locator(".toast").last).to_have_text("Nothing to undo.")


def test_where_nothing_changed_there_is_nothing_to_take_back(page, sheet, server):
    def unchanged(body, query):
        sheet.commit([body["act"]])
        return 200, {"changed": False}

    open_album(page, sheet)
    before = order(page)
    page.evaluate("() => { const l = document.getElementById('photos'); l.move([l.ids()[5]], { before: l.ids()[1] }); }")
    until(page, "document.getElementById('photos').pending.length === 0")
    server.answer("/api/albums/a/moves", unchanged)
    page.evaluate("() => { const l = document.getElementById('photos'); l.move([l.ids()[1]], { before: l.ids()[2] }); }")
    until(page, "document.getElementById('photos').pending.length === 0")
    expect(page.locator(".toast")).to_have_count(0)
    page.keyboard.press("Control+z")
    until(page, f"document.getElementById('photos').ids().join() === '{before}'")


def test_what_happens_is_said_by_the_names_of_photos(page, sheet):
    open_album(page, sheet)
    page.evaluate("""() => {
      window.said = [];
      const region = document.querySelector('[role=status]');
      new MutationObserver(() => said.push(region.textContent.trim())).observe(region, { childList: true });
    }""")
    drag(page, "Lighthouse", "Dunes", release=False)
    until(page, "said.length === 2")
    page.mouse.up()
    until(page, "said.length === 3")
    assert page.evaluate("said") == [
        "Grabbed Lighthouse, position 4 of 24.", "Lighthouse, position 2 of 24, before Dunes.",
        "Dropped. Lighthouse is now 2 of 24."]


def test_albums_are_reordered(page, sheet, server):
    server.answer("/api/albums/moves", lambda body, query: (200, {"changed": True}))
    open_album(page, sheet)
    albums = page.get_by_role("grid", name="Albums")
    source, target = albums.get_by_text("Lists").bounding_box(), albums.get_by_text("Iceland").bounding_box()
    page.mouse.move(source["x"] + 10, source["y"] + 5)
    page.mouse.down()
    page.mouse.move(source["x"] + 16, source["y"] + 10)
    page.mouse.move(target["x"] + 10, target["y"] - 4, steps=5)
    page.mouse.up()
    [post] = server.wait_for_posts(1, "/api/albums/moves")
    assert {name: post["body"][name] for name in ("ids", "after", "before")} == {"ids": ["c"], "after": None, "before": "a"}
