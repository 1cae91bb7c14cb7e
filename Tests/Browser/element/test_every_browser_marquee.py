"""Selecting by a rectangle that the mouse draws, in each engine."""

import pytest

GRID = "/Tests/Browser/element/pages/grid.html?moves=/moves&deletes=/deletes"
START = """([count, gap, attributes]) => {
  window.list = document.getElementById('list');
  const metrics = { '--ll-columns': 4, '--ll-row-height': 60, '--ll-gap': gap, '--ll-padding': 20 };
  for (const [name, value] of Object.entries(metrics)) list.style.setProperty(name, value);
  for (const [name, isOn] of Object.entries(attributes)) list.toggleAttribute(name, isOn);
  list.redraw();
  list.receive(snapshot(count));
  window.rows = (from) => [...document.querySelectorAll('.ll-canvas [data-ll-row=item]')];
  window.selected = () => list.selection.map((id) => Number(id.split('-')[1])).join();
}"""
BOX = """n => { const rows = [...document.querySelectorAll('.ll-canvas [data-ll-row=item]')];
  const { x, y, width, height } = rows.find((row) => row.innerText.trim() === `Item ${n}`).getBoundingClientRect();
  return [x, y, width, height] }"""


@pytest.fixture
def grid(browser, server):
    def open_grid(count=24, gap=20, **attributes):
        page = browser.open(f"{server.url}{GRID}")
        page.wait_for("() => window.ready")
        page.evaluate(START, [count, gap, attributes])
        page.wait_for("() => !!document.querySelector('[data-ll-row=item]')")
        move_in(page)
        return page
    return open_grid


def move_in(page):
    """With the mouse comes the part that draws the rectangle."""
    x, y = corner(page, 0)
    page.wait_for("() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/keyboard.js'))")
    page.evaluate("() => new Promise((done) => setTimeout(done, 50))")
    page.move(x + 3, y + 3)
    page.move(x, y)
    page.wait_for("() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/rectangle.js'))")
    page.evaluate("() => new Promise((done) => setTimeout(done, 50))")


def corner(page, number, far=False):
    """A point in the gap above and before an item, or below and after it."""
    x, y, width, height = page.evaluate(BOX, number)
    return (x + width + 8, y + height + 8) if far else (x - 8, y - 8)


def draw(page, start, end, release=True):
    page.move(*start)
    page.press()
    page.move(*((a + b) / 2 for a, b in zip(start, end, strict=True)))
    page.move(*end)
    if release:
        page.release()


def test_a_rectangle_from_empty_space_selects_what_it_touches(grid):
    page = grid()
    draw(page, corner(page, 1), corner(page, 6, far=True))
    page.wait_for("() => selected() === '1,2,5,6'")
    page.wait_for("() => document.querySelector('[role=status]').textContent.startsWith('4 ')")
    assert not page.evaluate("() => document.querySelector('.ll-marquee')")
    # The next one replaces it.
    draw(page, corner(page, 8), corner(page, 8, far=True))
    page.wait_for("() => selected() === '8'")


def test_after_a_rectangle_keys_are_about_what_it_selected(grid, server):
    server.answer("/deletes", lambda body, query: (204, None))
    page = grid()
    page.evaluate("() => list.focusItem(list.ids()[9])")
    draw(page, corner(page, 1), corner(page, 6, far=True))
    page.wait_for("() => selected() === '1,2,5,6' && document.activeElement.innerText.trim() === 'Item 1'")
    page.key("Delete")
    [post] = server.wait_for_posts(1, "/deletes")
    assert [int(one.split("-")[1]) for one in post["body"]["ids"]] == [1, 2, 5, 6]


def test_with_shift_it_is_added_to_what_is_selected(grid):
    page = grid()
    page.evaluate("() => { list.selection = [list.ids()[8]] }")
    page._keys([("down", "Shift")])
    draw(page, corner(page, 1), corner(page, 1, far=True))
    page._keys([("up", "Shift")])
    page.wait_for("() => selected() === '1,8'")


def test_while_it_is_drawn_the_rectangle_is_seen_and_follows_the_selection(grid):
    page = grid()
    draw(page, corner(page, 0), corner(page, 5, far=True), release=False)
    page.wait_for("() => selected() === '0,1,4,5'")
    assert page.evaluate("() => document.querySelector('.ll-marquee').getBoundingClientRect().width > 100")
    page.move(*corner(page, 0, far=True))
    page.wait_for("() => selected() === '0'")
    page.release()
    page.wait_for("() => !document.querySelector('.ll-marquee')")
    assert page.evaluate("() => selected()") == "0"


def test_escape_takes_the_rectangle_back(grid):
    page = grid()
    page.evaluate("() => { list.selection = [list.ids()[9]] }")
    draw(page, corner(page, 0), corner(page, 5, far=True), release=False)
    page.wait_for("() => selected() === '0,1,4,5'")
    page.key("Escape")
    page.wait_for("() => selected() === '9' && !document.querySelector('.ll-marquee')")
    page.release()
    assert page.evaluate("() => selected()") == "9"


def test_on_items_it_begins_in_edit_mode_where_they_cannot_be_moved(grid):
    page = grid(gap=2, reorder=False, editing=True)
    page.evaluate("() => { list.selection = [list.ids()[9]] }")
    x, y, width, height = page.evaluate(BOX, 0)
    u, v, *_ = page.evaluate(BOX, 5)
    draw(page, (x + width / 2, y + height / 2), (u + 20, v + 20))
    # In edit mode it is added to what is selected.
    page.wait_for("() => selected() === '0,1,4,5,9'")
    # A click still selects one.
    page.move(x + width / 2, y + height / 2)
    page.press()
    page.release()
    page.wait_for("() => selected() === '1,4,5,9'")


def test_an_item_that_can_be_moved_is_dragged_and_no_rectangle_drawn(grid):
    page = grid()
    x, y, width, height = page.evaluate(BOX, 0)
    draw(page, (x + width / 2, y + height / 2), corner(page, 6, far=True), release=False)
    page.wait_for("() => !!document.querySelector('.ll-preview')")
    assert not page.evaluate("() => document.querySelector('.ll-marquee')")
    page.key("Escape")
    page.release()
    assert page.evaluate("() => selected()") == ""


def test_beyond_the_edge_the_list_scrolls_and_the_rectangle_grows(grid):
    page = grid(400)
    box = page.evaluate("() => { const { x, y, width, height } = list.getBoundingClientRect(); return [x, y, width, height] }")
    draw(page, corner(page, 0), (box[0] + box[2] / 2 - 10, box[1] + box[3] - 4), release=False)
    page.wait_for("() => list.scrollTop > 600")
    page.release()
    assert page.evaluate("() => list.selectionCount") > 16


@pytest.mark.engines("chromium")
def test_a_finger_draws_no_rectangle(engine, server):
    browser = engine.browser(touch=True)
    page = browser.open(f"{server.url}{GRID}")
    page.wait_for("() => window.ready")
    page.evaluate(START, [24, 20, {}])
    page.wait_for("() => !!document.querySelector('[data-ll-row=item]')")
    x, y = corner(page, 1)
    page.touch([("down", x, y), ("move", x + 150, y + 150), ("up",)])
    assert page.evaluate("() => selected()") == ""
