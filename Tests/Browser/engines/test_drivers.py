"""The drivers themselves: what a test does by them comes to the page as what a person does."""

import pytest
from engines import Line, NotDrivable
from engines.processes import Process, StartFailed, poll

SEEN = "() => seen.splice(0)"


def test_a_click_finds_an_element_by_its_text(page):
    page.click("button :: hello")
    assert page.evaluate(SEEN) == ["pointerdown0", "mousedown0", "pointerup0", "mouseup0", "click0"]
    page.double_click("#a")
    assert page.evaluate(SEEN)[-1] == "dblclick0"


def test_a_right_click_is_press_hold_and_release(page):
    during = []
    page.right_click("#a", held=lambda page: during.extend(page.evaluate(SEEN)))
    assert during == ["pointerdown2", "mousedown2", "contextmenu2"]
    after = page.evaluate(SEEN)
    assert after[:2] == ["pointerup2", "mouseup2"]


def test_text_and_chords_arrive(page):
    page.click("#text")
    page.type("Café 7, äß?")
    assert page.evaluate("() => document.querySelector('#text').value") == "Café 7, äß?"
    page.key("Control+a")
    page.key("Delete")
    assert page.evaluate("() => document.querySelector('#text').value") == ""
    page.key("Escape")
    assert page.evaluate("() => seen.at(-1)") == "Escape"
    page.key("ArrowLeft", times=3)
    assert page.evaluate("() => seen.slice(-3)") == ["ArrowLeft"] * 3


def test_a_drag_is_seen_as_moves_with_the_button_down(page):
    page.drag("#a", "#b")
    seen = page.evaluate(SEEN)
    assert seen[0] == "pointerdown0" and "pointerup0" in seen
    assert page.evaluate("() => moves") >= 5


def test_the_wheel_scrolls(page):
    page.wheel("#a", 300)
    page.wait_for("() => scrollY > 100")
    assert "wheel0" in page.evaluate(SEEN)


def test_files_come_into_a_hidden_input(page, tmp_path):
    paths = [tmp_path / name for name in ("one.txt", "two.txt")]
    for path in paths:
        path.write_text(path.name)
    page.set_files("#files", paths)
    page.wait_for("() => document.querySelector('#files').files.length === 2")
    texts = page.evaluate("() => Promise.all([...document.querySelector('#files').files].map(one => one.text()))")
    assert texts == ["one.txt", "two.txt"]
    assert page.evaluate("() => document.querySelector('#files').hidden")


def test_touches_come_as_touches(page):
    page.tap("#a")
    seen = page.evaluate(SEEN)
    assert "touchstart" in seen and "touchend" in seen


def test_answers_are_json_and_promises_are_waited_for(page):
    value = {"a": [1, 2.5, None, "ü"], "b": {"c": True}}
    assert page.evaluate("async (one, two) => ({ one, two })", value, "x") == {"one": value, "two": "x"}
    assert page.evaluate("() => undefined") is None
    with pytest.raises(Exception, match="broken"):
        page.evaluate("() => { throw new Error('broken') }")


def test_what_does_not_come_is_named(page):
    page.timeout = 0.2
    with pytest.raises(TimeoutError, match="not there or not visible"):
        page.click("button :: Hidden")
    with pytest.raises(TimeoutError, match=r"window\.never.*, by \"http.* \"complete\""):
        page.wait_for("() => window.never")


def test_errors_of_the_console_are_collected(engine, address):
    browser = engine.browser()
    page = browser.open(address)
    page.evaluate("() => { console.error('told'); setTimeout(() => { throw new Error('thrown') }); Promise.reject(new Error('refused')) }")
    for part in ("told", "thrown", "refused"):
        poll(lambda: page.evaluate("() => 1") and any(part in error for error in browser.errors), part)
    browser.expect_errors("told", "thrown", "refused")
    assert browser.errors == []


def test_two_windows_share_storage_and_two_browsers_do_not(engine, address):
    browser, stranger = engine.browser(), engine.browser()
    one, two, other = browser.open(address), browser.open(address), stranger.open(address)
    one.evaluate("() => { localStorage.name = 'one' }")
    assert two.evaluate("() => localStorage.name") == "one"
    assert other.evaluate("() => localStorage.name ?? 'none'") == "none"
    assert not one.hidden and not two.hidden
    for page in (two, other, one):
        page.click("#a")
        assert "click0" in page.evaluate(SEEN)


def test_a_window_that_opens_after_another_was_closed_gets_the_clicks(engine, address):
    first, second = engine.browser(), engine.browser()
    second.open(address).close()
    page = first.open(address)
    page.click("button")
    assert "click0" in page.evaluate("() => seen")


