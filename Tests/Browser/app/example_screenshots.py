"""Makes the pictures of the examples' READMEs: a part of `make screenshots`."""

import sys
import tempfile
from pathlib import Path

from examples import Example
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
from browser_path import chromium_path


def colors(page):
    expect(page.locator("#count")).to_have_text("148 colours")
    page.get_by_label("Search").fill("sea")
    expect(page.locator("#count")).to_have_text("5 colours")
    # In the middle of a swipe.
    row = page.get_by_text("LightSeaGreen", exact=True).bounding_box()
    page.mouse.move(row["x"] + 250, row["y"] + 10)
    page.mouse.down()
    page.mouse.move(row["x"] + 150, row["y"] + 10, steps=4)


def events(page):
    expect(page.locator("#count")).to_have_text("5,000 events")
    page.get_by_role("button", name="New event").click()
    expect(page.get_by_label("Title")).to_have_value("New event")
    page.get_by_label("Note").fill("Bring a chair")
    page.locator("[name=section]").select_option("Excursions")
    expect(page.get_by_role("listitem").first).to_contain_text("1 moved")
    expect(page.locator(".ll-selected")).to_be_in_viewport()


def photos(page):
    expect(page.locator("#count")).to_have_text("24 photos")
    page.wait_for_function("() => [...document.images].every((one) => one.complete && one.naturalWidth > 0)")
    # Held over the gap between two others.
    start, end = (page.get_by_text(name, exact=True).bounding_box() for name in ("Hills 12", "Hills 3"))
    page.mouse.move(start["x"] + 20, start["y"] - 50)
    page.mouse.down()
    page.mouse.move(end["x"] + 20, end["y"] - 50, steps=8)


def main(folder):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
        for scene, width, height in ((colors, 560, 560), (events, 1000, 700), (photos, 760, 560)):
            with tempfile.TemporaryDirectory() as scratch:
                example = Example(scene.__name__, Path(scratch))
                try:
                    page = browser.new_page(viewport={"width": width, "height": height})
                    page.goto(example.url)
                    scene(page)
                    page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")
                    page.screenshot(path=folder / f"{scene.__name__}.jpg", type="jpeg", quality=82)
                    page.close()
                finally:
                    example.kill()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
