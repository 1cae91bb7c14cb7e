"""Where a press becomes a drag, by mouse, pen and finger; what ends it; what is seen at the pointer and around it."""

import pytest
from playwright.sync_api import expect

from gridpage import Finger, at_rest, centre, drag, frames, freeze, numbers, open_grid, status, tile, until


@pytest.fixture
def moves(server):
    server.answer("/moves", lambda body, query: (204, None))
    return server


@pytest.fixture
def grid(page, moves):
    open_grid(page, moves, 60, "moves=/moves")
    return page


@pytest.fixture
def phone(new_page, moves):
    page = new_page(viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True)
    open_grid(page, moves, 60, "moves=/moves")
    return page


def whole(point):
    return tuple(round(part) for part in point)


def is_lifted(page):
    return page.locator(".ll-preview").count() == 1


class Pointer:
    """A mouse or a pen, by real events."""

    def __init__(self, page, kind):
        self.devtools = page.context.new_cdp_session(page)
        self.kind = kind

    def __call__(self, event, x, y):
        self.devtools.send("Input.dispatchMouseEvent", {
            "type": event, "x": x, "y": y, "button": "left", "buttons": 0 if event == "mouseReleased" else 1,
            "clickCount": 1, "pointerType": self.kind})


@pytest.mark.parametrize("kind", ["mouse", "pen"])
def test_a_drag_starts_after_four_pixels_and_not_before(grid, moves, kind):
    kinds = "window.kinds = new Set(); list.addEventListener('pointermove', (e) => kinds.add(e.pointerType))"
    grid.evaluate(f"() => {{ {kinds} }}")
    pointer = Pointer(grid, kind)
    x, y = whole(centre(grid, 2))
    pointer("mousePressed", x, y)
    pointer("mouseMoved", x + 3, y)
    frames(grid)
    assert not is_lifted(grid)
    pointer("mouseMoved", x + 4, y)
    until(grid, "document.querySelector('.ll-preview')")
    pointer("mouseReleased", x + 4, y)
    assert grid.evaluate("[...kinds]") == [kind]
    assert moves.posts == [] and grid.evaluate("events.filter((e) => e.type === 'activate').length") == 0


def test_a_finger_lifts_after_250_ms_and_not_before(phone):
    freeze(phone)
    finger = Finger(phone)
    finger("touchStart", centre(phone, 4))
    phone.clock.run_for(249)
    assert not is_lifted(phone)
    phone.clock.run_for(1)
    assert is_lifted(phone)
    assert status(phone) == "Grabbed Item 4, position 5 of 60."
    finger("touchCancel")


@pytest.mark.parametrize("distance, lifts", [(8, True), (9, False)])
def test_a_finger_may_slip_by_eight_pixels_while_it_is_held(phone, distance, lifts):
    freeze(phone)
    x, y = whole(centre(phone, 4))
    # Chromium itself keeps a finger's first pixels to itself, so these events are made here.
    phone.evaluate("""([x, y, distance]) => {
      const send = (type, x) => document.elementFromPoint(x, y).dispatchEvent(new PointerEvent(type, {
        pointerType: 'touch', pointerId: 7, button: type === 'pointerdown' ? 0 : -1, buttons: 1, isPrimary: true,
        clientX: x, clientY: y, bubbles: true }));
      list.setPointerCapture = () => {};
      send('pointerdown', x);
      send('pointermove', x + distance);
    }""", [x, y, distance])
    phone.clock.run_for(250)
    assert is_lifted(phone) == lifts


def test_scrolling_is_vetoed_only_while_something_is_lifted(phone):
    phone.evaluate("""() => {
      window.vetoes = [];
      addEventListener('touchmove', (event) => vetoes.push(event.defaultPrevented));
    }""")
    finger = Finger(phone)
    x, y = centre(phone, 4)
    finger("touchStart", (x, y))
    until(phone, "document.querySelector('.ll-preview')")
    for n in range(1, 6):
        finger("touchMove", (x, y - 20 * n))
    until(phone, "vetoes.length > 0")
    assert phone.evaluate("vetoes.every((one) => one) && list.scrollTop === 0")
    finger("touchCancel")
    expect(phone.locator(".ll-preview")).to_have_count(0)
    phone.evaluate("() => { vetoes.length = 0; }")
    freeze(phone)  # however long the moves take to come, it is no long press
    finger("touchStart", (x, y))
    for n in range(1, 6):
        finger("touchMove", (x, y - 20 * n))
    finger("touchEnd")
    until(phone, "list.scrollTop > 0")
    until(phone, "vetoes.length > 0")
    assert phone.evaluate("vetoes.every((one) => !one)")


