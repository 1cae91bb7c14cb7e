"""Ctrl+A on a list of a million of which a few are known: everything but some is selected, moved and deleted."""

import threading

import pytest
from playwright.sync_api import expect

from fake_server import PATIENCE
from gridpage import at_rest, centre, tile, until
from long_list import MILLION, SETTLED, posts, scroll


def select_all(page):
    page.evaluate("list.focusItem('id-2')")
    page.keyboard.press("Control+a")
    expect(page.locator("[role=status]")).to_have_text("1,000,000 selected.")


def selected(page):
    """The rows that are mounted, by whether they are marked."""
    return page.evaluate("""['true', 'false'].map((value) =>
      [...document.querySelectorAll(`[aria-selected=${value}]`)].map((cell) => cell.innerText.trim()))""")


def test_a_range_and_everything_can_be_selected(grid, long):
    grid.evaluate("list.focusItem('id-2')")
    grid.keyboard.press("Space")
    grid.evaluate("() => { const wait = list.load(5000, 5001); return wait.then(() => list.focusItem('id-5000')); }")
    grid.keyboard.press("Shift+Space")
    until(grid, "list.selectionCount === 4999")
    assert grid.evaluate("list.selection.at(-1)") == "id-5000"
    until(grid, SETTLED)
    asked = len(long.ranges)
    grid.keyboard.press("Control+a")
    expect(grid.locator("[role=status]")).to_have_text("1,000,000 selected.")
    assert grid.evaluate("list.selectionCount") == MILLION
    assert len(long.ranges) == asked, "no id is asked for"


def test_everything_but_some_is_selected_by_clicks_space_and_shift(grid, long):
    select_all(grid)
    assert selected(grid)[1] == []
    grid.keyboard.press("Space")
    expect(grid.locator("[role=status]")).to_have_text("999,999 selected.")
    tile(grid, 4).click(modifiers=["Control"])
    tile(grid, 6).click(modifiers=["Control"])
    assert selected(grid)[1] == ["Item 2", "Item 4", "Item 6"]
    assert grid.evaluate("list.selectionCount") == MILLION - 3
    # From the one that was clicked last: those between are selected again.
    tile(grid, 3).click(modifiers=["Shift"])
    assert selected(grid)[1] == ["Item 2"]
    tile(grid, 5).click(modifiers=["Shift"])
    assert selected(grid)[1] == ["Item 2", "Item 4"]
    tile(grid, 2).click(modifiers=["Control"])
    tile(grid, 2).click(modifiers=["Control"])
    scroll(grid, 0.5)
    until(grid, SETTLED)
    assert selected(grid)[1] == ["Item 2"] and len(selected(grid)[0]) > 20, "the focused one is still there"
    assert grid.evaluate("list.selected.toJSON().except.toSorted()") == ["id-2", "id-4"]
    grid.keyboard.press("Escape")
    assert grid.evaluate("list.selectionCount") == 0 and selected(grid)[0] == []


def test_what_arrives_is_not_selected_and_what_leaves_is_not_counted(grid, long):
    counts = "list.addEventListener('live-list-selection', ({ detail }) => (window.selectedCount = detail.count))"
    grid.evaluate(f"() => {{ {counts} }}")
    select_all(grid)
    grid.keyboard.press("Space")
    long.remove(700_000)
    until(grid, f"window.selectedCount === {MILLION - 2}")
    long.insert("id-1000001", 1)
    until(grid, f"list.count === {MILLION}")
    assert grid.evaluate("list.selectionCount") == MILLION - 2
    assert selected(grid)[1] == ["Item 1000001", "Item 2"]
    assert long.remove(3) == "id-2", "which is not selected"
    until(grid, f"list.count === {MILLION - 1}")
    assert grid.evaluate("list.selectionCount") == MILLION - 2
    assert grid.evaluate("list.selected.toJSON()") == {"version": f"e.{long.seq}", "except": ["id-1000001"]}


def test_after_missed_frames_everything_is_not_selected_any_more(grid, long):
    select_all(grid)
    with long.lock:
        long.sections[0][1].insert(8, f"id-{MILLION}")
        long.seq += 1
        long.epoch = "f"
        long.stream.drop()
    expect(grid.locator("[role=status]")).to_have_text("Nothing selected.")
    assert grid.evaluate("list.selectionCount") == 0


