"""Pictures of a screen's size and what is known of a photo, from the file to the screen."""

import random

import pytest
from album_page import ids, until, wait_for_count
from PIL import Image
from PIL.TiffImagePlugin import IFDRational
from photographs import EXIF_IFD, jpeg
from program import run

GPS_IFD = 0x8825


@pytest.fixture
def large(tmp_path):
    """A JPEG of 16 MB, as large cameras write them: 6,000 by 4,000 pixels with the noise of a sensor."""
    coarse = Image.frombytes("RGB", (300, 200), random.Random(1).randbytes(300 * 200 * 3)).resize((6000, 4000), Image.BICUBIC)
    noise = Image.effect_noise((6000, 4000), 40).convert("RGB")
    path = tmp_path / "large.jpg"
    Image.blend(coarse, noise, 0.3).save(path, "JPEG", quality=93)
    assert path.stat().st_size > 12_000_000
    return path


@pytest.mark.network
def test_large_photos_are_shown_by_previews_and_zoomed_by_originals(server, open_page, large, tmp_path):
    small = jpeg(tmp_path / "small.jpg", 2)
    assert run("import", large, small, "--data", server.data).returncode == 0
    page, sizes = open_page(server.url), {}
    page.on("response", lambda response: sizes.update({response.url.split("/")[3]: int(response.headers.get("content-length", 0))}))
    wait_for_count(page, 2)
    first = next(one for one in ids(page) if page.evaluate("id => document.getElementById('photos').contentOf(id).width", one) == 6000)
    page.locator(f'a.open[data-photo="{first}"]').click()
    width = "kind => { const image = document.querySelector(`#viewer .current img.${kind}`); return image?.complete ? image.naturalWidth : 0 }"
    until(page, f"() => ({width})('previews') === 2048")
    # Over 10 Mbit/s these are the second and a half that a picture may take.
    assert sizes["previews"] <= 1_500_000 and "originals" not in sizes
    page.keyboard.press("+")
    until(page, f"() => ({width})('originals') === 6000")
    # What is no larger than a preview has none of its own.
    assert [path.name for path in (server.data / "previews").rglob("*") if path.is_file()] == [
        page.evaluate("id => document.getElementById('photos').contentOf(id).hash", first)]
    page.keyboard.press("0")
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    until(page, f"() => ({width})('previews') > 0")


def test_the_info_of_a_photo_says_what_its_camera_did(server, open_page, tmp_path):
    path = jpeg(tmp_path / "IMG_7.jpg", 7)
    image = Image.open(path)
    exif = image.getexif()
    exif[0x010F], exif[0x0110] = "FUJIFILM", "X-T5 (silver)"
    exif.get_ifd(EXIF_IFD).update({
        0x9003: "2024:05:06 07:08:09", 0x829A: IFDRational(1, 250), 0x829D: IFDRational(28, 10), 0x8827: 400,
        0x920A: IFDRational(33), 0xA434: "XF33mm (F1.4)"})
    exif.get_ifd(GPS_IFD).update({1: "N", 2: (52.0, 31.0, 12.34), 3: "W", 4: (13.0, 24.0, 18.0)})
    image.save(path, "JPEG", exif=exif.tobytes())
    assert run("import", path, "--data", server.data).returncode == 0
    page = open_page(server.url)
    wait_for_count(page, 1)
    details = server.json(f"{page.evaluate('location.pathname').replace('/albums/', '/api/albums/')}/photos/{ids(page)[0]}")
    camera = details.pop("camera")
    assert camera == {
        "camera": "FUJIFILM X-T5 (silver)", "lens": "XF33mm (F1.4)", "exposure": pytest.approx(0.004), "aperture": pytest.approx(2.8),
        "iso": 400, "focalLength": 33, "latitude": pytest.approx(52.520094, abs=1e-5), "longitude": pytest.approx(-13.405, abs=1e-5)}
    assert details.pop("imported").endswith("Z")
    assert details == {
        "title": "IMG_7", "fileName": "IMG_7.jpg", "format": "jpeg", "width": 640, "height": 480, "bytes": path.stat().st_size,
        "taken": "2024-05-06T07:08:09Z"}
    page.locator("#photos a.open").click()
    page.get_by_role("button", name="Info").click()
    until(page, "() => document.getElementById('viewer-info').innerText.includes('XF33mm (F1.4)')")
