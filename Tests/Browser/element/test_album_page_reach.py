"""The page for everybody: links, the drawer, titles from right to left, forced colours, other keyboards."""

import re

import pytest
from playwright.sync_api import expect

from fake_server import PAGES, ROOT
from gridpage import at_rest, frames, until
from sheet import Sheet
from test_album_page import open_album, photo

HEBREW = "שלום עולם זה אלבום עם שם ארוך מאוד שאינו נכנס לשורה אחת בשום אופן כי הוא ארוך מדי"
CELL = "xpath=ancestor::*[@role='gridcell']"


@pytest.fixture
def sheet(server):
    return Sheet(server, 24)


def albums(page):
    return page.get_by_role("grid", name="Albums")


@pytest.fixture
def drawer(new_page, sheet):
    page = new_page(viewport={"width": 600, "height": 700})
    open_album(page, sheet)
    page.get_by_role("button", name="Albums").click()
    expect(page.get_by_role("dialog", name="Albums")).to_be_visible()
    return page


def test_the_focus_goes_into_the_drawer_and_stays_there(drawer):
    assert drawer.evaluate("document.activeElement.dataset.album") == "a"
    for _ in range(8):
        drawer.keyboard.press("Tab")
        assert drawer.evaluate("document.activeElement === document.body || Boolean(document.activeElement.closest('#sidebar'))")
    assert drawer.evaluate("[...document.querySelectorAll('main, .bar')].every((node) => node.inert)")


@pytest.mark.parametrize("how", ["Escape", "Escape from nowhere", "button", "shade", "wider"])
def test_the_drawer_is_closed_and_the_focus_returns(drawer, how):
    if how == "Escape from nowhere":
        drawer.evaluate("document.activeElement.blur()")
    if how.startswith("Escape"):
        drawer.keyboard.press("Escape")
    elif how == "button":
        drawer.get_by_role("button", name="Close albums").click()
    elif how == "shade":
        drawer.mouse.click(500, 400)
    else:
        drawer.set_viewport_size({"width": 1000, "height": 700})
        expect(drawer.get_by_role("dialog")).to_have_count(0)
    if how != "wider":
        expect(albums(drawer)).to_be_hidden()
        expect(drawer.get_by_role("button", name="Albums")).to_be_focused()
    assert not drawer.evaluate("Boolean(document.querySelector('[inert]:not(.ll-preview)'))")
    photo(drawer, "Dunes").click(force=True)
    expect(drawer.locator("#viewer")).to_be_visible()


def test_a_question_from_the_drawer_can_be_answered(drawer, server):
    server.answer("POST /api/albums", lambda body, query: (409, {"error": {"message": "There is one of this name."}}))
    drawer.expected_errors.append("409")
    drawer.get_by_role("button", name="New album").click()
    drawer.get_by_role("dialog", name="New album").get_by_role("textbox").fill("Family")
    drawer.get_by_role("button", name="Create").click()
    body = server.wait_for_posts(1, "/api/albums")[0]["body"]
    assert body == {"title": "Family", "act": body["act"]}


def test_photos_and_albums_are_links_that_open_in_a_tab_of_their_own(page, sheet, server):
    server.pages["/albums/b"] = (sheet.page, "text/html; charset=utf-8")
    open_album(page, sheet)
    expect(page.get_by_role("link", name="Dunes", exact=True)).to_have_attribute("href", "/albums/a/photos/p1")
    with page.context.expect_page() as opened:
        photo(page, "Dunes").click(button="middle", force=True)
    opened.value.wait_for_url("**/albums/a/photos/p1")
    opened.value.close()
    for gesture in ({"button": "middle"}, {"modifiers": ["ControlOrMeta"]}):
        with page.context.expect_page() as opened:
            albums(page).get_by_text("Family").click(**gesture)
        opened.value.wait_for_url("**/albums/b")
        opened.value.close()
    assert page.url.endswith("/albums/a")
    # With Ctrl a photo is selected, as in every list that can be selected.
    photo(page, "Dunes").click(modifiers=["ControlOrMeta"], force=True)
    assert page.evaluate("document.getElementById('photos').selection") == ["p1"]
    assert len(page.context.pages) == 1


