"""Lists of sections, some of them empty: what a drop and the keys reach, and what is posted of it."""

import pytest

from fake_server import PATIENCE

GRID = "/Tests/Browser/element/pages/grid.html?moves=/moves&deletes=/deletes&headers"
SECTIONS = """columns => {
  window.list = document.getElementById('list');
  list.style.setProperty('--ll-columns', columns);
  list.style.setProperty('--ll-row-height', 40);
  const sections = [['A', ['a0', 'a1', 'a2']], ['Empty', []], ['C', ['c0', 'c1']]].map(([id, items]) => ({ id, items }));
  const content = Object.fromEntries(sections.flatMap(({ items }) => items).map((id) => [id, { title: id }]));
  list.redraw();
  list.receive({ format: 1, kind: 'snapshot', epoch: 'e', seq: 1, sections, content });
  window.cell = (id) => [...document.querySelectorAll('[data-ll-cell]')].find((cell) => cell.textContent === id);
  window.header = (id) => [...document.querySelectorAll('[data-ll-row=header]')].find((row) => row.textContent === id);
}"""


@pytest.fixture
def sections(browser, server):
    def open_sections(columns=1):
        server.answer("/moves", lambda body, query: (204, None))
        server.answer("/deletes", lambda body, query: (204, None))
        page = browser.open(f"{server.url}{GRID}")
        page.wait_for("() => window.ready")
        page.evaluate(SECTIONS, columns)
        page.wait_for("() => !!(cell('a0') && header('Empty'))")
        return page
    return open_sections


def centre(page, what):
    return tuple(page.evaluate(f"""() => {{ const box = {what}.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2]; }}"""))


def test_a_drop_in_an_empty_section_is_posted_with_it(sections, server):
    page = sections()
    page.move(*centre(page, "cell('a2')"))
    page.press()
    x, y = centre(page, "header('Empty')")
    page.move(x, y - 9)
    page.move(x, y)
    page.release()
    body = server.wait_for_posts(1, "/moves")[0]["body"]
    assert {**body, "act": None} == {"act": None, "ids": ["a2"], "after": None, "before": None, "section": "Empty"}


def test_a_move_is_posted_with_its_section_where_there_are_any(sections, server):
    page = sections()
    page.evaluate("() => list.move(['a0'], { section: 'Empty' })")
    assert server.wait_for_posts(1, "/moves")[0]["body"]["section"] == "Empty"
    page.evaluate("() => list.receive(snapshot(5, { seq: 2 }))")
    page.wait_for("() => list.count === 5")
    page.evaluate("() => cell('Item 1').focus()")
    page.key("Alt+End")
    assert "section" not in server.wait_for_posts(2, "/moves")[1]["body"], "there is but one"


# From each item, which gaps the keys lead through: what is posted when the burst is over.
STEPS = {
    "down into an empty section": (1, "a2", ["ArrowDown"], (None, None, "Empty")),
    "down through an empty section": (1, "a2", ["ArrowDown", "ArrowDown"], (None, "c0", "C")),
    "down to the end of its section first": (1, "a1", ["ArrowDown"], ("a2", None, "A")),
    "up into an empty section": (1, "c0", ["ArrowUp"], (None, None, "Empty")),
    "up to the end of a section": (1, "c0", ["ArrowUp", "ArrowUp"], ("a2", None, "A")),
    "right into an empty section": (2, "a2", ["ArrowRight"], (None, None, "Empty")),
    "left to the end of a section": (2, "c0", ["ArrowLeft", "ArrowLeft"], ("a2", None, "A")),
    "down by rows": (2, "a1", ["ArrowDown", "ArrowDown", "ArrowDown"], (None, "c0", "C")),
    "up by rows": (2, "c1", ["ArrowUp", "ArrowUp"], ("a1", "a2", "A")),
    "to the start": (1, "c1", ["Home"], (None, "a0", "A")),
    "to the end": (1, "a0", ["End"], ("c1", None, "C")),
}


