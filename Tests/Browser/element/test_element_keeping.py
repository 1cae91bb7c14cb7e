"""A page keeps a part of a long list: what is seen and needed, and of the rest what was seen last."""

from gates import TOLERANCE, percentile, sweep
from gridpage import until
from long_list import SETTLED, focused, rows, scroll


def test_what_was_not_seen_for_long_is_let_go_of(grid):
    grid.evaluate("() => { list.focusItem('id-3'); list.selection = ['id-3', 'id-17']; }")
    most = 0
    for n in range(1, 60):
        scroll(grid, n / 60)
        until(grid, SETTLED)
        counts = grid.evaluate("list.statistics")
        most = max(most, counts["known"], counts["contents"])
    print(f"known at most: {most}")
    assert 3_000 < most < 5_100, "four thousand, and what one answer brings"
    assert grid.evaluate("list.ids(40, 41)[0] ?? null") is None
    # What is selected stays, and so does what has the focus; the rest is asked for again.
    assert grid.evaluate("list.selection") == ["id-3", "id-17"]
    assert grid.evaluate("list.contentOf('id-17').title") == "Item 17"
    assert focused(grid) == "Item 3"
    scroll(grid, 0)
    until(grid, SETTLED)
    assert all(title == f"Item {index - 1}" for index, title in rows(grid))


def test_what_is_seen_again_and_again_stays_and_what_the_page_wants_to_keep(grid, long):
    grid.evaluate("() => { list.kept = ['id-500000']; return list.load(500000, 500001); }")
    for n in range(1, 60):
        scroll(grid, 0.9 + n / 1000)
        until(grid, SETTLED)
        scroll(grid, 0)
    until(grid, SETTLED)
    assert grid.evaluate("list.ids(900_000, 999_999).filter(Boolean).length") < 4_000, "some of it was let go of"
    assert grid.evaluate("list.ids(20, 21)[0]") == "id-20"
    assert not [start for start, *_ in long.ranges if start < 100], "it is not asked for again"
    assert grid.evaluate("list.contentOf('id-500000').title") == "Item 500000"


def test_a_range_that_is_being_loaded_is_not_let_go_of(grid):
    grid.evaluate("() => { window.loaded = list.load(0, 12_000).then(() => list.ids(0, 12_000).every(Boolean)); }")
    scroll(grid, 0.5)
    assert grid.evaluate("loaded") is True
    scroll(grid, 0.6)
    until(grid, "list.statistics.known < 5100")


def test_a_long_range_that_is_selected_costs_nothing_to_scroll(grid):
    grid.evaluate("list.focusItem('id-2')")
    grid.keyboard.press("Space")
    grid.evaluate("() => list.load(99_999, 100_000).then(() => list.focusItem('id-99999'))")
    grid.keyboard.press("Shift+Space")
    until(grid, "list.selectionCount === 99_998")
    scrolls, _ = sweep(grid, 40, 2)
    print(f"scroll with 99,998 selected: p95 {percentile(scrolls, .95):.2f} ms")
    assert percentile(scrolls, 0.95) <= 4 * TOLERANCE
    assert grid.evaluate("list.selection.length") == 99_998


def test_pending_mutations_keep_the_items_that_they_are_about(grid, server):
    server.answer("/moves", lambda body, query: (503, None, {"Retry-After": "1000"}))
    grid.expected_errors.append("503")
    grid.evaluate("list.move(['id-1', 'id-5'], { after: 'id-8', before: 'id-9' })")
    for n in range(1, 60):
        scroll(grid, n / 60)
        until(grid, SETTLED)
    assert grid.evaluate("list.statistics.known") < 5_100
    assert grid.evaluate("['id-8', 'id-1', 'id-5'].map((id) => list.indexOf(id))") == [6, 7, 8]
