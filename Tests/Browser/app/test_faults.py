"""Faults are told, and nothing is lost or half done."""

import random
import subprocess
import time

import pytest
from program import Server, run
from album_page import ids, until, wait_for_count
from photographs import jpeg
from seeds import seeds


def test_a_second_start_on_the_same_folder_is_refused_and_says_where_the_first_is(server):
    second = run("serve", "--port", "0", "--data", server.data)
    assert second.returncode != 0
    assert server.url in second.stderr and str(server.data) in second.stderr
    assert server.json("/api/albums"), "the first goes on"


def test_a_port_in_use_is_named(server, tmp_path):
    second = run("serve", "--port", server.port, "--data", tmp_path / "other")
    assert second.returncode != 0
    assert server.port in second.stderr and "--port" in second.stderr


def test_ctrl_c_stops_at_once_even_while_a_page_listens(server, open_page):
    page = open_page(server.url, expect_errors=True)
    wait_for_count(page, 0)
    begin = time.monotonic()
    assert server.stop() == 0
    assert time.monotonic() - begin < 10


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 8 MB of its own."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", folder], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("mounting a small file system is not permitted here")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def noise(path, megabytes):
    """A JPEG that does not compress."""
    from PIL import Image
    side = int((megabytes * 1_000_000 / 1.6) ** 0.5)
    Image.frombytes("RGB", (side, side), random.Random(5).randbytes(side * side * 3)).save(path, "JPEG", quality=95)
    return path


def test_a_full_disk_is_said_and_leaves_nothing_half_done(start_server, open_page, tmp_path, small_disk):
    server = start_server(data=small_disk / "data")
    page = open_page(server.url, expect_errors=True)
    wait_for_count(page, 0)
    small = jpeg(tmp_path / "small.jpg", 1)
    page.set_input_files("#files", [noise(tmp_path / "large.jpg", 20)])
    message = page.locator("#uploads .message")
    message.wait_for()
    assert "large.jpg" in message.inner_text() and "full" in message.inner_text()
    assert not [path for path in (server.data / "incoming").rglob("*") if path.is_file()]
    page.set_input_files("#files", [small])
    wait_for_count(page, 1)


def test_a_folder_that_cannot_be_written_is_named(tmp_path, small_disk):
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    refused = run("serve", "--port", "0", "--data", small_disk / "data")
    assert refused.returncode != 0
    assert str(small_disk / "data") in refused.stderr


@pytest.mark.parametrize("seed", seeds(1, 2, 3, 4))
def test_after_a_kill_in_the_middle_of_an_import_all_that_was_shown_is_there_and_nothing_else(
        start_server, open_page, tmp_path, seed):
    dice = random.Random(seed)
    server = start_server()
    page = open_page(server.url, expect_errors=True)
    wait_for_count(page, 0)
    files = [jpeg(tmp_path / f"photo {n}.jpg", n, width=1600, height=1200) for n in range(24)]
    page.set_input_files("#files", files)
    until(page, "n => document.getElementById('photos').count >= n", arg=dice.randrange(1, 12))
    server.kill()
    shown = set(ids(page))
    page.context.close()

    again = start_server(data=server.data)
    second = open_page(again.url)
    until(second, "() => document.getElementById('photos').isLoaded")
    there = ids(second)
    assert shown <= set(there)
    hashes = second.evaluate(
        "() => { const l = document.getElementById('photos'); return l.ids().map(id => l.contentOf(id).hash) }")
    stored = sorted(path.name.split(".")[0] for path in (server.data / "originals").rglob("*") if path.is_file())
    assert stored == sorted(hashes), "an original for every photo, and no other"
    assert not [path for path in (server.data / "incoming").rglob("*") if path.is_file()]
    for digest in hashes:
        assert again.get(f"/originals/{digest}")[:2] == b"\xff\xd8"
        assert again.get(f"/thumbnails/{digest}")


def test_servers_end_cleanly_as_soon_as_their_addresses_are_known(tmp_path):
    assert {Server(tmp_path / f"data {number}").stop() for number in range(8)} == {0}
