"""The page of all albums, in every engine."""

import urllib.request
import uuid

import pytest
from album_page import until
from axe_playwright_python.sync_playwright import Axe
from engines import NotDrivable
from photographs import jpeg
from program import run

READY = """count => { const list = document.getElementById('albums');
  return list?.isLoaded && list.count === count && 'complete' in document.body.dataset }"""
TITLES = "() => { const list = document.getElementById('albums'); return list.ids().map(id => list.contentOf(id).title).join() }"
MANY = 200


@pytest.fixture
def albums(server, tmp_path):
    """“My photos” and “Éire” without photos, “Norway” with one."""
    (tmp_path / "photos").mkdir()
    jpeg(tmp_path / "photos/fjord.jpg", 3)
    assert run("import", tmp_path / "photos", "--album", "Norway", "--data", server.data).returncode == 0
    server.post("/api/albums", {"title": "Éire"})
    return {one["title"]: one["id"] for one in server.json("/api/albums")}


def delete(server, identity):
    request = urllib.request.Request(f"{server.url}/api/albums/{identity}", method="DELETE", headers={"Origin": server.url})
    urllib.request.urlopen(request, timeout=30).read()


def album(title, albums):
    return f"#albums [data-album='{albums[title]}']"


def test_albums_have_a_page_with_covers_titles_and_counts(browser, server, albums):
    page = browser.open(f"{server.url}/albums/{albums['Norway']}")
    page.wait_visible("#sidebar h2 a")
    page.click("#sidebar h2 a")
    page.wait_for_url("/albums")
    page.wait_for(READY, 3)
    page.wait_visible("#count :: 3 albums")
    page.wait_for("css => document.querySelector(`${css} img`).naturalWidth > 0", album("Norway", albums))
    numbers = "() => [...document.querySelectorAll('.album .number')].map(one => one.textContent).sort().join()"
    assert page.evaluate(numbers) == "0 photos,0 photos,1 photo"
    # Those without photos have covers that are made, each always the same.
    made = "css => { const { dataset, style } = document.querySelector(`${css} .cover.made`); return [dataset.letter, style.backgroundColor] }"
    letter, color = page.evaluate(made, album("Éire", albums))
    assert letter == "É" and color.startswith("rgb")
    assert page.evaluate(made, album("My photos", albums))[1] != color
    page.reload()
    page.wait_for(READY, 3)
    assert page.evaluate(made, album("Éire", albums)) == [letter, color]
    page.click(album("Norway", albums))
    page.wait_for_url(f"/albums/{albums['Norway']}")


def test_albums_are_ordered_on_their_page_by_mouse_and_keys_in_two_windows(browser, server, albums):
    page, other = browser.open(f"{server.url}/albums"), browser.open(f"{server.url}/albums/{albums['Norway']}")
    for one in (page, other):
        one.wait_for(READY, 3)
    page.drag(album("Éire", albums), album("My photos", albums), offset=(-50, 0))
    for one in (page, other):
        one.wait_for(f"() => ({TITLES})() === 'Éire,My photos,Norway'")
    page.evaluate("id => document.getElementById('albums').focusItem(id)", albums["Éire"])
    page.key("Alt+End")
    other.wait_for(f"() => ({TITLES})() === 'My photos,Norway,Éire'")
    page.reload()
    page.wait_for(f"() => document.getElementById('albums')?.isLoaded && ({TITLES})() === 'My photos,Norway,Éire'")


def test_a_move_of_an_album_is_undone_by_its_message_and_by_the_keyboard(browser, server, albums):
    page, other = browser.open(f"{server.url}/albums"), browser.open(f"{server.url}/albums/{albums['Norway']}")
    for one in (page, other):
        one.wait_for(READY, 3)
    page.drag(album("Éire", albums), album("My photos", albums), offset=(-50, 0))
    other.wait_for(f"() => ({TITLES})() === 'Éire,My photos,Norway'")
    page.wait_visible(".toast :: “Éire” moved to position 1.")
    page.click(".toast button :: Undo")
    for one in (page, other):
        one.wait_for(f"() => ({TITLES})() === 'My photos,Norway,Éire'")
    # Beside the photos, and after others have moved what it was next to: back to its neighbour, wherever that is now.
    other.evaluate("id => document.getElementById('albums').focusItem(id)", albums["Norway"])
    other.key("Alt+ArrowUp")
    page.wait_for(f"() => ({TITLES})() === 'Norway,My photos,Éire'")
    page.evaluate("id => document.getElementById('albums').focusItem(id)", albums["My photos"])
    page.key("Alt+End")
    other.wait_for(f"() => ({TITLES})() === 'Norway,Éire,My photos'")
    other.key("Control+z")
    for one in (page, other):
        one.wait_for(f"() => ({TITLES})() === 'Éire,My photos,Norway'")


