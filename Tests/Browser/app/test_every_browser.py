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

# Whether no message lies over the panel of the import.
APART = """() => {
  const { left, top, right, bottom } = document.getElementById('uploads').getBoundingClientRect();
  return [...document.querySelectorAll('.toast')].every((one) => {
    const box = one.getBoundingClientRect();
    return box.right <= left || box.left >= right || box.bottom <= top || box.top >= bottom;
  });
}"""


def test_an_import_is_taken_back_by_a_key_after_what_was_done_later(engine, server, tmp_path):
    page, other = engine.browser().open(server.url), engine.browser().open(server.url)
    page.wait_for("() => 'complete' in (document.body?.dataset ?? {})")
    page.set_files("#files", [jpeg(tmp_path / f"photo {n}.jpg", n) for n in (1, 2)])
    page.wait_visible("#uploads h2 :: 2 added")
    page.wait_visible(".toast button :: Undo")
    assert page.evaluate(APART)
    count = "n => document.getElementById('photos').count === n"
    page.evaluate("() => { const list = document.getElementById('photos'); list.delete(list.ids(0, 1)) }")
    page.wait_for(f"() => ({count})(1) && document.getElementById('photos').pending.length === 0")
    page.key("Control+z")
    page.wait_visible(".toast :: Undone: “")
    page.wait_for(count, 2)
    page.key("Control+z")
    page.wait_visible(".toast :: Undone: 2 photos added.")
    page.wait_for(count, 0)
    other.wait_for(count, 0)
    page.key("Control+z")
    page.wait_visible(".toast :: Nothing to undo.")
