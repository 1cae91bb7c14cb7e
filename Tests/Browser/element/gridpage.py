"""Helpers of the element's tests."""

import time

from playwright.sync_api import Error

from fake_server import PATIENCE


def open_grid(page, server, count=30, query="", **options):
    page.goto(f"{server.url}/Tests/Browser/element/pages/grid.html?{query}")
    until(page, "window.ready")
    if count is not None:
        page.evaluate("([n, o]) => list.receive(snapshot(n, o))", [count, options])


def ids(page, to=None):
    return page.evaluate("(to) => list.ids(0, to ?? undefined)", to)


def numbers(page, to=None):
    return [int(one.split("-")[1]) for one in ids(page, to)]


def shown(page):
    """The titles in the document, in document order."""
    return page.eval_on_selector_all(".ll-canvas [data-ll-row=item]", "rows => rows.map(r => r.innerText.trim())")


def tile(page, number):
    return page.locator(".ll-canvas [data-ll-row=item]").filter(has_text=f"Item {number}").filter(
        has=page.get_by_text(f"Item {number}", exact=True))


def centre(page, number):
    box = tile(page, number).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def status(page):
    return page.locator("[role=status]").inner_text().strip()


def until(page, condition, seconds=PATIENCE):
    """Waits for a condition on the page. (Playwright's own way needs `eval`, which the security policy forbids.)
    The waiting is done here: on the page time may stand still. What takes longer is asked for less often, as the page has use
    for the processor."""
    end = time.monotonic() + seconds
    pause = 0.01
    while not page.evaluate(f"async () => Boolean({condition})"):
        assert time.monotonic() < end, f"never came true: {condition}"
        time.sleep(pause)
        pause = min(pause * 1.5, 0.05)


def run_until(page, condition, step=100, within=None):
    """Steps the page's clock by `step` milliseconds until a condition holds. Real time ends the wait, as files and answers take none
    of the page's; `within` limits the page's own milliseconds, for tests of what is to come in time."""
    end, passed = time.monotonic() + PATIENCE, 0
    while not page.evaluate(f"async () => Boolean({condition})"):
        assert time.monotonic() < end and (within is None or passed < within), f"never came true in {passed} ms of the page's: {condition}"
        page.clock.run_for(step)
        passed += step
        page.wait_for_timeout(5)


def until_here(page, condition, what=lambda: "never came true", step=0):
    """Waits until a condition of the test's own holds, as what a server was asked. The browser goes on meanwhile, and the page's clock by
    `step` milliseconds between two looks; 0 leaves it alone."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what()
        if step:
            page.clock.run_for(step)
        page.wait_for_timeout(10)


def until_said(page, condition=bool, step=0):
    """Waits until a condition holds for what the page has written to its console, by default that it has written something."""
    until_here(page, lambda: condition(page.said), lambda: f"said: {page.said}", step)


def freeze(page):
    """Stops the page's clock, which goes on by itself otherwise. What passes from now on `page.clock.run_for` says."""
    page.clock.install(time=0)
    second = 1
    while True:
        try:
            return page.clock.pause_at(second)
        except Error as error:
            # The clock went on until it was told to stop, and by more than a second where the machine is busy.
            if "to the past" not in error.message:
                raise
            second = page.evaluate("Date.now()") / 1000 + 1


def at_rest(page):
    """Waits until nothing moves any more."""
    until(page, """document.getAnimations().every((a) => a.playState !== 'running' || a.effect.getComputedTiming().iterations === Infinity)""")


def drag(page, number, to, release=True, half="left"):
    """Drags a tile onto the half of another."""
    x, y = centre(page, number)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 6, y + 6)
    box = tile(page, to).bounding_box()
    dx = box["width"] * (0.2 if half == "left" else 0.8)
    page.mouse.move(box["x"] + dx, box["y"] + box["height"] / 2, steps=3)
    if release:
        page.mouse.up()


class Finger:
    """Real touch: what a browser makes of it (pointers, scrolling, clicks) is its own."""

    def __init__(self, page):
        self.devtools = page.context.new_cdp_session(page)

    def __call__(self, kind, *points):
        self.devtools.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]})


def frames(page):
    """Two animation frames: what was asked for has been painted."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


# The mutations that the browser keeps as they are not saved yet, in the database of a name.
KEPT = """new Promise((done) => {
  const request = indexedDB.open('%s', 1);
  request.onupgradeneeded = () => request.result.createObjectStore('mutations', { autoIncrement: true });
  request.onsuccess = () => {
    const database = request.result;
    const all = database.transaction('mutations').objectStore('mutations').getAll();
    all.onsuccess = () => { database.close(); done(all.result); };
  };
})"""
