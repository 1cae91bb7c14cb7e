"""The grid over the whole program: months that flow under headers which stay, the newest first or last."""

import json
from urllib.parse import urljoin, urlparse

import pytest
from photographs import jpeg
from program import run

READY = """count => { const list = document.getElementById('photos');
  return list?.isLoaded && list.count === count && 'complete' in document.body.dataset }"""
HEADERS = "() => [...document.querySelectorAll('#photos [role=rowheader]')].map((one) => one.firstChild.textContent).join()"
DATES = ["2024:03:01 10:00:00", "2024:03:09 10:00:00", "2024:05:02 10:00:00", None, "2023:12:24 10:00:00"]


@pytest.fixture
def album(server, tmp_path):
    (tmp_path / "photos").mkdir()
    for number, taken in enumerate(DATES):
        jpeg(tmp_path / f"photos/{number}.jpg", number, **({"taken": taken} if taken else {}))
    assert run("import", tmp_path / "photos", "--album", "Norway", "--data", server.data).returncode == 0
    return next(one["id"] for one in server.json("/api/albums") if one["title"] == "Norway")


def test_months_are_shown_with_the_newest_first_or_last(browser, server, album):
    page = browser.open(f"{server.url}/albums/{album}")
    page.wait_for(READY, 5)
    page.click("#view")
    page.click(".view-panel label :: Months, newest first")
    page.wait_for(f"() => ({HEADERS})() === 'May 2024,March 2024,December 2023,Without a date'")
    titles = "() => { const list = document.getElementById('photos'); return list.ids().map((id) => list.contentOf(id).title).join() }"
    assert page.evaluate(titles) == "2,1,0,4,3"
    page.wait_for("() => location.search === '?group=month-newest'")
    other = browser.open(page.url)
    other.wait_for(f"() => document.readyState === 'complete' && ({HEADERS})() === 'May 2024,March 2024,December 2023,Without a date'")
    page.click(".view-panel label :: Months, newest last")
    page.wait_for(f"() => ({HEADERS})() === 'December 2023,March 2024,May 2024,Without a date'")
    page.click(".view-panel label :: The album’s own")
    page.wait_for(f"() => ({HEADERS})() === '' && location.search === ''")


def test_the_month_that_is_scrolled_past_stays_above_its_photos(browser, server, album):
    page = browser.open(f"{server.url}/albums/{album}?group=month")
    page.wait_for(READY, 5)
    page.resize(600, 400)
    page.wait_for("() => { const list = document.getElementById('photos'); list.scrollTop = 120; return list.scrollTop === 120 }")
    header = """() => { const { x, y } = document.getElementById('photos').getBoundingClientRect();
      return document.elementFromPoint(x + 40, y + 30).closest('[role=rowheader]')?.firstChild.textContent }"""
    page.wait_for(f"() => ({header})() === 'December 2023'")


@pytest.mark.parametrize("path", ["", "/photos"])
def test_the_home_screen_gets_a_name_and_icons(start_server, path):
    server = start_server(*(["--path", path] if path else []))
    page = server.get(f"{path}/albums").decode()
    manifest = json.loads(server.get(f"{path}/assets/manifest.webmanifest"))
    assert f'<link rel="manifest" href="{path}/assets/manifest.webmanifest">' in page
    assert f'<link rel="apple-touch-icon" href="{path}/assets/icon-180.png">' in page
    address = f"{server.url}{path}/assets/manifest.webmanifest"
    assert urljoin(address, manifest["start_url"]) == urljoin(address, manifest["scope"]) == f"{server.url}{path}/"
    for icon in manifest["icons"]:
        picture = server.get(urlparse(urljoin(address, icon["src"])).path)
        if icon["type"] == "image/png":
            assert picture[:8] == b"\x89PNG\r\n\x1a\n"
            assert icon["sizes"] == f"{int.from_bytes(picture[16:20], 'big')}x{int.from_bytes(picture[20:24], 'big')}"
            assert len(picture) < 5_000