def test_albums_are_made_renamed_and_deleted_on_their_page(browser, server, albums):
    page, other = browser.open(f"{server.url}/albums"), browser.open(f"{server.url}/albums")
    for one in (page, other):
        one.wait_for(READY, 3)
    page.activate()
    page.right_click(album("Éire", albums))
    page.click(".ll-menu > button :: Rename…")
    page.key("Control+a")
    page.type("Ireland")
    page.key("Enter")
    for one in (page, other):
        one.wait_for(f"() => ({TITLES})().includes('Ireland')")
        one.wait_for("css => document.querySelector(`${css} .cover`).dataset.letter === 'I'", album("Éire", albums))
    page.right_click(album("Éire", albums))
    page.click(".ll-menu > button :: Delete…")
    page.click(".ask button :: Delete album")
    for one in (page, other):
        one.wait_for(READY, 2)
    page.click("#new-album")
    page.type("Sweden")
    page.key("Enter")
    page.wait_for("() => document.title.startsWith('Sweden')")
    other.wait_for(READY, 3)
    other.wait_for(f"() => ({TITLES})().includes('Sweden')")
    other.wait_visible("#count :: 3 albums")


FOCUS = "() => document.activeElement.closest('[data-album]')?.dataset.album ?? (document.activeElement.id || document.activeElement.localName)"


@pytest.mark.parametrize("entry", ["Rename…", "Delete…"])
def test_the_focus_is_beside_an_album_that_goes_while_a_question_is_about_it(browser, server, albums, entry):
    page = browser.open(f"{server.url}/albums")
    page.wait_for(READY, 3)
    order = page.evaluate(f"() => ({TITLES})()").split(",")
    neighbors = {albums[title] for title in order} - {albums["Éire"]}
    page.right_click(album("Éire", albums))
    page.click(f".ll-menu > button :: {entry}")
    page.wait_visible(".ask[open]")
    delete(server, albums["Éire"])
    page.wait_for(READY, 2)
    page.key("Escape")
    page.wait_for(f"ids => ids.includes(({FOCUS})())", sorted(neighbors))


def test_ones_own_deletion_of_an_album_is_said_and_leaves_the_focus_beside_it(browser, server, albums):
    page = browser.open(f"{server.url}/albums")
    page.wait_for(READY, 3)
    page.right_click(album("Éire", albums))
    page.click(".ll-menu > button :: Delete…")
    page.click(".ask button :: Delete album")
    page.wait_visible(".toast :: “Éire” deleted.")
    page.wait_for(READY, 2)
    page.wait_for(f"ids => ids.includes(({FOCUS})())", sorted(set(albums.values()) - {albums["Éire"]}))


@pytest.mark.in_turns(3)
@pytest.mark.parametrize("width", [320, 1000])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("query", ["", "?search=fjord", "?search=nothing"])
def test_axe_finds_nothing_on_the_page_of_albums(server, open_page, albums, width, scheme, query):
    page = open_page(f"{server.url}/albums{query}", color_scheme=scheme, viewport={"width": width, "height": 700})
    until(page, READY, 3)
    until(page, "query => !query || document.querySelector('.found, #no-results:not([hidden])') !== null", query)
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    results = Axe().run(page, options={"runOnly": {"type": "tag", "values": tags}})
    assert not [f"{one['help']}: {[node['html'][:160] for node in one['nodes'][:3]]}" for one in results.response["violations"]]
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_two_hundred_albums_take_few_elements_and_the_last_is_reached(server, open_page):
    server.get("/")
    for number in range(1, MANY):
        server.post("/api/albums", {"title": f"Album {number}"})
    page = open_page(f"{server.url}/albums", viewport={"width": 1440, "height": 800})
    until(page, READY, MANY)
    assert page.evaluate("() => document.querySelectorAll('*').length") <= 800
    painted = page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0].startTime")
    print(f"first paint of {MANY} albums: {painted:.0f} ms")
    page.evaluate("() => { const list = document.getElementById('albums'); list.focusIndex(list.count - 1) }")
    until(page, "() => [...document.querySelectorAll('.album .name')].some(one => one.textContent === 'Album 199')")


