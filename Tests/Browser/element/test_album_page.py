"""ContactSheet's page of an album, in front of a stand-in server."""

import re
import threading

import pytest
from playwright.sync_api import expect

from gridpage import at_rest, until
from pictures import landscape
from sheet import Sheet


@pytest.fixture
def sheet(server):
    return Sheet(server, 24)


def titles(page):
    return page.evaluate("photos => photos.ids().map(id => photos.contentOf(id).title)", page.query_selector("#photos"))


def photo(page, title):
    return page.get_by_role("img", name=title, exact=True)


def open_album(page, sheet):
    page.goto(sheet.url)
    until(page, "document.getElementById('photos').isLoaded")


def drag(page, source, target):
    a, b = photo(page, source).bounding_box(), photo(page, target).bounding_box()
    page.mouse.move(a["x"] + 40, a["y"] + 40)
    page.mouse.down()
    page.mouse.move(a["x"] + 46, a["y"] + 46)
    page.mouse.move(b["x"] + 8, b["y"] + b["height"] / 2, steps=4)
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
    assert "p2" not in sheet.order


def test_a_refused_move_is_taken_back_and_can_be_tried_again(page, sheet, server):
    page.expected_errors.append("409")
    server.answer("/api/albums/a/moves", lambda body, query: (409, {"error": {"message": "The album is locked."}}))
    open_album(page, sheet)
    drag(page, "Lighthouse", "Dunes")
    expect(page.get_by_text("Not moved: The album is locked.")).to_be_visible()
    expect(page.locator("[role=status]")).to_have_text("Move refused, order restored.")
    assert titles(page)[:3] == ["Beach", "Dunes", "Pier"]
    server.answer("/api/albums/a/moves", sheet.move)
    page.get_by_role("button", name="Retry").click()
    until(page, "document.getElementById('photos').ids(1, 2)[0] === 'p3'")
    until(page, "document.getElementById('photos').pending.length === 0")


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


def test_picked_files_are_imported_and_failures_are_listed_by_name(page, sheet):
    page.expected_errors.append("422")
    broken = "broken.jpg is cut off: copy it again from the camera."
    attempts = []

    def truncated(body):
        attempts.append(body)
        return 422, {"error": {"code": "truncated", "message": broken}}

    sheet.uploads["broken.jpg"] = truncated
    sheet.uploads["again.jpg"] = lambda body: (200, {"id": "p0", "status": "duplicate"})
    open_album(page, sheet)
    names = ["new.jpg", "broken.jpg", "again.jpg", "höher 1.jpg", "more.png"]
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Add photos").first.click()
    chooser.value.set_files(
        [{"name": name, "mimeType": "image/jpeg", "buffer": landscape(name)} for name in names])
    panel = page.get_by_role("region", name="Imports")
    expect(panel.get_by_role("heading")).to_have_text("3 added, 1 already here, 1 failed")
    expect(panel.get_by_text("broken.jpg", exact=True)).to_be_visible()
    expect(panel.get_by_text(broken)).to_be_visible()
    expect(page.locator("#count")).to_have_text("27 photos")
    assert attempts == [landscape("broken.jpg")]
    del sheet.uploads["broken.jpg"]
    panel.get_by_role("button", name="Retry broken.jpg").click()
    expect(panel.get_by_role("heading")).to_have_text("4 added, 1 already here")
    expect(page.locator("#count")).to_have_text("28 photos")


def test_an_empty_album_says_what_goes_here_and_offers_the_import(page, server):
    sheet = Sheet(server, 0)
    open_album(page, sheet)
    expect(page.get_by_role("heading", name="No photos yet")).to_be_visible()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("region", name="No photos yet").get_by_role("button", name="Add photos").click()
    chooser.value.set_files([{"name": "first.jpg", "mimeType": "image/jpeg", "buffer": landscape("x")}])
    expect(photo(page, "first")).to_be_visible()
    expect(page.get_by_role("heading", name="No photos yet")).to_be_hidden()


def test_a_folder_that_is_dropped_is_imported_whole(page, sheet, tmp_path):
    folder = tmp_path / "holidays"
    (folder / "day two").mkdir(parents=True)
    for number in range(120):
        (folder / f"{number}.png").write_bytes(landscape("small", 8, 8))
    (folder / "day two" / "last.png").write_bytes(landscape("small", 8, 8))
    (folder / ".DS_Store").write_bytes(b"x")
    open_album(page, sheet)
    devtools = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        if kind == "drop":
            expect(page.locator("#drop")).to_be_visible()
        devtools.send("Input.dispatchDragEvent", {
            "type": kind, "x": 400, "y": 300,
            "data": {"items": [], "files": [str(folder)], "dragOperationsMask": 1}})
    panel = page.get_by_role("region", name="Imports")
    expect(panel.get_by_role("heading")).to_have_text("121 added")
    expect(page.locator("#count")).to_have_text("145 photos")
    added = {sheet.photos[one]["title"] for one in sheet.order[24:]}
    assert added == {*map(str, range(120)), "last"}


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


