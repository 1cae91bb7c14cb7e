"""The keyboard alone, the menu, move mode and clicks alone (WCAG 2.5.7), and what is said."""

import pytest
from playwright.sync_api import expect

from gridpage import freeze, numbers, open_grid, status, tile, until


@pytest.fixture
def grid(page, server):
    server.answer("/moves", lambda body, query: (204, None))
    open_grid(page, server, 120, "moves=/moves")
    return page


def focused(page):
    return page.evaluate("document.activeElement.innerText")


def focus(page, number):
    tile(page, number).locator("[data-ll-cell]").focus()


def test_the_list_is_one_tab_stop(grid):
    assert grid.locator("[tabindex='0']").count() == 1
    grid.keyboard.press("Tab")
    assert focused(grid) == "Item 0"
    grid.keyboard.press("ArrowRight")
    assert grid.locator("[tabindex='0']").count() == 1
    grid.keyboard.press("Tab")
    assert not focused(grid).startswith("Item")
    grid.keyboard.press("Shift+Tab")
    assert focused(grid) == "Item 1"


def test_keys_move_the_focus(grid):
    columns = 5
    focus(grid, 0)
    for key, expected in [
        ("ArrowRight", 1), ("ArrowDown", 1 + columns), ("ArrowLeft", columns), ("ArrowLeft", columns - 1),
        ("End", columns - 1), ("Home", 0), ("ArrowUp", 0), ("Control+End", 119), ("ArrowDown", 119),
        ("Home", 115), ("Control+Home", 0), ("PageDown", 15), ("PageUp", 0),
        ("Control+PageDown", 0),  # the browser's: another tab
    ]:
        grid.keyboard.press(key)
        assert focused(grid) == f"Item {expected}", key
        expect(tile(grid, expected)).to_be_in_viewport()


def test_space_selects_shift_extends_and_escape_clears(grid):
    focus(grid, 2)
    grid.keyboard.press("Space")
    assert grid.evaluate("list.selection") == ["id-2"]
    assert status(grid) == "1 selected."
    grid.keyboard.press("Shift+ArrowRight")
    grid.keyboard.press("Shift+ArrowDown")
    assert grid.evaluate("list.selection.length") == 7
    grid.keyboard.press("Shift+ArrowUp")
    assert grid.evaluate("list.selection") == ["id-2", "id-3"]
    assert tile(grid, 3).locator("[data-ll-cell]").get_attribute("aria-selected") == "true"
    grid.keyboard.press("Control+a")
    assert grid.evaluate("list.selection.length") == 120
    assert status(grid) == "120 selected."
    grid.keyboard.press("Escape")
    assert grid.evaluate("list.selection") == []


def test_alt_and_an_arrow_move_without_a_mode_in_one_request(grid, server):
    freeze(grid)
    focus(grid, 3)
    for _ in range(3):
        grid.keyboard.press("Alt+ArrowRight")
    assert numbers(grid, 8) == [0, 1, 2, 4, 5, 6, 3, 7]
    grid.clock.run_for(200)
    assert status(grid) == "Item 3, position 7 of 120, before Item 7."
    assert server.posts == []
    assert focused(grid) == "Item 3"
    grid.clock.run_for(300)
    [post] = server.wait_for_posts(1)
    assert (post["body"]["after"], post["body"]["before"]) == ("id-6", "id-7")
    expect(tile(grid, 3)).to_have_class("ll-flash")


@pytest.mark.parametrize("key, expected", [
    ("Alt+ArrowDown", 17), ("Alt+ArrowUp", 7), ("Alt+Home", 0), ("Alt+End", 119), ("Alt+ArrowLeft", 11)])
def test_keys_move_items_in_every_direction(grid, server, key, expected):
    focus(grid, 12)
    grid.keyboard.press(key)
    assert grid.evaluate("list.indexOf('id-12')") == expected
    [post] = server.wait_for_posts(1)
    assert post["body"]["ids"] == ["id-12"]
    assert focused(grid) == "Item 12"
    expect(tile(grid, 12)).to_be_in_viewport()


def test_a_selection_moves_together(grid, server):
    grid.evaluate("list.selection = ['id-2', 'id-5', 'id-9']")
    focus(grid, 5)
    grid.keyboard.press("Alt+Home")
    assert numbers(grid, 5) == [2, 5, 9, 0, 1]
    [post] = server.wait_for_posts(1)
    assert post["body"]["ids"] == ["id-2", "id-5", "id-9"]


def test_at_the_edges_nothing_is_sent(grid, server):
    focus(grid, 0)
    grid.keyboard.press("Alt+ArrowLeft")
    grid.keyboard.press("Alt+ArrowUp")
    grid.evaluate("() => new Promise((done) => setTimeout(done, 450))")
    assert numbers(grid) == list(range(120)) and server.posts == []


def open_menu(page, number):
    focus(page, number)
    page.keyboard.press("Shift+F10")
    expect(page.get_by_role("menu")).to_be_visible()


def test_the_menu_opens_with_the_keyboard_and_gives_the_focus_back(grid):
    open_menu(grid, 4)
    assert grid.get_by_role("menu").get_attribute("aria-label") == "Item 4"
    assert focused(grid) == "Move…"
    grid.keyboard.press("ArrowUp")
    assert focused(grid) == "Move to position…"
    grid.keyboard.press("Home")
    assert focused(grid) == "Move…"
    grid.keyboard.press("Escape")
    expect(grid.get_by_role("menu")).to_have_count(0)
    assert focused(grid) == "Item 4"


