"""Metrics that the page changes, and headers that stay at the upper edge, in each engine."""

import pytest

GRID = "/Tests/Browser/element/pages/grid.html?moves=/moves&deletes=/deletes"
START = """([count, sections, metrics]) => {
  window.list = document.getElementById('list');
  for (const [name, value] of Object.entries(metrics)) list.style.setProperty(name, value);
  if (sections > 1) list.setAttribute('headers', '');
  list.redraw();
  list.receive(snapshot(count, { sections }));
  window.find = (n) => [...document.querySelectorAll('.ll-canvas [data-ll-row=item]')].find((row) => row.innerText.trim() === `Item ${n}`);
  window.header = (s) => [...document.querySelectorAll('.ll-canvas [data-ll-row=header]')].find((row) => row.innerText.trim() === `Section ${s}`);
  window.columnsOf = (n) => Math.round((list.clientWidth - 10) / (box(find(n)).width + 10));
  window.box = (node) => { const { x, y, width, height } = node.getBoundingClientRect(); return { x, y, width, height } };
}"""


@pytest.fixture
def grid(browser, server):
    def open_grid(count=400, sections=1, **metrics):
        page = browser.open(f"{server.url}{GRID}")
        page.wait_for("() => window.ready")
        page.evaluate(START, [count, sections, {f"--ll-{name.replace('_', '-')}": value for name, value in metrics.items()}])
        page.wait_for("() => !!document.querySelector('[data-ll-row=item]')")
        return page
    return open_grid


def middle(page, number):
    return page.evaluate("n => { const { x, y, width, height } = box(find(n)); return { x: x + width / 2, y: y + height / 2 } }", number)


def scroll(page, top):
    page.evaluate("top => { list.scrollTop = top }", top)
    page.wait_for("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")


IN_THE_MIDDLE = """() => { const { x, y, width, height } = box(list);
  return Number(document.elementFromPoint(x + width / 2, y + height / 2 - 20).closest('[data-ll-row=item]').innerText.trim().slice(5)) }"""
RESIZE = """(columns, point, number) => { const node = find(number); list.style.setProperty('--ll-columns', columns); list.invalidateLayout(point);
  const isMoving = () => document.getAnimations().some(({ playState }) => playState === 'running');
  return new Promise((done) => {
    const look = () => (columnsOf(number) !== columns || isMoving() ? requestAnimationFrame(look) : done(node === find(number)));
    look();
  }) }"""


@pytest.mark.parametrize("columns", [3, 9])
def test_what_is_under_the_pointer_stays_there_when_the_metrics_change(grid, columns):
    page = grid(columns=5)
    scroll(page, 1000)
    number = page.evaluate(IN_THE_MIDDLE)
    point = middle(page, number)
    assert page.evaluate(RESIZE, columns, point, number), "it is the same node"
    now = page.evaluate("n => box(find(n))", number)
    assert abs(now["y"] + now["height"] / 2 - point["y"]) <= 1


def test_without_a_point_the_item_with_the_focus_stays(grid):
    page = grid(columns=5)
    scroll(page, 1000)
    number = page.evaluate(IN_THE_MIDDLE)
    page.evaluate("n => list.focusItem(`id-${n}`)", number)
    before = middle(page, number)
    assert page.evaluate(RESIZE, 3, None, number)
    assert abs(middle(page, number)["y"] - before["y"]) <= 1


def test_at_the_top_the_first_row_stays_at_the_top(grid):
    page = grid(columns=5)
    page.evaluate(RESIZE, 3, None, 0)
    assert page.evaluate("() => list.scrollTop") == 0


def test_headers_stay_at_the_upper_edge_until_the_next_one_comes(grid):
    page = grid(60, 3, columns=2, row_height=50, header_height=40, gap=0, padding=0, header_top="0px")
    upper = page.evaluate("() => box(list).y")
    # A section is 40 + 10 * 50 px.
    for top, section in ((0, 0), (130, 0), (500, 0), (545, 1), (700, 1)):
        scroll(page, top)
        page.wait_for("([s, y]) => header(s) && Math.abs(box(header(s)).y - y) <= 1", [section, upper])
        middle = "() => { const { x, y, width } = box(list); return document.elementFromPoint(x + width / 2, y + 5).closest('[data-ll-row]').innerText.trim() }"
        assert page.evaluate(middle) == f"Section {section}", top
    # The header that comes lies over the one that stays.
    scroll(page, 520)
    assert page.evaluate("() => box(header(1)).y") == pytest.approx(upper + 20, abs=1)


def test_headers_go_along_where_nothing_is_said(grid):
    page = grid(60, 3, columns=2, row_height=50, header_height=40, gap=0, padding=0)
    upper = page.evaluate("() => box(list).y")
    scroll(page, 130)
    assert page.evaluate("() => box(header(0)).y") == pytest.approx(upper - 130, abs=1)
    assert page.evaluate("() => box(header(1)).y") == pytest.approx(upper + 540 - 130, abs=1)


def test_keys_lead_to_items_that_no_header_covers(grid):
    page = grid(60, 3, columns=2, row_height=50, header_height=40, gap=0, padding=0, header_top="0px")
    page.evaluate("() => list.focusItem('id-15')")
    page.key("ArrowUp", times=6)
    page.wait_for("() => document.activeElement.innerText.trim() === 'Item 3'")
    assert page.evaluate("() => box(document.activeElement).y - box(list).y") >= 40 - 1
