"""Photos come in: picked, dropped, by the command, while the server runs and while it does not."""

import json
import os
import subprocess
import urllib.request
import zipfile

import pytest

from program import run
from album_page import drop_files, titles, until, wait_for_count
from photographs import every_format, huge_png, jpeg, picture, truncated


def folder_of(tmp_path, count, name="photos"):
    folder = tmp_path / name
    folder.mkdir()
    for number in range(count):
        jpeg(folder / f"photo {number:02}.jpg", number, taken=f"2024:05:{number + 1:02} 10:00:00")
    return folder


def test_an_empty_album_says_what_goes_there(server, open_page):
    page = open_page(server.url)
    wait_for_count(page, 0)
    assert page.get_by_role("heading", name="No photos yet").is_visible()
    assert page.locator("#add-first").is_visible()


def test_every_kind_of_picture_is_taken_and_shown(server, open_page, tmp_path):
    page = open_page(server.url)
    wait_for_count(page, 0)
    page.set_input_files("#files", every_format(tmp_path))
    wait_for_count(page, 6)
    until(
        page, """() => { const images = [...document.querySelectorAll('#photos img')];
            return images.length === 6 && images.every(image => image.complete && image.naturalWidth > 0) }""")
    assert page.locator("#uploads").get_by_text("6 added").is_visible()


def test_dropped_files_arrive_in_every_browser(server, open_page, tmp_path):
    one, two = open_page(server.url), open_page(server.url)
    wait_for_count(one, 0), wait_for_count(two, 0)
    drop_files(one, [jpeg(tmp_path / f"drop {n}.jpg", n) for n in range(3)])
    wait_for_count(one, 3), wait_for_count(two, 3)
    assert titles(one) == titles(two)


def test_photos_arrive_in_the_order_they_were_taken(server, open_page, tmp_path):
    folder = folder_of(tmp_path, 5)
    os.rename(folder / "photo 00.jpg", folder / "z first.jpg")
    done = run("import", folder, "--album", "My photos", "--data", server.data)
    assert done.returncode == 0, done.stderr
    page = open_page(server.url)
    wait_for_count(page, 5)
    assert titles(page) == ["z first", "photo 01", "photo 02", "photo 03", "photo 04"]


def test_the_orientation_of_the_camera_is_honoured(server, open_page, tmp_path):
    page = open_page(server.url)
    wait_for_count(page, 0)
    page.set_input_files("#files", jpeg(tmp_path / "turned.jpg", 1, orientation=6, width=640, height=480))
    wait_for_count(page, 1)
    content = page.evaluate("() => { const l = document.getElementById('photos'); return l.contentOf(l.ids()[0]) }")
    assert (content["width"], content["height"]) == (480, 640)
    size = page.evaluate(
        """async hash => { const image = new Image(); image.src = `/thumbnails/${hash}`; await image.decode();
            return image.naturalWidth < image.naturalHeight }""", content["hash"])
    assert size, "the thumbnail has to stand upright"


def test_the_page_shows_what_the_command_imports_while_the_server_runs(server, open_page, tmp_path):
    page = open_page(server.url)
    wait_for_count(page, 0)
    done = run("import", folder_of(tmp_path, 4), "--album", "My photos", "--data", server.data)
    assert done.returncode == 0, done.stderr
    assert "Imported 4 photos" in done.stdout
    wait_for_count(page, 4)


def test_the_command_imports_while_the_server_does_not_run(start_server, open_page, tmp_path):
    data = tmp_path / "data"
    done = run("import", folder_of(tmp_path, 4), "--album", "Iceland", "--data", data)
    assert done.returncode == 0, done.stderr
    server = start_server(data=data)
    album = next(album for album in server.json("/api/albums") if album["title"] == "Iceland")
    page = open_page(f"{server.url}/albums/{album['id']}")
    wait_for_count(page, 4)
    assert page.title().startswith("Iceland")


def test_an_import_that_is_run_again_adds_nothing(server, tmp_path):
    folder = folder_of(tmp_path, 3)
    for expected in ("Imported 3 photos", "3 were there already"):
        done = run("import", folder, "--data", server.data)
        assert done.returncode == 0, done.stderr
        assert expected in done.stdout
    assert server.json("/api/albums")[0]["count"] == 3