def test_a_tab_in_the_background_is_hidden_until_it_is_brought_to_the_front(browser, address):
    front = browser.open(address)
    behind = browser.open(address, background=True)
    assert behind.hidden and not front.hidden
    behind.activate()
    behind.wait_for("() => document.visibilityState === 'visible'")
    front.wait_for("() => document.visibilityState === 'hidden'")
    behind.click("#a")
    assert "click0" in behind.evaluate(SEEN)
    front.activate()
    front.wait_for("() => document.visibilityState === 'visible'")
    behind.wait_for("() => document.visibilityState === 'hidden'")


@pytest.mark.network
def test_a_browser_without_a_network_says_that_it_is_offline(browser, address):
    page = browser.open(address)
    browser.offline(True)
    page.wait_for("() => !navigator.onLine && seen.includes('offline')")
    browser.expect_errors("ERR_INTERNET_DISCONNECTED")
    assert page.evaluate("() => fetch('/x').then(() => 'came', () => 'failed')") == "failed"
    browser.offline(False)
    page.wait_for("() => navigator.onLine")
    assert page.evaluate("() => fetch('/x').then(() => 'came', () => 'failed')") == "came"


def test_a_line_that_is_cut_stalls_and_is_restored(browser, address):
    line = Line(address.rsplit(":", 1)[1].strip("/"))
    try:
        page = browser.open(line.url)
        browser.expect_errors("ERR_", "Failed to load")
        asked = "() => fetch('/x', { signal: AbortSignal.timeout(500) }).then(() => 'came', error => error.name)"
        assert page.evaluate(asked) == "came"
        line.cut()
        assert page.evaluate(asked) == "TypeError"
        line.restore()
        assert page.wait_for(f"async () => await ({asked})() === 'came'")
        line.stall()
        assert page.evaluate(asked) in ("TimeoutError", "AbortError")
        line.restore()
        assert page.wait_for(f"async () => await ({asked})() === 'came'")
    finally:
        line.close()


def test_closing_asks_where_the_page_wants_it(browser, address):
    page, other = browser.open(address), browser.open(address)
    page.click("#a")  # browsers ask for pages only that someone has touched
    assert not page.would_ask()
    page.evaluate("() => addEventListener('beforeunload', event => event.preventDefault())")
    assert page.would_ask()
    assert page.close_asking(accept=False)
    assert page.evaluate("() => document.title") == "A page"
    assert page.close_asking(accept=True)
    assert browser.pages == [other]
    assert not other.close_asking(accept=True)
    assert browser.pages == []


@pytest.mark.parametrize(("option", "query"), [
    ("dark", "(prefers-color-scheme: dark)"), ("reduced_motion", "(prefers-reduced-motion: reduce)"),
    ("forced_colors", "(forced-colors: active)")])
def test_preferences_are_seen_by_the_page(engine, address, option, query):
    ask = "query => matchMedia(query).matches"
    assert engine.browser().open(address).evaluate(ask, query) is False
    assert engine.browser(**{option: True}).open(address).evaluate(ask, query) is True


def test_a_page_has_the_size_that_is_asked_for_and_gives_pictures(engine, address, tmp_path):
    page = engine.browser(width=500, height=640).open(address)
    assert page.evaluate("() => [innerWidth, innerHeight]") == [500, 640]
    page.resize(800, 600)
    assert page.evaluate("() => [innerWidth, innerHeight]") == [800, 600]
    page.screenshot(tmp_path / "page.png")
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")
    page.zoom(2)
    assert 370 <= page.evaluate("() => innerWidth") <= 401, "WebKit zooms by steps"
    page.click("#a")
    assert "click0" in page.evaluate(SEEN)


def test_steps_in_the_history_and_a_reload_are_driven(page, address):
    page.evaluate("() => history.pushState(null, '', '/next')")
    page.back()
    page.wait_for("() => location.pathname === '/'")
    page.forward()
    page.wait_for_url("/next")
    page.evaluate("() => { window.old = true }")
    page.reload()
    assert page.evaluate("() => window.old ?? null") is None


def test_a_program_that_does_not_start_says_why():
    process = Process(["/bin/sh", "-c", "echo no display; exit 3"])
    with pytest.raises(StartFailed, match="status 3; it printed:\nno display"):
        process.line("listening")
    process.stop()


def test_what_cannot_be_driven_is_a_skip_with_its_reason(engine):
    if engine.name != "webkit":
        pytest.skip("the others can")
    with pytest.raises(NotDrivable, match="forced colours"):
        engine.browser(forced_colors=True)
