"""How the pages fit: nothing overlaps or is cut off at any width, what is tapped is large enough, and edges agree."""

import base64

import pytest
from playwright.sync_api import expect

from gridpage import at_rest, frames, until
from pictures import png
from sheet import Sheet
from test_album_page import open_album, photo
from test_album_page_viewer import DETAILS

pytestmark = pytest.mark.in_turns(3)

FEATURES = "undo albums search search-all months export trash titles details order additions covers"
HEBREW = "שלום עולם, תמונה"
LONG = "A title that is a good deal longer than every window of a phone and most windows of computers, and then some more of it"
LONG_HEBREW = " ".join([HEBREW] * 8)
PHONE = {"has_touch": True, "is_mobile": True}

#: The boxes of what is seen of a page's bars: its buttons and fields, the title and the count.
BOXES = """() => [...document.querySelectorAll(
    '.bar > .button, .bar > .search > input, .bar > .connection, .heading, .actions > .button, .sidebar > .line > *')]
  .filter((node) => node.checkVisibility({ visibilityProperty: true })).map((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    return { name: node.id || node.className, bar: Boolean(node.closest('.bar')), acts: Boolean(node.closest('.actions')), left, right, top, bottom };
  })"""


def overlap(one, other, by=0.5):
    return (one["left"] < other["right"] - by and other["left"] < one["right"] - by
            and one["top"] < other["bottom"] - by and other["top"] < one["bottom"] - by)


def misfits(boxes, width):
    """Finds parts that are cut off, lie over something else, or have a row for themselves."""
    found = [f"{box['name']} reaches {box['left']:.0f}–{box['right']:.0f}" for box in boxes if box["left"] < 0 or box["right"] > width + 0.5]
    found += [f"{one['name']} over {other['name']}" for n, one in enumerate(boxes) for other in boxes[:n] if overlap(one, other)]
    if len({round(box["top"]) for box in boxes if box["acts"]}) > 1:
        found.append("what is done with a selection is in two rows")
    return found


def sheet_of(server, count=24):
    sheet = Sheet(server, count, features=FEATURES)
    for identity in sheet.order:
        server.answer(f"GET /api/albums/a/photos/{identity}", lambda body, query: (200, DETAILS))
    return sheet


@pytest.fixture
def sheet(server):
    return sheet_of(server)


def open_page(page, sheet, name):
    page.goto(f"{sheet.server.url}/{name}")
    until(page, "document.querySelector('live-list:not([hidden])').isLoaded && 'complete' in document.body.dataset")


def rect(page, selector):
    return page.locator(selector).first.evaluate("""(node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect(); return { left, right, top, bottom } }""")


# Bars

@pytest.mark.parametrize("state", ["album", "edit", "albums", "trash", "edit trash", "troubled", "troubled albums"])
def test_nothing_in_the_bars_is_cut_off_or_overlaps_at_any_width(new_page, sheet, state):
    page = new_page(viewport={"width": 1440, "height": 800})
    open_page(page, sheet, "albums" if "albums" in state else "trash" if "trash" in state else "albums/a")
    if "edit" in state:
        page.get_by_role("button", name="Select", exact=True).click()
    if "troubled" in state:
        page.evaluate("""() => { for (const [id, text] of [['connection'], ['unsaved', '12 changes are not saved yet']]) {
          const node = document.getElementById(id); node.hidden = false; if (text) node.textContent = text; } }""")
    found = []
    for width in range(320, 1441, 20):
        page.set_viewport_size({"width": width, "height": 800})
        frames(page)
        at_rest(page)
        found += [f"{width}: {one}" for one in misfits(page.evaluate(BOXES), width)]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    assert not found, "\n".join(found)


def test_nothing_in_the_bars_is_cut_off_or_overlaps_in_every_engine(browser, sheet):
    page = browser.open(sheet.url)
    page.wait_for("() => 'complete' in document.body.dataset")
    for is_editing in (False, True):
        if is_editing:
            page.resize(1000, 800)
            page.click("#select")
        for width in (480, 560, 600, 620, 700, 720, 900, 1000):
            page.resize(width, 800)
            page.wait_for("width => innerWidth === width", width)
            page.wait_for("() => document.getAnimations().every((one) => one.playState !== 'running')")
            assert not misfits(page.evaluate(BOXES), width), width


