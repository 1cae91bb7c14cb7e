"""How far a list scrolls, and where it is then: whatever is mounted far away, and whatever its size becomes."""

import threading

from gridpage import at_rest, frames, until
from long_list import MILLION, SETTLED, rows, scroll


def first_position(page):
    """The position of the first row that is wholly visible, whether its item is known or still to come."""
    return page.evaluate("""() => {
      const edge = list.getBoundingClientRect().top;
      const seen = [...list.querySelectorAll('.ll-canvas [data-ll-row]')]
        .map((row) => [row.getBoundingClientRect().top - edge, +row.getAttribute('aria-rowindex')])
        .filter(([top]) => top >= -1);
      return Math.min(...seen.map(([, position]) => position));
    }""")


def test_a_row_with_the_focus_far_away_does_not_lengthen_the_list(grid):
    height = grid.evaluate("list.scrollHeight")
    scroll(grid, 1)
    until(grid, SETTLED)
    grid.evaluate("list.focusItem(list.ids(999999)[0])")
    scroll(grid, 0)
    until(grid, SETTLED)
    assert grid.evaluate("document.activeElement.textContent.trim()") == "Item 999999"
    assert grid.evaluate("list.scrollHeight") == height
    scroll(grid, 0.5)
    until(grid, SETTLED)
    assert abs(first_position(grid) - MILLION / 2) < 100


def test_a_row_with_the_focus_that_moves_far_away_does_not_lengthen_the_list(grid, server, long):
    height = grid.evaluate("list.scrollHeight")
    held = threading.Event()
    move = server.answers["/moves"]
    server.answer("/moves", lambda *request: held.wait(10) and move(*request))
    grid.evaluate("() => list.load(700000, 700001)")
    until(grid, "list.ids(700000, 700001)[0]")
    grid.evaluate("() => { list.focusItem('id-0'); list.move(['id-0'], { after: 'id-700000' }) }")
    at_rest(grid)  # it travels there
    assert grid.evaluate("list.scrollHeight") == height
    held.set()
    until(grid, "list.pending.length === 0")


def test_a_list_that_gets_another_width_stays_where_it_is_while_rows_are_still_to_come(grid, long):
    held = threading.Event()
    long.on_range = lambda number: held.wait(10)
    scroll(grid, 0.5)
    until(grid, "document.querySelector('[data-ll-row=waiting]')")
    before = first_position(grid)
    grid.set_viewport_size({"width": 500, "height": 700})
    until(grid, "list.clientWidth === 500")
    frames(grid)
    assert abs(first_position(grid) - before) < 20
    held.set()
    until(grid, SETTLED)
    assert rows(grid)


def test_a_list_that_was_scrolled_and_gets_another_width_in_one_frame_stays_where_it_was_scrolled_to(grid):
    grid.evaluate("""() => { list.scrollTop = (list.scrollHeight - list.clientHeight) / 2; list.style.width = '500px' }""")
    until(grid, "list.clientWidth === 500")
    frames(grid)
    assert abs(first_position(grid) - MILLION / 2) < 20
    until(grid, SETTLED)


def test_a_box_that_a_script_scrolls_just_before_it_is_set_right_stays_where_it_was_scrolled_to(grid):
    """A script's scrolling is told with the next animation frame, and the box is set right by a timer: on a busy page that
    comes first."""
    at = grid.evaluate("""() => {
      const kept = [];
      const setTimer = window.setTimeout;
      window.setTimeout = (work, ...all) => { kept.push(work); return setTimer(work, ...all); };
      list.redraw();
      window.setTimeout = setTimer;
      list.scrollTop = (list.scrollHeight - list.clientHeight) / 2;
      for (const work of kept) work();
      return list.scrollTop;
    }""")
    assert at > 1_000_000
    until(grid, SETTLED)
    frames(grid)
    assert abs(first_position(grid) - MILLION / 2) < 100
