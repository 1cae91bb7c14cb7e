"""Makes the pictures of the README and the documentation: `make screenshots`."""

import sys
import tempfile
from pathlib import Path

from album_page import box, drag, settle, until, wait_for_count
from playwright.sync_api import sync_playwright
from program import Server, run
from recording import VIEW, two_browsers

sys.path.insert(0, str(Path(__file__).parents[1]))
from browser_path import chromium_path


def all_shown(page):
    """Waits until every thumbnail on the screen is painted and nothing moves."""
    until(
        page, """() => [...document.querySelectorAll('#photos img')].every(image => image.complete && image.naturalWidth > 0)
            && document.getAnimations().every(animation => animation.playState !== 'running')""")


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        data = Path(scratch) / "data"
        made = run("demo", "--album", "My photos", "--data", data)
        if made.returncode != 0:
            sys.exit(made.stderr)
        server = Server(data)
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])

                def shot(name, action=None, **options):
                    context = browser.new_context(**{"viewport": {"width": 1100, "height": 720}, **options})
                    page = context.new_page()
                    page.goto(server.url)
                    wait_for_count(page, 60)
                    all_shown(page)
                    if action:
                        action(page)
                    page.screenshot(path=folder / f"{name}.jpg", type="jpeg", quality=82)
                    context.close()

                shot("grid")
                shot("dark", color_scheme="dark")
                shot("phone", viewport={"width": 390, "height": 760}, device_scale_factor=2, has_touch=True, is_mobile=True)
                shot("drag", dragging)
                shot("viewer", viewing)
                record(browser, server, folder / "two-browsers.webp")
                browser.close()
        finally:
            server.stop()


def record(browser, server, path):
    pages = [browser.new_context(viewport=VIEW).new_page() for _ in range(2)]
    for page in pages:
        page.goto(server.url)
        wait_for_count(page, 60)
        all_shown(page)
    two_browsers(*pages, [title_at(pages[0], 7), title_at(pages[0], 1)], path)


def title_at(page, index):
    return page.evaluate("i => { const l = document.getElementById('photos'); return l.contentOf(l.ids()[i]).title }", index)


def dragging(page):
    chosen = page.evaluate(
        "() => { const l = document.getElementById('photos'), ids = l.ids(); l.selection = [ids[7], ids[8], ids[12]]; return 8 }")
    drag(page, title_at(page, chosen), title_at(page, 2), release=False)
    all_shown(page)


def viewing(page):
    point = box(page, title_at(page, 1))
    page.mouse.click(point["x"], point["y"])
    until(
        page, """() => { const image = document.querySelector('#viewer .current img.previews');
            return image?.complete && image.naturalWidth > 0 }""")
    settle(page)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
