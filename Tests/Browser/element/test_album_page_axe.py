"""Nothing that axe finds, in every state of the page, in light and dark."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from gridpage import at_rest
from sheet import Sheet
from test_album_page import open_album, photo
from test_album_page_viewer import DETAILS

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def check(page):
    at_rest(page)
    results = Axe().run(page, options={"runOnly": {"type": "tag", "values": TAGS}})
    found = [
        f"{one['id']}: {one['help']}: {[node['html'][:160] for node in one['nodes'][:3]]}"
        for one in results.response["violations"]]
    assert not found, "\n".join(found)


@pytest.fixture(params=["light", "dark"])
def page(new_page, request):
    return new_page(color_scheme=request.param)


def prepare(page, sheet, state):
    page.expected_errors.append("net::ERR")
    open_album(page, sheet)
    if state in ("idle", "empty"):
        return
    if state == "edit":
        page.get_by_role("button", name="Select", exact=True).click()
        photo(page, "Dunes").click(force=True)
    elif state == "lifted":
        box = photo(page, "Dunes").bounding_box()
        page.mouse.move(box["x"] + 30, box["y"] + 30)
        page.mouse.down()
        page.mouse.move(box["x"] + 60, box["y"] + 60)
        expect(page.locator(".ll-preview")).to_be_visible()
    elif state == "menu":
        photo(page, "Dunes").click(button="right", force=True)
        expect(page.get_by_role("menu")).to_be_visible()
    elif state == "move mode":
        photo(page, "Dunes").click(button="right", force=True)
        page.get_by_role("menuitem", name="Reorder…").click()
    elif state == "dialog":
        photo(page, "Dunes").click(button="right", force=True)
        page.get_by_role("menuitem", name="Move to position…").click()
    elif state == "question":
        page.get_by_role("button", name="New album").click()
    elif state in ("viewer", "info", "slideshow"):
        photo(page, "Dunes").click(force=True)
        expect(page.get_by_role("dialog")).to_be_visible()
        if state == "slideshow":
            page.keyboard.press(" ")
            expect(page.get_by_role("button", name="Slideshow")).to_have_attribute("aria-pressed", "true")
        if state == "info":
            page.get_by_role("button", name="Info").click()
            expect(page.get_by_role("region", name="Info")).to_contain_text("FUJIFILM")
    elif state == "offline":
        sheet.stream.is_refusing = True
        sheet.stream.drop()
        expect(page.locator("#connection")).to_be_visible()
    elif state == "imports":
        sheet.uploads["bad.jpg"] = lambda body: (422, {"error": {"message": "bad.jpg is cut off."}})
        page.expected_errors.append("422")
        page.locator("#files").set_input_files([{"name": "bad.jpg", "mimeType": "image/jpeg", "buffer": b"x"}])
        expect(page.get_by_text("bad.jpg is cut off.")).to_be_visible()
    elif state == "toast":
        photo(page, "Dunes").click(button="right", force=True)
        page.get_by_role("menuitem", name="Delete").click()
        expect(page.locator(".toast")).to_be_visible()
    elif state == "no results":
        page.get_by_role("searchbox").fill("nowhere")
        expect(page.get_by_role("heading", name="No results")).to_be_visible()
    elif state.startswith("picker"):
        photo(page, "Dunes").click(button="right", force=True)
        page.get_by_role("menuitem", name="Move to album…").click()
        expect(page.get_by_role("option", selected=True)).to_have_count(1)
        if state == "picker without results":
            page.get_by_role("combobox").fill("nowhere")
            expect(page.get_by_role("option")).to_have_count(0)
    elif state == "drawer":
        page.set_viewport_size({"width": 600, "height": 700})
        page.get_by_role("button", name="Albums", exact=True).click()
        expect(page.get_by_role("dialog", name="Albums")).to_be_visible()
    elif state == "results":
        page.get_by_role("searchbox").fill("dun")
        expect(page.locator("#count")).to_have_text("3 found")
    elif state == "more":
        page.get_by_role("button", name="More").click()
        expect(page.get_by_role("menu")).to_be_visible()
    elif state == "sort":
        page.get_by_role("button", name="More").click()
        page.get_by_role("menuitem", name="Sort…").click()
        expect(page.get_by_role("menuitem", name="By title")).to_be_visible()
    elif state == "rename":
        page.get_by_role("button", name="More").click()
        page.get_by_role("menuitem", name="Rename album…").click()
        expect(page.get_by_role("dialog")).to_be_visible()
    elif state == "view":
        page.get_by_role("button", name="View").click()
        page.get_by_role("dialog", name="View").wait_for()
    elif state == "months":
        page.get_by_role("button", name="View").click()
        page.get_by_role("radio", name="Months, newest last").check(force=True)
        page.keyboard.press("Escape")
        expect(page.get_by_role("rowheader").first).to_be_visible()


@pytest.mark.in_turns(6)
@pytest.mark.parametrize("state", [
    "idle", "empty", "edit", "lifted", "menu", "move mode", "dialog", "question", "viewer", "offline", "imports",
    "toast", "no results", "view", "months", "picker", "picker without results", "drawer", "results",
    "more", "sort", "rename", "info", "slideshow"])
def test_axe_finds_nothing(page, server, state):
    sheet = Sheet(server, 0 if state == "empty" else 24, **({"features": "albums titles details order"} if state in ("info", "sort") else {}))
    server.answer("GET /api/albums/a/photos/p1", lambda body, query: (200, DETAILS))
    prepare(page, sheet, state)
    check(page)


@pytest.mark.in_turns(6)
@pytest.mark.parametrize("state", ["idle", "edit", "menu", "viewer"])
@pytest.mark.parametrize("options", [
    {"forced_colors": "active"}, {"reduced_motion": "reduce"},
    {"viewport": {"width": 500, "height": 400}, "device_scale_factor": 2}, {"viewport": {"width": 320, "height": 640}}],
    ids=["forced colours", "reduced motion", "200 %", "320 px"])
def test_axe_finds_nothing_under_other_conditions(new_page, server, options, state):
    sheet = Sheet(server, 24)
    sheet.photos["p2"]["title"] = "שלום עולם, תמונה ארוכה מאוד"
    page = new_page(**options)
    prepare(page, sheet, state)
    check(page)


def test_axe_finds_nothing_on_a_phone(new_page, server):
    sheet = Sheet(server, 24)
    page = new_page(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    open_album(page, sheet)
    check(page)
    page.get_by_role("button", name="Albums", exact=True).tap()
    expect(page.get_by_role("grid", name="Albums")).to_be_visible()
    check(page)
