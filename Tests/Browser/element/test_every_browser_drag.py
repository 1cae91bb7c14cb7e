"""A drag right after moves by keys, in each engine: both are saved, and neither is lost."""

import pytest

from sheet import Sheet

READY = """() => { const list = document.getElementById('photos');
  return list?.isLoaded && list.count === 24 && 'complete' in document.body.dataset }"""
STYLED = "() => getComputedStyle(document.documentElement).getPropertyValue('--ll-has-reordering') !== ''"


@pytest.fixture
def page(browser, server):
    page = browser.open(Sheet(server, 24).url)
    page.wait_for(READY)
    page.wait_for(STYLED)
    return page


def photo(identity):
    return f"#photos a.open[data-photo='{identity}']"


def press_keys(page):
    """Moves p2 by keys, and begins to drag p6 in the same moment: before the keys' moves are sent."""
    page.evaluate("""() => {
      document.querySelector("#photos a.open[data-photo='p2']").closest('[data-ll-cell]').focus();
      // The keys' pause begins anew with each of them: it is not over when the drag begins, however slow the machine is.
      const list = document.getElementById('photos');
      list.addEventListener('pointerdown', () => {
        const cell = document.querySelector("#photos a.open[data-photo='p2']").closest('[data-ll-cell]');
        for (let n = 0; n < 2; n++) cell.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', altKey: true, bubbles: true, cancelable: true }));
      }, { once: true, capture: true });
    }""")


def moves(server, count):
    return [post["body"]["ids"] for post in server.wait_for_posts(count, "/api/albums/a/moves")]


def test_a_drag_right_after_keys_goes_on_and_both_moves_are_saved(page, server):
    press_keys(page)
    page.drag(photo("p6"), photo("p0"), offset=(-40, 0))
    assert moves(server, 2) == [["p2"], ["p6"]]
    page.wait_for("() => document.getElementById('photos').pending.length === 0")
    assert page.evaluate("() => document.getElementById('photos').ids(0, 6)") == ["p6", "p0", "p1", "p3", "p4", "p2"]


def test_a_short_drag_right_after_keys_is_no_click(page, server):
    press_keys(page)
    page.drag(photo("p6"), photo("p6"), offset=(30, 0))
    assert moves(server, 1) == [["p2"]]
    assert not page.evaluate("() => document.getElementById('viewer').open")
    assert page.url.endswith("/albums/a")
