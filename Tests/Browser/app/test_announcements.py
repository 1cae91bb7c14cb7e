"""A screen reader hears of changes: those of others, and not what one did oneself."""

import re
import uuid

import pytest
from album_page import until, wait_for_count, wait_for_titles
from photographs import jpeg
from program import run


@pytest.fixture
def album(server, open_page, tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    for number, name in enumerate("badc"):
        jpeg(folder / f"{name}.jpg", number, taken=f"2024:05:{number + 1:02} 10:00:00")
    assert run("import", folder, "--album", "My photos", "--data", server.data).returncode == 0
    server.post("/api/albums", {"title": "Another"})
    page = open_page(server.url)
    wait_for_titles(page, list("badc"))
    page.evaluate("""() => {
      window.heard = [];
      const region = document.querySelector('.ll-status');
      new MutationObserver(() => heard.push(region.textContent)).observe(region, { childList: true, characterData: true });
    }""")
    return page


def test_what_one_did_oneself_is_not_announced_as_done_elsewhere(server, album, tmp_path):
    album.evaluate("() => { const list = document.getElementById('photos'); list.focusItem(list.ids()[1]) }")
    album.keyboard.press("Delete")
    wait_for_titles(album, list("bdc"))
    album.keyboard.press("Control+z")
    wait_for_titles(album, list("badc"))
    album.get_by_role("button", name="More").click()
    album.get_by_role("menuitem", name="Sort…").click()
    album.get_by_role("menuitem", name="By title").click()
    wait_for_titles(album, list("abcd"))
    album.get_by_text("Sorted by title.", exact=True).wait_for()
    album.keyboard.press("Control+z")
    wait_for_titles(album, list("badc"))
    album.set_input_files("#files", [jpeg(tmp_path / f"{n}.jpg", 10 + n) for n in range(4)])
    wait_for_count(album, 8)
    album.get_by_role("heading", name="4 added").wait_for()
    album.locator("#albums .album", has_text="Another").click(button="right")
    album.get_by_role("menuitem", name="Delete…").click()
    album.get_by_role("button", name="Delete album").click()
    until(album, "() => document.getElementById('albums').count === 1")
    server.post(f"/api/albums/{server.album}/order", {"act": str(uuid.uuid4()), "by": "reversed"})
    until(album, "() => heard.some(text => text.includes('elsewhere'))")
    elsewhere = [text.strip() for text in album.evaluate("heard") if "elsewhere" in text]
    assert all(re.fullmatch(r"\d moved elsewhere\.", text) for text in elsewhere), elsewhere
