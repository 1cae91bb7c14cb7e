"""Exports of which somebody changed the manifest come in by the page as by the command: what is right counts, what is wrong is named."""

import json
import random
import zipfile

import pytest
from album_page import drop_files, titles, until, wait_for_count
from photographs import jpeg
from program import run

HASH = "0" * 64
PHOTO = {"file": "b.jpg", "title": "Two", "taken": "2001-02-03T04:05:06Z"}
FIRST = {"file": "c.jpg", "title": "One"}


def manifest(*photos, **more):
    return json.dumps({"album": "Holiday", "format": 1, "photos": list(photos), **more})


#: What a manifest says, beside the photos a.jpg, b.jpg and c.jpg.
CASES = {
    "whole": manifest(FIRST, PHOTO),
    "null": manifest(FIRST, None, PHOTO),
    "no file": manifest(FIRST, 7, [PHOTO], {"file": 5}, {}, {"title": "x"}, PHOTO),
    "title": manifest(FIRST, {**PHOTO, "title": 5}),
    "half a letter": manifest(FIRST, {**PHOTO, "title": "\ud800"}),
    "file name": manifest(FIRST, {**PHOTO, "fileName": {}}),
    "no date": manifest({**FIRST, "taken": "soon"}, {**PHOTO, "taken": 5}),
    "no such day": manifest(FIRST, {**PHOTO, "taken": "2001-02-29T04:05:06Z"}),
    "hash": manifest({**FIRST, "hash": "x"}, {**PHOTO, "hash": [HASH]}),
    "not needed": manifest(FIRST, {**PHOTO, "width": None, "more": [{}]}),
    "broken photo": manifest(FIRST, PHOTO).replace("}, {", '}, {"a" 1}, {'),
    "long photo": manifest(FIRST, {"file": "x" * 70_000}, PHOTO),
    "long title": manifest(FIRST, {**PHOTO, "title": "y" * 70_000}),
    "title of escapes": manifest(FIRST, {**PHOTO, "title": "LONG"}).replace("LONG", "\\u0041" * 65_536),
    "title of 500 bytes": manifest(FIRST, {**PHOTO, "title": "é" * 250}),
    "title of 501 bytes": manifest(FIRST, {**PHOTO, "title": "é" * 250 + "x"}),
    "title with a zero": manifest(FIRST, {**PHOTO, "title": "a\0b"}),
    "title of one letter": manifest(FIRST, {**PHOTO, "title": "e" + "\u0301" * 300}),
    "title of many escapes": manifest(FIRST, {**PHOTO, "title": "LONG"}).replace("LONG", "\\u0041" * 65_537),
    "title of accents": manifest(FIRST, {**PHOTO, "title": "é" * 32_768}),
    "title of many accents": manifest(FIRST, {**PHOTO, "title": "é" * 32_768 + "x"}),
    "file name of escapes": manifest(FIRST, {**PHOTO, "fileName": "LONG.jpg"}).replace("LONG", "\\u00e9" * 4_000),
    "long stranger": manifest(FIRST, {**PHOTO, "more": "x" * 70_000}, more=["x" * 70_000]),
    "cut off": manifest(FIRST, PHOTO, FIRST)[:-20],
    "blanks": manifest(FIRST, PHOTO).replace(":", " :\n ").replace('T04 :\n 05 :\n 06', "T04:05:06"),
    "another program's": '{"name": "An app", "icons": [{"src": "a"}]}',
    "newer": manifest(FIRST, PHOTO, format=2),
    "no list": manifest(FIRST).replace("[", "7, \"x\": ["),
    "no text": "{{{",
    "a list": "[1]",
    "a value": "null",
    "nothing": "{}",
    "far too many": manifest(*[{}] * 5000),
    "names too many": manifest(FIRST, PHOTO),
    "a mark of the byte order": "\ufeff" + manifest(FIRST, PHOTO),
    "a mark before a photo": manifest(FIRST, PHOTO).replace("}, {", "}, \ufeff{"),
    "a comma more": manifest(FIRST, PHOTO)[:-1] + ",}",
    "a comma in a photo": manifest(FIRST, PHOTO).replace("}, {", ",}, {"),
    "a comma after a stranger": manifest(FIRST, {"x": 1}, PHOTO).replace('"x": 1', '"x": 1,'),
    "title of the album twice": manifest(FIRST, PHOTO).replace("{", '{"album": "Another", ', 1),
    "list twice": manifest(FIRST).replace("{", '{"photos": [], ', 1),
    "title twice": manifest(FIRST, PHOTO).replace('"title": "Two"', '"title": "Two", "t\\u0069tle": "Three"'),
    "title twice, once wrong": manifest(FIRST, PHOTO).replace('"title": "Two"', '"title": 5, "title": "Three"'),
    "file twice": manifest(FIRST, PHOTO).replace('"file": "b.jpg"', '"file": 5, "file": "a.jpg"'),
    "strangers twice": manifest(FIRST, PHOTO).replace("{", '{"more": 1, "more": [{"a": 1, "a": 2}], ', 1),
}

