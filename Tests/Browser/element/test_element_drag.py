"""Reordering by pointer: thresholds, touch, several at once, what comes from elsewhere meanwhile."""

import pytest
from playwright.sync_api import expect

from gridpage import Finger, at_rest, centre, drag, freeze, numbers, open_grid, status, tile, until


@pytest.fixture
def moves(server):
    server.answer("/moves", lambda body, query: (204, None))
    return server


def lift(page, number):
    x, y = centre(page, number)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 6, y + 6)


def events(page, kind):
    return page.evaluate("(kind) => events.filter((e) => e.type === kind).map((e) => e.detail)", kind)


def test_below_four_pixels_it_is_a_click(page, moves):
    open_grid(page, moves, 12, "moves=/moves")
    x, y = centre(page, 2)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 2, y + 2)
    page.mouse.up()
    assert [e["id"] for e in events(page, "activate")] == ["id-2"]
    assert numbers(page) == list(range(12)) and moves.posts == []


def test_a_drag_says_intent_by_neighbours_and_is_no_click(page, moves):
    open_grid(page, moves, 12, "moves=/moves")
    drag(page, 1, 3, half="right")
    assert numbers(page, 5) == [0, 2, 3, 1, 4]
    [post] = moves.wait_for_posts(1)
    assert post["body"]["ids"] == ["id-1"]
    assert (post["body"]["after"], post["body"]["before"]) == ("id-3", "id-4")
    assert len(post["body"]["act"]) == 36
    assert set(post["body"]) == {"act", "ids", "after", "before"}, "no index, no position"
    assert events(page, "activate") == []


def test_items_are_dragged_to_the_start_and_to_the_end(page, moves):
    open_grid(page, moves, 12, "moves=/moves")
    drag(page, 5, 0, half="left")
    at_rest(page)
    drag(page, 1, 11, half="right")
    assert numbers(page) == [5, 0, 2, 3, 4, 6, 7, 8, 9, 10, 11, 1]
    first, last = moves.wait_for_posts(2)
    assert (first["body"]["after"], first["body"]["before"]) == (None, "id-0")
    assert (last["body"]["after"], last["body"]["before"]) == ("id-11", None)


def test_a_mutation_is_sent_before_it_is_shown(page, moves):
    open_grid(page, moves, 12, "moves=/moves")
    # The list has it as soon as the page has.
    page.evaluate("async () => { await import('/live-list/network/outbox.js'); }")
    waiting = page.evaluate("""() => {
      const send = window.fetch;
      let waiting = null;
      window.fetch = (...request) => {
        waiting = list.pending.length;
        return send(...request);
      };
      const [first, , third] = list.ids(0, 3);
      list.move([first], { after: third });
      return waiting;
    }""")
    assert waiting == 0
    assert numbers(page, 3) == [1, 2, 0]
    assert moves.wait_for_posts(1)


def test_a_drop_where_it_was_sends_nothing(page, moves):
    open_grid(page, moves, 12, "moves=/moves")
    drag(page, 4, 6, release=False)
    x, y = centre(page, 4)
    page.mouse.move(x, y)
    at_rest(page)
    box = page.evaluate("[...document.querySelectorAll('[data-ll-row]')].find(r => r.innerText === 'Item 3').getBoundingClientRect().toJSON()")
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + 40)
    page.mouse.up()
    assert numbers(page) == list(range(12))
    assert moves.posts == []


@pytest.mark.parametrize("way", ["escape", "outside", "blur", "pointercancel"])
def test_everything_returns_when_a_drag_is_cancelled(page, moves, way):
    open_grid(page, moves, 12, "moves=/moves")
    drag(page, 1, 6, release=False)
    assert numbers(page) != list(range(12))
    expect(page.locator(".ll-preview")).to_be_visible()
    if way == "escape":
        page.keyboard.press("Escape")
    elif way == "outside":
        page.mouse.move(20, 20)
    elif way == "blur":
        page.evaluate("dispatchEvent(new Event('blur'))")
    else:
        page.evaluate("list.dispatchEvent(new PointerEvent('pointercancel'))")
    page.mouse.up()
    assert numbers(page) == list(range(12))
    assert moves.posts == []
    assert status(page) == "Move of Item 1 cancelled."
    expect(page.locator(".ll-preview")).to_have_count(0)
    assert events(page, "activate") == []


