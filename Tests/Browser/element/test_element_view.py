"""Contents of the document: rows, as few changes as can be, focus, anchoring, motion."""

import pytest
from playwright.sync_api import expect

from gridpage import at_rest, freeze, numbers, open_grid, shown, status, tile, until


def receive(page, seq, **members):
    page.evaluate("([seq, members]) => list.receive(change(seq, members))", [seq, members])


def top_of(page, number):
    return tile(page, number).bounding_box()["y"]


def scroll_to(page, top):
    page.evaluate("(top) => { list.scrollTop = top; }", top)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_every_item_is_a_row_with_one_cell_and_says_its_true_position(page, server):
    open_grid(page, server, 5000)
    grid = page.get_by_role("grid", name="Things")
    assert grid.get_attribute("aria-rowcount") == "5000"
    scroll_to(page, 20_000)
    row = grid.get_by_role("row").nth(30)
    assert row.get_by_role("gridcell").count() == 1
    number = int(row.inner_text().split()[1])
    assert row.get_attribute("aria-rowindex") == str(number + 1)
    assert shown(page) == sorted(shown(page), key=lambda text: int(text.split()[1]))


def test_headers_of_sections_are_rows_and_count(page, server):
    open_grid(page, server, 30, "headers", sections=3)
    grid = page.get_by_role("grid")
    assert grid.get_attribute("aria-rowcount") == "33"
    header = grid.get_by_role("row").filter(has_text="Section 1")
    assert header.get_attribute("aria-rowindex") == "12"
    assert header.get_by_role("rowheader").count() == 1
    above, below = tile(page, 9).bounding_box(), tile(page, 10).bounding_box()
    assert above["y"] + above["height"] <= header.bounding_box()["y"] < below["y"]


def test_an_empty_list_is_not_called_a_grid(page, server):
    open_grid(page, server, 0, "selectable")
    assert page.locator("live-list").get_attribute("role") == "group"
    assert page.locator("live-list[data-empty]").count() == 1
    # These are a grid's.
    assert page.locator("live-list[aria-multiselectable], live-list[aria-rowcount]").count() == 0
    receive(page, 2, items={"inserted": [["a", 0, 0]]}, content={"a": {"title": "A"}})
    expect(page.locator("live-list[role=grid][aria-multiselectable=true][aria-rowcount='1']")).to_have_count(1)
    page.evaluate("() => { list.selectable = false; }")
    expect(page.locator("live-list[aria-multiselectable]")).to_have_count(0)


@pytest.mark.parametrize("with_move_before", [True, False])
def test_a_change_touches_as_few_nodes_as_possible_and_keeps_the_others(page, server, with_move_before):
    if not with_move_before:
        page.add_init_script("delete Element.prototype.moveBefore")
    open_grid(page, server, 20)
    page.evaluate("""() => {
      window.nodes = Object.fromEntries([...document.querySelectorAll('[data-ll-row]')].map((r) => [r.innerText, r]));
      window.before = list.statistics;
    }""")
    tile(page, 9).locator("[data-ll-cell]").focus()
    # 9 and 2 change positions; 5 leaves; a new one comes.
    receive(page, 2, items={
        "deleted": [["id-5", 0, 5]], "inserted": [["new", 0, 19]],
        "moved": [["id-9", 0, 9, 0, 2], ["id-2", 0, 2, 0, 8]]}, content={"new": {"title": "Item 99"}})
    after = page.evaluate("""() => {
      const now = list.statistics;
      return {
        inserted: now.inserted - before.inserted, removed: now.removed - before.removed, moved: now.moved - before.moved,
        same: [...document.querySelectorAll('.ll-canvas [data-ll-row]')].filter((r) => nodes[r.innerText] === r).length,
      };
    }""")
    assert after == {"inserted": 1, "removed": 1, "moved": 2, "same": 19}
    assert shown(page)[2] == "Item 9" and shown(page)[8] == "Item 2"
    assert page.evaluate("document.activeElement.innerText") == "Item 9"


def test_a_snapshot_is_diffed_against_what_is_shown(page, server):
    open_grid(page, server, 20)
    page.evaluate("() => { window.node = document.querySelector('[data-ll-row]'); window.before = list.statistics; }")
    page.evaluate("list.selection = ['id-3', 'id-4']")
    tile(page, 4).locator("[data-ll-cell]").focus()
    page.evaluate("""() => {
      const frame = snapshot(20, { seq: 7 });
      frame.epoch = 'another';
      frame.sections[0].items.splice(3, 1);
      frame.content['id-6'].title = 'Another name';
      list.receive(frame);
    }""")
    assert page.evaluate("document.querySelector('[data-ll-row]') === node")
    assert page.evaluate("list.statistics.inserted - before.inserted") == 0
    assert "Another name" in shown(page)
    assert page.evaluate("list.selection") == ["id-4"]
    assert page.evaluate("document.activeElement.innerText") == "Item 4"
    assert page.evaluate("list.version") == "another.7"