@pytest.mark.parametrize("name", ["albums/a", "albums", "trash"])
def test_what_a_finger_taps_is_44_pixels_high(new_page, sheet, name):
    page = new_page(viewport={"width": 390, "height": 844}, **PHONE)
    open_page(page, sheet, name)

    def small(selector):
        return page.eval_on_selector_all(selector, """nodes => nodes.filter((node) => node.checkVisibility({ visibilityProperty: true })).map((node) => {
          const { width, height } = node.getBoundingClientRect(); return [node.id || node.textContent, width, height];
        }).filter(([, width, height]) => Math.min(width, height) < 44)""")

    assert not small(".bar :is(.button, input)")
    if name == "albums":
        return
    if name == "albums/a":
        page.locator("#more").tap()
        page.get_by_role("menu").wait_for()
        assert not small(".ll-menu > button")
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Albums", exact=True).tap()
    at_rest(page)
    assert not small(".sidebar .button, .trash-link")


@pytest.mark.parametrize("width", [320, 360, 390, 480, 500, 600, 1200])
def test_on_a_phone_what_is_done_with_a_selection_has_one_line_of_words(new_page, sheet, width):
    page = new_page(viewport={"width": width, "height": 800}, **PHONE)
    open_page(page, sheet, "albums/a")
    page.get_by_role("button", name="Select", exact=True).tap()
    assert page.get_by_role("toolbar").get_by_role("button").evaluate_all("""nodes => nodes.map((node) => {
      const range = document.createRange(); range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter((rect) => rect.height < 20).map((rect) => Math.round(rect.top));
      return new Set(lines).size;
    })""") == [1] * 4
    assert page.get_by_role("toolbar").get_by_role("button", name="Move to album…").is_visible()


@pytest.mark.parametrize("name", ["albums/a", "albums"])
@pytest.mark.parametrize("size", [(320, 640), (390, 844), (560, 800), (500, 400)], ids=str)
def test_in_a_narrow_window_the_field_of_a_search_lies_over_nothing(new_page, sheet, name, size):
    page = new_page(viewport={"width": size[0], "height": size[1]}, **PHONE)
    open_page(page, sheet, name)
    page.get_by_role("searchbox").tap()

    def check():
        frames(page)
        field = rect(page, ".search > input")
        ring = {"left": field["left"] - 4, "right": field["right"] + 4, "top": field["top"] - 4, "bottom": field["bottom"] + 4}
        assert field["right"] - field["left"] > size[0] * 0.8
        for other in ("#title", "#count"):
            assert not overlap(ring, rect(page, other), by=0), other

    check()
    page.keyboard.type("dun")
    expect(page.locator("#count")).to_have_text("3 found")
    check()


# Edges

@pytest.mark.parametrize("width", [390, 600, 820, 1200, 1600])
def test_titles_covers_captions_and_headers_have_one_left_edge(new_page, sheet, width):
    page = new_page(viewport={"width": width, "height": 800})
    text = """selector => { const range = document.createRange(); range.selectNodeContents(document.querySelector(selector));
      return range.getBoundingClientRect().left }"""
    open_page(page, sheet, "albums")
    edges = [page.evaluate(text, one) for one in ("#title", ".album .name", ".album .number")] + [rect(page, ".album .cover")["left"]]
    assert max(edges) - min(edges) < 1, edges
    open_page(page, sheet, "albums/a?group=month")
    page.get_by_role("rowheader").first.wait_for()
    edges = [page.evaluate(text, "#photos [role=rowheader]")]
    if not 560 < width < 900:  # else the button of the drawer is beside the title
        edges.append(page.evaluate(text, "#title"))
    if width >= 700:  # narrower windows have photos from edge to edge
        edges.append(rect(page, "#photos .photo")["left"])
    assert max(edges) - min(edges) < 1, edges


@pytest.mark.parametrize("title", [HEBREW, LONG_HEBREW], ids=["short", "long"])
@pytest.mark.parametrize("width", [390, 1200])
def test_a_title_from_right_to_left_and_its_count_are_on_the_same_side(new_page, server, title, width):
    sheet = sheet_of(server, 0)
    sheet.title = title
    page = new_page(viewport={"width": width, "height": 800})
    open_page(page, sheet, "albums/a")
    right = """selector => { const range = document.createRange(); range.selectNodeContents(document.querySelector(selector));
      return range.getBoundingClientRect().right }"""
    assert page.evaluate(right, "#count") == pytest.approx(rect(page, "#title")["right"], abs=1)
    assert page.locator("#count").inner_text() == "0 photos"
    open_page(page, sheet, "albums")
    assert page.evaluate(right, ".album .number") == pytest.approx(rect(page, ".album .name")["right"], abs=1)


# The viewer

def round_buttons(page):
    boxes = page.eval_on_selector_all("#viewer .round", """nodes => nodes.map((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect(); return { name: node.className, left, right, top, bottom } })""")
    return [box for box in boxes if box["right"] > box["left"]]


