"""Makes the pictures of the README and of Documentation/Screens.md: `make screenshots`."""

import io
import shutil
import sys
import tempfile
import uuid
from pathlib import Path

from album_page import box, drag, settle, until, wait_for_count
from PIL import Image
from playwright.sync_api import sync_playwright
from program import Server, run
from recording import VIEW, two_browsers

sys.path.insert(0, str(Path(__file__).parents[1]))
from browser_path import chromium_path

PHOTOS = 60
SIZES = {1440: {"viewport": {"width": 1440, "height": 900}}, 820: {"viewport": {"width": 820, "height": 1100}, "has_touch": True},
         390: {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True, "device_scale_factor": 1.5}}
SCHEMES = ["light", "dark"]
# Albums, with the first photo of each and how many follow.
ALBUMS = {"Summer by the sea": (3, 18), "Winter light": (20, 9), "For Grandma": (31, 24), "Kites and boats": (44, 12), "Ideas": (0, 0)}
DELETED = 7


# The scenes: each leads a page to what its picture shows

def album(page, server):
    open_album(page, server)


def edit(page, server):
    open_album(page, server)
    page.click("#select")
    select(page, 1, 2, 5)


def dragging(page, server):
    open_album(page, server)
    select(page, 7, 8, 12)
    drag(page, title_at(page, 8), title_at(page, 2), release=False)
    all_shown(page)


def viewer(page, server):
    open_album(page, server)
    point = box(page, title_at(page, 1))
    page.mouse.click(point["x"], point["y"])
    until(
        page, """() => { const image = document.querySelector('#viewer .current img.previews');
            return image?.complete && image.naturalWidth > 0 }""")
    page.keyboard.press("i")
    until(page, "() => document.querySelectorAll('#viewer-info dd').length > 2")
    settle(page)
    page.mouse.move(200, 200)  # the buttons are seen
    until(page, "() => !document.querySelector('#viewer.idle')")


def albums(page, server):
    page.goto(f"{server.url}/albums")
    until(page, "count => document.getElementById('albums')?.count === count && 'complete' in document.body.dataset", len(ALBUMS) + 1)
    until(page, "() => document.querySelectorAll('#albums .cover img[src]').length >= 5")
    all_shown(page, "#albums img[src]")


def trash(page, server):
    page.goto(f"{server.url}/trash")
    wait_for_count(page, DELETED)
    all_shown(page)


def months(page, server):
    page.goto(f"{server.url}/albums/{server.album}?group=month-newest")
    wait_for_count(page, PHOTOS)
    page.evaluate("() => { document.getElementById('photos').scrollTop = 90 }")
    all_shown(page)


def phone(page, server):
    open_album(page, server)
    page.click("#show-albums")
    until(page, "() => document.body.classList.contains('albums-open')")
    all_shown(page, "#albums img[src]")


SCENES = [album, edit, dragging, viewer, albums, trash, months]


# What they have in common

def open_album(page, server):
    page.goto(f"{server.url}/albums/{server.album}")
    wait_for_count(page, PHOTOS)
    all_shown(page)


def all_shown(page, images="#photos img"):
    """Waits until every picture on the screen is painted and nothing moves."""
    until(
        page, """images => [...document.querySelectorAll(images)].every(image => image.complete && image.naturalWidth > 0)
            && document.getAnimations().every(animation => animation.playState !== 'running')""", images)


def select(page, *indices):
    page.evaluate("indices => { const l = document.getElementById('photos'), ids = l.ids(); l.selection = indices.map(i => ids[i]) }", indices)


def title_at(page, index):
    return page.evaluate("i => { const l = document.getElementById('photos'); return l.contentOf(l.ids()[i]).title }", index)


def take(browser, server, scene, width, scheme, path):
    context = browser.new_context(color_scheme=scheme, **SIZES[width])
    page = context.new_page()
    page.set_default_timeout(90_000)
    scene(page, server)
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    shot.save(path, quality=58, method=6)
    context.close()


# The data

def fill(data):
    """An album of painted photos, and others that have some of them."""
    made = run("demo", "--album", "My photos", "--count", PHOTOS, "--data", data)
    if made.returncode != 0:
        sys.exit(made.stderr)


def photos_of(page, server, album):
    """The ids of an album's photos, in its order."""
    page.goto(f"{server.url}/albums/{album}")
    until(page, "() => document.getElementById('photos')?.isLoaded && document.getElementById('photos').count > 0")
    return page.evaluate("() => document.getElementById('photos').ids()")


def add_albums(browser, server):
    page = browser.new_page()
    main = server.album
    ids = photos_of(page, server, main)
    for title, (first, count) in ALBUMS.items():
        target = server.post("/api/albums", {"title": title})["id"]
        if count == 0:
            continue
        chosen = [ids[(first + number) % len(ids)] for number in range(count)]
        server.post(f"/api/albums/{main}/additions", {"act": str(uuid.uuid4()), "ids": chosen, "album": target})
        if title == "For Grandma":
            gone = photos_of(page, server, target)[-DELETED:]
            server.post(f"/api/albums/{target}/deletes", {"act": str(uuid.uuid4()), "ids": gone})
    page.close()


def record(browser, server, path):
    pages = [browser.new_context(viewport=VIEW).new_page() for _ in range(2)]
    for page in pages:
        open_album(page, server)
    two_browsers(*pages, [title_at(pages[0], 7), title_at(pages[0], 1)], path)


def main(folder, painted=None):
    """`painted` is a data folder that `fill` has filled before."""
    screens = folder / "screens"
    screens.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        data = Path(scratch) / "data"
        if painted:
            shutil.copytree(painted, data)
        else:
            fill(data)
        server = Server(data)
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
                add_albums(browser, server)
                for width in SIZES:
                    for scheme in SCHEMES:
                        for scene in SCENES + ([phone] if width == 390 else []):
                            take(browser, server, scene, width, scheme, screens / f"{scene.__name__}-{width}-{scheme}.webp")
                record(browser, server, folder / "two-browsers.webp")
                browser.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
