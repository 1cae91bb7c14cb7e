"""Parts that depend on the engine: shadow roots, focus, and lists that are hidden and shown again."""

import pytest

from test_element_stream import snapshot

GRID = "/Tests/Browser/element/pages/grid.html"
MANY = 500
# A page of a list in a shadow root, without any style sheet of its own there.
SHADOW = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Shadow</title><link rel="icon" href="data:,">
<div id="outside"></div><button id="aside">Aside</button><script type="module" src="/shadow.js"></script>"""
SCRIPT = """
import '/live-list/live-list.js';
import '/live-list/reordering.js';

const root = document.getElementById('outside').attachShadow({ mode: 'open' });
const list = window.list = document.createElement('live-list');
list.style.height = '400px';
for (const [name, value] of Object.entries({ '--ll-columns': '1', '--ll-row-height': '40' })) list.style.setProperty(name, value);
list.setAttribute('reorder', '');
list.setAttribute('moves', '/moves');
list.ariaLabel = 'Things';
list.renderer = (cell, { title }) => (cell.textContent = title);
root.append(list);
list.setAttribute('src', '/stream');
window.inside = (selector) => [...root.querySelectorAll(selector)];
window.row = (title) => inside('[data-ll-cell]').find((cell) => cell.textContent === title);
window.ready = true;
"""


@pytest.fixture
def shadow(browser, server):
    server.stream("/stream").on_open = lambda since: [snapshot()]
    server.answer("/moves", lambda body, query: (200, {"changed": True}))
    server.pages["/shadow.html"] = (SHADOW.encode(), "text/html; charset=utf-8")
    server.pages["/shadow.js"] = (SCRIPT.encode(), "text/javascript")
    page = browser.open(f"{server.url}/shadow.html")
    page.wait_for("() => window.ready && list.count === 12 && getComputedStyle(list).overflowY === 'auto'")
    page.wait_for("() => inside('[data-ll-row]').every((row) => getComputedStyle(row).position === 'absolute')")
    return page


def centre(page, script):
    return tuple(page.evaluate(f"""() => {{ const box = ({script}).getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2]; }}"""))


def test_a_list_in_a_shadow_root_has_its_styles_and_the_region_that_speaks_is_not_seen(shadow):
    assert shadow.evaluate("() => getComputedStyle(row('Item 3').parentNode).position") == "absolute"
    shadow.wait_for("() => document.querySelector('.ll-status').getBoundingClientRect().width <= 1")


def test_in_a_shadow_root_the_menu_works_and_gives_the_focus_back(shadow, server):
    shadow.evaluate("() => row('Item 3').focus()")
    shadow.key("Shift+F10")
    shadow.wait_for("() => inside('.ll-menu [role=menuitem]').length === 4")
    shadow.wait_for("() => list.getRootNode().activeElement?.role === 'menuitem' || list.getRootNode().activeElement?.getAttribute('role') === 'menuitem'")
    shadow.key("ArrowDown")
    shadow.wait_for("() => list.getRootNode().activeElement.textContent === 'Move to start'")
    shadow.key("Escape")
    shadow.wait_for("() => list.getRootNode().activeElement === row('Item 3')")
    shadow.key("Shift+F10")
    shadow.wait_for("() => inside('.ll-menu').length === 1 && getComputedStyle(inside('.ll-menu')[0]).borderRadius === '12px'")
    # A press in it is none beside it.
    shadow.click(centre(shadow, "inside('[role=menuitem]')[1]"))
    assert server.wait_for_posts(1, "/moves")[0]["body"]["ids"] == ["id-3"]
    shadow.wait_for("() => list.getRootNode().activeElement === row('Item 3')")
    shadow.key("Shift+F10")
    shadow.wait_for("() => inside('.ll-menu').length === 1")
    shadow.click("#aside")
    shadow.wait_for("() => inside('.ll-menu').length === 0")


def test_in_a_shadow_root_a_deleted_item_hands_its_focus_on(shadow, server):
    shadow.evaluate("() => row('Item 3').focus()")
    server.stream("/stream").send({
        "format": 1, "kind": "change", "epoch": "e", "from": 1, "seq": 2, "items": {"deleted": [["id-3", 0, 3]]}})
    shadow.wait_for("() => list.count === 11 && list.getRootNode().activeElement === row('Item 4')")


def test_where_the_styles_of_a_shadow_root_cannot_be_had_the_console_says_so(browser, server):
    server.stream("/stream").on_open = lambda since: [snapshot()]
    server.pages["/shadow.html"] = (SHADOW.encode(), "text/html; charset=utf-8")
    said = "window.said = []; console.error = (...all) => said.push(all.join(' '));"
    server.pages["/shadow.js"] = ((said + SCRIPT).replace("import ", "\nimport ").encode(), "text/javascript")
    server.answer("GET /live-list/live-list.css", lambda body, query: (404, None))
    browser.expect_errors("live-list", "404", "MIME", "stylesheet")
    page = browser.open(f"{server.url}/shadow.html")
    page.wait_for("() => window.said?.some((text) => text.includes('live-list.css is missing'))")


HIDE = {
    "display": ["list.style.display = 'none'", "list.style.display = ''"],
    "an outer display": ["list.parentNode.style.display = 'none'", "list.parentNode.style.display = ''"],
    "a width": ["list.style.width = '0'", "list.style.width = ''"],
    "a height": ["list.style.height = '0'", "list.style.height = ''"],
    "details": ["list.closest('details').open = false", "list.closest('details').open = true"],
    "taken out": ["window.parent_ = list.parentNode, list.remove()", "parent_.append(list)"],
}
WRAP = """() => { const list = document.getElementById('list'), details = document.createElement('details'); details.open = true;
  details.append(document.createElement('summary')); list.replaceWith(details); details.append(list); }"""
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))"
AT = """() => { const box = list.getBoundingClientRect();
  const rows = [...document.querySelectorAll('.ll-canvas [data-ll-row=item]')].map((row) => [row.getBoundingClientRect().y - box.y, row.innerText.trim()])
    .filter(([y]) => y > -1 && y < box.height).sort((a, b) => a[0] - b[0]);
  return rows.length > 0 ? [Math.round(rows[0][0]), rows[0][1], Math.round(list.scrollTop)] : null; }"""


@pytest.fixture(params=["capped", "short"])
def scrolled(browser, server, request):
    page = browser.open(f"{server.url}{GRID}")
    page.wait_for("() => window.ready")
    page.evaluate("() => { window.list = document.getElementById('list'); }")
    if "details" in request.node.name:
        page.evaluate(WRAP)
    count = {"short": MANY, "capped": 1_000_000}[request.param]
    if request.param == "short":
        page.evaluate("count => list.receive(snapshot(count))", count)
    else:
        page.evaluate("""count => list.receive({ format: 1, kind: 'snapshot', epoch: 'e', seq: 1,
          sections: [{ id: '', items: Array.from({ length: count }, (_, n) => `id-${n}`) }] })""", count)
        page.evaluate("() => { list.renderer = (cell, content, { index }) => (cell.textContent = `Item ${index}`); }")
    page.evaluate("() => { list.scrollTop = list.scrollHeight / 2; }")
    page.wait_for(f"() => ({AT})()?.[2] > 1000 && !['Item 0', ''].includes(({AT})()[1])")
    page.evaluate("() => new Promise((done) => setTimeout(done, 300))")  # a capped box is set right when it rests
    return page


@pytest.mark.parametrize("way", HIDE)
def test_a_list_that_is_hidden_and_shown_again_is_where_it_was(scrolled, way):
    hide, show = HIDE[way]
    before = scrolled.evaluate(AT)
    scrolled.evaluate(f"() => {{ {hide}; }}")
    scrolled.evaluate(SETTLED)
    # What comes meanwhile moves nothing that is seen.
    scrolled.evaluate("""() => list.receive(change(2, { items: { deleted: [['id-0', 0, 0]], inserted: [['x', 0, 0]] }, content: { x: { title: 'x' } } }))""")
    scrolled.evaluate("() => list.redraw()")
    scrolled.evaluate(SETTLED)
    scrolled.evaluate(f"() => {{ {show}; }}")
    scrolled.evaluate(SETTLED)
    scrolled.wait_for(f"before => {{ const now = ({AT})(); return now && now[1] === before[1] && Math.abs(now[0] - before[0]) <= 1; }}", before)


def test_a_list_that_was_hidden_from_the_start_is_shown_whole(browser, server):
    page = browser.open(f"{server.url}{GRID}")
    page.wait_for("() => window.ready")
    page.evaluate("() => { list.style.display = 'none'; }")
    page.evaluate(SETTLED)
    page.evaluate("() => list.receive(snapshot(500))")
    page.evaluate("() => { list.style.display = ''; }")
    page.wait_for("() => document.querySelectorAll('.ll-canvas [data-ll-row=item]').length > 20")
    assert page.evaluate(AT)[1] == "Item 0"


def test_focus_that_is_asked_for_before_the_first_frame_comes_with_it(browser, server):
    page = browser.open(f"{server.url}{GRID}")
    page.wait_for("() => window.ready")
    page.evaluate("() => { list.focusIndex(7); list.receive(snapshot(30)); }")
    page.wait_for("() => document.activeElement.innerText.trim() === 'Item 7'")
    # A position that is not there changes nothing.
    for index in (-1, 30, 1.5, "NaN", "Infinity"):
        page.evaluate(f"() => list.focusIndex({index})")
    assert page.evaluate("() => document.activeElement.innerText.trim()") == "Item 7"
    page.key("ArrowRight")
    page.wait_for("() => document.activeElement.innerText.trim() === 'Item 8'")


ITEMS = [f"id-{n}" for n in range(5)]
# Of five items with the focus on the second, that is shown anew.
RELOADS = {
    "alone": {},
    "moved": {"items": {"moved": [["id-1", 0, 1, 0, 4]]}},
    "others gone": {"items": {"deleted": [["id-0", 0, 0], ["id-3", 0, 3]]}},
    "others turned round": {"items": {"moved": [["id-3", 0, 3, 0, 0], ["id-2", 0, 2, 0, 1], ["id-0", 0, 0, 0, 4]]}},
}


@pytest.fixture
def five(browser, server):
    page = browser.open(f"{server.url}{GRID}")
    page.wait_for("() => window.ready")
    page.evaluate("() => { list.receive(snapshot(5)); list.focusIndex(1); }")
    page.wait_for("() => document.activeElement.innerText.trim() === 'Item 1'")
    return page


def receive(page, seq, **members):
    page.evaluate(f"members => list.receive(change({seq}, members))", members)


@pytest.mark.parametrize("way", RELOADS)
def test_an_item_that_is_shown_anew_keeps_the_focus(five, way):
    receive(five, 2, reloaded=["id-1"], content={"id-1": {"title": "Anew"}}, **RELOADS[way])
    five.wait_for("() => document.activeElement.innerText.trim() === 'Anew'")
    five.evaluate(SETTLED)
    assert five.evaluate("() => document.activeElement.closest('.ll-canvas') && document.activeElement.tabIndex === 0")
    five.key("Home")
    five.wait_for("() => document.activeElement.innerText.trim() === (list.ids()[0] === 'id-1' ? 'Anew' : `Item ${list.ids()[0].slice(3)}`)")


def test_a_list_that_is_emptied_holds_the_focus_for_the_item_that_comes_next(five):
    receive(five, 2, items={"deleted": [[one, 0, n] for n, one in enumerate(ITEMS)]})
    five.wait_for("() => document.activeElement === list")
    receive(five, 3)
    assert five.evaluate("() => document.activeElement === list")
    receive(five, 4, items={"inserted": [["x", 0, 0], ["y", 0, 1]]}, content={"x": {"title": "First"}, "y": {"title": "Second"}})
    five.wait_for("() => document.activeElement.innerText.trim() === 'First'")
    five.key("End")
    five.wait_for("() => document.activeElement.innerText.trim() === 'Second'")
    # In one frame it goes on as well.
    receive(five, 5, items={"deleted": [["x", 0, 0], ["y", 0, 1]], "inserted": [["z", 0, 0]]}, content={"z": {"title": "Third"}})
    five.wait_for("() => document.activeElement.innerText.trim() === 'Third'")


def test_whoever_left_an_emptied_list_is_not_brought_back(five):
    five.evaluate("() => document.body.append(Object.assign(document.createElement('button'), { id: 'aside' }))")
    receive(five, 2, items={"deleted": [[one, 0, n] for n, one in enumerate(ITEMS)]})
    five.wait_for("() => document.activeElement === list")
    five.evaluate("() => document.getElementById('aside').focus()")
    receive(five, 3, items={"inserted": [["x", 0, 0]]})
    five.wait_for("() => list.count === 1")
    assert five.evaluate("() => document.activeElement.id") == "aside"


METHODS = [
    "focusIndex(0)", "focusItem('a')", "reveal('a')", "move(['a'], { after: 'b' })", "delete(['a'])", "selectAll()", "startMoving(['a'])",
    "redraw()", "announce('x')", "own(['a'])", "load(0, 10)", "ids()", "isKnown(0)", "indexOf('a')", "contentOf('a')", "selection = ['a']"]


def test_every_method_can_be_called_before_the_first_frame(browser, server):
    browser.expect_errors("live-list: a move", "live-list: a delete")
    page = browser.open(f"{server.url}{GRID}")
    page.wait_for("() => window.ready")
    for method in METHODS:
        page.evaluate(f"() => {{ window.was = list.{method}; }}")
    page.evaluate("() => list.receive(snapshot(30))")
    page.wait_for("() => list.count === 30 && document.querySelectorAll('.ll-canvas [data-ll-row=item]').length > 10")