def test_the_focus_goes_to_the_neighbour_when_its_item_is_deleted(page, server):
    open_grid(page, server, 10)
    tile(page, 4).locator("[data-ll-cell]").focus()
    receive(page, 2, items={"deleted": [["id-4", 0, 4]]})
    assert page.evaluate("document.activeElement.innerText") == "Item 5"
    receive(page, 3, items={"deleted": [[f"id-{n}", 0, n - (n > 4)] for n in range(10) if n != 4]})
    assert page.evaluate("document.activeElement === list")


def test_the_focused_item_stays_mounted_when_it_is_scrolled_away(page, server):
    open_grid(page, server, 2000)
    tile(page, 7).locator("[data-ll-cell]").focus()
    scroll_to(page, 30_000)
    assert page.evaluate("document.activeElement.innerText") == "Item 7"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.innerText") == "Item 8"
    expect(tile(page, 8)).to_be_in_viewport()


def test_the_first_visible_item_stays_where_it_is_when_others_come_above(page, server):
    open_grid(page, server, 600)
    scroll_to(page, 3000)
    visible = page.evaluate("""() => {
      const box = list.getBoundingClientRect();
      return [...document.querySelectorAll('[data-ll-row=item]')]
        .filter((r) => r.getBoundingClientRect().y >= box.y).map((r) => +r.innerText.split(' ')[1]);
    }""")
    first = min(visible)
    before = top_of(page, first)
    receive(page, 2, items={"inserted": [[f"new-{n}", 0, n] for n in range(60)]})
    at_rest(page)
    assert top_of(page, first) == pytest.approx(before, abs=1)
    receive(page, 3, items={"deleted": [[f"new-{n}", 0, n] for n in range(60)]})
    at_rest(page)
    assert top_of(page, first) == pytest.approx(before, abs=1)
    assert page.evaluate("list.scrollTop") == pytest.approx(3000, abs=1)


def test_a_frame_leaves_a_script_where_it_has_scrolled_to(page, server):
    """The event of a scroll comes with the next animation frame; what the server sends may come before it."""
    open_grid(page, server, 600)
    scroll_to(page, 3000)
    seen, after = page.evaluate("""() => {
      const { y } = list.getBoundingClientRect();
      const first = () => [...document.querySelectorAll('[data-ll-row=item]')]
        .map((row) => [row.innerText.trim(), row.getBoundingClientRect().y - y])
        .filter(([, top]) => top >= 0).sort((a, b) => a[1] - b[1] || a[0].localeCompare(b[0]))[0];
      list.scrollTop = 3400;
      const seen = first();
      list.receive(change(2, { items: { inserted: Array.from({ length: 60 }, (_, n) => [`new-${n}`, 0, n]) } }));
      return [seen, first()];
    }""")
    assert after[0] == seen[0] and after[1] == pytest.approx(seen[1], abs=1)
    at_rest(page)


@pytest.mark.parametrize("change", ["mutation", "frame", "reveal", "redraw"])
def test_a_script_that_scrolled_to_the_top_stays_there(page, server, change):
    open_grid(page, server, 600)
    scroll_to(page, 3000)
    top = page.evaluate("""(kind) => {
      list.scrollTop = 0;
      if (kind === 'mutation') list.delete(list.ids(20));
      else if (kind === 'frame') list.receive(change(2, { items: { inserted: [['new-1', 0, 0]] } }));
      else if (kind === 'reveal') list.reveal('id-1');
      else list.redraw();
      return list.scrollTop;
    }""", change)
    assert top == 0


def test_a_size_that_is_not_told_yet_is_known_to_what_reveals(page, server):
    open_grid(page, server, 300)
    before, after = page.evaluate("""async () => {
      const top = () => [...list.querySelectorAll('[data-ll-row=item]')].find((one) => one.innerText.trim() === 'Item 200')
        .getBoundingClientRect().top;
      list.style.width = '320px';
      list.reveal('id-200');
      const before = top();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return [before, top()];
    }""")
    assert before == after > 0
    box = page.locator("live-list").bounding_box()
    assert after + tile(page, 200).bounding_box()["height"] <= box["y"] + box["height"]


def test_a_move_travels_from_the_painted_position_even_when_it_is_interrupted(page, server):
    open_grid(page, server, 12)
    start = tile(page, 0).bounding_box()
    page.evaluate("""() => {
      list.receive(change(2, { items: { moved: [['id-0', 0, 0, 0, 4]] } }));
      const animation = document.getAnimations().find((a) => !a.animationName && a.effect.target.innerText === 'Item 0');
      animation.pause();
      animation.currentTime = 0;
      window.target = animation.effect.target;
    }""")
    assert tile(page, 0).bounding_box() == pytest.approx(start, abs=0.5)
    halfway = page.evaluate("""() => {
      const animation = target.getAnimations()[0];
      animation.currentTime = 60;
      animation.play();
      const before = target.getBoundingClientRect();
      list.receive(change(3, { items: { moved: [['id-0', 0, 4, 0, 9]] } }));
      const after = target.getBoundingClientRect();
      return Math.hypot(after.x - before.x, after.y - before.y);
    }""")
    assert halfway <= 2
    at_rest(page)
    assert tile(page, 0).bounding_box()["y"] > start["y"]


