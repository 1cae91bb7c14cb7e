"""Checking, repairing and backing up, also while the server runs; and a database that another program holds."""

import sqlite3
import threading
import urllib.error

import pytest
from photographs import jpeg
from program import run


def folder_of(tmp_path, count, name="photos"):
    folder = tmp_path / name
    folder.mkdir()
    for number in range(count):
        jpeg(folder / f"{name} {number:02}.jpg", hash(name) % 200 + number, width=320 + number, height=200)
    return folder


def files_in(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_a_backup_while_the_server_runs_is_whole(server, tmp_path):
    assert run("import", folder_of(tmp_path, 8), "--data", server.data).returncode == 0
    copy = tmp_path / "copy"
    more = folder_of(tmp_path, 12, "more")
    outcomes = []
    importing = threading.Thread(target=lambda: outcomes.append(run("import", more, "--data", server.data)))
    importing.start()
    # Each backup is of one moment while photos come in: whole, and never fewer than the one before.
    counts = []
    while importing.is_alive() or len(counts) < 3:
        done = run("backup", copy, "--data", server.data)
        assert done.returncode == 0, done.stderr
        checked = run("check", "--data", copy)
        assert checked.returncode == 0, checked.stderr
        counts.append(int(checked.stdout.split()[4]))
    importing.join()
    assert outcomes[0].returncode == 0, outcomes[0].stderr
    assert counts == sorted(counts) and counts[0] >= 8 and counts[-1] == 20
    again = run("backup", copy, "--data", server.data)
    assert "0 originals were new" in again.stdout, "what is there is not copied again"
    assert len(files_in(copy / "originals")) == 20


def test_a_backup_can_be_served(server, start_server, tmp_path):
    assert run("import", folder_of(tmp_path, 3), "--data", server.data).returncode == 0
    assert run("backup", tmp_path / "copy", "--data", server.data).returncode == 0
    other = start_server(data=tmp_path / "copy")
    assert [album["count"] for album in other.json("/api/albums")] == [3]
    digest = files_in(tmp_path / "copy/originals")[0].name
    assert other.get(f"/thumbnails/{digest}")[:2] == b"\xff\xd8", "thumbnails are made again"


def test_check_says_what_is_wrong_and_repair_mends_what_can_be_mended(server, tmp_path):
    assert run("import", folder_of(tmp_path, 6), "--data", server.data).returncode == 0
    good = run("check", "--data", server.data)
    assert good.returncode == 0 and "All is well with 6 photos" in good.stdout
    refused = run("check", "--repair", "--data", server.data)
    assert refused.returncode == 75 and server.url in refused.stderr, "not while the server runs"
    server.stop()

    originals = files_in(server.data / "originals")
    originals[0].write_bytes(originals[0].read_bytes()[:-1] + b"x")
    extra = server.data / "originals/00"
    extra.mkdir(exist_ok=True)
    import hashlib
    content = jpeg(tmp_path / "extra.jpg", 77).read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    folder = server.data / "originals" / digest[:2]
    folder.mkdir(exist_ok=True)
    (folder / digest).write_bytes(content)
    thumbnails = files_in(server.data / "thumbnails")
    thumbnails[0].unlink()
    thumbnails[1].write_bytes(b"\xff\xd8 cut off")

    bad = run("check", "--data", server.data)
    assert bad.returncode == 65
    assert "is damaged" in bad.stderr and digest in bad.stderr and "2 thumbnails are missing" in bad.stderr
    mended = run("check", "--repair", "--data", server.data)
    assert mended.returncode == 65, "a damaged original cannot be mended"
    assert "Recovered 1 photos" in mended.stdout
    assert "is damaged" in mended.stderr and digest not in mended.stderr
    assert "1\tRecovered" in run("albums", "--data", server.data).stdout
    originals[0].unlink()
    missing = run("check", "--data", server.data)
    assert missing.returncode == 65 and "is missing" in missing.stderr


@pytest.fixture
def held(server):
    """The database, held by another program."""
    other = sqlite3.connect(server.data / "contactsheet.sqlite", isolation_level=None, timeout=10, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    yield other
    if other.in_transaction:
        other.execute("ROLLBACK")
    other.close()


def test_a_database_that_another_program_holds_is_waited_for(server, held, tmp_path):
    done = []
    picture = jpeg(tmp_path / "patient.jpg", 1)
    importing = threading.Thread(target=lambda: done.append(run("import", picture, "--data", server.data)))
    importing.start()
    # The file has come in, and now waits for the database.
    while not files_in(server.data / "originals") and importing.is_alive():
        server.json("/api/albums")
    held.execute("COMMIT")
    importing.join()
    assert done[0].returncode == 0, done[0].stderr
    assert server.json("/api/albums")[0]["count"] == 1


def test_a_database_that_is_held_for_long_is_said_and_nothing_is_lost(server, held, tmp_path):
    assert server.json("/api/albums")[0]["count"] == 0, "reading goes on"
    with pytest.raises(urllib.error.HTTPError) as refused:
        server.post("/api/albums", {"title": "Later"})
    assert refused.value.code == 503
    assert "locked by another program" in refused.value.read().decode()
    done = run("import", jpeg(tmp_path / "late.jpg", 1), "--data", server.data)
    assert done.returncode == 75 and "late.jpg" in done.stderr and "locked" in done.stderr
    held.execute("ROLLBACK")
    assert files_in(server.data / "originals") == [] and files_in(server.data / "incoming") == []
    assert run("import", tmp_path / "late.jpg", "--data", server.data).returncode == 0
    assert server.post("/api/albums", {"title": "Now"})["title"] == "Now"