def test_links_are_copied_from_menus(new_page, sheet):
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    open_album(page, sheet)
    photo(page, "Dunes").click(button="right", force=True)
    page.get_by_role("menuitem", name="Copy link").click()
    expect(page.locator(".toast")).to_contain_text("Link copied.")
    assert page.evaluate("navigator.clipboard.readText()") == f"{sheet.url}/photos/p1"
    albums(page).get_by_text("Family").click(button="right")
    page.get_by_role("menuitem", name="Copy link").click()
    until(page, f"(await navigator.clipboard.readText()) === '{sheet.server.url}/albums/b'")


def test_the_sidebar_reveals_the_current_album(page, sheet):
    for number in range(80):
        sheet.others[f"n{number}"] = {"title": f"Album {number}", "count": 1, "cover": None}
    frame = sheet.album_list()
    frame["sections"][0]["items"].append(frame["sections"][0]["items"].pop(0))
    sheet.albums.on_open = lambda since: [frame]
    open_album(page, sheet)
    expect(albums(page).locator("[aria-current=page]")).to_be_in_viewport(ratio=1)


def test_titles_from_right_to_left_keep_their_beginning(page, sheet):
    sheet.title = HEBREW
    sheet.photos["p1"]["title"] = HEBREW
    sheet.others["b"]["title"] = HEBREW
    open_album(page, sheet)
    assert page.locator("#title").evaluate("node => getComputedStyle(node).direction") == "rtl"
    name = albums(page).get_by_text(HEBREW).nth(1)
    # What does not fit is cut off at the end, which is on the left: the first letter is seen.
    assert name.evaluate("""(node) => {
      const range = document.createRange();
      range.setStart(node.firstChild, 0);
      range.setEnd(node.firstChild, 1);
      const [letter, box] = [range.getBoundingClientRect(), node.getBoundingClientRect()];
      return node.scrollWidth > node.clientWidth && letter.left >= box.left - 1 && letter.right <= box.right + 1;
    }""")
    cell = photo(page, HEBREW).locator(CELL)
    assert cell.evaluate("cell => getComputedStyle(cell, '::before').direction") == "rtl"
    photo(page, HEBREW).click(force=True)
    assert page.locator(".caption").evaluate("node => getComputedStyle(node).direction") == "rtl"


def test_in_forced_colours_buttons_have_borders_and_marks_are_seen(new_page, sheet):
    page = new_page(forced_colors="active")
    open_album(page, sheet)
    width = "node => parseFloat(getComputedStyle(node).borderTopWidth)"
    for name in ("Select", "More", "Add photos", "New album"):
        assert page.get_by_role("button", name=name, exact=True).first.evaluate(width) >= 1, name
    page.get_by_role("button", name="More").click()
    page.keyboard.press("ArrowDown")
    assert page.locator(".ll-menu > :focus").evaluate("node => getComputedStyle(node).outlineStyle") == "solid"
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Select", exact=True).click()
    photo(page, "Dunes").click(force=True)
    mark = photo(page, "Dunes").locator(CELL).evaluate("""(cell) => {
      const { backgroundColor, backgroundImage, forcedColorAdjust } = getComputedStyle(cell, '::after');
      return [backgroundColor, backgroundImage.includes('check.svg'), forcedColorAdjust, getComputedStyle(cell).outlineStyle];
    }""")
    assert mark == ["rgb(36, 86, 214)", True, "none", "solid"]
    page.get_by_role("toolbar").get_by_role("button", name="Reorder…").click()
    assert page.get_by_role("region", name="Reorder…").get_by_role("button").first.evaluate(width) >= 1
    page.keyboard.press("Escape")


@pytest.mark.parametrize("platform,deletes", [("MacIntel", True), ("Linux x86_64", False)])
def test_backspace_deletes_where_it_is_the_key_called_delete(page, sheet, platform, deletes):
    page.add_init_script(f"Object.defineProperty(navigator, 'platform', {{ get: () => '{platform}' }})")
    open_album(page, sheet)
    page.evaluate("document.getElementById('photos').focusItem('p1')")
    page.keyboard.press("Backspace")
    expect(page.locator("#count")).to_have_text("23 photos" if deletes else "24 photos")
    photo(page, "Pier").click(force=True)
    expect(page.locator("#viewer .caption")).to_contain_text("Pier")
    page.keyboard.press("Backspace")
    expect(page.locator("#count")).to_have_text("22 photos" if deletes else "24 photos")