def test_a_selected_item_takes_the_selection_along(page, moves):
    open_grid(page, moves, 12, "moves=/moves")
    page.evaluate("list.selection = ['id-7', 'id-1', 'id-4']")
    drag(page, 4, 10, half="right", release=False)
    preview = page.locator(".ll-preview")
    assert preview.locator(".ll-badge").inner_text() == "3"
    assert preview.get_attribute("data-cards") == "3"
    lifted = page.locator(".ll-lifted [data-ll-cell]")
    assert lifted.count() == 3
    assert lifted.first.evaluate("cell => getComputedStyle(cell).opacity") == "0.4"
    page.mouse.up()
    assert numbers(page) == [0, 2, 3, 5, 6, 8, 9, 10, 1, 4, 7, 11]
    [post] = moves.wait_for_posts(1)
    assert post["body"]["ids"] == ["id-1", "id-4", "id-7"]
    assert status(page) == "Dropped. 3 items are now at 9 of 12."


def test_an_unselected_item_goes_alone(page, moves):
    open_grid(page, moves, 12, "moves=/moves")
    page.evaluate("list.selection = ['id-7', 'id-1']")
    drag(page, 4, 0)
    [post] = moves.wait_for_posts(1)
    assert post["body"]["ids"] == ["id-4"]


def test_the_preview_is_at_most_280_pixels(new_page, moves):
    page = new_page()
    open_grid(page, moves, 12, "moves=/moves")
    page.evaluate("list.style.setProperty('--ll-tile', 420)")
    page.evaluate("list.style.width = '880px'")
    until(page, "document.querySelector('[data-ll-row]').offsetWidth > 300")
    lift(page, 0)
    box = page.locator(".ll-preview").bounding_box()
    assert max(box["width"], box["height"]) <= 281
    page.keyboard.press("Escape")
    page.mouse.up()


def test_a_change_from_elsewhere_is_applied_and_the_gap_found_by_its_neighbour(page, moves):
    open_grid(page, moves, 12, "moves=/moves")
    drag(page, 1, 6, half="right", release=False)
    assert numbers(page, 8) == [0, 2, 3, 4, 5, 6, 1, 7]
    page.evaluate("list.receive(change(2, { items: { moved: [['id-6', 0, 6, 0, 0]], deleted: [['id-3', 0, 3]] } }))")
    assert numbers(page, 8) == [6, 1, 0, 2, 4, 5, 7, 8]
    expect(page.locator(".ll-preview")).to_be_visible()
    page.mouse.up()
    [post] = moves.wait_for_posts(1)
    assert post["body"]["after"] == "id-6"


def test_a_deleted_item_leaves_the_drag_and_an_empty_drag_is_over(page, moves):
    open_grid(page, moves, 12, "moves=/moves")
    page.evaluate("list.selection = ['id-1', 'id-2']")
    drag(page, 1, 6, half="right", release=False)
    page.evaluate("list.receive(change(2, { items: { deleted: [['id-2', 0, 2]] } }))")
    assert numbers(page) == [0, 3, 4, 5, 6, 1, 7, 8, 9, 10, 11]
    page.evaluate("list.receive(change(3, { items: { deleted: [['id-1', 0, 1]] } }))")
    assert numbers(page) == [0, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    assert status(page) == "What you were moving was deleted elsewhere."
    expect(page.locator(".ll-preview")).to_have_count(0)
    page.mouse.up()
    assert moves.posts == []


def test_a_snapshot_during_a_drag_does_not_end_it(page, moves):
    open_grid(page, moves, 12, "moves=/moves")
    drag(page, 1, 6, half="right", release=False)
    page.evaluate("list.receive({ ...snapshot(12, { seq: 9 }), epoch: 'other' })")
    assert numbers(page, 8) == [0, 2, 3, 4, 5, 6, 1, 7]
    page.mouse.up()
    moves.wait_for_posts(1)


@pytest.mark.parametrize("setting", ["reduced", "many"])
def test_a_line_shows_the_gap_where_tiles_do_not_make_room(new_page, moves, setting):
    reduced = setting == "reduced"
    options = {"reduced_motion": "reduce"} if reduced else {"viewport": {"width": 900, "height": 700}}
    page = new_page(**options)
    if not reduced:
        page.add_init_script("addEventListener('DOMContentLoaded', () => list.style.setProperty('--ll-tile', 50))")
    open_grid(page, moves, 200, "moves=/moves")
    drag(page, 1, 3, half="right", release=False)
    assert numbers(page, 5) == [0, 1, 2, 3, 4]
    line, box = page.locator(".ll-line").bounding_box(), tile(page, 3).bounding_box()
    assert line["width"] == 2 and line["height"] == pytest.approx(box["height"], abs=1)
    assert line["x"] == pytest.approx(box["x"] + box["width"] + 5, abs=2)
    terminal = "getComputedStyle(document.querySelector('.ll-line'), '::before')"
    assert page.evaluate(f"[{terminal}.width, {terminal}.height, {terminal}.borderRadius]") == ["8px", "8px", "50%"]
    page.mouse.up()
    assert numbers(page, 5) == [0, 2, 3, 1, 4]
    assert status(page) == "Dropped. Item 1 is now 4 of 200."
    expect(page.locator(".ll-line")).to_have_count(0)


def test_near_an_edge_the_list_scrolls_and_the_target_follows(page, moves):
    open_grid(page, moves, 600, "moves=/moves")
    lift(page, 1)
    box = page.locator("live-list").bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + box["height"] - 5)
    until(page, "list.scrollTop > 700")
    page.mouse.move(box["x"] + 300, box["y"] + box["height"] / 2)
    page.mouse.up()
    assert page.evaluate("list.indexOf('id-1')") > 20
    moves.wait_for_posts(1)