def hostile_files(folder):
    (folder / "empty.jpg").write_bytes(b"")
    (folder / "words.jpg").write_text("These are words, not a picture.\n" * 40)
    truncated(folder / "cut.jpg", 1)
    huge_png(folder / "huge.png", 30_000)
    return [folder / name for name in ("empty.jpg", "words.jpg", "cut.jpg", "huge.png")]


def test_files_that_are_no_photos_are_named_and_the_others_go_on(server, open_page, tmp_path):
    # The server refuses these files with a status of its own, which browsers log as an error.
    page = open_page(server.url, expect_errors=True)
    wait_for_count(page, 0)
    page.set_input_files("#files", [*hostile_files(tmp_path), jpeg(tmp_path / "good.jpg", 5)])
    wait_for_count(page, 1)
    uploads = page.locator("#uploads")
    uploads.get_by_text("1 added, 4 failed").wait_for()
    for name in ("empty.jpg", "words.jpg", "cut.jpg", "huge.png"):
        row = uploads.locator("li", has_text=name)
        message = row.locator(".message").inner_text()
        assert name in message, message
    assert titles(page) == ["good"]
    stored = [path for path in (server.data / "originals").rglob("*") if path.is_file()]
    assert len(stored) == 1, "nothing of what was refused stays behind"
    assert not [path for path in (server.data / "incoming").rglob("*") if path.is_file()]


def test_the_command_names_what_it_could_not_import(server, tmp_path):
    folder = tmp_path / "mixed"
    folder.mkdir()
    hostile_files(folder)
    jpeg(folder / "good.jpg", 5)
    done = run("import", folder, "--data", server.data)
    assert done.returncode == 65
    assert "Imported 1 photo" in done.stdout and "4 failed" in done.stdout
    for name in ("empty.jpg", "words.jpg", "cut.jpg", "huge.png"):
        assert name in done.stderr
    assert "\r" not in done.stderr, "a progress bar belongs on a terminal"


@pytest.mark.parametrize("found, why", [("no library", "file too short"), ("another one", "has no g_free")])
def test_without_libvips_albums_are_there_and_imports_say_what_is_missing(start_server, tmp_path, found, why):
    library = tmp_path / "libvips.so.42"  # which is found first
    if found == "no library":
        library.touch()
    else:
        subprocess.run(["clang", "-shared", "-x", "c", "/dev/null", "-o", library], check=True)
    without = {"LD_LIBRARY_PATH": str(tmp_path)}
    server = start_server(data=tmp_path / "data", environment=without)
    assert [album["count"] for album in server.json("/api/albums")] == [0]
    photos = [jpeg(tmp_path / f"{number}.jpg", number) for number in range(20)]
    for data in (server.data, tmp_path / "other"):
        done = run("import", *photos, "--data", data, environment=without)
        assert done.returncode == 69
        assert "not tried" in done.stdout, "the next file would fail for the same reason"
        last = [line for line in done.stderr.splitlines() if line.startswith("contact-sheet: ")]
        assert len(last) == 1 and "was not imported. Pictures cannot be read here: libvips 8.13 or later is needed" in last[0]
    done = run("demo", "--data", tmp_path / "another", environment=without)
    assert done.returncode == 69 and done.stderr.count("libvips42") == 1 and why in done.stderr
    library.unlink()
    assert run("import", *photos, "--data", server.data).returncode == 0, "a server finds it without a restart"


def test_file_names_are_only_names(server, open_page, tmp_path):
    page = open_page(server.url)
    wait_for_count(page, 0)
    data = picture(1)
    path = tmp_path / "plain.jpg"
    data.save(path, "JPEG")
    status = page.evaluate(
        """async ([album, bytes]) => (await fetch(`/api/albums/${album}/photos?name=`
            + encodeURIComponent('../../etc/pass\\u0000wd\\n<b>x</b>.jpg'),
            {method: 'POST', body: new Uint8Array(bytes)})).status""", [server.album, list(path.read_bytes())])
    assert status == 201
    wait_for_count(page, 1)
    title = titles(page)[0]
    assert not any(ord(character) < 32 for character in title) and "/" not in title, title
    assert page.locator("#photos b").count() == 0
    assert not (server.data / "etc").exists()


