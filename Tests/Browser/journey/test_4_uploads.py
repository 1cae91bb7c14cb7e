"""Photos come in: good ones, bad ones, the same ones again."""

import pytest
from conftest import TITLES
from photographs import every_format, jpeg, truncated
from sheetpage import at_rest, drag_before, titles, wait_count, wait_titles


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictures")
    good = [jpeg(folder / f"New {n}.jpg", 100 + n, taken=f"2024:06:0{n} 10:00:00", width=240, height=180) for n in (1, 2, 3)]
    bad = [truncated(folder / "Cut off.jpg", 200), folder / "Text.jpg", folder / "Empty.png"]
    bad[1].write_text("no picture at all")
    bad[2].write_bytes(b"")
    formats = folder / "formats"
    formats.mkdir()
    return good, bad, every_format(formats)


def wait_uploads(page, text):
    page.wait_visible(f"#uploads h2 :: {text}")


def test_photos_are_uploaded(page, pictures):
    page.set_files("#files", pictures[0])
    wait_count(page, 33)
    wait_titles(page, [*TITLES, "New 1", "New 2", "New 3"])
    wait_uploads(page, "3 added")
    page.click("#uploads button :: Close")
    page.wait_hidden("#uploads")


def test_the_same_photos_again_are_not_taken_twice(page, pictures):
    page.set_files("#files", pictures[0])
    wait_uploads(page, "3 already here")
    assert len(titles(page)) == 33
    page.click("#uploads button :: Close")


def test_bad_files_are_named_with_their_reason_and_the_others_go_on(page, chapter, pictures, tmp_path):
    chapter.browser.expect_errors("422", "415", "400")
    page.set_files("#files", [*pictures[1], jpeg(tmp_path / "Good.jpg", 150, width=240, height=180)])
    wait_count(page, 34)
    wait_uploads(page, "1 added, 3 failed")
    for name in ("Cut off.jpg", "Text.jpg", "Empty.png"):
        page.wait_visible(f"#uploads li :: {name}")


def test_what_can_never_work_is_not_offered_again(page):
    page.wait_visible("#uploads h2 :: 3 failed")
    assert not page.is_visible("#uploads button :: Retry")
    page.click("#uploads button :: Close")


def test_every_format_is_taken_and_shown(page, pictures):
    page.set_files("#files", pictures[2])
    wait_count(page, 40)
    page.evaluate("() => { const list = document.getElementById('photos'); list.scrollTop = list.scrollHeight }")
    page.wait_for("""() => { const images = [...document.querySelectorAll('#photos .photo img')];
        return images.length > 6 && images.every(one => one.complete && one.naturalWidth > 0) }""")
    page.evaluate("() => { document.getElementById('photos').scrollTop = 0 }")


def test_photos_are_dragged_while_others_come_in(page, tmp_path):
    page.wait_hidden("#uploads h2 :: Adding")
    before = titles(page)
    page.set_files("#files", [jpeg(tmp_path / f"Late {n}.jpg", 160 + n, width=2000, height=1500) for n in range(6)])
    drag_before(page, "Photo 04", "Photo 02")
    wait_count(page, 46)
    after = [one for one in titles(page) if one in before]
    assert after[:4] == ["Photo 01", "Photo 04", "Photo 02", "Photo 03"]
    at_rest(page)
