"""The gates of speed: counts and script time, not frame time. See gates.py."""

import pytest

from gates import LONG_TASK, TOLERANCE, percentile, sweep
from gridpage import open_grid


@pytest.mark.parametrize("sections", [1, 50])
def test_a_hundred_thousand_items_are_shown_within_the_limits(page, server, sections):
    headers = "headers" if sections > 1 else ""
    open_grid(page, server, None, headers)
    mount = page.evaluate("""(sections) => {
      const times = [];
      for (let n = 1; n <= 15; n++) {
        const frame = snapshot(100_000, { seq: n, sections });
        list.receive({ ...frame, sections: [] });
        const start = performance.now();
        list.receive({ ...frame, epoch: `e${n}` });
        times.push(performance.now() - start);
      }
      return Math.min(...times); // the least disturbed by what else the machine does
    }""", sections)
    print(f"mount of 100,000 in {sections}: {mount:.1f} ms")
    assert mount <= 50 * TOLERANCE
    page.evaluate("() => new Promise((done) => setTimeout(done, 0))")
    scrolls, long = sweep(page)
    print(f"scroll: p50 {percentile(scrolls, .5):.2f} ms, p95 {percentile(scrolls, .95):.2f} ms, {len(scrolls)} events")
    assert all(time > 0 for time in scrolls)
    assert percentile(scrolls, 0.95) <= 4 * TOLERANCE
    assert max(long) <= LONG_TASK, "no step is a long task every time"
    assert page.evaluate("document.querySelectorAll('*').length") <= 800
    last = page.evaluate("[...document.querySelectorAll('[data-ll-row=item]')].at(-1).getAttribute('aria-rowindex')")
    assert int(last) == 100_000 + (sections if sections > 1 else 0)


def test_a_million_items_can_be_reached_to_the_last(page, server):
    open_grid(page, server, 1_000_000)
    assert page.evaluate("list.scrollHeight * devicePixelRatio") <= 15_000_000 + 1
    scrolls, _ = sweep(page, 50)
    print(f"scroll of a million: p95 {percentile(scrolls, .95):.2f} ms")
    assert percentile(scrolls, 0.95) <= 4 * TOLERANCE
    box = page.evaluate("""() => {
      const last = [...document.querySelectorAll('[data-ll-row=item]')].at(-1);
      const [a, b] = [last.getBoundingClientRect(), list.getBoundingClientRect()];
      return { index: last.ariaRowIndex ?? last.getAttribute('aria-rowindex'), over: b.bottom - a.bottom };
    }""")
    assert box["index"] == "1000000" and box["over"] == pytest.approx(10, abs=1)
    # A turn of the wheel goes as far as anywhere else, and the box is set right when it rests.
    page.evaluate("list.scrollTop = list.scrollHeight / 3")
    page.evaluate("() => new Promise((done) => setTimeout(done, 250))")
    top = "[...document.querySelectorAll('[data-ll-row=item]')].map(r => [r.innerText, r.getBoundingClientRect().y])[20][1]"
    before = page.evaluate(top)
    page.evaluate("list.scrollTop += 100")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate(top) == pytest.approx(before - 100, abs=1.5)
    assert page.evaluate("document.querySelectorAll('*').length") <= 800


@pytest.mark.parametrize("density", [2, 3])
def test_the_box_is_capped_by_the_screens_own_pixels(new_page, server, density):
    page = new_page(device_scale_factor=density)
    open_grid(page, server, 1_000_000)
    assert 14_000_000 < page.evaluate("list.scrollHeight * devicePixelRatio") <= 15_000_000 + density
    page.evaluate("() => { list.scrollTop = list.scrollHeight; }")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    last = page.locator("[data-ll-row=item]").last
    assert last.get_attribute("aria-rowindex") == "1000000"
    assert last.bounding_box()["y"] + last.bounding_box()["height"] == pytest.approx(
        page.locator("live-list").bounding_box()["y"] + 600 - 10, abs=1)


def test_one_change_of_one_item_stays_within_its_limits(page, server):
    open_grid(page, server, 100_000)
    times = page.evaluate("""async () => {
      list.scrollTop = list.scrollHeight / 2;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const first = [...document.querySelectorAll('[data-ll-row=item]')].at(20).ariaRowIndex;
      measures.frame = [];
      for (let n = 2; n < 42; n++) {
        const from = +first + n, to = +first + n - 5;
        list.receive(change(n, { items: { moved: [[list.ids(from, from + 1)[0], 0, from, 0, to]] } }));
        await new Promise((done) => requestAnimationFrame(done));
      }
      return measures.frame;
    }""")
    print(f"one move: p50 {percentile(times, .5):.2f} ms, p95 {percentile(times, .95):.2f} ms")
    assert len(times) == 40
    assert percentile(times, 0.5) <= 4 * TOLERANCE


def test_one_change_of_a_thousand_items_stays_within_its_limits(page, server):
    open_grid(page, server, 100_000)
    times = page.evaluate("""async () => {
      measures.frame = [];
      for (let n = 2; n < 12; n++) {
        const deleted = Array.from({ length: 1000 }, (_, i) => [list.ids(i * 90, i * 90 + 1)[0], 0, i * 90]);
        const inserted = deleted.map(([id], i) => [`${id}-${n}`, 0, i * 95 + 3]);
        list.receive(change(n, { items: { deleted, inserted } }));
        await new Promise((done) => requestAnimationFrame(done));
      }
      return measures.frame;
    }""")
    print(f"a thousand: least {min(times):.2f} ms, p50 {percentile(times, .5):.2f} ms")
    assert min(times) <= 16 * TOLERANCE  # the least disturbed by what else the machine does


def test_a_drag_over_a_long_list_stays_within_its_limits(page, server):
    open_grid(page, server, 100_000)
    box = page.locator("live-list").bounding_box()
    page.mouse.move(box["x"] + 80, box["y"] + 80)
    page.mouse.down()
    page.evaluate("() => { measures.drag = []; }")
    for n in range(120):
        page.mouse.move(box["x"] + 90 + (n * 37) % 700, box["y"] + 200 + (n * 13) % 200)
    times = page.evaluate("measures.drag")
    page.keyboard.press("Escape")
    page.mouse.up()
    print(f"drag: p50 {percentile(times, .5):.2f} ms, p95 {percentile(times, .95):.2f} ms, {len(times)} moves")
    assert percentile(times, 0.5) <= 2 * TOLERANCE


def test_the_heap_at_a_hundred_thousand_stays_within_its_limit(page, server):
    open_grid(page, server, 0)
    used = """async () => {
      for (let n = 0; n < 3; n++) { gc(); await new Promise((done) => setTimeout(done, 20)); }
      return performance.memory.usedJSHeapSize;
    }"""
    before = page.evaluate(used)
    page.evaluate("""() => {
      // As they come from the network: JSON that is parsed, ids as long as UUIDs.
      const frame = snapshot(100_000);
      frame.sections[0].items = frame.sections[0].items.map((id) => id.padEnd(36, '-0123456789abcdef0123456789abcdef'));
      list.receive(JSON.parse(JSON.stringify({ ...frame, epoch: 'f' })));
    }""")
    grown = page.evaluate(used) - before
    print(f"heap: {grown / 1e6:.1f} MB")
    assert grown <= 20e6
