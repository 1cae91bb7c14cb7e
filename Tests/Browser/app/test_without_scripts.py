"""In a browser that runs no scripts: the photos are there, and can be moved and deleted."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from photographs import jpeg
from program import run


@pytest.fixture
def plain(server, open_page, tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    for number in range(5):
        jpeg(folder / f"photo {number}.jpg", number, taken=f"2024:05:{number + 1:02} 10:00:00")
    assert run("import", folder, "--album", "My photos", "--data", server.data).returncode == 0
    return open_page(server.url, java_script_enabled=False)


def shown(page):
    return [text.strip() for text in page.locator(".plain li span").all_inner_texts()]


def choose(page, *titles):
    for title in titles:
        page.get_by_label(title, exact=True).check()


def test_the_photos_are_there_with_their_pictures(plain):
    assert shown(plain) == [f"photo {n}" for n in range(5)]
    for image in plain.locator(".plain li img").all():
        image.scroll_into_view_if_needed()
        assert image.bounding_box()["width"] > 50
    assert not plain.locator("#photos").is_visible()
    plain.get_by_role("link", name="Open photo 3").click()
    plain.wait_for_url("**/photos/*")
    assert plain.locator(".plain > p").inner_text() == "4 of 5"
    plain.get_by_role("link", name="Next").click()
    assert plain.get_by_role("img", name="photo 4").bounding_box()["width"] > 50
    assert plain.get_by_role("link", name="Next").count() == 0
    plain.get_by_role("link", name="Before").click()
    plain.get_by_role("link", name="photo 3").click()
    assert "/originals/" in plain.url
    plain.go_back()
    plain.get_by_role("link", name="All photos").click()
    assert shown(plain) == [f"photo {n}" for n in range(5)]


def test_photos_are_moved_deleted_and_brought_back(plain, server, open_page):
    choose(plain, "photo 3", "photo 4")
    plain.get_by_role("button", name="Move to the start").click()
    assert shown(plain) == ["photo 3", "photo 4", "photo 0", "photo 1", "photo 2"]
    assert "Moved 2 photos." in plain.get_by_role("status").inner_text()
    choose(plain, "photo 4")
    plain.get_by_label("Position").fill("4")
    plain.get_by_role("button", name="Move there").click()
    assert shown(plain) == ["photo 3", "photo 0", "photo 1", "photo 4", "photo 2"]
    choose(plain, "photo 0")
    plain.get_by_role("button", name="Delete").click()
    assert shown(plain) == ["photo 3", "photo 1", "photo 4", "photo 2"]
    plain.get_by_role("button", name="Undo").click()
    assert shown(plain) == ["photo 3", "photo 0", "photo 1", "photo 4", "photo 2"]
    # Sending nothing says so and changes nothing.
    plain.get_by_role("button", name="Move to the end").click()
    assert "select some" in plain.get_by_role("status").inner_text()
    assert [photo.split("\t")[2] for photo in run("photos", "--data", server.data).stdout.splitlines()] == shown(plain)


@pytest.mark.network
def test_axe_finds_nothing_without_scripts(plain, open_page):
    # axe is a script itself; so the page's own HTML is shown in a page that runs some.
    html = plain.content()
    page = open_page(plain.url)
    page.route("**/plain-copy", lambda route: route.fulfill(
        content_type="text/html", body=html.replace("<noscript>", "").replace("</noscript>", "")
        .replace('<script type="module" src="/assets/album.js"></script>', "")))
    page.goto(plain.url.split("/albums")[0] + "/plain-copy")
    results = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"]})
    assert results.violations_count == 0, results.generate_report()
