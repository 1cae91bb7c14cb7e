"""The example `photos`: a folder comes in, people order it, one row is written, and an old database gets the order."""

import os
import sqlite3
import urllib.error
import urllib.request
import uuid
from contextlib import closing

import pytest
from engines import NETWORK
from examples import check_axe, check_that_it_is_kept_to_this_machine, run_example
from photographs import picture
from playwright.sync_api import expect

NAMES = """() => {
    const list = document.querySelector('live-list');
    return list.ids(0, list.count).map((id) => list.contentOf(id).name);
}"""
# With what it takes to move them.
ARE_SHOWN = """(count) => {
    const images = [...document.querySelectorAll('live-list img')];
    return images.length === count && images.every((one) => one.complete && one.naturalWidth === 64)
        && getComputedStyle(document.documentElement).getPropertyValue('--ll-has-reordering') !== '';
}"""
DAY = 86_400


def save(folder, name, number, day, kind="JPEG"):
    """Saves a picture of a day."""
    folder.mkdir(exist_ok=True, parents=True)
    picture(number, 64, 48).save(folder / name, kind)
    os.utime(folder / name, (1_700_000_000 + day * DAY,) * 2)


@pytest.fixture
def folder(tmp_path):
    """Pictures A to F of as many days, of which the file names say the opposite."""
    for number, name in enumerate("ABCDEF"):
        save(tmp_path / "pictures", f"{name}.jpg", number, day=number)
    return tmp_path / "pictures"


@pytest.fixture
def photos(start_example, folder):
    return start_example("photos", "0", str(folder), "--data", "kept")


def database(folder):
    return closing(sqlite3.connect(folder / "kept/photos.sqlite", timeout=20))


def order(tmp_path):
    """The names in the order of the database."""
    with database(tmp_path) as db:
        return "".join(name for name, in db.execute("SELECT name FROM photo ORDER BY rank, id"))


@pytest.fixture
def written(photos, tmp_path):
    """A function that answers the names of the photos whose rows were written since it was called last, each as often as that."""
    with database(tmp_path) as db, db:
        db.execute("CREATE TABLE written (name TEXT)")
        for event, name in ("UPDATE", "new"), ("INSERT", "new"), ("DELETE", "old"):
            db.execute(f"CREATE TRIGGER on{event} AFTER {event} ON photo BEGIN INSERT INTO written VALUES ({name}.name); END")

    def written():
        with database(tmp_path) as db, db:
            names = [name for name, in db.execute("SELECT name FROM written ORDER BY rowid")]
            db.execute("DELETE FROM written")
        return names

    return written


def wait_for_names(page, names):
    page.wait_for(f"(names) => ({NAMES})().join('') === names", names)


def tile(name):
    return f"[role=gridcell] :: {name}"


def ids(tmp_path):
    """The identifiers by name, as pages have them."""
    with database(tmp_path) as db:
        return {name: str(uuid.UUID(bytes=one)) for one, name in db.execute("SELECT id, name FROM photo")}


def test_the_pictures_of_a_folder_come_in_by_their_dates_whatever_their_names_say(start_example, engine, tmp_path, capfd):
    folder = tmp_path / "pictures"
    script = "<img src=x onerror=alert(1)>"
    for name, day, kind in (
        ("z.jpg", 0, "JPEG"), (f"{script}.png", 1, "PNG"), ("a..%2f..%2fphotos.sqlite", 2, "GIF"), ("a.txt", 3, "WEBP"),
        ("a.bmp", 5, "BMP"), (".hidden.jpg", 5, "JPEG"),
    ):
        save(folder, name, day, day, kind)
    save(folder / "deeper", "In a folder.jpg", 4, 4)
    save(tmp_path, "elsewhere.jpg", 6, 6)
    (folder / "link.jpg").symlink_to(tmp_path / "elsewhere.jpg")
    (folder / "gone.jpg").symlink_to(tmp_path / "nowhere.jpg")
    (folder / "page.jpg").write_text("<script>alert(1)</script>")
    (folder / "empty.jpg").write_bytes(b"")
    os.mkfifo(folder / "pipe.jpg")

    photos = start_example("photos", "0", str(folder))
    page = engine.browser().open(photos.url)
    page.wait_for(ARE_SHOWN, 6)
    assert page.evaluate(NAMES) == ["z", script, "a..%2f..%2fphotos", "a", "In a folder", "a"]
    page.wait_visible("#count :: 6 photos")
    assert f"photos: 6 new pictures in {folder}\n" in capfd.readouterr().err


