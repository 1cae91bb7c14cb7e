"""The order is the user's own: dragged in one browser, seen in the other, still there tomorrow."""

import sqlite3

import pytest
from album_page import box, dom_titles, drag, settle, titles, touch_drag, wait_for_count, wait_for_titles
from photographs import jpeg

COUNT = 9
NAMES = [f"photo {n}" for n in range(COUNT)]


@pytest.fixture
def album(server, open_page, tmp_path):
    """A server with nine photos, and the page that imported them."""
    page = open_page(server.url)
    wait_for_count(page, 0)
    page.set_input_files(
        "#files", [jpeg(tmp_path / f"{name}.jpg", n, taken=f"2024:05:0{n + 1} 10:00:00") for n, name in enumerate(NAMES)])
    wait_for_count(page, COUNT)
    page.locator("#uploads").get_by_text("9 added").wait_for()
    # Uploads run side by side; what comes in together arrives in the order of its capture dates all the same.
    wait_for_titles(page, NAMES)
    settle(page)
    return page


def moved(name, before):
    rest = [other for other in NAMES if other != name]
    rest.insert(rest.index(before), name)
    return rest


def ranks(server):
    database = sqlite3.connect(f"file:{server.data / 'contactsheet.sqlite'}?mode=ro", uri=True)
    try:
        return dict(database.execute('SELECT title, rank FROM photo'))
    finally:
        database.close()


def test_a_dragged_photo_moves_in_the_other_browser_within_a_second_without_reload(server, album, open_page):
    other = open_page(None)
    other.add_init_script("""
        window.animated = new Set();
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...arguments_) {
            window.animated.add(this.closest('[data-ll-row]')?.getAttribute('aria-rowindex'));
            return animate.apply(this, arguments_);
        };""")
    other.goto(server.url)
    wait_for_titles(other, NAMES)
    other.evaluate("() => { window.mark = 'not reloaded'; window.animated.clear() }")
    expected = moved("photo 7", "photo 1")
    other.evaluate(
        """expected => {
            const list = document.getElementById('photos');
            window.seen = new Promise(resolve => list.addEventListener('live-list-change', () => {
                if (list.ids().map(id => list.contentOf(id).title).join() === expected.join()) resolve(Date.now());
            }));
        }""", expected)
    drag(album, "photo 7", "photo 1", release=False)
    dropped = album.evaluate("() => Date.now()")
    album.mouse.up()
    wait_for_titles(album, expected)
    seen = other.evaluate("() => window.seen")
    assert seen - dropped < 1000
    settle(other)
    assert dom_titles(other) == expected
    assert other.evaluate("() => window.mark") == "not reloaded"
    assert other.evaluate("() => window.animated.size") > 0, "it is seen to move"


def test_a_move_writes_the_row_of_the_moved_photo_and_no_other(server, album):
    before = ranks(server)
    drag(album, "photo 7", "photo 1")
    wait_for_titles(album, moved("photo 7", "photo 1"))
    settle(album)
    after = ranks(server)
    assert {title for title in after if after[title] != before[title]} == {"photo 7"}


def test_the_order_is_there_after_a_restart(server, album, start_server, open_page):
    drag(album, "photo 8", "photo 0")
    expected = moved("photo 8", "photo 0")
    wait_for_titles(album, expected)
    settle(album)
    album.context.close()
    assert server.stop() == 0
    again = start_server(data=server.data)
    page = open_page(again.url)
    wait_for_count(page, COUNT)
    assert titles(page) == expected


def test_a_thumb_on_a_phone_moves_photos_to_the_front(server, album, open_page):
    phone = open_page(
        server.url, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, device_scale_factor=2)
    wait_for_titles(phone, NAMES)
    rows = {round(box(phone, name)["y"]) for name in NAMES[:3]}
    assert len(rows) == 1 and round(box(phone, "photo 3")["y"]) not in rows, "three columns on a phone"
    expected = NAMES
    for name in ("photo 8", "photo 7", "photo 6"):
        first = expected[0]
        touch_drag(phone, name, first)
        expected = [name] + [other for other in expected if other != name]
        wait_for_titles(phone, expected)
        settle(phone)
    wait_for_titles(album, expected)


@pytest.mark.network
def test_escape_puts_everything_back_and_asks_nothing_of_the_server(server, album):
    requests = []
    album.on("request", lambda request: request.method == "POST" and requests.append(request.url))
    drag(album, "photo 7", "photo 1", release=False)
    album.keyboard.press("Escape")
    album.mouse.up()
    settle(album)
    assert dom_titles(album) == NAMES
    assert requests == []


@pytest.mark.network
def test_what_is_dragged_offline_arrives_when_the_cable_is_back(server, album, open_page):
    other = open_page(server.url)
    wait_for_titles(other, NAMES)
    # Chromium logs each request that fails for want of a network: that is the point here.
    offline = open_page(server.url, expect_errors=True)
    wait_for_titles(offline, NAMES)
    offline.context.set_offline(True)
    drag(offline, "photo 5", "photo 0")
    mine = moved("photo 5", "photo 0")
    wait_for_titles(offline, mine)
    drag(other, "photo 8", "photo 2")
    theirs = moved("photo 8", "photo 2")
    wait_for_titles(other, theirs)
    settle(other)
    offline.context.set_offline(False)
    both = [name for name in theirs if name != "photo 5"]
    both.insert(both.index("photo 0"), "photo 5")
    for page in (offline, other, album):
        wait_for_titles(page, both)


def test_a_page_finds_its_server_again(server, album, start_server, open_page):
    waiting = open_page(server.url, expect_errors=True)
    wait_for_titles(waiting, NAMES)
    album.context.close()
    port = server.port
    assert server.stop() == 0
    waiting.get_by_text("Reconnecting…").first.wait_for()
    again = start_server("--port", port, data=server.data)
    ids = again.json("/api/albums")
    assert ids[0]["count"] == COUNT
    waiting.evaluate("() => { window.mark = 'not reloaded' }")
    waiting.locator("#connection").wait_for(state="hidden", timeout=60_000)
    drag(waiting, "photo 4", "photo 0")
    wait_for_titles(waiting, moved("photo 4", "photo 0"))
    settle(waiting)
    assert waiting.evaluate("() => window.mark") == "not reloaded"
