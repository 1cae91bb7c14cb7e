"""ContactSheet's page of an album, in front of a stand-in server."""

import re
import threading

import pytest
from playwright.sync_api import expect

from engines.processes import poll
from fake_server import PATIENCE
from gridpage import at_rest, until, until_here
from pictures import landscape
from sheet import Sheet


@pytest.fixture
def sheet(server):
    return Sheet(server, 24)


def titles(page):
    return page.evaluate("photos => photos.ids().map(id => photos.contentOf(id).title)", page.query_selector("#photos"))


def photo(page, title):
    return page.get_by_role("img", name=title, exact=True)


def open_photos(page, sheet):
    """Opens an album and does not wait for what is fetched behind its pictures, which may not come."""
    page.goto(sheet.url)
    until(page, "document.getElementById('photos').isLoaded")


def open_album(page, sheet):
    open_photos(page, sheet)
    until(page, "'complete' in document.body.dataset")


def drag(page, source, target, release=True):
    a, b = photo(page, source).bounding_box(), photo(page, target).bounding_box()
    page.mouse.move(a["x"] + 40, a["y"] + 40)
    page.mouse.down()
    page.mouse.move(a["x"] + 46, a["y"] + 46)
    page.mouse.move(b["x"] + 8, b["y"] + b["height"] / 2, steps=4)
    if release:
        page.mouse.up()


def test_an_album_shows_its_photos_and_how_many_they_are(page, sheet):
    open_album(page, sheet)
    expect(page.get_by_role("heading", name="Iceland")).to_be_visible()
    expect(page.locator("#count")).to_have_text("24 photos")
    expect(photo(page, "Beach")).to_be_visible()
    assert titles(page)[:3] == ["Beach", "Dunes", "Pier"]