def test_names_that_are_no_text_are_no_obstacle(start_example, open_page, tmp_path):
    save(tmp_path / "pictures", "A.jpg", 0, 0)
    with open(os.fsencode(tmp_path) + b"/pictures/\xff\xfe.jpg", "wb") as file:
        picture(1, 64, 48).save(file, "JPEG")
    page = open_page(start_example("photos", "0", str(tmp_path / "pictures")).url)
    expect(page.locator("figcaption").first).to_have_text("A")


def test_a_drag_writes_one_row_and_is_seen_in_every_browser_and_after_a_reload(photos, written, engine, tmp_path):
    page, other = (engine.browser().open(photos.url) for _ in range(2))
    for one in (page, other):
        one.wait_for(ARE_SHOWN, 6)
    page.drag(tile("E"), tile("B"), offset=(-60, 0))
    for one in (page, other):
        wait_for_names(one, "AEBCDF")
    other.drag(tile("A"), tile("F"), offset=(60, 0))
    for one in (page, other):
        wait_for_names(one, "EBCDFA")
    assert written() == ["E", "A"]
    page.reload()
    wait_for_names(page, "EBCDFA")
    page.wait_for(ARE_SHOWN, 6)
    assert order(tmp_path) == "EBCDFA"


def test_keys_move_a_photo_and_undo_brings_it_back(photos, written, engine):
    page, other = (engine.browser().open(photos.url) for _ in range(2))
    for one in (page, other):
        one.wait_for(ARE_SHOWN, 6)
    page.click(tile("C"))
    page.key("Alt+ArrowRight")
    wait_for_names(other, "ABDCEF")
    page.key("Alt+ArrowRight")
    wait_for_names(other, "ABDECF")
    page.key("Control+z")
    wait_for_names(other, "ABDCEF")
    page.click("#undo")
    for one in (page, other):
        wait_for_names(one, "ABCDEF")
    assert written() == ["C"] * 4
    page.wait_for("() => document.querySelector('#undo').ariaDisabled === 'true'")


def test_those_that_are_selected_are_moved_and_brought_back_as_one(photos, written, engine):
    page, other = (engine.browser().open(photos.url) for _ in range(2))
    for one in (page, other):
        one.wait_for(ARE_SHOWN, 6)
    for name in "BCE":
        page.click(tile(name), modifier="Control")
    page.drag(tile("E"), tile("A"), offset=(-60, 0))
    wait_for_names(other, "BCEADF")
    assert sorted(written()) == ["B", "C", "E"]
    page.key("Control+z")
    for one in (page, other):
        wait_for_names(one, "ABCDEF")
    assert sorted(written()) == ["B", "C", "E"]


def test_an_order_of_ones_own_outlives_the_server(photos, start_example, folder, engine, tmp_path):
    browser = engine.browser()
    browser.expect_errors(*NETWORK)
    page = browser.open(photos.url)
    page.wait_for(ARE_SHOWN, 6)
    page.drag(tile("E"), tile("B"), offset=(-60, 0))
    page.wait_for("() => document.querySelector('live-list').pending.length === 0")
    wait_for_names(page, "AEBCDF")
    assert photos.stop() == 0
    page.wait_for("() => document.querySelector('live-list').dataset.state === 'reconnecting'")
    # A drag meanwhile waits for the server. What is in the folder besides is new, and last.
    page.drag(tile("F"), tile("A"), offset=(-60, 0))
    save(folder, "G.jpg", 7, day=-7)
    start_example("photos", photos.url.rsplit(":", 1)[1], str(folder), "--data", "kept")
    wait_for_names(page, "FAEBCDG")
    page.wait_for(ARE_SHOWN, 7)
    page.wait_for("() => document.querySelector('live-list').waiting === 0")
    assert order(tmp_path) == "FAEBCDG"


