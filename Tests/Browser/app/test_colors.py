"""The example `colors`: search, deleting in three ways, undo, adding; what people do in each engine."""

import re
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from engines import NETWORK
from examples import check_axe, check_that_it_is_kept_to_this_machine, run_example
from playwright.sync_api import expect

# The names in a page's list, and what it says of their number.
NAMES = "() => { const list = document.querySelector('live-list'); return list.ids(0, list.count) }"
COUNT = "(count) => document.querySelector('#count').textContent === count"


@pytest.fixture
def colors(start_example):
    return start_example("colors")


def open_colors(browser, colors):
    page = browser.open(colors.url)
    page.wait_for(COUNT, "148 colours")
    return page


def search(page, text):
    page.click("#search")
    page.key("Control+a")
    page.type(text) if text else page.key("Delete")


def wait_for_names(page, *names):
    page.wait_for(f"(names) => ({NAMES})().join() === names.join()", names)


def wait_until(page, held):
    """Lets the page go on until one of its requests is held."""
    while not held:
        page.wait_for_timeout(10)


def test_names_and_values_are_searched_as_one_types(colors, engine):
    page, other = (engine.browser().open(colors.url) for _ in range(2))
    for one in (page, other):
        one.wait_for(COUNT, "148 colours")

    search(page, "CHOCO")
    wait_for_names(page, "Chocolate")
    search(page, "ffb6")
    wait_for_names(page, "LightPink")
    search(page, "#FFE4")
    wait_for_names(page, "Bisque", "MistyRose", "Moccasin")
    other.wait_for(COUNT, "148 colours")

    # Accents, too.
    assert colors.post("/colors", [{"name": "Café au lait", "hex": "#a67b5b"}]) == (204, None)
    search(page, "CAFE AU")
    wait_for_names(page, "Café au lait")
    search(page, "")
    page.wait_for(COUNT, "149 colours")
    search(page, "xyz")
    page.wait_visible("#nothing :: No colour has “xyz” in its name or value.")
    assert not page.is_visible("#named")


@pytest.mark.network
def test_one_list_is_searched_and_only_its_differences_are_drawn(colors, open_page):
    page = open_page(None)
    streams = []
    page.on("request", lambda request: "/stream?" in request.url and streams.append(request.url))
    page.goto(colors.url)
    expect(page.locator("#count")).to_have_text("148 colours")
    page.get_by_label("Search").fill("green")
    expect(page.locator("#count")).to_have_text("16 colours")
    page.evaluate("""() => {
        const list = document.querySelector('live-list');
        const before = list.ids(0, list.count);
        window.kept = [...document.querySelectorAll('[data-ll-row=item]')].filter((row) => /Sea|LawnGreen/.test(row.textContent));
        window.isAnimated = false;
        list.addEventListener('live-list-change', () => requestAnimationFrame(() => { window.isAnimated ||= document.getAnimations().length > 0 }));
    }""")
    page.get_by_label("Search").fill("seagreen")
    expect(page.locator("#count")).to_have_text("4 colours")
    # What stays has the nodes that it had, and moves there.
    assert page.evaluate("() => window.kept.filter((row) => /Sea/.test(row.textContent)).every((row) => row.isConnected)")
    page.wait_for_function("() => window.isAnimated")
    assert len(streams) == 1


@pytest.mark.network
def test_searches_arrive_in_the_order_in_which_they_were_typed(colors, open_page):
    page = open_page(colors.url)
    expect(page.locator("#count")).to_have_text("148 colours")
    held, sent = [], []

    def take(route):
        sent.append(route.request.post_data_json["text"])
        route.continue_() if held else held.append(route)

    page.route("**/search", take)
    for letter in "blue":
        page.get_by_label("Search").press(letter)
    wait_until(page, held)
    assert sent == ["b"]
    held[0].continue_()
    expect(page.locator("#count")).to_have_text("20 colours")
    assert sent == ["b", "bl", "blu", "blue"]


def delete_by_key(page, name, *selecting):
    page.click(f".name :: {name}")
    for key in (*selecting, "Delete"):
        page.key(key)


def delete_by_button(page, name):
    page.evaluate("""(name) => [...document.querySelectorAll('.color')].find((one) => one.textContent.includes(name))
        .querySelector('button').dataset.test = name""", name)
    page.click(f"[data-test={name}]")


def swipe_by(distance):
    def swipe(page, name):
        x, y = page.box(f".name :: {name}")
        page.press(x, y)
        page.move(x - distance, y + 3, steps=8)
        page.release()
    return swipe


@pytest.mark.parametrize("delete", [delete_by_key, delete_by_button, swipe_by(300)], ids=["key", "button", "swipe"])
def test_a_colour_is_deleted_and_brought_back_in_both_browsers(colors, engine, delete):
    page, other = (engine.browser().open(colors.url) for _ in range(2))
    other.wait_for(COUNT, "148 colours")
    page.wait_for(COUNT, "148 colours")
    before = page.evaluate(NAMES)
    for name in ("Azure", "AliceBlue"):
        delete(page, name)
        page.wait_for(f"(name) => !({NAMES})().includes(name)", name)
    for one in (page, other):
        one.wait_for(COUNT, "146 colours")

    # The last is back first.
    page.key("Control+z")
    other.wait_for(f"() => ({NAMES})()[0] === 'AliceBlue' && !({NAMES})().includes('Azure')")
    page.click("#undo")
    for one in (page, other):
        one.wait_for(f"(before) => ({NAMES})().join() === before.join()", before)
    page.wait_for("() => document.querySelector('#undo').ariaDisabled === 'true'")
    assert other.evaluate("() => document.querySelector('#undo').ariaDisabled") == "true"