#: Those of which nothing is passed over.
UNHARMED = {
    "whole", "not needed", "blanks", "names too many", "long stranger", "a mark of the byte order", "strangers twice", "title of 500 bytes",
    "file name of escapes"}


@pytest.fixture
def photos(tmp_path):
    folder = tmp_path / "export"
    folder.mkdir()
    for number, name in enumerate("abc"):
        jpeg(folder / f"{name}.jpg", number, taken=f"2024:05:0{number + 1} 10:00:00")
    return folder


def notes(page):
    return page.locator("#uploads .notes li").all_inner_texts()


def is_done(page):
    """Waits until the panel has a heading that no file will change."""
    until(page, "() => /added|already|failed/.test(document.querySelector('#uploads h2')?.textContent ?? '')")


def in_album(server, title):
    album = next((album for album in server.json("/api/albums") if album["title"] == title), None)
    listed = run("photos", "--album", title, "--data", server.data).stdout if album else ""
    return [line.split("\t")[1:] for line in listed.splitlines()]


@pytest.mark.in_turns(2)
@pytest.mark.parametrize("part", range(6))
def test_the_page_reads_a_manifest_as_the_command_does(server, open_page, photos, part):
    page = open_page(None)
    for name, text in list(CASES.items())[part::6]:
        (photos / "manifest.json").write_text(text)
        by_command, by_page = f"{name} by command", f"{name} by page"
        done = run("import", photos, "--album", by_command, "--data", server.data)
        said = [line for line in done.stderr.splitlines() if "manifest.json" in line]
        page.goto(f"{server.url}/albums/{server.post('/api/albums', {'title': by_page})['id']}")
        wait_for_count(page, 0)
        drop_files(page, [photos])
        is_done(page)
        assert notes(page) == [line.removeprefix("contact-sheet: ").removeprefix("Error: ") for line in said], name
        assert in_album(server, by_page) == in_album(server, by_command), name
        assert (name in UNHARMED) == (said == []), (name, said)
        assert name not in UNHARMED or len(in_album(server, by_page)) == 3, name


def random_manifest(dice):
    """A manifest with members that are known, strangers, some of them twice, with commas and marks where none belong."""
    def value(depth=0):
        kind = dice.randrange(8 if depth < 3 else 5)
        if kind < 5:
            return dice.choice(['"A"', '"\\ud83d\\ude00"', "5", "null", "true", '""', '"}"', '"a\\"b"'])
        if kind == 5:
            return "[" + ",".join(value(depth + 1) for _ in range(dice.randrange(3))) + "]"
        return members([("x", value(depth + 1)), ("title", value(depth + 1))], 0.3)

    def members(pairs, doubled=0.06, endings=("",)):
        pairs = [pair for pair in pairs for _ in range(1 + (dice.random() < doubled))]
        if dice.random() < 0.5:
            dice.shuffle(pairs)
        names = [name.replace("t", "\\u0074") if dice.random() < 0.1 else name for name, _ in pairs]
        text = ",".join(f'"{name}" :{one}' for name, (_, one) in zip(names, pairs, strict=True))
        return "{" + text + dice.choice(endings) + "}"

    # Within a stranger the command passes over what the page cannot read (Documentation/Status.md).
    endings = [""] * 30 + [","]
    photos = [
        members(
            [("file", f'"{name}.jpg"'), ("title", value()), ("stranger", value()), *([("fileName", value())] * dice.randrange(2))],
            endings=endings)
        for name in dice.sample("abc", 3)]
    text = members([("album", '"A"'), ("format", "1"), ("more", value()), ("photos", "[" + ", ".join(photos) + "]")], 0.03, endings)
    return dice.choice([""] * 9 + ["\ufeff"]) + text