def test_the_wheel_scrolls_during_a_drag_and_the_target_follows(page, moves):
    open_grid(page, moves, 600, "moves=/moves")
    lift(page, 1)
    box = page.locator("live-list").bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 300)
    before = page.evaluate("list.indexOf('id-1')")
    page.mouse.wheel(0, 900)
    until(page, f"list.indexOf('id-1') > {before + 20}")
    page.keyboard.press("Escape")
    page.mouse.up()
    assert numbers(page) == list(range(600))


def test_the_speed_of_scrolling_grows_towards_the_edge(page, server):
    page.goto(f"{server.url}/Tests/Browser/element/pages/blank.html")
    speeds = page.evaluate("""async () => {
      const { speedAt } = await import('/live-list/moving/autoscroll.js');
      return [speedAt(300, 600), speedAt(150, 600), speedAt(75, 600), speedAt(0, 600), speedAt(600, 600), speedAt(910, 1000)];
    }""")
    assert speeds == [0, 0, -900, -900, 900, 900]


def test_a_drop_on_something_of_the_pages_own_is_reported_to_the_page(page, moves):
    open_grid(page, moves, 12, "moves=/moves")
    lift(page, 3)
    page.locator("#aside").scroll_into_view_if_needed()
    box = page.locator("#aside").bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 20)
    assert page.locator("#aside[data-drop-hover]").count() == 1
    page.mouse.up()
    assert page.evaluate("events.find((e) => e.type === 'drop').detail.ids") == ["id-3"]
    assert numbers(page) == list(range(12)) and moves.posts == []
    assert page.locator("[data-drop-hover]").count() == 0


@pytest.mark.parametrize("inside", [
    "<p data-live-list-drop>In here</p>", "<p data-live-list-drop><b>In <i>here</i></b></p>", "<div data-live-list-drop><slot></slot></div>",
    "<div data-live-list-drop><slot name='b'></slot></div>", "<inner-part></inner-part>"])
def test_a_drop_on_something_within_a_shadow_root_is_reported_to_the_page(page, moves, inside):
    open_grid(page, moves, 12, "moves=/moves")
    page.evaluate("""(inside) => {
      const shade = (host, markup) => (host.attachShadow({ mode: 'open' }).innerHTML = markup);
      const aside = document.getElementById('aside');
      aside.removeAttribute('data-live-list-drop');
      if (inside.includes('name=')) aside.innerHTML = '<b slot="b">Another <i>place</i></b>';
      shade(aside, inside);
      const deeper = aside.shadowRoot.querySelector('inner-part');
      if (deeper) shade(deeper, '<p data-live-list-drop>Deeper</p>');
      window.goal = (deeper ?? aside).shadowRoot.querySelector('[data-live-list-drop]');
    }""", inside)
    lift(page, 3)
    x, y = page.evaluate("(({ x, y, height }) => [x + 20, y + height / 2])(goal.getBoundingClientRect())")
    page.mouse.move(x, y)
    assert page.evaluate("goal.hasAttribute('data-drop-hover')")
    page.evaluate("document.addEventListener('live-list-drop', ({ detail }) => (window.isGoal = detail.target === goal))")
    page.mouse.up()
    assert page.evaluate("isGoal") and page.evaluate("events.find((e) => e.type === 'drop').detail.ids") == ["id-3"]
    assert numbers(page) == list(range(12)) and moves.posts == []
    assert not page.evaluate("goal.hasAttribute('data-drop-hover')")


def test_a_list_and_what_takes_its_items_may_be_in_one_shadow_root(page, moves):
    open_grid(page, moves, 12, "moves=/moves")
    page.evaluate("""() => {
      window.list = document.getElementById('list');
      const root = document.querySelector('main').attachShadow({ mode: 'open' });
      root.append(...document.querySelector('main').children);
      for (const sheet of document.querySelectorAll('link[rel=stylesheet]')) root.prepend(sheet.cloneNode());
    }""")
    until(page, "[...list.getRootNode().querySelectorAll('link')].every(({ sheet }) => sheet) && list.clientHeight === 600")
    at_rest(page)
    lift(page, 3)
    box = page.locator("#aside").bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 20)
    page.mouse.up()
    assert page.evaluate("events.find((e) => e.type === 'drop').detail.ids") == ["id-3"]