def test_a_touch_that_the_system_takes_away_returns_everything(phone, moves):
    finger = Finger(phone)
    x, y = centre(phone, 1)
    finger("touchStart", (x, y))
    until(phone, "document.querySelector('.ll-preview')")
    finger("touchMove", centre(phone, 5))
    until(phone, "list.indexOf('id-1') !== 1")
    finger("touchCancel")
    expect(phone.locator(".ll-preview")).to_have_count(0)
    assert numbers(phone) == list(range(60)) and moves.posts == []
    assert status(phone) == "Move of Item 1 cancelled."


@pytest.fixture
def with_handles(phone):
    phone.evaluate("""() => {
      const draw = list.renderer.draw;
      list.renderer = (cell, content, info) => {
        draw(cell, content, info);
        if (!cell.querySelector('button')) cell.insertAdjacentHTML('beforeend', '<button data-live-list-handle tabindex="-1">=</button>');
      };
    }""")
    return phone


def test_a_tap_on_a_handle_leads_to_move_mode(with_handles, moves):
    box = with_handles.locator("[data-live-list-handle]").nth(1).bounding_box()
    with_handles.touchscreen.tap(box["x"] + 10, box["y"] + 10)
    bar = with_handles.get_by_role("region", name="Move…")
    expect(bar.get_by_text("Moving Item 1.")).to_be_visible()
    assert with_handles.get_by_role("menu").count() == 0
    tile(with_handles, 4).tap(position={"x": 10, "y": 10})
    expect(bar).to_have_count(0)
    [post] = moves.wait_for_posts(1)
    assert (post["body"]["ids"], post["body"]["before"]) == (["id-1"], "id-4")


def test_a_click_on_a_handle_leads_to_move_mode(grid):
    grid.evaluate("""() => {
      list.renderer = (cell, content) => {
        cell.innerHTML = '<button data-live-list-handle tabindex="-1">=</button>';
        cell.append(content.title);
      };
    }""")
    grid.locator("[data-live-list-handle]").nth(3).click()
    expect(grid.get_by_role("region", name="Move…").get_by_text("Moving Item 3.")).to_be_visible()
    assert grid.evaluate("events.filter((e) => e.type === 'activate').length") == 0


def test_the_browsers_own_drag_and_drop_does_not_begin(grid):
    grid.evaluate("""() => {
      window.native = [];
      addEventListener('dragstart', (event) => native.push(event.defaultPrevented));
      const picture = new Image();
      picture.src = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>';
      document.querySelectorAll('.tile')[2].replaceChildren(picture);
      return picture.decode();
    }""")
    box = grid.locator(".tile img").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    grid.mouse.move(x, y)
    grid.mouse.down()
    grid.mouse.move(x + 30, y + 5, steps=6)
    assert is_lifted(grid), "it is ours, not the browser's"
    assert grid.evaluate("native.length > 0 && native.every((one) => one)")
    grid.keyboard.press("Escape")
    grid.mouse.up()


@pytest.mark.parametrize("count, cards", [(1, 0), (2, 1), (3, 2), (5, 2)])
def test_at_most_two_cards_are_behind_the_one_that_is_held(grid, count, cards):
    grid.evaluate("(count) => { list.selection = list.ids(0, count); }", count)
    drag(grid, 0, 12, release=False)
    seen = grid.evaluate("""['::before', '::after']
      .filter((one) => getComputedStyle(document.querySelector('.ll-preview'), one).content !== 'none').length""")
    assert seen == cards
    badge = grid.locator(".ll-preview .ll-badge")
    assert badge.all_inner_texts() == ([str(count)] if count > 1 else [])
    grid.keyboard.press("Escape")
    grid.mouse.up()


@pytest.mark.parametrize("visible, is_line", [(100, False), (101, True)])
def test_tiles_make_room_up_to_a_hundred_of_them(new_page, moves, visible, is_line):
    page = new_page(viewport={"width": 1100, "height": 900})
    open_grid(page, moves, visible)
    page.evaluate("() => { list.style.setProperty('--ll-columns', 20); list.redraw(); }")
    until(page, f"document.querySelectorAll('.ll-canvas [data-ll-row=item]').length === {visible}")
    drag(page, 1, 3, half="right", release=False)
    assert (page.locator(".ll-line").count() == 1) == is_line
    assert numbers(page, 4) == ([0, 1, 2, 3] if is_line else [0, 2, 3, 1])
    page.keyboard.press("Escape")
    page.mouse.up()


def test_room_is_made_in_200_ms_for_those_that_are_seen(grid):
    drag(grid, 1, 3, half="right", release=False)
    timings = grid.evaluate("""document.getAnimations().filter((a) => !(a instanceof CSSAnimation))
      .map((a) => [a.effect.target.innerText, a.effect.getTiming().duration, a.effect.getTiming().easing,
        Object.keys(a.effect.getKeyframes()[0]).includes('translate')])""")
    assert {"Item 2", "Item 3"} <= {name for name, *_ in timings}
    assert {tuple(rest) for _, *rest in timings} == {(200, "cubic-bezier(0.2, 0, 0, 1)", True)}
    grid.keyboard.press("Escape")
    grid.mouse.up()