def test_a_file_over_the_limit_is_refused_by_name(start_server, open_page, tmp_path):
    server = start_server("--max-megabytes", "1")
    page = open_page(server.url, expect_errors=True)
    wait_for_count(page, 0)
    big = tmp_path / "big.jpg"
    jpeg(big, 1)
    big.write_bytes(big.read_bytes() + b"\0" * 3_000_000)
    page.set_input_files("#files", big)
    message = page.locator("#uploads .message")
    message.wait_for()
    assert "big.jpg" in message.inner_text()
    assert server.json("/api/albums")[0]["count"] == 0


def shown(page):
    return page.evaluate("""() => { const l = document.getElementById('photos');
        return l.ids().map(id => { const {hash, title, taken} = l.contentOf(id); return [hash, title, taken] }) }""")


def test_an_export_that_is_dropped_comes_in_its_order_with_titles_and_dates(server, open_page, tmp_path):
    assert run("import", folder_of(tmp_path, 6), "--data", server.data).returncode == 0
    listed = run("photos", "--data", server.data).stdout.splitlines()
    order = [listed[n] for n in (4, 1, 5, 0, 3, 2)]
    assert run("reorder", "--like", "-", "--data", server.data, stdin="\n".join(order)).returncode == 0
    album = server.album
    photo = order[1].split("\t")[0]
    request = urllib.request.Request(
        f"{server.url}/api/albums/{album}/photos/{photo}", data=json.dumps({"title": "Ein “Titel”, größer"}).encode(), method="PATCH")
    urllib.request.urlopen(request, timeout=10).close()
    first = open_page(server.url)
    wait_for_count(first, 6)
    wanted = shown(first)
    first.context.close()
    archive = tmp_path / "export.zip"
    assert run("export", archive, "--numbered", "--data", server.data).returncode == 0
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(unpacked)
    # Packed anew by another program, which compresses and puts a folder around it.
    again = tmp_path / "again.zip"
    with zipfile.ZipFile(again, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(unpacked.iterdir(), reverse=True):
            packed.write(path, f"some folder/{path.name}")
    for source in (archive, unpacked, again):
        other = server.post("/api/albums", {"title": source.name})["id"]
        page = open_page(f"{server.url}/albums/{other}")
        wait_for_count(page, 0)
        drop_files(page, [source])
        wait_for_count(page, 6)
        assert shown(page) == wanted, source.name
        # A browser has six connections for a server, and a page holds two of them.
        page.context.close()


def test_an_archive_that_is_damaged_is_refused_by_name(server, open_page, tmp_path):
    page = open_page(server.url, expect_errors=True)
    wait_for_count(page, 0)
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"PK\x03\x04" + b"nothing that is there" * 20)
    drop_files(page, [broken, jpeg(tmp_path / "good.jpg", 1)])
    wait_for_count(page, 1)
    message = page.locator("#uploads .message")
    message.wait_for()
    assert "broken.zip" in message.inner_text() and "zip archive" in message.inner_text()


def test_a_picture_that_is_not_the_exports_is_named_and_added(server, open_page, tmp_path):
    assert run("import", folder_of(tmp_path, 2), "--data", server.data).returncode == 0
    archive, unpacked = tmp_path / "export.zip", tmp_path / "unpacked"
    assert run("export", archive, "--data", server.data).returncode == 0
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(unpacked)
    jpeg(unpacked / "photo 01.jpg", 7)
    other = server.post("/api/albums", {"title": "Other"})["id"]
    page = open_page(f"{server.url}/albums/{other}")
    wait_for_count(page, 0)
    drop_files(page, [unpacked])
    wait_for_count(page, 2)
    message = page.locator("#uploads .message")
    message.wait_for()
    assert "its content is another" in message.inner_text() and page.locator("#uploads .name").inner_text() == "photo 01.jpg"
    assert page.get_by_role("button", name="Retry").count() == 0