@pytest.mark.engines("chromium")
@pytest.mark.parametrize("way", STEPS)
@pytest.mark.parametrize("mode", ["alt", "move mode"])
def test_keys_reach_every_section_and_its_end(sections, server, way, mode):
    columns, start, keys, expected = STEPS[way]
    page = sections(columns)
    page.evaluate("id => cell(id).focus()", start)
    if mode == "alt":
        for key in keys:
            page.key(f"Alt+{key}")
    else:
        page.evaluate("id => list.startMoving([id])", start)
        page.wait_for("() => document.querySelector('.ll-bar') !== null")
        for key in keys:
            page.key(key)
        page.key("Enter")

    def leads_there(post):
        return tuple(post["body"][name] for name in ("after", "before", "section")) == expected

    # Keys that come slowly are moves of their own: it is the last that counts.
    server.wait_for_posts(1, "/moves")
    with server.posted:
        assert server.posted.wait_for(lambda: leads_there(server.posts[-1]), PATIENCE), server.posts
    assert page.evaluate("() => document.activeElement.textContent") == start


SAID = "text => document.querySelector('.ll-status').textContent.trim() === text"


def test_what_moves_between_sections_is_said_with_its_section(sections):
    page = sections()
    page.evaluate("() => { list.strings = { section: (id) => `section ${id}` } }")
    page.evaluate("() => list.startMoving(['a2'])")
    page.wait_for(SAID, "Grabbed a2, position 3 of 5, in section A.")
    for key, said in [
            ("ArrowDown", "a2, position 3 of 5, at the end of section Empty."),
            ("ArrowDown", "a2, position 3 of 5, before c0, in section C."),
            ("ArrowDown", "a2, position 4 of 5, before c1, in section C."),
            ("ArrowDown", "a2, position 5 of 5, at the end of section C."),
            ("Home", "a2, position 1 of 5, before a0, in section A."),
            ("ArrowDown", "a2, position 2 of 5, before a1, in section A."),
            ("ArrowDown", "a2, position 3 of 5, at the end of section A."),
            ("ArrowDown", "a2, position 3 of 5, at the end of section Empty.")]:
        page.key(key)
        page.wait_for(SAID, said)
    page.key("Enter")
    page.wait_for(SAID, "Dropped. a2 is now 3 of 5, in section Empty.")


def test_a_drag_that_makes_no_room_is_said_with_its_section(engine, server):
    page = engine.browser(reduced_motion=True).open(f"{server.url}{GRID}")
    server.answer("/moves", lambda body, query: (204, None))
    page.wait_for("() => window.ready")
    page.evaluate(SECTIONS, 1)
    page.wait_for("() => !!(cell('a0') && header('Empty'))")
    page.move(*centre(page, "cell('a0')"))
    page.press()
    x, y = centre(page, "cell('a2')")
    page.move(x, y + 9)
    page.move(x, y + 12)
    page.wait_for(SAID, "a0, position 3 of 5, at the end of A.")
    x, y = centre(page, "header('Empty')")
    page.move(x, y - 9)
    page.move(x, y)
    page.wait_for(SAID, "a0, position 3 of 5, at the end of Empty.")
    page.release()
    page.wait_for(SAID, "Dropped. a0 is now 3 of 5, in Empty.")


def test_a_deletion_is_said(sections, server):
    page = sections()
    page.evaluate("() => cell('a1').focus()")
    page.key("Space")
    page.wait_for("() => document.querySelector('.ll-status').textContent.trim() === '1 selected.'")
    page.key("Delete")
    page.wait_for("() => document.querySelector('.ll-status').textContent.trim() === 'a1 removed.'")
    page.evaluate("() => list.delete(['a0', 'c0'])")
    page.wait_for("() => document.querySelector('.ll-status').textContent.trim() === '2 items removed.'")


def test_a_menu_closes_when_its_item_is_deleted_elsewhere(sections):
    page = sections()
    page.evaluate("() => cell('a1').focus()")
    page.key("Shift+F10")
    page.wait_for("() => document.querySelector('.ll-menu') !== null")
    page.evaluate("() => list.receive(change(2, { items: { deleted: [['a1', 0, 1]] } }))")
    page.wait_for("() => document.querySelector('.ll-menu') === null && document.activeElement.textContent === 'a2'")