@pytest.mark.network
def test_an_undo_does_not_overtake_the_deletion(colors, open_page):
    page = open_page(colors.url)
    expect(page.locator("#count")).to_have_text("148 colours")
    held, sent = [], []
    page.route("**/deletions", lambda route: held.append(route))
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url.removeprefix(colors.url)))
    page.get_by_text("Azure", exact=True).click()
    page.keyboard.press("Delete")
    expect(page.locator("#count")).to_have_text("147 colours")
    page.keyboard.press("Control+z")
    wait_until(page, held)
    held[0].continue_()
    expect(page.locator("#count")).to_have_text("148 colours")
    assert sent == ["/deletions", "/colors"]


def test_a_short_swipe_deletes_nothing_and_leaves_nothing(colors, engine):
    page = open_colors(engine.browser(), colors)
    swipe_by(60)(page, "Azure")
    page.wait_for("""() => document.getAnimations().length === 0
        && [...document.querySelectorAll('.color')].every((row) => row.style.translate === '')""")
    assert page.evaluate(COUNT, "148 colours")


def test_a_finger_swipes(colors, engine):
    page = open_colors(engine.browser(touch=True), colors)
    x, y = page.box(".name :: Azure")
    page.touch([("down", x + 200, y), *(("move", x + 200 - 30 * n, y) for n in range(1, 11)), ("up",)])
    page.wait_for(COUNT, "147 colours")


@pytest.mark.engines("chromium")  # What Firefox is sent as touches does not scroll.
def test_a_finger_that_goes_up_and_down_scrolls(colors, engine):
    page = open_colors(engine.browser(touch=True), colors)
    x, y = page.box(".name :: Beige")
    page.touch([("down", x, y), *(("move", x, y - 30 * n) for n in range(1, 9)), ("up",)])
    page.wait_for("() => document.querySelector('live-list').scrollTop > 50")
    assert page.evaluate(COUNT, "148 colours")


def test_what_is_selected_is_deleted_and_brought_back_as_one(colors, engine):
    page = open_colors(engine.browser(), colors)
    delete_by_key(page, "AliceBlue", "Shift+ArrowDown", "Shift+ArrowDown")
    page.wait_for(COUNT, "145 colours")
    page.key("Control+z")
    page.wait_for(COUNT, "148 colours")


def test_a_colour_of_ones_own_is_added_in_its_position_with_the_focus(colors, engine):
    browser = engine.browser()
    browser.expect_errors("409")
    page, other = browser.open(colors.url), engine.browser().open(colors.url)
    for one in (page, other):
        one.wait_for(COUNT, "148 colours")
    search(page, "blue")
    page.wait_for(COUNT, "20 colours")
    # As a person's choice in the picker, which engines do not let a driver reach.
    page.evaluate("() => { document.querySelector('[type=color]').value = '#0095b6' }")
    page.click("#add [name=name]")
    page.type("Bondi")
    page.key("Enter")
    page.wait_for("() => document.activeElement.textContent.includes('Bondi')")
    for one in (page, other):
        one.wait_for(COUNT, "149 colours")
        assert one.evaluate("""() => {
            const list = document.querySelector('live-list');
            const index = list.indexOf('Bondi');
            return [list.ids(index - 1, index + 2), list.contentOf('Bondi').hex];
        }""") == [["BlueViolet", "Bondi", "Brown"], "#0095b6"]

    # A name can be taken.
    page.click("#add [name=name]")
    page.type("Bondi")
    page.key("Enter")
    page.wait_for("() => document.querySelector('#add [name=name]').validationMessage === 'There is a colour of that name.'")
    page.type(" Beach")
    page.key("Enter")
    page.wait_for(COUNT, "150 colours")


def test_an_empty_list_says_so_and_offers_the_colours_again(colors, engine):
    page = open_colors(engine.browser(), colors)
    delete_by_key(page, "AliceBlue", "Control+a")
    page.wait_visible("#nothing :: All colours are gone.")
    page.click("#named")
    page.wait_for(COUNT, "148 colours")
    page.wait_hidden("#nothing")


def test_each_value_is_that_of_the_name_in_css(colors, open_page):
    page = open_page(colors.url)
    expect(page.locator("#count")).to_have_text("148 colours")
    assert page.evaluate("""() => {
        const list = document.querySelector('live-list');
        const value = (color) => {
            document.body.style.color = '';
            document.body.style.color = color;
            return getComputedStyle(document.body).color;
        };
        return list.ids(0, list.count).filter((name) => value(name) !== value(list.contentOf(name).hex));
    }""") == []