def spoiled(path, *spoil):
    """An archive of pictures a.jpg, b.jpg …, each changed by a function of the whole archive's bytes and where its entries are."""
    with zipfile.ZipFile(path, "w") as packed:
        for number, (name, method, _) in enumerate(spoil):
            packed.write(jpeg(path.parent / "p.jpg", number + 30), name, method)
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as packed:
        listed = packed.start_dir
        for entry in packed.infolist():
            # Names that occur in the list once, behind 46 bytes of their entry.
            listing = data.index(entry.filename.encode(), listed) - 46
            change = next(change for name, _, change in spoil if name == entry.filename)
            change(data, entry.header_offset + 30 + len(entry.filename), listing)
    path.write_bytes(data)
    return path


def put(data, offset, *values):
    data[offset:offset + len(values)] = bytes(values)


def test_a_picture_of_an_archive_that_cannot_be_unpacked_is_named_and_costs_no_other(server, open_page, tmp_path):
    deflated, stored = zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED
    archive = spoiled(
        tmp_path / "some.zip",
        ("a.jpg", deflated, lambda *_: None),
        ("b.jpg", deflated, lambda data, content, _: put(data, content, 0xFF, 0xFF)),
        ("c.jpg", stored, lambda data, content, _: put(data, content + 200, data[content + 200] ^ 1)),
        ("d.jpg", stored, lambda *_: None),
        ("e.jpg", deflated, lambda data, _, listing: put(data, listing + 8, 1)),
        ("f.jpg", deflated, lambda data, _, listing: put(data, listing + 10, 93)),
        ("g.jpg", stored, lambda data, _, listing: put(data, listing + 24, 9)),
        ("h.jpg", deflated, lambda data, _, listing: put(data, listing + 24, 9, 0)),
        ("i.jpg", deflated, lambda data, _, listing: put(data, listing + 16, 1, 2, 3, 4)),
        ("../j.jpg", stored, lambda *_: None),
        ("k.jpg", stored, lambda data, content, _: put(data, content - 35, 0)),
        ("l.jpg", stored, lambda data, _, listing: put(data, listing + 40, 0, 0xA0)),
        ("z/m.jpg", deflated, lambda *_: None),
    )
    done = run("import", archive, "--album", "By command", "--data", server.data)
    said = sorted(line[line.index("“"):] for line in done.stderr.splitlines() if "was not imported" in line)
    assert done.returncode == 65 and len(said) == 10, done.stderr
    page = open_page(f"{server.url}/albums/{server.post('/api/albums', {'title': 'By page'})['id']}")
    wait_for_count(page, 0)
    drop_files(page, [archive])
    until(page, "() => /^3 added, 10 failed/.test(document.querySelector('#uploads h2')?.textContent ?? '')")
    assert sorted(page.locator("#uploads .message").all_inner_texts()) == said
    assert page.get_by_role("button", name="Retry").count() == 0
    assert titles(page) == ["a", "d", "m"]
    listed = [run("photos", "--album", album, "--data", server.data).stdout for album in ("By command", "By page")]
    assert [[line.split("\t")[1:] for line in lines.splitlines()] for lines in listed] == [[[f"{n}.jpg", n] for n in "adm"]] * 2


def test_a_manifest_of_an_archive_that_cannot_be_unpacked_is_named(server, open_page, tmp_path):
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as packed:
        packed.write(jpeg(tmp_path / "a.jpg", 1), "a.jpg")
        packed.writestr("manifest.json", "{}" + " " * 5000, zipfile.ZIP_DEFLATED)
    data = bytearray(archive.read_bytes())
    put(data, data.index(b"manifest.json") + len("manifest.json"), 0xFF, 0xFF)
    archive.write_bytes(data)
    done = run("import", archive, "--data", server.data)
    page = open_page(server.url)
    wait_for_count(page, 0)
    drop_files(page, [archive])
    note = page.locator("#uploads .notes li")
    note.wait_for()
    assert done.returncode == 65 and note.inner_text() in done.stderr and "manifest.json" in note.inner_text(), done.stderr
