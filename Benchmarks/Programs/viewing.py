"""Measures what a reader of ContactSheet waits for, in Chromium: a sharp picture over a slow line, the next one, the page of albums."""

import subprocess

from PIL import Image
from playwright.sync_api import sync_playwright

from albums import new_folder
from browser_path import chromium_path
from program import PROGRAM, Server
from report import median

VIEW = {"width": 1440, "height": 900}
LINE = 10e6 / 8  # bytes a second
ALBUMS = 200

# When something that a selector finds has been painted, in milliseconds of the page's clock.
PAINTED = """selector => new Promise(done => {
    const look = () => document.querySelector(selector)
        ? requestAnimationFrame(() => setTimeout(() => done(performance.now()))) : requestAnimationFrame(look);
    look();
})"""
SHARP = "#viewer .current img.previews"


def pictures(folder, count, megabytes=16):
    """JPEGs of 24 megapixels, each larger than so many megabytes; they differ in a comment."""
    folder.mkdir()
    base = folder / "base.jpg"
    Image.effect_noise((6000, 4000), 90).convert("RGB").save(base, "JPEG", quality=93)
    content = base.read_bytes()
    base.unlink()
    assert len(content) > megabytes * 1e6, f"{len(content)} bytes"
    for number in range(count):
        comment = f"photo {number}".encode()
        segment = b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment
        (folder / f"IMG_{number:02}.jpg").write_bytes(content[:2] + segment + content[2:])
    return len(content)


def open_album(browser, server):
    page = browser.new_context(viewport=VIEW).new_page()
    page.goto(f"{server.url}/albums/{server.album}")
    page.wait_for_function("() => 'complete' in document.body.dataset", polling=20)
    page.wait_for_function("() => document.querySelectorAll('#photos img.loaded').length > 5", polling=20)
    return page


def sharp_picture(browser, server):
    """From the key to the painted picture, over the line."""
    page = open_album(browser, server)
    page.evaluate("""() => {
        document.getElementById('photos').focusIndex(0);
        addEventListener('keydown', () => (window.pressed = performance.now()), { capture: true, once: true });
    }""")
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 20, "downloadThroughput": LINE, "uploadThroughput": LINE})
    page.keyboard.press("Enter")
    took = page.evaluate(f"async selector => await ({PAINTED})(selector) - pressed", SHARP) / 1000
    page.context.close()
    return took


def next_pictures(browser, server, steps):
    """From each key to the painted neighbour, which has been decoded ahead."""
    page = open_album(browser, server)
    page.evaluate("() => document.getElementById('photos').focusIndex(0)")
    page.keyboard.press("Enter")
    times = []
    for number in range(1, steps + 1):
        neighbours = 1 if number == 1 else 2
        page.wait_for_function(f"() => document.querySelectorAll('#viewer img.previews').length === {neighbours + 1}", polling=20)
        photo = page.evaluate("number => document.getElementById('photos').ids(number, number + 1)[0]", number)
        times.append(page.evaluate("""async photo => {
            const start = performance.now();
            document.getElementById('viewer').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
            await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
            const image = document.querySelector('#viewer .current img.previews');
            const { hash } = document.getElementById('photos').contentOf(photo);
            if (!image?.complete || !image.src.endsWith(hash)) throw new Error('not decoded ahead');
            return performance.now() - start;
        }""", photo))
    page.context.close()
    return times


def albums_page(browser, server):
    """From the request to the painted albums, in a browser that knows nothing of the page."""
    page = browser.new_context(viewport=VIEW).new_page()
    page.goto(f"{server.url}/albums", wait_until="commit")
    took = page.evaluate(PAINTED, "#albums [data-ll-row=item]")
    page.context.close()
    return took


def viewing(report, work):
    size = pictures(work / "pictures", 12)
    folder = work / "viewing"
    new_folder(folder)
    subprocess.run([PROGRAM, "import", "--data", str(folder), str(work / "pictures")], check=True, stdout=subprocess.DEVNULL)
    server = Server(folder)
    try:
        album = next(one for one in server.json("/api/albums") if one["count"] == 12)
        server.album_id = album["id"]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox"])
            sharp = [sharp_picture(browser, server) for _ in range(5)]
            steps = next_pictures(browser, server, 10)
            for number in range(ALBUMS - 2):
                server.post("/api/albums", {"title": f"Album {number}"})
            paints = [albums_page(browser, server) for _ in range(9)]
            browser.close()
    finally:
        server.kill()
    report.add(f"a picture of {size / 1e6:.0f} MB over 10 Mbit/s, sharp at screen size", median(sharp), "s", target=1.5,
               others={"longest": max(sharp)})
    report.add("the next picture, decoded ahead", median(steps), "ms", target=50, others={"longest": max(steps)})
    report.add(f"first paint of the page of {ALBUMS} albums", median(paints), "ms", target=300, others={"longest": max(paints)})