def check_title(page, width):
    boxes = page.evaluate("""() => [...document.querySelectorAll('#viewer .caption > *')].map((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect(); return { left, right, top, bottom } })""")
    found = [f"{width}: the title is under {button['name']}" for button in round_buttons(page) for box in boxes if overlap(box, button)]
    title, count = boxes
    if not (title["right"] + 8 <= count["left"] or count["right"] + 8 <= title["left"]):
        found.append(f"{width}: the count touches the title")
    if min(title["left"], count["left"]) < 0 or max(title["right"], count["right"]) > width:
        found.append(f"{width}: the title is cut off")
    return found


@pytest.mark.parametrize("title", [HEBREW, LONG, LONG_HEBREW], ids=["right to left", "long", "long from right to left"])
def test_the_title_of_a_photo_lies_under_no_button_at_any_width(new_page, sheet, title):
    sheet.photos["p1"]["title"] = title
    page = new_page(viewport={"width": 1440, "height": 800})
    open_album(page, sheet)
    photo(page, title).click(force=True)
    found = []
    for width in range(320, 1441, 20):
        page.set_viewport_size({"width": width, "height": 800})
        frames(page)
        found += check_title(page, width)
    assert not found, "\n".join(found)


def test_the_title_of_a_photo_lies_under_no_button_in_every_engine(browser, sheet):
    sheet.photos["p1"]["title"] = LONG_HEBREW
    page = browser.open(sheet.url)
    page.wait_for("() => 'complete' in document.body.dataset")
    page.click("#photos a.open[data-photo=p1]")
    for width in (480, 700, 720, 1000):
        page.resize(width, 800)
        page.wait_for("width => innerWidth === width", width)
        covered = page.evaluate("""() => {
          const boxes = (selector) => [...document.querySelectorAll(selector)].map((node) => node.getBoundingClientRect());
          return boxes('#viewer .caption > *').some((one) => boxes('#viewer .round').some((other) =>
            one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom)) }""")
        assert not covered, width


@pytest.mark.parametrize("size", [(320, 640), (390, 844), (400, 320), (568, 320), (667, 375), (844, 390), (932, 430), (1200, 800)], ids=str)
def test_the_info_covers_no_button(new_page, sheet, size):
    page = new_page(viewport={"width": size[0], "height": size[1]}, **PHONE)
    open_album(page, sheet)
    photo(page, "Dunes").tap(force=True)
    page.keyboard.press("i")
    expect(page.get_by_role("region", name="Info")).to_contain_text("FUJIFILM")
    info = rect(page, "#viewer > .info")
    assert info["bottom"] - info["top"] > 60 and info["bottom"] <= size[1] and info["left"] >= 0
    assert not [button["name"] for button in round_buttons(page) if overlap(info, button)]
    page.get_by_role("button", name="Next photo").tap()
    expect(page.locator("#viewer .caption")).to_contain_text("Pier")


#: The least contrast of a text with what is behind it, in a picture of the page without that text.
CONTRAST = """async ([source, color]) => {
  const image = new Image(); image.src = source; await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height); const context = canvas.getContext('2d'); context.drawImage(image, 0, 0);
  const light = (rgb) => { const [r, g, b] = rgb.map((one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b };
  const text = light(color.match(/[\\d.]+/g).slice(0, 3).map(Number));
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let least = 21;
  for (let n = 0; n < data.length; n += 4) {
    const ground = light([data[n], data[n + 1], data[n + 2]]);
    least = Math.min(least, (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05));
  }
  return least; }"""


@pytest.mark.parametrize("shade", [0, 255], ids=["black", "white"])
@pytest.mark.parametrize("width", [390, 1200])
def test_the_title_and_the_count_are_read_over_every_photo(new_page, sheet, server, shade, width):
    server.pictures = lambda name: png(8, 8, lambda x, y: (shade,) * 3)
    page = new_page(viewport={"width": width, "height": 700})
    open_album(page, sheet)
    page.evaluate(f"document.querySelector('#viewer .stage').style.background = 'rgb({shade} {shade} {shade})'")
    photo(page, "Dunes").click(force=True)
    at_rest(page)
    for part in ("bdi", "small"):
        node = page.locator(f"#viewer .caption > {part}")
        box, color = node.bounding_box(), node.evaluate("node => getComputedStyle(node).color")
        box.update(y=box["y"] + box["height"] / 2 - 10, height=20)  # the line of the letters
        node.evaluate("node => { node.style.color = 'transparent' }")
        picture = base64.b64encode(page.screenshot(clip=box)).decode()
        assert page.evaluate(CONTRAST, [f"data:image/png;base64,{picture}", color]) >= 4.5, part


COLORS = """node => { const { color, backgroundColor, borderTopWidth, borderTopStyle } = getComputedStyle(node);
  return [color, backgroundColor, borderTopWidth, borderTopStyle] }"""