@pytest.mark.parametrize("entry, expected", [("Move to start", 0), ("Move to end", 119)])
def test_the_menu_moves_to_the_start_and_the_end(grid, server, entry, expected):
    open_menu(grid, 4)
    grid.get_by_role("menuitem", name=entry).click()
    assert grid.evaluate("list.indexOf('id-4')") == expected
    server.wait_for_posts(1)
    assert status(grid) == f"Dropped. Item 4 is now {expected + 1} of 120."
    assert focused(grid) == "Item 4"


def test_the_menu_moves_to_a_position(grid, server):
    open_menu(grid, 4)
    grid.get_by_role("menuitem", name="Move to position…").click()
    dialog = grid.get_by_role("dialog")
    dialog.get_by_role("spinbutton").fill("50")
    grid.keyboard.press("Enter")
    until(grid, "list.indexOf('id-4') === 49")
    expect(dialog).to_have_count(0)
    server.wait_for_posts(1)
    open_menu(grid, 45)
    grid.get_by_role("menuitem", name="Move to position…").click()
    grid.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert len(server.posts) == 1 and focused(grid) == "Item 45"


@pytest.mark.parametrize("key", ["Escape", "Enter"])
def test_where_its_item_is_gone_the_question_for_a_position_leaves_the_focus_at_the_next(grid, server, key):
    open_menu(grid, 4)
    grid.get_by_role("menuitem", name="Move to position…").click()
    grid.evaluate("list.receive(change(2, { items: { deleted: [['id-4', 0, 4]] } }))")
    grid.keyboard.press(key)
    expect(grid.get_by_role("dialog")).to_have_count(0)
    until(grid, "document.activeElement.innerText.trim() === 'Item 5'")
    assert not server.posts


def test_move_mode_works_with_the_keyboard(grid, server):
    open_menu(grid, 2)
    grid.keyboard.press("Enter")
    assert status(grid) == "Grabbed Item 2, position 3 of 120."
    assert focused(grid) == "Item 2"
    grid.keyboard.press("ArrowDown")
    grid.keyboard.press("ArrowRight")
    expect(grid.locator("[role=status]")).to_have_text("Item 2, position 9 of 120, before Item 9.")
    assert server.posts == []
    grid.keyboard.press("Enter")
    assert status(grid) == "Dropped. Item 2 is now 9 of 120."
    server.wait_for_posts(1)
    assert numbers(grid, 10) == [0, 1, 3, 4, 5, 6, 7, 8, 2, 9]


def test_escape_leaves_move_mode_and_everything_returns(grid, server):
    open_menu(grid, 2)
    grid.keyboard.press("Enter")
    grid.keyboard.press("End")
    grid.keyboard.press("ArrowDown")
    assert numbers(grid) != list(range(120))
    grid.keyboard.press("Escape")
    assert numbers(grid) == list(range(120)) and server.posts == []
    assert status(grid) == "Move of Item 2 cancelled."
    expect(grid.get_by_role("region", name="Move…")).to_have_count(0)


def test_move_mode_works_with_clicks_alone(grid, server):
    tile(grid, 2).click(button="right")
    grid.get_by_role("menuitem", name="Move…").click()
    bar = grid.get_by_role("region", name="Move…")
    expect(bar.get_by_text("Moving Item 2.")).to_be_visible()
    box = tile(grid, 7).bounding_box()
    tile(grid, 7).click(position={"x": box["width"] * 0.8, "y": 40})
    expect(bar).to_have_count(0)
    assert numbers(grid, 9) == [0, 1, 3, 4, 5, 6, 7, 2, 8]
    server.wait_for_posts(1)
    tile(grid, 2).click(button="right")
    grid.get_by_role("menuitem", name="Move…").click()
    grid.get_by_role("button", name="Move to start").click()
    assert numbers(grid, 3) == [2, 0, 1]
    server.wait_for_posts(2)
    tile(grid, 2).click(button="right")
    grid.get_by_role("menuitem", name="Move…").click()
    grid.get_by_role("button", name="Cancel").click()
    assert len(server.posts) == 2


def test_an_item_deleted_elsewhere_ends_move_mode(grid, server):
    open_menu(grid, 2)
    grid.keyboard.press("Enter")
    grid.evaluate("list.receive(change(2, { items: { deleted: [['id-2', 0, 2]] } }))")
    expect(grid.get_by_role("region", name="Move…")).to_have_count(0)
    assert status(grid) == "What you were moving was deleted elsewhere."
    assert server.posts == []


def test_the_page_adds_to_the_menu(grid):
    grid.evaluate("""() => {
      list.menuItems = (ids) => [{ label: `Open ${ids.length}`, action: () => { window.opened = ids; } }];
      list.selection = ['id-1', 'id-2'];
    }""")
    tile(grid, 2).click(button="right")
    grid.get_by_role("menuitem", name="Open 2").click()
    assert grid.evaluate("opened") == ["id-1", "id-2"]


def test_no_id_is_ever_said(grid):
    grid.evaluate("""() => {
      window.said = [];
      const region = document.querySelector('[role=status]');
      new MutationObserver(() => said.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
    }""")
    grid.evaluate("list.receive(change(2, { content: {}, items: { inserted: [['id-secret', 0, 3]] } }))")
    grid.evaluate("list.focusItem('id-secret')")
    grid.keyboard.press("Alt+ArrowRight")
    until(grid, "said.some((text) => text.startsWith('Item, position 5'))")
    grid.keyboard.press("Space")
    assert grid.evaluate("said.every((text) => !text.includes('id-'))")


def test_words_can_be_in_another_language(grid):
    grid.evaluate("list.strings = { grabbed: (what, n, total) => `${what} gegriffen, Platz ${n} von ${total}.` }")
    open_menu(grid, 2)
    grid.keyboard.press("Enter")
    assert status(grid) == "Item 2 gegriffen, Platz 3 von 120."
    grid.keyboard.press("Escape")