def test_deleted_items_fade_out_of_flow_and_are_gone(page, server):
    open_grid(page, server, 12)
    page.evaluate("() => list.receive(change(2, { items: { deleted: [['id-3', 0, 3]] } }))")
    assert page.locator(".ll-leaving [data-ll-row]").count() <= 1
    assert "Item 3" not in shown(page)
    expect(page.locator(".ll-leaving > *")).to_have_count(0)


def test_with_reduced_motion_nothing_travels_or_grows(new_page, server):
    page = new_page(reduced_motion="reduce")
    open_grid(page, server, 12)
    properties = page.evaluate("""() => {
      list.receive(change(2, { items: { deleted: [['id-3', 0, 3]], moved: [['id-0', 0, 0, 0, 4]],
        inserted: [['new', 0, 0]] } }));
      const animations = document.getAnimations().filter((a) => !(a instanceof CSSAnimation));
      return [...new Set(animations.flatMap((a) => a.effect.getKeyframes().flatMap(Object.keys)))];
    }""")
    assert "opacity" in properties
    assert "translate" not in properties and "scale" not in properties and "transform" not in properties


def test_a_change_of_many_visible_items_is_a_cross_fade(new_page, server):
    page = new_page(viewport={"width": 1900, "height": 1000})
    open_grid(page, server, 500)
    page.evaluate("() => { list.style.setProperty('--ll-tile', 100); list.redraw(); }")
    until(page, "list.statistics.mounted > 120")
    properties = page.evaluate("""() => {
      list.receive(change(2, { items: { moved: [['id-499', 0, 499, 0, 0]] } }));
      return [...new Set(document.getAnimations().flatMap((a) => a.effect.getKeyframes().flatMap(Object.keys)))];
    }""")
    assert "translate" not in properties


def test_a_move_by_someone_else_is_marked_and_reported_seldom(page, server):
    open_grid(page, server, 12)
    freeze(page)
    receive(page, 2, items={"moved": [["id-0", 0, 0, 0, 4]]})
    expect(tile(page, 0)).to_have_class("ll-flash")
    expect(page.locator("[role=status]")).to_have_text("1 moved elsewhere.")
    receive(page, 3, items={"deleted": [["id-5", 0, 5]]})
    receive(page, 4, items={"inserted": [["new", 0, 5]]})
    page.clock.run_for(4_000)
    assert status(page) == "1 moved elsewhere."
    page.clock.run_for(1_500)
    assert status(page) == "1 added, 1 removed elsewhere."


def test_reconfigured_items_keep_their_node_and_reloaded_ones_do_not(page, server):
    open_grid(page, server, 5)
    same = page.evaluate("""() => {
      const rows = [...document.querySelectorAll('[data-ll-row]')];
      list.receive(change(2, { reconfigured: ['id-1'], reloaded: ['id-2'],
        content: { 'id-1': { title: 'One' }, 'id-2': { title: 'Two' } } }));
      const now = [...document.querySelectorAll('.ll-canvas [data-ll-row]')];
      return rows.map((row, n) => now[n] === row);
    }""")
    assert same == [True, True, False, True, True]
    assert shown(page)[1:3] == ["One", "Two"]


def test_another_width_keeps_the_position(page, server):
    open_grid(page, server, 2000)
    scroll_to(page, 12_010)
    first = numbers(page)  # all are there
    assert len(first) == 2000
    before = page.evaluate("""() => {
      const box = list.getBoundingClientRect();
      return Math.min(...[...document.querySelectorAll('[data-ll-row=item]')]
        .filter((r) => r.getBoundingClientRect().y >= box.y - 1).map((r) => +r.innerText.split(' ')[1]));
    }""")
    page.set_viewport_size({"width": 500, "height": 700})
    expect(tile(page, before)).to_be_in_viewport()


def test_what_comes_from_outside_the_window_fades_and_does_not_fly(page, server):
    open_grid(page, server, 2000)
    properties = page.evaluate("""() => {
      list.receive(change(2, { items: { moved: [['id-1500', 0, 1500, 0, 2]] } }));
      const row = [...document.querySelectorAll('[data-ll-row=item]')].find((r) => r.innerText === 'Item 1500');
      return [...new Set(row.getAnimations().filter((a) => !(a instanceof CSSAnimation))
        .flatMap((a) => a.effect.getKeyframes().flatMap(Object.keys)))];
    }""")
    assert "opacity" in properties
    assert "translate" not in properties and "scale" not in properties
