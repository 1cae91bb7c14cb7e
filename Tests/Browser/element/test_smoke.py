from helpers import *


def test_items_are_shown_in_rows_of_a_grid(page, server):
    open_grid(page, server, 30)
    assert shown(page)[:3] == ["Item 0", "Item 1", "Item 2"]
    grid = page.locator("live-list")
    assert grid.get_attribute("aria-rowcount") == "30"


def test_a_drag_with_the_mouse_moves_an_item_and_says_intent(page, server):
    server.answer("/moves", lambda body, query: (204, None))
    open_grid(page, server, 30, "moves=/moves")
    drag(page, 1, 3, half="right")
    assert numbers(page, 5) == [0, 2, 3, 1, 4]
    [post] = server.wait_for_posts(1)
    assert post["body"]["ids"] == ["id-1"]
    assert (post["body"]["after"], post["body"]["before"]) == ("id-3", "id-4")
    assert status(page) == "Dropped. Item 1 is now 4 of 30."