def test_what_is_dragged_stays_mounted_however_far_it_scrolls(new_page, moves):
    page = new_page(reduced_motion="reduce")  # so that it stays where it is, and does not go with the pointer
    open_grid(page, moves, 2000, "moves=/moves")
    x, y = centre(page, 1)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 8, y + 8)
    # Another has the focus, which stays mounted anyway.
    page.evaluate("() => { window.node = document.querySelector('.ll-lifted'); list.focusItem('id-5'); list.scrollTop = 20000; }")
    frames(page)
    assert page.evaluate("node.isConnected && node.innerText === 'Item 1' && node.classList.contains('ll-lifted')")
    assert page.evaluate("list.statistics.mounted") < 100
    page.mouse.move(x + 40, y + 60)
    page.mouse.up()
    [post] = moves.wait_for_posts(1)
    assert post["body"]["ids"] == ["id-1"] and int(post["body"]["after"].split("-")[1]) > 500


def test_scrolling_at_an_edge_eases_in_over_400_ms_whatever_the_frame_rate(page, server):
    page.goto(f"{server.url}/Tests/Browser/element/pages/blank.html")
    distances = page.evaluate("""async () => {
      const { Autoscroll } = await import('/live-list/moving/autoscroll.js');
      const run = (rate, until) => {
        let now = 0, next = null, sum = 0;
        performance.now = () => now;
        window.requestAnimationFrame = (callback) => { next = callback; return 1; };
        window.cancelAnimationFrame = () => { next = null; };
        const scrolling = new Autoscroll((distance) => { sum += distance; });
        scrolling.speed = 900;
        for (let frame = 1; frame <= (rate * until) / 1000; frame++) {
          now = (1000 * frame) / rate;
          next(now);
        }
        scrolling.stop();
        return [sum, next === null];
      };
      // The whole way, and the last of it, when it is as fast as it gets.
      return [60, 120, 30].map((rate) => [run(rate, 400), run(rate, 1400)].flat());
    }""")
    for eased, stopped, whole_way, _ in distances:
        assert stopped
        assert eased == pytest.approx(900 * 0.4 / 2, rel=0.1), "half as far as at full speed"
        assert whole_way - eased == pytest.approx(900, rel=0.05), "900 px/s"


def test_positions_are_arithmetic_and_nothing_in_the_list_is_measured(grid):
    grid.evaluate("""() => {
      window.measured = [];
      const watch = (prototype, name) => {
        const property = Object.getOwnPropertyDescriptor(prototype, name);
        const kind = property.get ? 'get' : 'value';
        const original = property[kind];
        Object.defineProperty(prototype, name, { ...property, [kind](...args) {
          if (this.closest?.('[data-ll-row]')) measured.push(name);
          return original.apply(this, args);
        } });
      };
      for (const name of ['getBoundingClientRect', 'getClientRects', 'clientWidth', 'clientHeight']) watch(Element.prototype, name);
      for (const name of ['offsetTop', 'offsetLeft', 'offsetWidth', 'offsetHeight']) watch(HTMLElement.prototype, name);
    }""")
    grid.evaluate("() => { list.scrollTop = 400; }")
    frames(grid)
    grid.evaluate("""() => {
      list.receive(change(2, { items: { moved: [['id-20', 0, 20, 0, 25]] } }));
      list.receive(change(3, { items: { deleted: [['id-22', 0, 21]], inserted: [['new', 0, 3]] } }));
      list.focusIndex(50);
      list.focusIndex(18);
    }""")
    box = grid.locator("live-list").bounding_box()
    grid.mouse.move(box["x"] + 80, box["y"] + 250)
    grid.mouse.down()
    grid.mouse.move(box["x"] + 300, box["y"] + 350, steps=8)
    assert is_lifted(grid)
    grid.mouse.up()
    at_rest(grid)
    assert grid.evaluate("measured") == []


def test_another_number_of_columns_moves_no_node(new_page, moves):
    page = new_page()
    open_grid(page, moves, 200)
    page.evaluate("""() => {
      window.nodes = new Map([...document.querySelectorAll('[data-ll-row]')].map((row) => [row.innerText, row]));
      window.before = list.statistics;
      window.columns = getComputedStyle(list);
    }""")
    page.set_viewport_size({"width": 500, "height": 700})
    until(page, "document.querySelectorAll('[data-ll-row]')[3].getBoundingClientRect().y > 200")
    after = page.evaluate("""() => ({
      moved: list.statistics.moved - before.moved,
      others: [...document.querySelectorAll('.ll-canvas [data-ll-row]')].filter((row) => nodes.has(row.innerText) && nodes.get(row.innerText) !== row).length,
      same: [...document.querySelectorAll('.ll-canvas [data-ll-row]')].filter((row) => nodes.get(row.innerText) === row).length,
    })""")
    assert after["moved"] == 0 and after["others"] == 0 and after["same"] > 10