def test_a_search_outlives_the_server(start_example, engine):
    browser = engine.browser()
    browser.expect_errors(*NETWORK)
    colors = start_example("colors", "0", "--data", "kept")
    page = browser.open(colors.url)
    page.wait_for(COUNT, "148 colours")
    search(page, "rose")
    wait_for_names(page, "MistyRose")
    assert colors.stop() == 0
    page.wait_for("() => document.querySelector('live-list').dataset.state === 'reconnecting'")
    again = start_example("colors", colors.url.rsplit(":", 1)[1], "--data", "kept")
    page.wait_for("() => document.querySelector('live-list').dataset.state === 'connected'")
    # The server has it when a new colour that is searched for is shown, and another is not.
    assert again.post("/colors", [{"name": "Pea", "hex": "#66aa33"}, {"name": "Rosewood", "hex": "#65000b"}])[0] == 204
    wait_for_names(page, "MistyRose", "Rosewood")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(colors, open_page, scheme):
    page = open_page(colors.url, color_scheme=scheme)
    expect(page.locator("#count")).to_have_text("148 colours")
    check_axe(page)
    page.get_by_role("gridcell").first.click()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    check_axe(page)
    page.get_by_label("Search").fill("xyz")
    expect(page.locator("#nothing")).to_be_visible()
    check_axe(page)


def test_all_of_it_is_within_320_pixels(colors, open_page):
    page = open_page(colors.url, viewport={"width": 320, "height": 480})
    expect(page.locator("#count")).to_have_text("148 colours")
    assert page.evaluate("() => document.documentElement.scrollWidth") == 320
    assert page.evaluate("""() => [...document.querySelectorAll('button, input, code')].every((one) => {
        const { left, right } = one.getBoundingClientRect();
        return left >= 0 && right <= 320;
    })""")


def test_with_reduced_motion_nothing_travels(colors, open_page):
    page = open_page(colors.url, reduced_motion="reduce")
    expect(page.locator("#count")).to_have_text("148 colours")
    page.evaluate("""() => {
        window.travels = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, options) {
            const duration = options?.duration ?? options;
            if (duration > 0 && /translate|transform|scale/.test(JSON.stringify(frames))) window.travels += 1;
            return animate.call(this, frames, options);
        };
    }""")
    box = page.get_by_text("Azure", exact=True).bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] - 300, box["y"] + 5, steps=5)
    page.mouse.up()
    expect(page.locator("#count")).to_have_text("147 colours")
    assert page.evaluate("() => window.travels") == 0


def test_bad_input_is_refused_in_words(colors):
    refusal = (409, "A colour has a name of up to 40 letters and a value such as #ff7f50.")
    for name, value in (("", "#ff7f50"), ("a" * 41, "#ff7f50"), ("Coral", "red"), ("Coral", "#FF7F5"), ("Coral", "#ff7f50;")):
        assert colors.post("/colors", [{"name": name, "hex": value}]) == refusal
    assert colors.post("/colors", [{"name": "Coral"}]) == (400, "/colors cannot take this: “hex” is missing.")
    status, reason = colors.post("/search", b"{")
    assert status == 400 and reason.startswith("/search cannot take this: ")
    assert colors.post("/search", b"x" * 200_000)[0] == 413
    with pytest.raises(urllib.error.HTTPError, match="400"):
        urllib.request.urlopen(f"{colors.url}/stream", timeout=20)
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{colors.url}/live-list/..%2Fpage.js", timeout=20)


def test_other_sites_are_refused(colors):
    check_that_it_is_kept_to_this_machine(colors, "/named", {})


def test_words_that_mean_nothing_are_named(tmp_path, colors):
    for arguments, reason in (
        (["eighty"], "eighty is no port"), (["70000"], "70000 is no port"), (["--data"], "--data is no option, or has no value"),
        (["--where", "x"], "--where is no option"),
    ):
        ended = run_example("colors", *arguments, folder=tmp_path)
        assert ended.returncode == 64
        assert re.match(f"colors: {reason}.* Usage: colors \\[PORT\\] \\[--data FOLDER\\]\n$", ended.stderr)
    port = colors.url.rsplit(":", 1)[1]
    ended = run_example("colors", port, folder=tmp_path)
    assert ended.returncode == 1 and "ddress already in use" in ended.stderr
    (tmp_path / "file").write_text("")
    assert run_example("colors", "0", "--data", "file", folder=tmp_path).returncode == 1


def test_nothing_is_left_but_what_is_in_a_named_folder(start_example, tmp_path):
    colors = start_example("colors")
    assert len(list(tmp_path.iterdir())) == 1
    assert colors.stop() == 0
    assert list(tmp_path.iterdir()) == []
    colors = start_example("colors", "0", "--data", "kept")
    assert colors.post("/deletions", {"act": "1", "ids": ["Azure"]})[0] == 204
    assert colors.stop() == 0
    assert [file.name for file in Path(tmp_path).iterdir()] == ["kept"]
    again = start_example("colors", "0", "--data", "kept")
    assert again.post("/colors", [{"name": "Azure", "hex": "#f0ffff"}])[0] == 204