@pytest.fixture
def phone(new_page, moves):
    page = new_page(viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True)
    open_grid(page, moves, 60, "moves=/moves")
    return page


def test_a_finger_that_moves_first_scrolls(phone, moves):
    freeze(phone)  # however long the moves take to come, it is no long press
    finger = Finger(phone)
    x, y = centre(phone, 4)
    finger("touchStart", (x, y))
    for n in range(1, 12):
        finger("touchMove", (x, y - 12 * n))
    finger("touchEnd")
    until(phone, "list.scrollTop > 50")
    assert numbers(phone) == list(range(60)) and moves.posts == []


def test_a_long_press_lifts_and_the_page_does_not_scroll(phone, moves):
    finger = Finger(phone)
    x, y = centre(phone, 1)
    finger("touchStart", (x, y))
    finger("touchMove", (x + 3, y + 3))  # within the slop
    expect(phone.locator(".ll-preview")).to_be_visible()
    box = tile(phone, 5).bounding_box()
    for n in range(1, 6):
        finger("touchMove", (x + (box["x"] + 0.8 * box["width"] - x) * n / 5, y + (box["y"] + 60 - y) * n / 5))
    finger("touchEnd")
    assert phone.evaluate("list.scrollTop") == 0
    assert numbers(phone, 7) == [0, 2, 3, 4, 5, 1, 6]
    moves.wait_for_posts(1)


def test_a_second_finger_returns_everything(phone, moves):
    finger = Finger(phone)
    x, y = centre(phone, 1)
    finger("touchStart", (x, y))
    expect(phone.locator(".ll-preview")).to_be_visible()
    box = tile(phone, 5).bounding_box()
    finger("touchMove", (box["x"] + 100, box["y"] + 60))
    finger("touchStart", (box["x"] + 100, box["y"] + 60), (40, 400))
    expect(phone.locator(".ll-preview")).to_have_count(0)
    finger("touchEnd")
    assert numbers(phone) == list(range(60)) and moves.posts == []


def test_a_handle_lifts_at_once(phone, moves):
    phone.evaluate("""() => {
      const draw = list.renderer.draw;
      list.renderer = (cell, content, info) => {
        draw(cell, content, info);
        if (!cell.querySelector('button')) cell.insertAdjacentHTML('beforeend', '<button data-live-list-handle tabindex="-1">=</button>');
      };
    }""")
    handle = phone.locator("[data-live-list-handle]").nth(1)
    box = handle.bounding_box()
    assert box["width"] >= 24 and box["height"] >= 24
    finger = Finger(phone)
    finger("touchStart", (box["x"] + 10, box["y"] + 10))
    assert phone.locator(".ll-preview").count() == 1
    finger("touchMove", (box["x"] + 10, box["y"] + 160))
    finger("touchEnd")
    moves.wait_for_posts(1)


def test_positions_are_said_when_the_pointer_rests_and_the_beginning_and_the_end_at_once(page, moves):
    open_grid(page, moves, 12, "moves=/moves")
    freeze(page)
    lift(page, 1)
    assert status(page) == "Grabbed Item 1, position 2 of 12."
    for number in (3, 4, 6):
        x, y = centre(page, number)
        page.mouse.move(x + 50, y)
        page.clock.run_for(60)
    assert status(page) == "Grabbed Item 1, position 2 of 12."
    page.clock.run_for(120)
    assert status(page) == "Item 1, position 7 of 12, before Item 7."
    page.mouse.up()
    assert status(page) == "Dropped. Item 1 is now 7 of 12."


@pytest.mark.network
def test_until_it_can_be_moved_a_list_fetches_nothing_that_moves(page, moves):
    requests = []
    page.on("request", lambda request: requests.append(request.url.rsplit("/", 1)[1]))
    page.goto(f"{moves.url}/Tests/Browser/element/pages/plain.html")
    until(page, "window.ready && document.querySelectorAll('[data-ll-row=item]').length === 3")
    assert "live-list.js" in requests
    assert not {"reordering.js", "outbox.js", "ranges.js", "all-except.js", "template.js"} & set(requests)
    page.evaluate("list.setAttribute('reorder', '')")
    until(page, "[...document.styleSheets].some(({ href }) => href.endsWith('reordering.css'))")
    x, y = centre(page, 0)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 8, y + 8)
    expect(page.locator(".ll-preview")).to_be_visible()
    page.keyboard.press("Escape")
    page.mouse.up()