def test_in_forced_colours_what_is_open_or_goes_on_is_told_from_what_is_not(new_page, sheet):
    page = new_page(forced_colors="active", viewport={"width": 1200, "height": 800})
    open_album(page, sheet)

    def colours(name):
        return page.get_by_role("button", name=name, exact=True).first.evaluate(COLORS)[:2]

    def check(name, idle):
        color, ground = colours(name)
        assert [color, ground] == page.evaluate("""() => { const node = document.body.appendChild(document.createElement('p'));
          Object.assign(node.style, { color: 'HighlightText', background: 'Highlight' });
          const { color, backgroundColor } = getComputedStyle(node); node.remove(); return [color, backgroundColor] }"""), name
        assert idle[1] != ground

    idle = colours("View")
    page.get_by_role("button", name="View", exact=True).click()
    check("View", idle)
    page.keyboard.press("Escape")
    photo(page, "Dunes").click(force=True)
    idle = colours("Info"), colours("Slideshow")
    page.keyboard.press("i")
    page.keyboard.press(" ")
    check("Info", idle[0])
    check("Slideshow", idle[1])
    _, ground, width, style = page.locator("#viewer > .info").evaluate(COLORS)
    assert style == "solid" and float(width.removesuffix("px")) >= 1
    assert not ground.startswith("rgba"), "the photo is not seen through it"


# What is said

def test_of_a_deleted_album_no_count_dates_or_buttons_are_left(page, sheet):
    frame = sheet.album_list()
    frame["content"]["a"].update(first="2024-03-02T00:00:00Z", last="2024-05-02T00:00:00Z")
    sheet.albums.on_open = lambda since: [frame]
    open_album(page, sheet)
    expect(page.locator(".heading > .count")).to_have_text("24 photos · Mar – May 2024")
    sheet.deleted.add("a")
    sheet.albums.send({"format": 1, "kind": "change", "epoch": "albums", "from": sheet.seq, "seq": sheet.seq + 1,
                       "acts": [], "items": {"deleted": [["a", 0, 0]]}, "content": {}})
    expect(page.locator("#trouble")).to_contain_text("This album has been deleted.")
    expect(page.locator(".heading > .count")).to_be_hidden()
    assert page.locator(".bar").get_by_role("button").count() == 0


def test_more_has_what_the_bar_has_not(new_page, sheet):
    page = new_page(viewport={"width": 1000, "height": 700})
    open_album(page, sheet)
    for width, are_there in ((1000, False), (390, True)):
        page.set_viewport_size({"width": width, "height": 700})
        page.get_by_role("button", name="More").click()
        entries = [one.strip() for one in page.locator(".ll-menu > button").all_inner_texts()]
        assert ["Group by month" in entries, "View…" in entries] == [are_there] * 2
        assert "Select photos" not in entries and page.locator("#select").is_visible()
        page.keyboard.press("Escape")


def test_what_moves_within_the_list_is_not_called_as_what_moves_to_an_album(new_page, sheet):
    page = new_page(viewport={"width": 1000, "height": 700})
    open_album(page, sheet)
    photo(page, "Dunes").click(button="right", force=True)
    entries = page.locator(".ll-menu > button").all_inner_texts()
    assert "Reorder…" in entries and "Move to album…" in entries and "Move…" not in entries
    page.keyboard.press("Escape")
    page.get_by_role("grid", name="Albums").get_by_text("Family").click(button="right")
    entries = page.locator(".ll-menu > button").all_inner_texts()
    assert "Reorder…" in entries and "Move…" not in entries


@pytest.mark.parametrize("count,text", [(1, "1 photo, kept for 30 days"), (2, "2 photos, kept for 30 days each")])
def test_the_trash_counts_in_words_that_fit_the_number(page, server, count, text):
    sheet = sheet_of(server, count)
    open_page(page, sheet, "trash")
    expect(page.locator("#count")).to_have_text(text)


def test_the_trash_has_its_picture_on_the_page_of_albums(new_page, sheet):
    for width in (390, 1000):
        page = new_page(viewport={"width": width, "height": 700})
        open_page(page, sheet, "albums")
        assert page.get_by_role("link", name="Trash").locator("svg").is_visible()


def test_an_album_without_photos_has_the_same_made_cover_where_albums_are_chosen(page, sheet):
    open_album(page, sheet)
    made = "node => [node.dataset.letter, getComputedStyle(node).backgroundColor, getComputedStyle(node, '::before').content]"
    beside = page.locator(".sidebar .album[data-album=c] .cover").evaluate(made)
    photo(page, "Dunes").click(button="right", force=True)
    page.get_by_role("menuitem", name="Move to album…").click()
    assert page.get_by_role("option", name="Lists").locator(".cover").evaluate(made) == beside
    assert page.get_by_role("option", name="Family").locator(".cover.made").count() == 0
