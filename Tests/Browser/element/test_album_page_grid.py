"""The size and the shape of photos in the grid: by slider, keys, wheel and two fingers, kept for the device."""

import pytest

from sheet import Sheet

READY = """() => { const list = document.querySelector('#photos');
  return 'complete' in (document.body?.dataset ?? {}) && list?.isLoaded && list.count === 120 }"""
COLUMNS = """() => { const rows = [...document.querySelectorAll('#photos .ll-canvas [data-ll-row=item]')];
  const tops = rows.map((row) => Math.round(row.getBoundingClientRect().y));
  return Math.max(...tops.map((top) => tops.filter((other) => other === top).length)) }"""


@pytest.fixture
def sheet(server):
    return Sheet(server, 120)


@pytest.fixture
def page(browser, sheet):
    page = browser.open(sheet.url)
    page.wait_for(READY)
    return page


def columns(page, other_than=None):
    """How many photos are in a row, when that is another number."""
    if other_than is None:
        return page.evaluate(COLUMNS)
    return page.wait_for(f"(before) => {{ const now = ({COLUMNS})(); return now !== before && now }}", other_than)


def focus(page, identity):
    page.evaluate("id => document.querySelector('#photos').focusItem(id)", identity)
    page.wait_for("id => !!document.activeElement.querySelector?.(`[data-photo='${id}']`)", identity)


def middle(page, identity):
    return page.evaluate("""id => { const row = document.querySelector(`#photos [data-photo='${id}']`).closest('[data-ll-row]');
      const { x, y, width, height } = row.getBoundingClientRect();
      return [x + width / 2, y + height / 2] }""", identity)


def at_rest(page):
    page.wait_for("() => document.getAnimations().every((one) => one.playState !== 'running')")


def test_the_slider_makes_photos_larger_and_smaller_and_says_how_many_are_in_a_row(page):
    before = columns(page)
    page.click("#view")
    page.wait_for("n => document.activeElement.getAttribute('aria-valuetext') === `${n} photos in a row`", before)
    page.key("ArrowRight")
    assert columns(page, before) == before - 1
    page.wait_for("n => document.activeElement.getAttribute('aria-valuetext') === `${n} photos in a row`", before - 1)
    page.key("ArrowLeft", times=3)
    page.wait_for(f"n => ({COLUMNS})() === n", before + 2)
    page.key("Home")
    page.wait_for(f"n => ({COLUMNS})() >= n && document.activeElement.value === '0'", before + 2)
    page.key("Escape")
    page.wait_for("() => !document.querySelector('.view-panel') && document.activeElement.id === 'view'")


def test_the_slider_is_dragged_by_the_mouse(page):
    before = columns(page)
    page.click("#view")
    page.wait_visible(".view-panel input[type=range]")
    box = page.evaluate("""() => { const { left, right, top, height } = document.querySelector('.view-panel input[type=range]').getBoundingClientRect();
      return [left, right, top + height / 2] }""")
    value = page.evaluate("() => { const { value, min, max } = document.querySelector('.view-panel input[type=range]'); return (value - min) / (max - min) }")
    left, right, y = box
    page.press(left + 8 + (right - left - 16) * value, y)
    page.move(right - 4, y, steps=6)
    largest = columns(page, before)
    assert largest < before
    page.move(left + 4, y, steps=6)
    page.wait_for(f"n => ({COLUMNS})() > n", before)
    page.release()


def test_the_size_and_the_shape_are_kept_for_the_device_and_shown_in_all_windows(page, browser, sheet):
    other = browser.open(sheet.url)
    other.wait_for(READY)
    before = columns(page)
    focus(page, "p3")
    page.key("+")
    now = columns(page, before)
    assert columns(other, before) == now < before
    page.click("#view")
    page.click(".view-panel label :: Whole picture")
    for one in (page, other):
        one.wait_for("() => getComputedStyle(document.querySelector('#photos .photo img')).objectFit === 'contain'")
    page.evaluate("() => { window.isOld = true; setTimeout(() => location.reload()) }")
    page.wait_for(f"() => !window.isOld && ({READY})()")
    assert columns(page) == now
    assert page.evaluate("() => getComputedStyle(document.querySelector('#photos .photo img')).objectFit") == "contain"


def test_keys_change_the_size_and_the_photo_with_the_focus_stays(page):
    before = columns(page)
    focus(page, "p70")
    at_rest(page)
    y = middle(page, "p70")[1]
    page.key("-")
    now = columns(page, before)
    assert now == before + 1
    at_rest(page)
    assert abs(middle(page, "p70")[1] - y) <= 1
    page.wait_for("n => document.querySelector('[role=status]').textContent.trim() === `${n} photos in a row`", now)
    page.key("0")
    assert columns(page, now) == before


