"""`make bench SUITE=browser`: ContactSheet's release program and Chromium, with albums as long as they get.

BENCH_PART=0.1 takes albums of a tenth of the length.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from albums import ROOT, fill, new_folder
from program import PROGRAM, Server
from report import Report, median, percentile
from wire import PAINTED, sent_before_paint

from browser_path import chromium_path
from playwright.sync_api import sync_playwright

PART = float(os.environ.get("BENCH_PART", "1"))
VIEW = {"width": 1000, "height": 800}
CELLS = "#photos [data-ll-row=item]"


def until(page, condition, timeout=120_000):
    # As a function: expressions would need `eval`, which the page's policy forbids.
    page.wait_for_function(f"() => {condition}", polling=20, timeout=timeout)


def open_album(browser, server, album):
    page = browser.new_context(viewport=VIEW).new_page()
    page.set_default_timeout(120_000)
    page.goto(f"{server.url}/albums/{album}")
    until(page, f"document.querySelectorAll('{CELLS}').length > 10")
    return page


def drop_to_the_other(report, browser, work):
    """From letting a photo go in one browser to the changed document of another, by the clock that both share."""
    count, drags = int(100_000 * PART), 40
    folder = work / "long"
    album = new_folder(folder)
    fill(folder, count)
    server = Server(folder)
    try:
        one, other = open_album(browser, server, album), open_album(browser, server, album)
        one.evaluate("addEventListener('pointerup', () => { window.dropped = performance.timeOrigin + performance.now(); }, true)")
        other.evaluate("""() => {
          window.first = null;
          new MutationObserver(() => { window.first ??= performance.timeOrigin + performance.now(); })
            .observe(document.getElementById('photos'), { subtree: true, childList: true, attributes: true });
        }""")
        times = []
        for number in range(drags + 5):
            until(other, "document.getAnimations().every((one) => one.playState !== 'running')")
            until(one, "document.getElementById('photos').pending.length === 0"
                       " && document.getAnimations().every((one) => one.playState !== 'running')")
            other.evaluate("window.first = null")
            source, target = (one.locator(f"{CELLS}[aria-rowindex='{place}']").bounding_box() for place in (1, 3))
            middle = source["x"] + source["width"] / 2, source["y"] + source["height"] / 2
            one.mouse.move(*middle)
            one.mouse.down()
            one.mouse.move(middle[0] + 12, middle[1])
            one.mouse.move(target["x"] + target["width"] * 0.8, target["y"] + target["height"] / 2, steps=4)
            one.mouse.up()
            until(other, "window.first != null")
            if number >= 5:
                times.append(other.evaluate("window.first") - one.evaluate("window.dropped"))
        for page in (one, other):
            page.context.close()
    finally:
        server.kill()
    report.add(f"drop to the document of another browser, {count:,} photos", median(times), "ms", target=20,
               others={"longest": max(times)})
    report.add("the same, p95", percentile(times, 0.95), "ms", target=50)


def opened_once(browser, server, album):
    """Opens an album in a browser that knows nothing of it: milliseconds from the page's load event to the first paint of
    the grid."""
    context = browser.new_context(viewport=VIEW)
    page = context.new_page()
    page.add_init_script(PAINTED)
    page.goto(f"{server.url}/albums/{album}")
    until(page, "window.painted != null")
    took = page.evaluate("window.painted - performance.getEntriesByType('navigation')[0].loadEventEnd")
    context.close()
    return took


def sent_to(browser, server, album):
    """Kilobytes that are sent until that paint, without thumbnails."""
    context = browser.new_context(viewport=VIEW)
    sent = sent_before_paint(context.new_page(), server, album) / 1000
    context.close()
    return sent


def opening(report, browser, work):
    """An album of a million, at a server that has its list in memory and at one that was started a moment ago."""
    count = int(1_000_000 * PART)
    folder = work / "longest"
    album = new_folder(folder)
    fill(folder, count)
    cold, warm, sent = [], [], []
    for measure, results in [(opened_once, cold)] * 5 + [(sent_to, sent)]:
        server = Server(folder)
        try:
            results.append(measure(browser, server, album))
        finally:
            server.kill()
    server = Server(folder)
    try:
        page = open_album(browser, server, album)
        # Rows of the list are answered when it has been read.
        server.get(f"/api/albums/{album}/items?from=0&count=1")
        page.context.close()
        for _ in range(7):
            warm.append(opened_once(browser, server, album))
        sent += [sent_to(browser, server, album) for _ in range(3)]
    finally:
        server.kill()
    for name, times in (("", warm), (", the server just started", cold)):
        report.add(f"first paint of an album of {count:,} after the page's load{name}", median(times), "ms", target=300,
                   others={"longest": max(times)})
    report.add("sent until then, without thumbnails", max(sent), "kB", target=100)


# What the gates of the element print, and the most that each may be.
GATES = [
    (r"mount of 100,000 in (\d+): ([\d.]+) ms", "mount of 100,000 ids in {} sections", 2, "ms", 50),
    (r"scroll: .*?(p95) ([\d.]+) ms", "script of a scrolled frame at 100,000, {}", 2, "ms", 4),
    (r"scroll of a (million): p95 ([\d.]+) ms", "script of a scrolled frame at a {}, p95", 2, "ms", 4),
    (r"sweep in (chromium): .*p95 ([\d.]+) ms", "script of a scrolled frame, album of 100,000 in {}, p95", 2, "ms", 4),
    (r"sweep in (firefox|webkit): .*p95 ([\d.]+) ms", "script of a scrolled frame, album of 100,000 in {}, p95", 2, "ms", 8),
    (r"(one) move: p50 ([\d.]+) ms", "a change of {} item", 2, "ms", 4),
    (r"a (thousand): least ([\d.]+) ms", "a change of a {} items", 2, "ms", 16),
    (r"drag: (p50) ([\d.]+) ms", "handling a move of a drag, {}", 2, "ms", 2),
    (r"(heap): ([\d.]+) MB", "{} at 100,000 over empty", 2, "MB", 20),
]


def gates(report, browser, work):
    """The gates of the element itself, held to the letter."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "Tests/Browser/element/test_element_gates.py",
         "Tests/Browser/app/test_engine_gates.py", "Tests/Browser/app/test_album_gates.py"],
        cwd=ROOT, env={**os.environ, "GATES": "strict", "CONTACT_SHEET": str(PROGRAM)}, capture_output=True, text=True)
    for pattern, name, group, unit, target in GATES:
        for match in re.finditer(pattern, run.stdout):
            report.add(name.format(match.group(1)), float(match.group(group)), unit, target=target)
    # Counts, such as that of elements in the document, are asserted by the tests and not printed.
    failed = len(re.findall(r"^FAILED", run.stdout, re.M)) or (1 if run.returncode else 0)
    report.add("gates that are missed, of times and counts", failed, "", target=0)
    if failed:
        print(run.stdout[-2000:], file=sys.stderr)


def main():
    if not Path(PROGRAM).exists():
        sys.exit(f"{PROGRAM} is missing: make build")
    report = Report("browser")
    chosen = sys.argv[1:]
    parts = [part for part in (drop_to_the_other, opening, gates) if not chosen or part.__name__ in chosen]
    with tempfile.TemporaryDirectory(prefix="bench-browser-") as work:
        if gates in parts:  # Playwright can be started only once in a process; these have one of their own.
            gates(report, None, Path(work))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
            for part in parts:
                if part is not gates:
                    part(report, browser, Path(work))
            browser.close()
    report.write()
    sys.exit(0 if report.is_met else 1)


main()