def order(page):
    return page.evaluate("document.getElementById('photos').ids().join()")


def test_edit_mode_acts_on_the_selection(page, sheet):
    open_album(page, sheet)
    page.get_by_role("button", name="Select", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Select photos")
    delete = page.get_by_role("toolbar").get_by_role("button", name="Delete")
    expect(delete).to_be_disabled()
    photo(page, "Dunes").click(force=True)
    photo(page, "Harbour").click(force=True, modifiers=["Shift"])
    expect(page.get_by_role("heading", level=1)).to_have_text("4 selected")
    sheet.order.remove("p2")
    sheet.commit(deleted=[["p2", 0, 2]])
    expect(page.get_by_role("heading", level=1)).to_have_text("3 selected")
    delete.click()
    expect(page.locator("#count")).to_have_text("20 photos")
    expect(page.get_by_role("heading", level=1)).to_have_text("Select photos")
    expect(delete).to_be_disabled()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Iceland")
    assert not {"p1", "p2", "p3", "p4"} & set(sheet.order)


def test_edit_mode_ends_when_the_album_is_empty_and_there_is_nothing_to_select(page, sheet):
    open_album(page, sheet)
    page.get_by_role("button", name="Select", exact=True).click()
    page.get_by_role("button", name="Select all").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("24 selected")
    page.get_by_role("toolbar").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="No photos yet")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("Iceland")
    expect(page.get_by_role("button", name="Select", exact=True)).to_be_disabled()


def test_a_move_and_a_delete_are_undone_by_the_message_and_by_the_keyboard(new_page, sheet):
    page, other = new_page(), new_page()
    open_album(page, sheet)
    open_album(other, sheet)
    before = order(page)
    drag(page, "Lighthouse", "Dunes")
    expect(page.locator(".toast")).to_contain_text("Moved.")
    at_rest(page)  # a tile that is on its way is not where it was when the pointer gets there
    photo(page, "Pier").click(button="right", force=True)
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.locator(".toast")).to_contain_text("Deleted 1 photo.")
    expect(photo(other, "Pier")).to_have_count(0)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(photo(page, "Pier")).to_be_visible()
    page.keyboard.press("Control+z")
    until(page, f"document.getElementById('photos').ids().join() === '{before}'")
    until(other, f"document.getElementById('photos').ids().join() === '{before}'")


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
    expect(page.locator(".toast")).to_contain_text("Moved 1 photo to “Family”.")
    expect(photo(page, "Pier")).to_have_count(0)
    [post] = server.wait_for_posts(1, "/api/albums/a/transfers")
    assert post["body"]["ids"] == ["p2"] and post["body"]["album"] == "b"


def test_a_selection_goes_to_another_album_by_the_menu(page, sheet, server):
    open_album(page, sheet)
    page.get_by_role("button", name="Select", exact=True).click()
    photo(page, "Dunes").click(force=True)
    photo(page, "Pier").click(force=True)
    page.get_by_role("toolbar").get_by_role("button", name="To album…").click()
    page.get_by_role("menuitem", name="Lists").click()
    [post] = server.wait_for_posts(1, "/api/albums/a/transfers")
    assert post["body"]["ids"] == ["p1", "p2"] and post["body"]["album"] == "c"


def test_albums_are_made_renamed_and_deleted(page, sheet, server):
    server.answer("POST /api/albums", lambda body, query: (409, {"error": {"message": "There is one of this name."}}))
    server.answer("PATCH /api/albums/b", lambda body, query: (200, {"id": "b", "title": body["title"], "count": 3}))
    server.answer("DELETE /api/albums/b", lambda body, query: (204, None))
    page.expected_errors.append("409")
    open_album(page, sheet)
    page.get_by_role("button", name="New album").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("  Family ")
    page.keyboard.press("Enter")
    expect(page.locator(".toast")).to_contain_text("There is one of this name.")
    assert server.posts[-1]["body"] == {"title": "Family"}
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


def test_what_the_server_cannot_do_is_not_offered(page, server):
    sheet = Sheet(server, 5, features="{{features}}")
    open_album(page, sheet)
    for name in ("Albums", "New album", "To album…"):
        expect(page.get_by_role("button", name=name)).to_have_count(0)
    expect(page.get_by_role("searchbox")).to_have_count(0)
    page.get_by_role("button", name="More").click()
    assert page.get_by_role("menuitem").all_inner_texts() == ["Select photos", "Take a photo"]


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
    assert "p1" not in sheet.order
    sheet.order.remove("p2")
    sheet.commit(deleted=[["p2", 0, 1]])
    expect(viewer.locator(".caption")).to_contain_text("Lighthouse2 of 22")