def test_a_database_without_an_order_gets_it_by_date(start_example, engine, tmp_path):
    names = {"May": "2023-05-01", "June": "2023-06-01", "March": "2023-03-01", "April": "2023-04-01"}
    (tmp_path / "kept/originals").mkdir(parents=True)
    with database(tmp_path) as db, db:
        db.execute("PRAGMA journal_mode = WAL")
        # As `SQLiteStore(path:creating:)` made it.
        db.execute("CREATE TABLE photo (id BLOB PRIMARY KEY NOT NULL, name TEXT NOT NULL, date TEXT NOT NULL, type TEXT NOT NULL)")
        for number, (name, date) in enumerate(names.items()):
            id = uuid.uuid4()
            db.execute("INSERT INTO photo VALUES (?, ?, ?, 'image/jpeg')", (id.bytes, name, f"{date} 12:00:00.000"))
            save(tmp_path / "kept/originals", str(id), number, day=0)
    before = ids(tmp_path)

    photos = start_example("photos", "0", "--data", "kept")
    browser = engine.browser()
    browser.expect_errors(*NETWORK)
    page = browser.open(photos.url)
    page.wait_for(ARE_SHOWN, 4)
    assert page.evaluate(NAMES) == ["March", "April", "May", "June"]
    assert ids(tmp_path) == before
    page.drag(tile("June"), tile("March"), offset=(-60, 0))
    page.wait_for(f"() => ({NAMES})()[0] === 'June' && document.querySelector('live-list').pending.length === 0")
    # The second time it has its order.
    photos.stop()
    again = engine.browser().open(start_example("photos", "0", "--data", "kept").url)
    again.wait_for(ARE_SHOWN, 4)
    assert again.evaluate(NAMES) == ["June", "March", "April", "May"]


def test_a_thousand_drags_into_one_gap_leave_room_and_the_order(photos, written, tmp_path):
    id = ids(tmp_path)
    for n in range(1001):
        # C and D in turn between the other and E.
        moved, fixed = ("C", "D") if n % 2 == 0 else ("D", "C")
        assert photos.post("/moves", {"act": str(n), "ids": [id[moved]], "after": id[fixed], "before": id["E"]})[0] == 204
    assert order(tmp_path) == "ABDCEF"
    with database(tmp_path) as db:
        assert db.execute("SELECT max(length(rank)) FROM photo").fetchone()[0] <= 64
    assert 1001 <= len(written()) < 1020


def test_a_move_is_beside_the_neighbour_that_is_still_there(start_example, folder, tmp_path, capfd):
    photos = start_example("photos", "0", str(folder), "--data", "kept")
    id, nobody = ids(tmp_path), str(uuid.uuid4())

    def move(names, after, before):
        named = {**id, "?": nobody, None: None}
        body = {"act": "1", "ids": [named[name] for name in names], "after": named[after], "before": named[before]}
        return photos.post("/moves", body)

    assert move("E", "?", "B") == (204, None) and order(tmp_path) == "AEBCDF"
    assert move("D", "A", "?") == (204, None) and order(tmp_path) == "ADEBCF"
    assert capfd.readouterr().err.count("photos: moved: 1, rows written: 1\n") == 2
    assert move("CF", None, "A") == (204, None) and order(tmp_path) == "CFADEB"
    assert move("C", "B", None) == (204, None) and order(tmp_path) == "FADEBC"
    # Its neighbours may be apart: the first counts. One that is moved itself is none.
    assert move("F", "D", "C") == (204, None) and order(tmp_path) == "ADFEBC"
    assert move("A", "A", "C") == (204, None) and order(tmp_path) == "DFEBAC"
    assert move("B", "?", "?") == (409, "The photos beside it are gone.")
    assert move("?", "A", "C") == (204, None) and order(tmp_path) == "DFEBAC"
    # Equal ranks, as of two databases that were merged.
    with database(tmp_path) as db, db:
        db.execute("UPDATE photo SET rank = (SELECT rank FROM photo WHERE name = 'E')")
    before = order(tmp_path)
    first, *rest, last = before
    assert move(last, first, rest[0]) == (204, None) and order(tmp_path) == "".join([first, last, *rest])