@pytest.mark.parametrize("seed", range(2))
def test_the_page_and_the_command_agree_on_random_manifests(server, open_page, tmp_path, seed):
    dice = random.Random(seed)
    page = open_page(server.url)
    (tmp_path / "files").mkdir()
    for name in "abc":
        (tmp_path / "files" / f"{name}.jpg").write_bytes(b"")
    refused = 0
    for number in range(40):
        text = random_manifest(dice)
        (tmp_path / "files" / "manifest.json").write_bytes(text.encode())
        done = run("import", tmp_path / "files", "--album", "A", "--data", server.data)
        said = [line.removeprefix("contact-sheet: ") for line in done.stderr.splitlines() if "manifest.json" in line]
        read = page.evaluate(
            "async (text) => { const { readManifest } = await import('/assets/manifests.js');"
            " const { notes, refusal } = await readManifest(new File([text], 'manifest.json'), 4); return refusal ? [refusal] : notes; }",
            text)
        assert read == said, (seed, number, text)
        refused += "twice" in str(said)
    assert refused > 2, "it tries what it is for"


def test_photos_that_a_manifest_names_and_that_are_not_there_are_named(server, open_page, photos):
    (photos / "manifest.json").write_text(manifest(FIRST, {"file": "lost.jpg"}, {"file": "../b.jpg"}, PHOTO))
    page = open_page(server.url)
    wait_for_count(page, 0)
    drop_files(page, [photos])
    wait_for_count(page, 3)
    assert notes(page) == ["“lost.jpg” and 1 others are named in manifest.json, but not there."]
    assert titles(page) == ["One", "Two", "a"]
    page.get_by_role("region", name="Imports").get_by_role("button", name="Close").click()
    page.locator("#uploads").wait_for(state="hidden")


def test_a_manifest_in_a_folder_below_is_not_used_and_said(server, open_page, photos, tmp_path):
    (photos / "app").mkdir()
    (photos / "app" / "manifest.json").write_text(manifest(FIRST, format=9))
    archive = tmp_path / "photos.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(photos.rglob("*.*")):
            packed.write(path, path.relative_to(tmp_path))
    for source in (photos, archive):
        page = open_page(f"{server.url}/albums/{server.post('/api/albums', {'title': source.name})['id']}")
        wait_for_count(page, 0)
        drop_files(page, [source])
        wait_for_count(page, 3)
        assert notes(page) == [
            "manifest.json in the folder “app” was not used: it does not lie at the top of what is imported."], source
        assert titles(page) == ["a", "b", "c"]
        page.context.close()


def test_each_of_several_exports_has_its_own_manifest(server, open_page, photos, tmp_path):
    (photos / "manifest.json").write_text(manifest(FIRST, PHOTO))
    other = tmp_path / "other"
    other.mkdir()
    jpeg(other / "c.jpg", 9)
    (other / "manifest.json").write_text(manifest({"file": "c.jpg", "title": "Other"}))
    page = open_page(server.url)
    wait_for_count(page, 0)
    drop_files(page, [other, photos])
    wait_for_count(page, 4)
    assert titles(page) == ["Other", "One", "Two", "a"]
    assert notes(page) == []