def test_a_photo_is_made_the_cover_and_the_dates_are_said(browser, server, albums, tmp_path):
    for number, name in enumerate(("brook", "cliff")):
        jpeg(tmp_path / f"photos/{name}.jpg", number + 10, taken=f"2024:0{number + 5}:01 10:00:00")
    assert run("import", tmp_path / "photos", "--album", "Norway", "--data", server.data).returncode == 0
    page, photos = browser.open(f"{server.url}/albums"), browser.open(f"{server.url}/albums/{albums['Norway']}")
    page.wait_for(READY, 3)
    photos.wait_for("() => document.getElementById('photos')?.count === 3 && 'complete' in document.body.dataset")
    cover = "css => document.querySelector(`${css} img`)?.src"
    before = page.evaluate(cover, album("Norway", albums))
    photos.right_click("#photos .photo[data-title='cliff']")
    photos.click(".ll-menu > button :: Use as cover")
    photos.wait_visible(".toast :: “cliff” is the cover.")
    chosen = photos.evaluate("() => document.querySelector(\"#photos .photo[data-title='cliff'] img\").src")
    assert chosen != before
    for one in (page, photos):
        one.wait_for("(css, chosen) => document.querySelector(`${css} img`)?.src === chosen", album("Norway", albums), chosen)
    page.wait_for("css => /^3 photos · May.*Jun 2024$/.test(document.querySelector(`${css} .number`).textContent)", album("Norway", albums))
    # Where it is deleted the first photo is the cover again.
    photos.right_click("#photos .photo[data-title='cliff']")
    photos.click(".ll-menu > button :: Delete")
    page.wait_for("(css, chosen) => document.querySelector(`${css} img`)?.src !== chosen", album("Norway", albums), chosen)
    page.wait_for("css => /^2 photos · May 2024$/.test(document.querySelector(`${css} .number`).textContent)", album("Norway", albums))


def test_another_cover_is_undone_and_the_first_photo_is_the_cover_again_in_two_windows(browser, server, albums, tmp_path):
    for number, name in enumerate(("brook", "cliff")):
        jpeg(tmp_path / f"photos/{name}.jpg", number + 10, taken=f"2024:0{number + 5}:01 10:00:00")
    assert run("import", tmp_path / "photos", "--album", "Norway", "--data", server.data).returncode == 0
    page, photos = browser.open(f"{server.url}/albums"), browser.open(f"{server.url}/albums/{albums['Norway']}")
    page.wait_for(READY, 3)
    photos.wait_for("() => document.getElementById('photos')?.count === 3 && 'complete' in document.body.dataset")
    source = {title: photos.evaluate("title => document.querySelector(`#photos .photo[data-title='${title}'] img`).src", title)
              for title in ("fjord", "brook", "cliff")}

    def is_cover(title):
        for one in (page, photos):
            one.wait_for("(css, chosen) => document.querySelector(`${css} img`)?.src === chosen", album("Norway", albums), source[title])

    first = photos.evaluate("() => { const list = document.getElementById('photos'); return list.contentOf(list.ids()[0]).title }")
    others = [one for one in source if one != first]
    for title in others:
        photos.right_click(f"#photos .photo[data-title='{title}']")
        photos.click(".ll-menu > button :: Use as cover")
        is_cover(title)
    # One after the other: by the message, and by the key.
    photos.click(".toast button :: Undo")
    is_cover(others[0])
    photos.key("Control+z")
    is_cover(first)
    photos.right_click(f"#photos .photo[data-title='{others[1]}']")
    photos.click(".ll-menu > button :: Use as cover")
    is_cover(others[1])
    # The way back is in the album's menu, and on the page of albums.
    photos.click("#more")
    photos.click(".ll-menu > button :: Use the first photo as cover")
    is_cover(first)
    photos.wait_visible(".toast :: The first photo is the cover.")
    photos.click(".toast:last-child button :: Undo")
    is_cover(others[1])
    page.activate()
    page.right_click(album("Norway", albums))
    page.click(".ll-menu > button :: Use the first photo as cover")
    is_cover(first)
    page.wait_visible(".toast :: The first photo is the cover in “Norway”.")
    page.right_click(album("Norway", albums))
    page.click(".ll-menu > button :: Use the first photo as cover")
    page.wait_visible(".toast :: The first photo is the cover already.")