def test_what_is_no_move_is_refused_in_words(photos):
    assert photos.post("/moves", {"act": "1", "ids": ["../photos.sqlite"]})[0] == 400
    assert photos.post("/moves", {"act": "1"}) == (400, "/moves cannot take this: “ids” is missing.")
    check_that_it_is_kept_to_this_machine(photos, "/moves", {"act": "1", "ids": []})


def test_originals_are_had_by_their_identifiers_alone(photos, tmp_path, folder):
    with urllib.request.urlopen(f"{photos.url}/originals/{ids(tmp_path)['A']}", timeout=20) as response:
        assert response.read() == (folder / "A.jpg").read_bytes()
        assert response.headers["Content-Type"] == "image/jpeg"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
    for name in ("A.jpg", "..%2Fphotos.sqlite", "%2e%2e/photos.sqlite", str(uuid.uuid4()), "", "%00"):
        with pytest.raises(urllib.error.HTTPError, match=r"40[04]"):
            urllib.request.urlopen(f"{photos.url}/originals/{name}", timeout=20)


def test_without_a_folder_there_are_pictures_and_nothing_is_left(start_example, open_page, tmp_path):
    photos = start_example("photos")
    page = open_page(photos.url)
    expect(page.locator("#count")).to_have_text("24 photos")
    page.wait_for_function("() => [...document.images].every((one) => one.complete && one.naturalWidth === 320)")
    assert page.evaluate(NAMES)[:3] == ["Hills 1", "Hills 2", "Hills 3"]
    page.close()
    assert photos.stop() == 0
    assert list(tmp_path.iterdir()) == []


def test_an_empty_folder_is_said_and_a_missing_one_refused(start_example, open_page, tmp_path):
    (tmp_path / "empty").mkdir()
    page = open_page(start_example("photos", "0", "empty").url)
    expect(page.get_by_text("No photos yet.")).to_be_visible()
    (tmp_path / "file").write_text("")
    for folder in ("nowhere", "file"):
        ended = run_example("photos", "0", folder, folder=tmp_path)
        assert (ended.returncode, ended.stderr) == (1, f"photos: {tmp_path / folder} is no folder.\n")
    ended = run_example("photos", "one", "two", folder=tmp_path)
    assert ended.returncode == 64 and ended.stderr.endswith("Usage: photos [PORT] [FOLDER] [--data FOLDER]\n")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_photos(photos, open_page, scheme):
    page = open_page(photos.url, color_scheme=scheme)
    expect(page.locator("#count")).to_have_text("6 photos")
    check_axe(page)
    page.get_by_role("gridcell").first.click()
    page.keyboard.press("Space")
    page.keyboard.press("Alt+End")
    expect(page.locator("#undo")).to_have_attribute("aria-disabled", "false")
    check_axe(page)


def test_all_of_photos_is_within_320_pixels(photos, open_page):
    page = open_page(photos.url, viewport={"width": 320, "height": 480})
    expect(page.locator("#count")).to_have_text("6 photos")
    assert page.evaluate("() => document.documentElement.scrollWidth") == 320