def test_keys_work_where_nothing_has_the_focus(page, server):
    server.answer("/api/albums/a/deletes", lambda body, query: (200, {"changed": True}))
    before = columns(page)
    assert page.evaluate("() => document.activeElement === document.body")
    page.key("-")
    assert columns(page, before) > before
    page.key("0")
    page.wait_for(f"n => ({COLUMNS})() === n", before)
    page.key("Control+a")
    page.wait_for("() => document.querySelector('#photos').selectionCount === 120 && getSelection().isCollapsed")
    page.wait_for("() => document.querySelector('#count').textContent === '120 photos, 120 selected'")
    page.key("Escape")
    page.wait_for("() => document.querySelector('#photos').selectionCount === 0")
    page.evaluate("() => { document.querySelector('#photos').selection = ['p3', 'p5']; document.activeElement.blur(); }")
    page.key("Delete")
    [post] = server.wait_for_posts(1, "/api/albums/a/deletes")
    assert post["body"]["ids"] == ["p3", "p5"]


def test_control_with_plus_and_minus_is_the_browsers(page):
    before = columns(page)
    focus(page, "p3")
    # The engines' own windows take these keys before the page does, so that they are only made here.
    assert page.evaluate("""() => ['+', '-', '0'].every((key) => document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true, cancelable: true })))""")
    assert columns(page) == before


PINCH = """([x, y, turns]) => turns.map((deltaY) => {
  const target = document.elementFromPoint(x, y);
  const event = new WheelEvent('wheel', { deltaY, ctrlKey: true, clientX: x, clientY: y, bubbles: true, cancelable: true });
  target.dispatchEvent(event);
  return event.defaultPrevented;
})"""


def test_a_pinch_on_a_trackpad_changes_the_size_about_the_pointer(page):
    page.evaluate("() => { document.querySelector('#photos').scrollTop = 1900 }")
    page.wait_for("() => !!document.querySelector('#photos [data-photo=p45]')")
    before = columns(page)
    x, y = middle(page, "p45")
    # Trackpads tell of a pinch as of small turns of the wheel with Control.
    assert all(page.evaluate(PINCH, [x, y, [-4] * 12]))
    columns(page, before)
    at_rest(page)
    assert page.evaluate("() => document.querySelector('#photos').scrollTop > 0")
    top, height = page.evaluate("""() => { const row = document.querySelector('#photos [data-photo=p45]').closest('[data-ll-row]');
      const { y, height } = row.getBoundingClientRect(); return [y, height] }""")
    assert top <= y <= top + height
    # A turn of the wheel without a key scrolls.
    assert page.evaluate("""([x, y]) => { const event = new WheelEvent('wheel', { deltaY: 40, clientX: x, clientY: y, bubbles: true, cancelable: true });
      document.elementFromPoint(x, y).dispatchEvent(event); return event.defaultPrevented }""", [x, y]) is False


@pytest.mark.engines("chromium")
def test_two_fingers_change_the_size(engine, sheet):
    browser = engine.browser(touch=True, width=390, height=800)
    page = browser.open(sheet.url)
    page.wait_for(READY)
    assert columns(page) == 3

    def touch(kind, *points):
        fingers = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
        page.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    touch("touchStart", (150, 400), (250, 400))
    for n in range(1, 9):
        touch("touchMove", (150 - 10 * n, 400), (250 + 10 * n, 400))
    touch("touchEnd")
    assert columns(page, 3) == 1
    assert page.evaluate("() => visualViewport.scale") == 1
    assert not page.evaluate("() => document.querySelector('#viewer').open || document.querySelector('.ll-preview')")


def test_in_a_narrow_window_the_menu_leads_to_it(engine, sheet):
    browser = engine.browser(width=500, height=800)
    page = browser.open(sheet.url)
    page.wait_for(READY)
    page.click("#more")
    page.click(".ll-menu > button :: View…")
    page.wait_visible(".view-panel")
    page.key("Escape")
    page.wait_for("() => !document.querySelector('.view-panel') && document.activeElement.id === 'more'")


def test_the_button_closes_what_it_has_opened(page):
    page.click("#view")
    page.wait_visible(".view-panel")
    assert page.evaluate("() => document.getElementById('view').ariaExpanded") == "true"
    page.click("#view")
    page.wait_for("() => !document.querySelector('.view-panel') && document.getElementById('view').ariaExpanded === 'false'")