def test_a_phone_has_three_columns_at_320_pixels(new_page, sheet):
    page = new_page(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    open_album(page, sheet)
    boxes = [photo(page, name).bounding_box() for name in ("Beach", "Dunes", "Pier", "Lighthouse")]
    assert len({round(box["y"]) for box in boxes[:3]}) == 1 and boxes[3]["y"] > boxes[0]["y"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.get_by_role("button", name="Add photos").first).to_be_in_viewport()
    expect(page.locator("#camera")).to_have_attribute("accept", "image/*")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_is_within_320_pixels(new_page, sheet, scheme):
    page = new_page(viewport={"width": 320, "height": 568}, has_touch=True, is_mobile=True, color_scheme=scheme)
    open_album(page, sheet)

    def check(*locators):
        # What comes may begin to move only once it is there.
        for locator in locators:
            expect(locator).to_be_visible()
        at_rest(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for locator in locators:
            box = locator.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= 320 and box["y"] + box["height"] <= 568, locator

    page.get_by_role("button", name="More").tap()
    check(page.get_by_role("menu"))
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Select", exact=True).tap()
    at_rest(page)
    photo(page, "Dunes").tap(force=True)
    toolbar = page.get_by_role("toolbar")
    check(page.get_by_role("button", name="Done"), *[toolbar.get_by_role("button").nth(n) for n in range(3)])
    toolbar.get_by_role("button", name="Reorder…").tap()
    bar = page.get_by_role("region", name="Reorder…")
    check(bar, *[bar.get_by_role("button").nth(n) for n in range(3)])
    bar.get_by_role("button", name="Cancel").tap()
    page.get_by_role("button", name="Done").tap()
    at_rest(page)
    photo(page, "Pier").tap(force=True)
    viewer = page.get_by_role("dialog")
    check(*[viewer.get_by_role("button").nth(n) for n in range(3)])
    viewer.get_by_role("button", name="Close").tap()
    page.get_by_role("button", name="Albums").tap()
    check(page.get_by_role("button", name="New album"))
    scheme_of_page = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert scheme_of_page == {"light": "rgb(246, 246, 248)", "dark": "rgb(22, 23, 26)"}[scheme]


def test_wider_windows_have_more_columns(new_page, sheet):
    counts = []
    for width in (390, 1000, 1600):
        page = new_page(viewport={"width": width, "height": 700})
        open_album(page, sheet)
        counts.append(page.evaluate("""() => {
          const tops = [...document.querySelectorAll('#photos [data-ll-row=item]')].map((row) => row.getBoundingClientRect().y);
          return tops.filter((top) => top === tops[0]).length;
        }"""))
        page.context.close()
    assert counts[0] == 3 and counts == sorted(set(counts)), counts


def test_a_photo_has_its_position_and_its_colour_before_its_picture(page, sheet, server):
    gate, picture = threading.Event(), server.pictures
    server.pictures = lambda name: (gate.wait(10), picture(name))[1]
    open_photos(page, sheet)
    image = photo(page, "Dunes")
    cell = image.locator("xpath=ancestor::*[@role='gridcell']")
    red, green, blue = (int(sheet.photos["p1"]["color"][n:n + 2], 16) for n in (1, 3, 5))
    assert cell.evaluate("cell => getComputedStyle(cell).backgroundColor") == f"rgb({red}, {green}, {blue})"
    before = cell.bounding_box()
    assert image.evaluate("image => !image.complete && getComputedStyle(image).opacity === '0'")
    gate.set()
    until(page, "document.querySelectorAll('#photos img.loaded').length > 10")
    at_rest(page)
    assert cell.bounding_box() == before


def test_a_drag_in_one_browser_is_seen_in_the_other(new_page, sheet):
    one, other = new_page(), new_page()
    open_album(one, sheet)
    open_album(other, sheet)
    drag(one, "Lighthouse", "Dunes")
    until(other, "document.getElementById('photos').ids(0, 3).join() === 'p0,p3,p1'")
    assert titles(one)[:3] == titles(other)[:3] == ["Beach", "Lighthouse", "Dunes"]
    until(one, "document.getElementById('photos').pending.length === 0")


def test_a_photo_is_deleted_from_its_menu(page, sheet):
    open_album(page, sheet)
    photo(page, "Pier").click(button="right", force=True)
    page.get_by_role("menuitem", name="Delete").click()
    expect(photo(page, "Pier")).to_have_count(0)
    expect(page.locator("#count")).to_have_text("23 photos")
    poll(lambda: "p2" not in sheet.order, "the server to have deleted it", PATIENCE)


def test_a_refused_move_is_taken_back_and_can_be_tried_again(page, sheet, server):
    page.expected_errors.append("423")
    server.answer("/api/albums/a/moves", lambda body, query: (423, {"error": {"message": "The album is locked."}}))
    open_album(page, sheet)
    drag(page, "Lighthouse", "Dunes")
    expect(page.get_by_text("Not moved: The album is locked.")).to_be_visible()
    expect(page.locator("[role=status]")).to_have_text("Move refused, order restored.")
    assert titles(page)[:3] == ["Beach", "Dunes", "Pier"]
    server.answer("/api/albums/a/moves", sheet.move)
    page.get_by_role("button", name="Retry").click()
    until(page, "document.getElementById('photos').ids(1, 2)[0] === 'p3'")
    until(page, "document.getElementById('photos').pending.length === 0")


def test_a_move_that_can_never_succeed_offers_no_other_try(page, sheet, server):
    page.expected_errors.append("404")
    server.answer("/api/albums/a/moves", lambda body, query: (404, {"error": {"message": "The photo is gone."}}))
    open_album(page, sheet)
    drag(page, "Lighthouse", "Dunes")
    expect(page.get_by_text("Not moved: The photo is gone.")).to_be_visible()
    assert page.get_by_role("button", name="Retry").count() == 0


def test_the_viewer_opens_steps_and_closes_with_the_keyboard(page, sheet):
    open_album(page, sheet)
    photo(page, "Dunes").click(force=True)
    viewer = page.get_by_role("dialog")
    expect(viewer).to_be_visible()
    expect(viewer.locator(".caption")).to_contain_text("Dunes2 of 24")
    page.keyboard.press("ArrowRight")
    expect(viewer.locator(".caption")).to_contain_text("Pier")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(viewer.locator(".caption")).to_contain_text("Beach")
    expect(viewer.get_by_role("button", name="Previous photo")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(viewer).to_be_hidden()
    assert page.evaluate("document.activeElement.querySelector('img').alt") == "Beach"


def test_an_empty_album_says_what_goes_here_and_offers_the_import(page, server):
    sheet = Sheet(server, 0)
    open_album(page, sheet)
    expect(page.get_by_role("heading", name="No photos yet")).to_be_visible()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("region", name="No photos yet").get_by_role("button", name="Add photos").click()
    chooser.value.set_files([{"name": "first.jpg", "mimeType": "image/jpeg", "buffer": landscape("x")}])
    expect(photo(page, "first")).to_be_visible()
    expect(page.get_by_role("heading", name="No photos yet")).to_be_hidden()


def test_reconnecting_is_said_and_what_was_missed_comes(page, sheet):
    page.expected_errors.append("net::ERR")
    open_album(page, sheet)
    sheet.stream.is_refusing = True
    sheet.stream.drop()
    expect(page.get_by_text("Reconnecting…").first).to_be_visible()
    sheet.order.remove("p1")
    sheet.seq += 1
    sheet.stream.is_refusing = False
    expect(photo(page, "Dunes")).to_have_count(0)
    expect(page.locator("#connection")).to_be_hidden()
    assert re.fullmatch(r"e\.1", sheet.stream.requests[-1]["since"])


def test_a_photo_is_dropped_on_another_album(page, sheet, server):
    open_album(page, sheet)
    expect(page.get_by_role("grid", name="Albums").get_by_text("Family")).to_be_visible()
    box = photo(page, "Pier").bounding_box()
    page.mouse.move(box["x"] + 30, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] + 40)
    target = page.get_by_role("grid", name="Albums").get_by_text("Family").bounding_box()
    page.mouse.move(target["x"] + 10, target["y"] + 10, steps=3)
    page.mouse.up()
    expect(page.locator(".toast")).to_contain_text("“Pier” moved to “Family”.")
    expect(photo(page, "Pier")).to_have_count(0)
    [post] = server.wait_for_posts(1, "/api/albums/a/transfers")
    assert post["body"]["ids"] == ["p2"] and post["body"]["album"] == "b"


def test_albums_are_made_renamed_and_deleted(page, sheet, server):
    server.answer("POST /api/albums", lambda body, query: (409, {"error": {"message": "There is one of this name."}}))
    server.answer("PATCH /api/albums/b", lambda body, query: (200, {"id": "b", "title": body["title"], "count": 3}))
    server.answer("DELETE /api/albums/b", lambda body, query: (204, None))
    page.expected_errors.append("409")
    open_album(page, sheet)
    page.get_by_role("button", name="New album").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("  Family ")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_have_text("There is one of this name.")
    page.get_by_role("button", name="Cancel").click()
    body = server.posts[-1]["body"]
    assert body == {"title": "Family", "act": body["act"]}
    family = page.get_by_role("grid", name="Albums").get_by_text("Family")
    family.click(button="right")
    page.get_by_role("menuitem", name="Rename…").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("Cousins")
    page.get_by_role("button", name="Rename").click()
    assert server.wait_for_posts(1, "/api/albums/b")[0]["body"] == {"title": "Cousins"}
    family.click(button="right")
    page.get_by_role("menuitem", name="Delete…").click()
    page.get_by_role("button", name="Cancel").click()
    family.click(button="right")
    page.get_by_role("menuitem", name="Delete…").click()
    page.get_by_role("button", name="Delete album").click()
    assert server.wait_for_posts(2, "/api/albums/b")[1]["method"] == "DELETE"


def test_search_shows_results_says_how_many_and_offers_a_way_back(page, sheet):
    open_album(page, sheet)
    field = page.get_by_role("searchbox")
    page.keyboard.press("Control+f")
    field.fill("dun")
    expect(page.locator("#count")).to_have_text("3 found")
    expect(page.locator("[role=status]")).to_have_text("3 results.")
    assert titles(page) == ["Dunes", "Dunes 2", "Dunes 3"]
    field.fill("nowhere")
    expect(page.get_by_role("heading", name="No results")).to_be_visible()
    expect(page.get_by_text("No photo here matches “nowhere”.")).to_be_visible()
    page.get_by_role("button", name="Clear search").click()
    expect(page.locator("#count")).to_have_text("24 photos")


def test_photos_are_grouped_by_month_on_request(page, sheet):
    open_album(page, sheet)
    page.set_viewport_size({"width": 500, "height": 700})  # a wider bar has room for View
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitemcheckbox", name="Group by month").click()
    expect(page.get_by_role("rowheader", name="June 2026")).to_be_visible()
    assert page.locator("#photos[reorder]").count() == 0
    page.get_by_role("button", name="More").click()
    entry = page.get_by_role("menuitemcheckbox", name="Group by month")
    expect(entry).to_have_attribute("aria-checked", "true")
    entry.click()
    expect(page.get_by_role("rowheader")).to_have_count(0)
    assert page.locator("#photos[reorder]").count() == 1


def test_in_the_menu_of_a_photo_delete_is_last_and_by_itself(page, sheet):
    open_album(page, sheet)
    photo(page, "Dunes").click(button="right")
    entries = page.locator(".ll-menu > *")
    names = [one or "—" for one in entries.all_inner_texts()]
    assert names == [
        "Open", "Copy link", "—", "Move to album…", "—", "Reorder…", "Move to start", "Move to end", "Move to position…", "—", "Delete"]
    page.keyboard.press("End")
    expect(page.get_by_role("menuitem", name="Delete")).to_be_focused()


@pytest.mark.parametrize("hand", ["mouse", "finger"])
def test_entries_of_menus_have_pictures_and_the_keys_that_do_the_same(new_page, sheet, hand):
    page = new_page(**({"viewport": {"width": 390, "height": 700}, "has_touch": True, "is_mobile": True} if hand == "finger" else {}))
    open_album(page, sheet)
    photo(page, "Dunes").click(button="right")
    entries = page.get_by_role("menuitem")
    assert entries.evaluate_all("all => all.every((one) => one.querySelector('svg[aria-hidden] path').getAttribute('d'))")
    keys = entries.evaluate_all("all => all.map((one) => [one.textContent, one.getAttribute('aria-keyshortcuts')])")
    assert [[name, key] for name, key in keys if key] == [
        ["Open", "Enter"], ["Move to start", "Alt+Home"], ["Move to end", "Alt+End"], ["Delete", "Delete"]]
    # A key is seen where there is a keyboard, and is no part of the name.
    entry = page.get_by_role("menuitem", name="Move to end", exact=True)
    seen = entry.evaluate("node => getComputedStyle(node, '::after').content")
    assert ("Alt+End" in seen) == (hand == "mouse"), seen
    page.keyboard.press("Escape")
    page.get_by_role("button", name="More", exact=True).click()
    assert entries.evaluate_all("all => all.every((one) => one.querySelector('svg'))")


def test_in_the_menu_of_an_album_delete_is_last_and_every_entry_has_a_picture(page, server):
    sheet = Sheet(server, 5, features="undo albums search months export trash titles order covers login logout")
    open_album(page, sheet)
    page.get_by_role("button", name="More", exact=True).click()
    names = [one or "—" for one in page.locator(".ll-menu > *").all_inner_texts()]
    assert names[-5:] == ["Use the first photo as cover", "—", "Log out", "—", "Delete album…"]
    pictures = "all => all.length > 0 && all.every((one) => one.querySelector('svg[aria-hidden] path')?.getAttribute('d'))"
    assert page.get_by_role("menuitem").evaluate_all(pictures)
    page.get_by_role("menuitem", name="Sort…").click()
    expect(page.get_by_role("menuitem", name="By title")).to_be_visible()
    assert page.get_by_role("menuitem").count() == 4 and page.get_by_role("menuitem").evaluate_all(pictures)


def test_what_the_server_cannot_do_is_not_offered(page, server):
    sheet = Sheet(server, 5, features="{{features}}")
    open_album(page, sheet)
    for name in ("Albums", "New album", "Move to album…", "Add to album…"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    expect(page.get_by_role("searchbox")).to_have_count(0)
    page.get_by_role("button", name="More").click()
    assert page.get_by_role("menuitem").all_inner_texts() == ["Take a photo"]


def test_the_viewer_zooms_and_deletes(page, sheet):
    open_album(page, sheet)
    photo(page, "Dunes").click(force=True)
    viewer = page.get_by_role("dialog")
    expect(viewer).to_be_visible()
    viewer.locator(".stage").dblclick(position={"x": 300, "y": 300})
    expect(viewer.locator(".stage.zoomed")).to_have_count(1)
    viewer.locator(".stage").dblclick(position={"x": 300, "y": 300})
    expect(viewer.locator(".stage.zoomed")).to_have_count(0)
    page.mouse.move(450, 350)
    page.mouse.wheel(0, -300)
    expect(viewer.locator(".stage.zoomed")).to_have_count(1)
    page.keyboard.press("Delete")
    expect(viewer.locator(".caption")).to_contain_text("Pier")
    expect(viewer.locator(".stage.zoomed")).to_have_count(0)
    poll(lambda: "p1" not in sheet.order, "the server to have deleted it", PATIENCE)
    sheet.order.remove("p2")
    sheet.commit(deleted=[["p2", 0, 1]])
    expect(viewer.locator(".caption")).to_contain_text("Lighthouse2 of 22")


def test_held_and_let_go_a_finger_opens_the_menu(new_page, sheet):
    page = new_page(viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True)
    open_album(page, sheet)
    box = photo(page, "Dunes").bounding_box()
    devtools = page.context.new_cdp_session(page)
    point = [{"x": box["x"] + 40, "y": box["y"] + 40}]
    devtools.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": point})
    expect(page.locator(".ll-preview")).to_be_visible()
    devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.get_by_role("menu", name="Dunes")).to_be_visible()
    page.get_by_role("menuitem", name="Delete").tap()
    expect(page.locator("#count")).to_have_text("23 photos")


@pytest.mark.network
def test_thumbnails_that_were_scrolled_past_are_not_loaded(page, server):
    sheet = Sheet(server, 3000)
    small, gate = landscape("small", 8, 8), threading.Event()
    server.pictures = lambda name: (gate.wait(10), small)[1]
    loaded, failed = [], []
    page.on("requestfailed", lambda request: "thumbnails" in request.url and failed.append(request.url))
    page.on("requestfinished", lambda request: "thumbnails" in request.url and loaded.append(request.url))
    open_photos(page, sheet)
    page.evaluate("""async () => {
      const list = document.getElementById('photos');
      for (let n = 0; n <= 30; n++) {
        list.scrollTop = list.scrollHeight * n / 30;
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      }
    }""")
    gate.set()
    until(page, "document.querySelectorAll('.photo img.loaded').length > 15")
    assert page.evaluate("document.querySelectorAll('.ll-canvas img').length") < 120
    assert len(failed) > 300 and len(loaded) < 200


def test_an_album_deleted_elsewhere_says_so(page, sheet):
    open_album(page, sheet)
    page.wait_for_function("() => document.getElementById('albums').count === 3")
    frame = sheet.album_list()
    frame["sections"][0]["items"] = ["b", "c"]
    sheet.deleted.add("a")
    sheet.albums.send(frame)
    expect(page.get_by_role("alert")).to_have_text("This album has been deleted. Open “Family”")


def test_an_open_viewer_survives_a_snapshot(page, sheet):
    open_album(page, sheet)
    photo(page, "Dunes").click(force=True)
    caption = page.get_by_role("dialog").locator(".caption")
    expect(caption).to_contain_text("Dunes2 of 24")
    with sheet.lock:
        sheet.insert("late", "Late")
        sheet.order.insert(0, sheet.order.pop())
        sheet.seq += 40
    sheet.stream.drop()
    expect(caption).to_contain_text("Dunes3 of 25")
    expect(page.get_by_role("dialog")).to_be_visible()


def test_a_photo_grows_out_of_its_tile_and_shrinks_back_into_it(page, sheet):
    open_album(page, sheet)
    at_rest(page)
    edges = lambda box: [round(edge) for edge in box]
    tile = page.evaluate("""() => {
      const { left, top, right, bottom } = document.querySelector('#photos a[data-photo=p2] img').getBoundingClientRect();
      return [left, top, right, bottom];
    }""")
    # What is seen of the picture at a moment of its animation: its box without what is cut off.
    page.evaluate("""() => (window.seen = (image, at) => {
      const [animation] = image.getAnimations();
      animation.pause();
      animation.currentTime = at === 'begin' ? 0 : animation.effect.getTiming().duration - 0.001;
      const { left, top, right, bottom, width } = image.getBoundingClientRect();
      const scale = width / image.offsetWidth;
      const [cutTop, cutSide = cutTop] = getComputedStyle(image).clipPath.slice('inset('.length, -1).split(' ').map(parseFloat);
      return [left + cutSide * scale, top + cutTop * scale, right - cutSide * scale, bottom - cutTop * scale];
    })""")
    grown = page.evaluate("""() => {
      document.getElementById('photos').dispatchEvent(new CustomEvent('live-list-activate', { detail: { id: 'p2' } }));
      return new Promise((done) => setTimeout(() => done(seen(document.querySelector('#viewer .current .frame'), 'begin'))));
    }""")
    assert edges(grown) == edges(tile)
    page.evaluate("document.querySelector('#viewer .current .frame').getAnimations()[0].finish()")
    shrunk = page.evaluate("""() => {
      document.querySelector('#viewer .close').click();
      return seen(document.querySelector('.shrinking'), 'end');
    }""")
    assert edges(shrunk) == edges(tile)
    page.evaluate("document.querySelector('.shrinking').getAnimations()[0].finish()")
    until(page, "!document.querySelector('.shrinking')")


def test_a_photo_neither_grows_nor_shrinks_where_less_motion_is_wanted(new_page, sheet):
    page = new_page(reduced_motion="reduce")
    open_album(page, sheet)
    animated = page.evaluate("""async () => {
      document.getElementById('photos').dispatchEvent(new CustomEvent('live-list-activate', { detail: { id: 'p2' } }));
      while (!document.getElementById('viewer').open) await new Promise((done) => setTimeout(done));
      const grows = document.querySelector('#viewer .current .frame').getAnimations().length;
      document.querySelector('#viewer .close').click();
      return [grows, document.querySelectorAll('.shrinking').length];
    }""")
    assert animated == [0, 0]


def test_an_album_that_the_list_has_not_heard_of_yet_is_not_called_deleted(page, sheet, server):
    asked = []
    server.answer("GET /api/albums", lambda *request: (asked.append(1), sheet.listing(*request))[1])
    frame = sheet.album_list()
    frame["sections"][0]["items"] = ["b", "c"]
    sheet.albums.on_open = lambda since: [frame]
    page.goto(sheet.url)
    expect(page.locator("#count")).to_have_text("24 photos")
    page.wait_for_function("() => document.getElementById('albums').count === 2")
    sheet.albums.send(sheet.album_list())
    page.wait_for_function("() => document.getElementById('albums').count === 3")
    until_here(page, lambda: asked)
    expect(page.locator("#trouble")).to_be_hidden()
    expect(page.locator("#count")).to_have_text("24 photos")
