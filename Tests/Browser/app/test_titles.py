"""Titles, orders and undo, in the page; and what the trash and the camera's button do."""

import pytest
from album_page import box, ids, settle, titles, wait_for_count, wait_for_titles
from photographs import jpeg
from program import run


@pytest.fixture
def album(server, open_page, tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    for number, name in enumerate(["b 10", "b 9", "a", "c"]):
        jpeg(folder / f"{name}.jpg", number, taken=f"2024:05:{number + 1:02} 10:00:00")
    assert run("import", folder, "--album", "My photos", "--data", server.data).returncode == 0
    page = open_page(server.url)
    wait_for_titles(page, ["b 10", "b 9", "a", "c"])
    return page


def open_menu(page, title):
    point = box(page, title)
    page.mouse.click(point["x"], point["y"], button="right")


def sort(page, how):
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Sort…").click()
    page.get_by_role("menuitem", name=how).click()


def test_a_photo_gets_another_title_and_every_browser_shows_it(server, album, open_page):
    other = open_page(server.url)
    wait_for_count(other, 4)
    open_menu(album, "a")
    album.get_by_role("menuitem", name="Rename…").click()
    album.get_by_label("Title", exact=True).fill("Zebra & <i>Gnu</i>")
    album.get_by_role("button", name="Rename").click()
    for page in (album, other):
        wait_for_titles(page, ["b 10", "b 9", "Zebra & <i>Gnu</i>", "c"])
    assert other.locator("#photos i").count() == 0


def test_the_album_is_sorted_for_everybody_and_brought_back(server, album, open_page):
    other = open_page(server.url)
    wait_for_count(other, 4)
    sort(album, "By title")
    for page in (album, other):
        wait_for_titles(page, ["a", "b 9", "b 10", "c"])
    album.get_by_role("button", name="Undo").click()
    for page in (album, other):
        wait_for_titles(page, ["b 10", "b 9", "a", "c"])
    sort(album, "Reverse the order")
    wait_for_titles(other, ["c", "a", "b 9", "b 10"])
    sort(album, "By date taken")
    wait_for_titles(other, ["b 10", "b 9", "a", "c"])
    sort(album, "By date taken")
    album.get_by_text("in that order already").wait_for()


def test_the_command_sorts_while_the_page_looks_on(server, album):
    done = run("sort", "--by", "name", "--reversed", "--data", server.data)
    assert done.returncode == 0, done.stderr
    wait_for_titles(album, ["c", "b 10", "b 9", "a"])
    listed = run("photos", "--data", server.data).stdout.splitlines()
    done = run("reorder", "--like", "-", "--data", server.data, stdin="\n".join(reversed(listed)))
    assert done.returncode == 0, done.stderr
    wait_for_titles(album, ["a", "b 9", "b 10", "c"])
    wrong = run("reorder", "--like", "-", "--data", server.data, stdin="nobody.jpg\n")
    assert wrong.returncode == 66 and "nobody.jpg" in wrong.stderr
    assert titles(album) == ["a", "b 9", "b 10", "c"]


def test_twenty_five_mutations_are_taken_back_one_by_one(server, album, open_page):
    other = open_page(server.url)
    wait_for_count(other, 4)
    history = [titles(album)]
    for _ in range(25):
        before = titles(album)
        album.evaluate("() => { const l = document.getElementById('photos'); l.focusItem(l.ids()[0]) }")
        album.keyboard.press("Alt+End")
        expected = before[1:] + before[:1]
        # A burst of moves is one mutation; a key that does not move ends it.
        album.keyboard.press("ArrowLeft")
        wait_for_titles(album, expected)
        wait_for_titles(other, expected)
        history.append(expected)
    for expected in reversed(history[:-1]):
        album.keyboard.press("Control+z")
        wait_for_titles(album, expected)
        wait_for_titles(other, expected)


def test_an_emptied_trash_removes_the_files(server, album):
    open_menu(album, "a")
    album.get_by_role("menuitem", name="Delete").click()
    wait_for_count(album, 3)
    settle(album)
    files = lambda: [path for path in (server.data / "originals").rglob("*") if path.is_file()]
    assert len(files()) == 4, "in the trash it can be brought back"
    album.get_by_role("link", name="Trash").click()
    album.get_by_role("button", name="Empty trash…").click()
    album.get_by_role("button", name="Empty trash", exact=True).click()
    album.get_by_text("The trash is empty.").wait_for()
    assert len(files()) == 3
    assert len([path for path in (server.data / "thumbnails").rglob("*") if path.is_file()]) == 3


def test_the_camera_of_a_phone_is_asked_for(server, album, tmp_path):
    camera = album.locator("#camera")
    assert camera.get_attribute("capture") == "environment" and camera.get_attribute("accept") == "image/*"
    with album.expect_file_chooser() as chooser:
        album.get_by_role("button", name="More").click()
        album.get_by_role("menuitem", name="Take a photo").click()
    chooser.value.set_files(jpeg(tmp_path / "snapshot.jpg", 50))
    wait_for_count(album, 5)
    assert titles(album)[-1] == "snapshot"
    assert len(ids(album)) == 5
