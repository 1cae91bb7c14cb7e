"""Imports on ContactSheet's page: where files come from, how far they are, what goes wrong with them."""

import json
import threading

import pytest
from engines import Line
from playwright.sync_api import expect

from fake_server import PATIENCE
from gridpage import run_until, until
from pictures import landscape
from sheet import Sheet
from test_album_page import open_album


@pytest.fixture
def sheet(server):
    return Sheet(server, 24)


def pick(page, names, size=10):
    page.locator("#files").set_input_files(
        [{"name": name, "mimeType": "image/jpeg", "buffer": b"x" * size} for name in names])


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
    # The same file would get the same answer again.
    expect(panel.get_by_role("button", name="Retry")).to_have_count(0)


@pytest.mark.parametrize("status,answer,text", [
    (500, {"error": {"message": "The disk is full."}}, "The disk is full."),
    # Of a proxy that has found no server, which has refused nothing.
    (502, None, "a.jpg could not be sent: the server cannot be reached. Try again.")])
def test_a_file_that_failed_by_the_server_is_tried_again(page, sheet, status, answer, text):
    page.expected_errors.append(str(status))
    sheet.uploads["a.jpg"] = lambda body: (status, answer)
    open_album(page, sheet)
    pick(page, ["a.jpg"])
    panel = page.get_by_role("region", name="Imports")
    expect(panel.get_by_text(text)).to_be_visible()
    sheet.uploads.clear()
    panel.get_by_role("button", name="Retry a.jpg").click()
    expect(panel.get_by_role("heading")).to_have_text("1 added")
    expect(page.locator("#count")).to_have_text("25 photos")


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
      open.onsuccess = () => {
        const all = open.result.transaction('files').objectStore('files').count();
        all.onsuccess = () => { open.result.close(); done(all.result); };
      };
    })) === 6""")
    # The page sends three at a time: once all three are held here, none can slip in before the reload.
    for _ in range(3):
        assert waiting.acquire(timeout=PATIENCE)
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


def test_those_that_failed_are_tried_again_together(page, sheet):
    page.expected_errors.append("500")
    for name in ("a.jpg", "b.jpg"):
        sheet.uploads[name] = lambda body: (500, {"error": {"message": "No."}})
    open_album(page, sheet)
    pick(page, ["a.jpg", "b.jpg", "c.jpg"])
    panel = page.get_by_role("region", name="Imports")
    expect(panel.get_by_role("heading")).to_have_text("1 added, 2 failed")
    sheet.uploads.clear()
    panel.get_by_role("button", name="Retry all").click()
    expect(panel.get_by_role("heading")).to_have_text("3 added")
    assert len(sheet.order) == 27


def test_progress_is_shown_for_each_file_and_in_all(page, sheet):
    gates = {f"{number}.jpg": threading.Event() for number in range(4)}
    for name, gate in gates.items():
        sheet.uploads[name] = lambda body, gate=gate: (gate.wait(10), (200, {"id": "p0", "status": "duplicate"}))[1]
    open_album(page, sheet)
    pick(page, gates, size=9_000)
    panel = page.get_by_role("region", name="Imports")
    expect(panel.get_by_role("progressbar", name="0.jpg")).to_have_attribute("value", "1")
    assert panel.get_by_role("listitem").all_inner_texts() == ["0.jpg", "1.jpg", "2.jpg"], "three at a time"
    total = panel.get_by_role("progressbar", name="All imports")
    assert float(total.get_attribute("value")) == pytest.approx(27_000 / 40_000)
    gates["1.jpg"].set()
    expect(panel.get_by_role("listitem")).to_have_text(["0.jpg", "2.jpg", "3.jpg"])
    expect(panel.get_by_role("heading")).to_have_text("Adding photos: 1 of 4")
    until(page, "document.querySelector('#uploads header progress').value === 0.925")
    for gate in gates.values():
        gate.set()
    expect(panel.get_by_role("heading")).to_have_text("4 already here")


def until_drawn(page, title, sending, step=20, within=None):
    """Waits for what the panel says, frame by frame of a clock that stands still otherwise."""
    run_until(
        page, f"document.querySelector('#uploads h2')?.textContent === {json.dumps(title)}"
        f" && document.querySelectorAll('#uploads li').length === {sending}", step=step, within=within)


def test_a_server_with_too_much_to_do_is_left_alone_and_then_the_import_goes_on_in_order(page, sheet, server):
    page.expected_errors.append("503")
    page.clock.install(time=0)
    arrived, is_busy = [], threading.Event()
    is_busy.set()

    def arrive(name):
        def respond(body):
            arrived.append(name)
            if is_busy.is_set():
                return 503, {"error": {"code": "busy", "message": "Too much to do."}}, {"Retry-After": "30"}
            return 200, {"id": "p0", "status": "duplicate"}

        return respond

    names = [f"{number}.jpg" for number in range(6)]
    for name in names:
        sheet.uploads[name] = arrive(name)
    open_album(page, sheet)
    page.clock.pause_at(60_000)
    pick(page, names)
    server.wait_for_posts(3, "/api/albums/a/photos")
    # All three are told to wait; nobody calls that a failure, and nothing else is sent meanwhile.
    until_drawn(page, "Adding photos: 0 of 6", sending=0)
    page.clock.run_for(27_000)
    assert len(arrived) == 3
    is_busy.clear()
    page.clock.run_for(9_000)
    until_drawn(page, "6 already here", sending=0)
    again = arrived[3:]
    assert sorted(arrived[:3]) == names[:3] and sorted(again) == names
    # Three are on their way at a time, and which of them arrives first is not the page's to say.
    assert all(names.index(name) <= position + 2 for position, name in enumerate(again))


def test_an_import_that_waits_is_cancelled(page, sheet, server):
    page.expected_errors.append("503")
    sheet.uploads["0.jpg"] = lambda body: (503, None, {"Retry-After": "1000"})
    open_album(page, sheet)
    pick(page, ["0.jpg"])
    panel = page.get_by_role("region", name="Imports")
    expect(panel.get_by_role("listitem")).to_have_count(0)
    panel.get_by_role("button", name="Cancel").click()
    expect(panel.get_by_role("heading")).to_have_text("1 cancelled")


def test_a_file_that_stops_on_its_way_fails_after_a_minute_and_is_sent_again(page, sheet, server, tmp_path):
    # From a disk: what a test hands over as bytes takes the browser ten seconds to take in.
    large = tmp_path / "large.jpg"
    large.write_bytes(b"x" * (16 << 20))
    page.expected_errors.append("net::ERR")
    page.clock.install(time=0)
    line = Line(server.server_address[1])
    page.goto(f"{line.url}/albums/a")
    until(page, "'complete' in document.body.dataset")
    page.evaluate("import('/assets/imports.js')")
    line.stall()
    page.clock.pause_at(60_000)
    page.locator("#files").set_input_files(large)
    # What the browser and the system take ahead is on its way at first.
    until_drawn(page, "1 failed", sending=1, step=5_000)
    assert page.evaluate("Date.now()") >= 60_000 + 60_000
    panel = page.get_by_role("region", name="Imports")
    expect(panel.get_by_text("large.jpg could not be sent: the server cannot be reached. Try again.")).to_be_attached()
    line.restore()
    panel.get_by_role("button", name="Retry large.jpg").click()
    server.wait_for_posts(1, "/api/albums/a/photos")
    until_drawn(page, "1 added", sending=0)
    page.close()
    line.close()


def test_a_file_whose_answer_does_not_come_fails_after_three_minutes(page, sheet, server):
    gate = threading.Event()
    sheet.uploads["a.jpg"] = lambda body: (gate.wait(30), (422, None))[1]
    page.clock.install(time=0)
    open_album(page, sheet)
    page.clock.pause_at(60_000)
    pick(page, ["a.jpg"])
    server.wait_for_posts(1, "/api/albums/a/photos")
    # That all is sent is drawn when the browser has said so, too.
    run_until(page, "document.querySelector('#uploads li progress')?.value === 1", step=20)
    page.clock.run_for(170_000)
    until_drawn(page, "Adding photos: 0 of 1", sending=1)
    page.clock.run_for(12_000)
    until_drawn(page, "1 failed", sending=1, within=15_000)
    sheet.uploads.clear()
    page.get_by_role("button", name="Retry a.jpg").click()
    until_drawn(page, "1 added", sending=0)
    gate.set()