@pytest.mark.parametrize("key", ["ContextMenu", "Shift+F10"])
def test_albums_are_renamed_and_deleted_by_keys_and_have_their_cover_back(browser, server, albums, key):
    if browser.name == "firefox" and key == "ContextMenu":
        raise NotDrivable("BiDi has no such key")
    page = browser.open(f"{server.url}/albums")
    page.wait_for(READY, 3)

    def choose(title, entry):
        page.evaluate("id => document.getElementById('albums').focusItem(id)", albums[title])
        page.wait_for("id => document.activeElement.closest('[data-album]')?.dataset.album === id", albums[title])
        page.key(key)
        page.wait_visible(f".ll-menu > button :: {entry}")
        page.wait_for("() => document.activeElement.closest('.ll-menu') !== null")
        page.type(entry[0].lower())
        page.wait_for("entry => document.activeElement.textContent.startsWith(entry)", entry)
        page.key("Enter")

    choose("Éire", "Rename…")
    page.wait_visible(".ask[open]")
    page.key("Control+a")
    page.type("Ireland")
    page.key("Enter")
    page.wait_for(f"() => ({TITLES})().includes('Ireland')")
    choose("Norway", "Use the first photo as cover")
    page.wait_visible(".toast :: The first photo is the cover already.")
    choose("Éire", "Delete…")
    page.wait_visible(".ask[open]")
    for _ in range(2):  # the focus begins where nothing is destroyed
        if page.evaluate("() => document.activeElement.textContent") != "Delete album":
            page.key("Tab")
    page.wait_for("() => document.activeElement.textContent === 'Delete album'")
    page.key("Enter")
    page.wait_for(READY, 2)


def test_an_album_is_made_by_a_finger_in_a_narrow_window(browser, server, albums):
    page = browser.open(f"{server.url}/albums")
    page.wait_for(READY, 3)
    page.resize(390, 800)
    page.tap("#new-album")
    page.type("Sweden")
    page.tap(".ask button :: Create")
    page.wait_for("() => document.title.startsWith('Sweden')")


def test_albums_are_ordered_by_a_finger(browser, server, albums):
    page, other = browser.open(f"{server.url}/albums"), browser.open(f"{server.url}/albums/{albums['Norway']}")
    for one in (page, other):
        one.wait_for(READY, 3)
    page.activate()
    page.touch_drag(album("Éire", albums), album("My photos", albums), lifted=".ll-preview", offset=(-50, 0))
    for one in (page, other):
        one.wait_for(f"() => ({TITLES})() === 'Éire,My photos,Norway'")
    page.tap(".toast button :: Undo")
    for one in (page, other):
        one.wait_for(f"() => ({TITLES})() === 'My photos,Norway,Éire'")


FOUND = """names => { const list = document.getElementById('photos');
  return list && !list.hidden && list.isLoaded && list.ids().map((id) => list.contentOf(id)?.title).join() === names }"""


@pytest.fixture
def several(server, albums, tmp_path):
    """“Norway” with “fjord” and “Kite”, “Éire” with “kite at sea”."""
    for title, name, number in (("Norway", "Kite", 7), ("Éire", "kite at sea", 8)):
        (tmp_path / name).mkdir()
        jpeg(tmp_path / name / f"{name}.jpg", number, taken=f"2024:0{number - 3}:01 10:00:00")
        assert run("import", tmp_path / name, "--album", title, "--data", server.data).returncode == 0
    return albums


def test_photos_of_all_albums_are_found_live_and_lead_to_their_albums(browser, server, several):
    page = browser.open(f"{server.url}/albums")
    page.wait_for(READY, 3)
    page.click("#search input")
    page.type("KITE")
    page.wait_for(FOUND, "kite at sea,Kite")
    page.wait_visible("#count :: 2 found")
    page.wait_for("() => location.search === '?search=KITE'")
    page.wait_for("() => [...document.querySelectorAll('.found .place')].map((one) => one.textContent).sort().join() === 'Norway,Éire'")
    page.wait_for("() => document.querySelector('[role=status]').textContent.startsWith('2 results.')")
    # It is live: what is deleted elsewhere goes, in every window.
    other = browser.open(page.url)
    other.wait_for(FOUND, "kite at sea,Kite")
    identity = page.evaluate("() => { const list = document.getElementById('photos'); return list.ids()[0] }")
    server.post(f"/api/albums/{several['Éire']}/deletes", {"act": str(uuid.uuid4()), "ids": [identity]})
    for one in (page, other):
        one.wait_for(FOUND, "Kite")
    page.click("#photos .photo")
    page.wait_for_url(f"/albums/{several['Norway']}/photos/")
    page.wait_for("() => document.getElementById('viewer')?.open")
    page.back()
    page.wait_for(FOUND, "Kite")
    page.click("#search input")
    page.key("Escape")
    page.wait_for("() => document.getElementById('photos').hidden && !document.getElementById('albums').hidden && location.search === ''")


