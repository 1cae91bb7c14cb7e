"""The gate of scrolling in every engine, on the page of an album of 100,000 photos. See gates.py; the other gates, which
are about the same arithmetic everywhere, are held in Chromium: test_album_gates.py."""

import pytest
from gates import SWEEPS, TOLERANCE, percentile
from long_album import filled_server

COUNT = 100_000
GATE = {"chromium": 4, "firefox": 8, "webkit": 8}  # ms

# As `sweep` in gates.py, in every engine.
SWEEP = """async (steps, times) => {
  const list = document.getElementById('photos');
  const frames = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  const furthest = list.scrollHeight - list.clientHeight;
  const least = new Array(steps).fill(Infinity);
  let sum = 0;
  list.onMeasure = (name, time) => { if (name === 'scroll') sum += time };
  for (let turn = 0; turn < times; turn++) {
    for (let n = 0; n < steps; n++) {
      sum = 0;
      list.scrollTop = furthest * (n + 1) / steps;
      await frames();
      least[n] = Math.min(least[n], sum);
    }
    list.scrollTop = 0;
    await frames();
  }
  return [least, document.querySelectorAll('*').length];
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server, _ = filled_server(tmp_path_factory.mktemp("gates") / "data", COUNT)
    yield server
    server.kill()


def test_a_sweep_through_the_whole_album_stays_within_its_limits(browser, server):
    browser.expect_errors("Failed to load resource")  # its photos have no files
    page = browser.open(server.url)
    page.wait_for("() => 'complete' in document.body.dataset")
    page.wait_for("count => document.getElementById('photos').count === count", COUNT)
    least, elements = page.evaluate(SWEEP, 60, SWEEPS)
    name = page.browser.name
    print(f"sweep in {name}: p50 {percentile(least, .5):.2f} ms, p95 {percentile(least, .95):.2f} ms")
    assert elements <= 800
    assert percentile(least, 0.95) <= GATE[name] * TOLERANCE