def test_pasted_pictures_are_imported(page, sheet):
    open_album(page, sheet)
    page.evaluate("""() => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array([1, 2, 3])], 'pasted.png', { type: 'image/png' }));
      dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }""")
    expect(page.locator("#count")).to_have_text("25 photos")


def test_an_import_goes_on_after_a_reload(page, sheet, server):
    gate, waiting = threading.Event(), threading.Semaphore(0)

    def slow(body):
        waiting.release()
        gate.wait(10)
        return 422, {"error": {"message": "too late"}}

    page.expected_errors += ["422", "net::ERR"]
    for number in range(6):
        sheet.uploads[f"{number}.jpg"] = slow
    open_album(page, sheet)
    page.locator("#files").set_input_files(
        [{"name": f"{number}.jpg", "mimeType": "image/jpeg", "buffer": b"x" * 10} for number in range(6)])
    expect(page.get_by_role("heading", name="Adding photos: 0 of 6")).to_be_visible()
    until(page, """(await new Promise((done) => {
      const open = indexedDB.open('contact-sheet-imports', 1);
      open.onsuccess = () => { const all = open.result.transaction('files').objectStore('files').count(); all.onsuccess = () => { open.result.close(); done(all.result); }; };
    })) === 6""")
    # The page sends three at a time: once all three are held here, none can slip in before the reload.
    for _ in range(3):
        assert waiting.acquire(timeout=10)
    sheet.uploads.clear()
    page.reload()
    gate.set()
    expect(page.locator("#count")).to_have_text("30 photos")
    expect(page.get_by_role("region", name="Imports").get_by_role("heading")).to_have_text("6 added")


def test_an_import_is_cancelled(page, sheet):
    gate = threading.Event()
    for number in range(8):
        sheet.uploads[f"{number}.jpg"] = lambda body: (gate.wait(10), (422, None))[1]
    open_album(page, sheet)
    page.locator("#files").set_input_files(
        [{"name": f"{number}.jpg", "mimeType": "image/jpeg", "buffer": b"x"} for number in range(8)])
    panel = page.get_by_role("region", name="Imports")
    expect(panel.get_by_role("listitem")).to_have_count(3)
    panel.get_by_role("button", name="Cancel").click()
    expect(panel.get_by_role("heading")).to_have_text("8 cancelled")
    gate.set()
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_be_hidden()


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


def test_thumbnails_that_were_scrolled_past_are_not_loaded(page, server):
    sheet = Sheet(server, 3000)
    small, gate = landscape("small", 8, 8), threading.Event()
    server.pictures = lambda name: (gate.wait(10), small)[1]
    loaded, failed = [], []
    page.on("requestfailed", lambda request: "thumbnails" in request.url and failed.append(request.url))
    page.on("requestfinished", lambda request: "thumbnails" in request.url and loaded.append(request.url))
    open_album(page, sheet)
    page.evaluate("""async () => {
      const list = document.getElementById('photos');
      for (let n = 0; n <= 30; n++) {
        list.scrollTop = list.scrollHeight * n / 30;
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      }
    }""")
    gate.set()
    until(page, "document.querySelectorAll('.photo > img.loaded').length > 15")
    assert page.evaluate("document.querySelectorAll('.ll-canvas img').length") < 120
    assert len(failed) > 300 and len(loaded) < 200


def test_an_album_deleted_elsewhere_says_so(page, sheet):
    open_album(page, sheet)
    page.wait_for_function("() => document.getElementById('albums').count === 3")
    frame = sheet.album_list()
    frame["sections"][0]["items"] = ["b", "c"]
    sheet.deleted.add("a")
    sheet.albums.send(frame)
    expect(page.get_by_role("alert")).to_have_text("This album has been deleted. Choose another one.")


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


def test_a_view_transition_is_between_grid_and_viewer_and_nowhere_else(page, sheet):
    page.add_init_script("""
      window.transitions = 0;
      const start = Document.prototype.startViewTransition;
      Document.prototype.startViewTransition = function (...work) { transitions++; return start.apply(this, work); };
    """)
    open_album(page, sheet)
    drag(page, "Lighthouse", "Dunes")
    expect(page.locator(".toast")).to_contain_text("Moved.")
    assert page.evaluate("transitions") == 0
    at_rest(page)
    photo(page, "Pier").click(force=True)
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert page.evaluate("transitions") == 2


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
    assert asked
    expect(page.locator("#trouble")).to_be_hidden()
    expect(page.locator("#count")).to_have_text("24 photos")