#: What Chrome 116, Firefox 128 or Safari 17.4 does not have yet (LiveListElement.md promises those). A check beside it, such as
#: `if (parent.moveBefore)`, lets a name pass.
NEWER = re.compile(
    r"light-dark\(|@starting-style|@scope\b|@function\b|@view-transition\b|anchor-name|position-anchor|position-try|interpolate-size|field-sizing"
    r"|transition-behavior|animation-timeline|view-transition-class|scrollbar-color|text-wrap: *pretty|content-visibility|popover=\W?hint|commandfor|closedby"
    r"|Promise\.(?:try|withResolvers)|(?:Object|Map)\.groupBy|Iterator\.|Symbol\.dispose|RegExp\.escape|Error\.isError|Math\.sumPrecise"
    r"|\.(?:intersection|isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference|getOrInsert|toBase64|toHex|moveBefore|checkVisibility)\("
    r"|requestIdleCallback|scheduler\.|URLPattern|fetchLater|cookieStore|navigation\.|showOpenFilePicker")


@pytest.mark.parametrize("folder", [
    PAGES, ROOT / "Sources/ListStream/Browser", *(ROOT / "Apps/Sources" / name / "Page" for name in ("colors", "events", "photos"))],
    ids=lambda folder: folder.parent.name)
def test_the_pages_need_no_newer_browser_than_is_promised(folder):
    files = [path for kind in ("css", "js", "html") for path in folder.rglob(f"*.{kind}")]
    assert files
    for path in files:
        text = re.sub(r"//.*|/\*[\s\S]*?\*/", "", path.read_text())
        for name in NEWER.findall(text):
            assert re.search(rf"if \(.*{re.escape(name.rstrip('('))}\b", text), f"{path.name}: {name}"


@pytest.mark.parametrize("is_phone", [True, False])
def test_the_bar_of_moving_by_taps_speaks_of_what_there_is_and_covers_no_photo(new_page, sheet, is_phone):
    page = new_page(viewport={"width": 390, "height": 640}, has_touch=is_phone, is_mobile=is_phone)
    open_album(page, sheet)
    page.evaluate("document.getElementById('photos').startMoving(['p1'])")
    bar = page.get_by_role("region", name="Reorder…")
    expect(bar).to_contain_text("Tap where it goes." if is_phone else "or use the arrow keys.")
    assert ("arrow" in bar.inner_text()) != is_phone
    page.evaluate("photos => photos.reveal(photos.ids().at(-1))", page.query_selector("#photos"))
    frames(page)
    last = photo(page, sheet.photos["p23"]["title"]).bounding_box()
    assert last["y"] + last["height"] <= bar.bounding_box()["y"]
    bar.get_by_role("button", name="Cancel").click()
    assert page.evaluate("getComputedStyle(document.getElementById('photos')).maxHeight") == "none"


def test_what_is_dragged_does_not_hide_the_album_it_is_dropped_on(page, sheet):
    open_album(page, sheet)
    box = photo(page, "Pier").bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 70, box["y"] + 70)
    row = albums(page).get_by_text("Family").locator(CELL).bounding_box()
    x, y = row["x"] + 20, row["y"] + row["height"] - 8
    page.mouse.move(x, y, steps=3)
    at_rest(page)
    expect(page.locator("[data-drop-hover]")).to_have_count(1)
    preview = page.locator(".ll-preview").bounding_box()
    # Beside the pointer, no larger than its row: the album's name and picture are seen.
    assert preview["x"] > x and preview["y"] > y and max(preview["width"], preview["height"]) <= row["height"] + 4
    page.mouse.move(box["x"] + 70, box["y"] + 70, steps=3)
    assert page.locator(".ll-preview").bounding_box()["width"] > 100
    page.keyboard.press("Escape")
    page.mouse.up()
