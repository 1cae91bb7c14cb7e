"""ContactSheet in each engine; `engines/__init__.py` says how they are driven."""

from photographs import jpeg

TITLES = "() => { const list = document.getElementById('photos'); return list.ids().map(id => list.contentOf(id)?.title) }"


def test_the_page_opens_and_shows_what_is_uploaded(browser, server, tmp_path):
    page = browser.open(server.url)
    page.wait_visible("h2 :: No photos yet")
    page.set_files("#files", [jpeg(tmp_path / f"photo {n}.jpg", n) for n in (1, 2)])
    page.wait_for(f"() => ({TITLES})().length === 2")
    other = browser.open(server.url)
    other.wait_for(f"() => ({TITLES})().sort().join() === 'photo 1,photo 2'")