def test_all_albums_are_searched_by_a_finger(browser, server, several):
    page = browser.open(f"{server.url}/albums")
    page.wait_for(READY, 3)
    page.resize(390, 800)
    page.tap("#search input")
    page.type("kite")
    page.wait_for(FOUND, "kite at sea,Kite")
    page.tap("#photos [data-title='kite at sea']")
    page.wait_for_url(f"/albums/{several['Éire']}/photos/")
    page.back()
    page.wait_for(FOUND, "kite at sea,Kite")


def test_albums_are_found_by_name_and_keys_lead_to_photos(browser, server, several):
    page = browser.open(f"{server.url}/albums?search=norway")
    page.wait_visible("#found-albums a :: Norway")
    page.wait_visible("#count :: 1 album, 0 photos found")
    assert not page.is_visible("#no-results")
    page.click("#search input")
    page.key("Escape")
    page.wait_for(READY, 3)
    page.click("#search input")
    page.type("kite")
    page.wait_for(FOUND, "kite at sea,Kite")
    page.key("ArrowDown")
    page.key("ArrowRight")
    page.wait_for("() => document.activeElement.innerText.trim() === 'Norway'")
    page.key("Enter")
    page.wait_for_url(f"/albums/{several['Norway']}/photos/")


# What is wholly seen first, and how far below the upper edge.
POSITION = """name => { const list = document.getElementById(name); const edge = list.getBoundingClientRect().top;
  return [...list.querySelectorAll('.ll-canvas [data-live-list-link]')]
    .map((one) => [one.href.split('/').at(-1), Math.round(one.getBoundingClientRect().top - edge)])
    .filter(([, top]) => top >= 0).sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))[0] }"""
LOADED = "name => { const list = document.getElementById(name); return list?.isLoaded && list.count > 20 && 'complete' in document.body.dataset }"


def scroll(page, name, top):
    """Scrolls a list once all of its page is there. @returns the position then"""
    page.wait_for(LOADED, name)
    page.evaluate("(name, top) => { document.getElementById(name).scrollTop = top }", name, top)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.evaluate(POSITION, name)


def wait_for_position(page, name, position):
    page.wait_for(LOADED, name)
    page.wait_for(f"(name, [id, top]) => (([now, at]) => now === id && Math.abs(at - top) <= 1)(({POSITION})(name))", name, position)


def test_albums_and_their_page_keep_their_positions_also_by_links(browser, server, fill_album):
    browser.expect_errors("Failed to load resource")  # those photos have no files
    fill_album(300)
    others = [server.post("/api/albums", {"title": f"Album {number}"})["id"] for number in range(60)]
    first = server.album
    page = browser.open(f"{server.url}/albums/{first}")
    in_album = scroll(page, "photos", 2_345)
    page.click(f"#albums [data-album='{others[0]}']")
    page.wait_for_url(f"/albums/{others[0]}")
    page.click("#sidebar h2 a")
    page.wait_for("() => location.pathname === '/albums'")
    on_page = scroll(page, "albums", 777)
    page.click(f"#albums [data-album='{on_page[0]}']")
    page.wait_for_url(f"/albums/{on_page[0]}")
    page.click("#sidebar h2 a")
    page.wait_for("() => location.pathname === '/albums'")
    wait_for_position(page, "albums", on_page)
    # The album where one was before, by its link, and by Back what was between.
    page.evaluate("() => document.getElementById('albums').focusIndex(0)")
    page.click(f"#albums [data-album='{first}']")
    page.wait_for_url(f"/albums/{first}")
    wait_for_position(page, "photos", in_album)
    # What is left at its beginning begins there.
    scroll(page, "photos", 0)
    page.click(f"#albums [data-album='{others[0]}']")
    page.wait_for_url(f"/albums/{others[0]}")
    page.click(f"#albums [data-album='{first}']")
    page.wait_for_url(f"/albums/{first}")
    page.wait_for(LOADED, "photos")
    assert page.evaluate("() => document.getElementById('photos').scrollTop") == 0


def test_found_photos_keep_their_position(browser, server, fill_album):
    browser.expect_errors("Failed to load resource")
    fill_album(300)
    page = browser.open(f"{server.url}/albums?search=photo")
    found = scroll(page, "photos", 1_234)
    page.click(f"#photos [href$='{found[0]}']")
    page.wait_for("() => document.getElementById('viewer')?.open")
    page.back()
    page.wait_for_url("/albums?search=photo")
    wait_for_position(page, "photos", found)
    page.reload()
    page.wait_for("() => 'complete' in document.body.dataset")
    wait_for_position(page, "photos", found)