def test_everything_but_some_is_deleted_at_once_by_one_short_request(grid, server, long):
    select_all(grid)
    tile(grid, 4).click(modifiers=["Control"])
    held = threading.Event()
    delete = server.answers["/deletes"]
    server.answer("/deletes", lambda body, query: held.wait(PATIENCE) and delete(body, query))
    asked = len(long.ranges)
    grid.evaluate("list.focusItem('id-8')")
    grid.keyboard.press("Delete")
    assert grid.evaluate("list.count") == 1
    [body] = posts(server)
    assert set(body) == {"act", "all"} and body["all"] == {"version": "e.1", "except": ["id-4"]}
    # What arrives meanwhile stays: a server knows by the version that it is not meant. (This one does not, so it is told.)
    with long.lock:
        long.insert("id-1000002", 0)
        body["all"] = {"version": f"e.{long.seq}", "except": ["id-4", "id-1000002"]}
    until(grid, "list.count === 2")
    held.set()
    until(grid, "list.pending.length === 0 && list.version === 'e.3'")
    assert grid.evaluate("list.ids()") == ["id-1000002", "id-4"] == long.order
    assert len(long.ranges) == asked and grid.evaluate("list.selectionCount") == 0


def test_a_refused_deletion_of_everything_is_taken_back(grid, server, long):
    grid.expected_errors.append("409")
    server.answer("/deletes", lambda body, query: (409, {"error": {"message": "No."}}))
    select_all(grid)
    grid.keyboard.press("Space")
    grid.evaluate("list.focusItem('id-8')")
    grid.keyboard.press("Delete")
    expect(grid.locator("[role=status]")).to_have_text("Delete refused, items restored.")
    assert grid.evaluate("list.count") == MILLION
    assert grid.evaluate("list.selectionCount") == MILLION - 1


@pytest.mark.parametrize("way", ["menu", "keyboard", "tap", "drag"])
def test_everything_but_some_is_moved(grid, server, long, way):
    select_all(grid)
    for number in (2, 4, 6):
        tile(grid, number).click(modifiers=["Control"])
    at_rest(grid)
    # The list that comes with the answer deselects everything, which is said instead of the drop.
    held = threading.Event()
    move = server.answers["/moves"]
    server.answer("/moves", lambda body, query: held.wait(PATIENCE) and move(body, query))
    grid.evaluate("list.focusItem('id-5')")
    if way == "menu":
        grid.keyboard.press("Shift+F10")
        assert grid.get_by_role("menu").get_attribute("aria-label") == "999,997 items"
        grid.get_by_role("menuitem", name="Move to start").click()
    elif way == "keyboard":
        grid.keyboard.press("Alt+Home")
    elif way == "tap":
        grid.keyboard.press("Shift+F10")
        grid.get_by_role("menuitem", name="Move…").click()
        box = tile(grid, 4).bounding_box()
        tile(grid, 4).click(position={"x": box["width"] * 0.8, "y": 40})
    else:
        x, y = centre(grid, 5)
        grid.mouse.move(x, y)
        grid.mouse.down()
        grid.mouse.move(x + 6, y + 6)
        assert grid.locator(".ll-badge").inner_text() == "999,997"
        box = tile(grid, 4).bounding_box()
        grid.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 40, steps=3)
        grid.mouse.up()
    is_start = way in ("menu", "keyboard")
    position = 1 if is_start else 3
    if way != "keyboard":
        expect(grid.locator("[role=status]")).to_have_text(f"Dropped. 999,997 items are now at {position} of 1,000,000.")
    held.set()
    [body] = posts(server)
    after, before = (None, "id-2") if is_start else ("id-4", "id-6")
    assert body | {"act": ""} == {
        "act": "", "all": {"version": "e.1", "except": ["id-2", "id-4", "id-6"]}, "after": after, "before": before}
    until(grid, "list.pending.length === 0 && list.version === 'e.2'")
    until(grid, SETTLED)
    expected = ["id-0", "id-1", "id-3"] if is_start else ["id-2", "id-4", "id-0"]
    assert grid.evaluate("list.ids(0, 3)") == expected == long.order[:3]
    rest = ["id-2", "id-4", "id-6"] if is_start else ["id-6"]
    assert long.order[-len(rest):] == rest
