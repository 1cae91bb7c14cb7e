"""Lists that travel in windows: what is seen, done and said with a million items of which a few are known."""

import threading

import pytest
from playwright.sync_api import expect

from gridpage import at_rest, centre, open_grid, tile, until
from long_list import MILLION, QUERY, SETTLED, LongList, posts, rows, scroll


def intent(body):
    return body["ids"], body["after"], body["before"]


def test_it_receives_what_it_shows_and_true_counts(grid, long):
    assert grid.evaluate("list.count") == MILLION
    expect(tile(grid, 0)).to_be_visible()
    assert grid.locator("live-list").get_attribute("aria-rowcount") == str(MILLION)
    at_rest(grid)
    print(f"received: {long.bytes} bytes, {len(long.ranges)} ranges")
    assert long.bytes <= 100_000
    assert long.ranges == [], "the first window is enough"
    assert grid.evaluate("list.ids(0, 3)") == ["id-0", "id-1", "id-2"]
    assert grid.evaluate("document.querySelectorAll('*').length") <= 800


def test_what_is_scrolled_to_comes_and_until_then_its_slot_is_kept(grid, long):
    held = threading.Event()
    long.on_range = lambda number: held.wait(10)
    scroll(grid, 0.5)
    waiting = grid.locator("[data-ll-row=waiting]")
    expect(waiting.first).to_be_attached()
    assert waiting.first.get_attribute("aria-busy") == "true"
    before = waiting.first.bounding_box()
    index = int(waiting.first.get_attribute("aria-rowindex"))
    held.set()
    until(grid, SETTLED)
    assert all(title == f"Item {index - 1}" for index, title in rows(grid))
    after = grid.locator(f"[data-ll-row=item][aria-rowindex='{index}']").bounding_box()
    assert after == before
    assert sum(count for _, count in long.ranges) < 400
    scroll(grid, 1)
    until(grid, SETTLED)
    assert rows(grid)[-1] == [MILLION, "Item 999999"]
    print(f"received: {long.bytes} bytes in {len(long.ranges)} ranges")


@pytest.mark.network
def test_what_is_scrolled_past_is_asked_for_no_longer(grid, long):
    ended = []
    grid.on("requestfailed", lambda request: "/items" in request.url and ended.append(request.url))
    held = threading.Event()
    long.on_range = lambda number: held.wait(10)
    for part in (0.2, 0.4, 0.6, 0.8):
        before = len(long.ranges)
        scroll(grid, part)
        until(grid, "document.querySelector('[data-ll-row=waiting]')")
        while len(long.ranges) == before:
            grid.evaluate("() => new Promise(requestAnimationFrame)")
    held.set()
    until(grid, SETTLED)
    assert len(ended) == 3
    assert all(abs(index - 800_000) < 1_000 for index, _ in rows(grid))


def test_rows_that_could_not_be_had_are_asked_for_again(grid, long):
    grid.expected_errors.append("503")
    answers = [503, 503]
    long.alter = lambda answer: answers.pop() if answers else answer
    scroll(grid, 0.5)
    until(grid, SETTLED)
    assert len(long.ranges) >= 3


def test_the_keyboard_goes_to_rows_that_are_not_there_yet(grid, long):
    held = threading.Event()
    long.on_range = lambda number: held.wait(10)
    grid.evaluate("list.focusItem('id-0')")
    grid.keyboard.press("Control+End")
    grid.keyboard.press("ArrowLeft")
    held.set()
    until(grid, "document.activeElement.innerText?.trim() === 'Item 999998'")
    assert grid.evaluate("document.querySelectorAll('.ll-canvas [tabindex=\"0\"]').length") == 1
    grid.keyboard.press("PageUp")
    until(grid, "/^Item 9999[0-9]{2}$/.test(document.activeElement.innerText?.trim())")
    grid.keyboard.press("Control+Home")
    until(grid, "document.activeElement.innerText?.trim() === 'Item 0'")
    for _ in range(12):
        grid.keyboard.press("PageDown")
    # Five columns, of which three rows are a page.
    until(grid, f"document.activeElement.innerText?.trim() === 'Item {12 * 15}'")


def test_a_drop_among_unknown_rows_waits_for_its_neighbours(grid, server, long):
    at_rest(grid)
    x, y = centre(grid, 1)
    grid.mouse.move(x, y)
    grid.mouse.down()
    grid.mouse.move(x + 8, y + 8)
    held = threading.Event()
    long.on_range = lambda number: held.wait(10)
    scroll(grid, 0.5)
    box = grid.locator("live-list").bounding_box()
    grid.mouse.move(box["x"] + 40, box["y"] + 300)
    grid.mouse.up()
    grid.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert server.posts == [] and grid.locator(".ll-preview").count() == 1
    held.set()
    [body] = posts(server)
    ids, after, before = intent(body)
    assert ids == ["id-1"]
    numbers = [int(one.split("-")[1]) for one in (after, before)]
    assert numbers[1] == numbers[0] + 1 and abs(numbers[0] - 500_000) < 2_000
    until(grid, "list.pending.length === 0")
    assert grid.evaluate("list.indexOf('id-1')") == numbers[0]


def test_escape_ends_a_drop_that_waits(grid, server, long):
    at_rest(grid)
    x, y = centre(grid, 1)
    grid.mouse.move(x, y)
    grid.mouse.down()
    grid.mouse.move(x + 8, y + 8)
    held = threading.Event()
    long.on_range = lambda number: held.wait(10)
    scroll(grid, 0.5)
    box = grid.locator("live-list").bounding_box()
    grid.mouse.move(box["x"] + 40, box["y"] + 300)
    grid.mouse.up()
    grid.keyboard.press("Escape")
    expect(grid.locator("[role=status]")).to_have_text("Move of Item 1 cancelled.")
    held.set()
    until(grid, SETTLED)
    assert server.posts == [] and grid.evaluate("list.indexOf('id-1')") == 1


def test_a_drag_scrolls_over_unknown_rows(grid, server, long):
    at_rest(grid)
    x, y = centre(grid, 1)
    box = grid.locator("live-list").bounding_box()
    grid.mouse.move(x, y)
    grid.mouse.down()
    grid.mouse.move(x + 8, y + 8)
    grid.mouse.move(box["x"] + 40, box["y"] + box["height"] - 5)
    until(grid, "list.scrollTop > 3000")
    grid.mouse.move(box["x"] + 40, box["y"] + 300)
    grid.mouse.up()
    [body] = posts(server)
    _, after, before = intent(body)
    numbers = [int(one.split("-")[1]) for one in (after, before)]
    assert numbers[1] == numbers[0] + 1 and numbers[0] > 60


def test_a_position_among_unknown_rows_can_be_chosen(grid, server, long):
    grid.evaluate("list.focusItem('id-4')")
    grid.keyboard.press("Shift+F10")
    grid.get_by_role("menuitem", name="Move to position…").click()
    grid.get_by_label("Position, 1 to 1,000,000").fill("500000")
    grid.keyboard.press("Enter")
    [body] = posts(server)
    assert intent(body) == (["id-4"], "id-499999", "id-500000") or intent(body)[2] == "id-500000"
    expect(grid.locator("[role=status]")).to_have_text("Dropped. Item 4 is now 500,000 of 1,000,000.")
    until(grid, "list.pending.length === 0 && document.activeElement.innerText?.trim() === 'Item 4'")
    assert grid.evaluate("list.indexOf('id-4')") == 499_999


def test_keys_and_the_menu_lead_to_the_end(grid, server, long):
    grid.evaluate("list.focusItem('id-4')")
    grid.keyboard.press("Alt+End")
    [body] = posts(server)
    assert intent(body) == (["id-4"], "id-999999", None)
    until(grid, "list.pending.length === 0 && list.indexOf('id-4') === 999999")
    grid.keyboard.press("Shift+F10")
    grid.get_by_role("menuitem", name="Move to start").click()
    assert intent(posts(server, 2)[1]) == (["id-4"], None, "id-0")


def test_changes_anywhere_keep_what_is_seen_in_its_position(grid, long):
    scroll(grid, 0.5)
    until(grid, SETTLED)
    at_rest(grid)
    index, title = rows(grid)[20]
    number = title.split()[1]
    before = tile(grid, number).bounding_box()
    # Five at once, as many as there are columns, so that everything stays in its column.
    with long.lock:
        positions = [0, 3, 10, 200_000, 499_000]
        for at in positions:
            long.sections[0][1].insert(at, f"id-{MILLION + at}")
        ids = [f"id-{MILLION + at}" for at in positions]
        long.commit(
            items={"inserted": [[one, 0, at] for one, at in zip(ids, positions, strict=True)]},
            content={one: long.content(one) for one in ids})
    long.remove(900_000)
    until(grid, f"list.version === 'e.{long.seq}'")
    at_rest(grid)
    assert tile(grid, number).bounding_box() == pytest.approx(before, abs=1)
    assert grid.evaluate("list.count") == long.count
    assert [index + 5, title] in rows(grid)
    for index, title in rows(grid):
        assert title == long.content(long.order[index - 1])["title"]


def test_an_answer_from_before_is_led_on_and_one_of_the_future_waits(grid, long):
    asked = threading.Event()
    held = threading.Event()

    def wait(number):
        asked.set()
        held.wait(10)

    long.on_range = wait
    scroll(grid, 0.5)
    assert asked.wait(10)
    for _ in range(5):
        long.shift(500_000, 10)
        long.remove(500_003)
    until(grid, f"list.version === 'e.{long.seq}'")
    held.set()
    until(grid, SETTLED)
    order = long.order
    assert all(title == long.content(order[index - 1])["title"] for index, title in rows(grid))

    # The answer is of a version whose frame is still on its way.
    frames = []
    send = long.stream.send
    long.stream.send = lambda *some: frames.extend(some)
    long.remove(100_000)
    count = len(long.ranges)
    long.on_range = lambda number: None
    scroll(grid, 0.1)
    until(grid, "document.querySelector('[data-ll-row=waiting]')")
    while len(long.ranges) == count:
        grid.evaluate("() => new Promise(requestAnimationFrame)")
    grid.evaluate("() => new Promise((done) => setTimeout(done, 100))")
    assert grid.locator("[data-ll-row=waiting]").count() > 0
    send(*frames)
    until(grid, SETTLED)
    order = long.order
    assert all(title == long.content(order[index - 1])["title"] for index, title in rows(grid))


def test_a_mutation_is_shown_at_once_and_taken_back(grid, server, long):
    grid.expected_errors.append("409")
    scroll(grid, 0.5)
    until(grid, SETTLED)
    _index, title = rows(grid)[20]
    number = int(title.split()[1])
    held = threading.Event()
    server.answer("/moves", lambda body, query: held.wait(10) and (409, {"error": {"message": "No."}}))
    grid.evaluate("([one, after]) => list.move([one], { after })", [f"id-{number}", "id-0"])
    assert grid.evaluate("(one) => list.indexOf(one)", f"id-{number}") == 1
    held.set()
    expect(grid.locator("[role=status]")).to_have_text("Move refused, order restored.")
    assert grid.evaluate("(one) => list.indexOf(one)", f"id-{number}") == number


def test_rows_are_asked_for_by_their_position_in_the_servers_list(grid, server, long):
    held = threading.Event()
    answer = server.answers["/moves"]

    def wait(body, query):
        held.wait(10)
        return answer(body, query)

    server.answer("/moves", wait)
    grid.evaluate("() => list.load(0, 300)")
    until(grid, "list.ids(299, 300)[0]")
    # Three hundred items that are known move away from the front, for now only here.
    grid.evaluate("() => list.load(700000, 700001)")
    until(grid, "list.ids(700000, 700001)[0]")
    grid.evaluate("() => list.move(list.ids(0, 300), { after: 'id-700000' })")
    grid.evaluate("() => list.scrollTo(0, list.scrollHeight / 2)")
    until(grid, SETTLED)
    assert [row for row in rows(grid) if row[1] != f"Item {row[0] - 1 + 300}"] == []
    held.set()
    until(grid, "list.pending.length === 0")
    order = long.order
    assert all(title == long.content(order[index - 1])["title"] for index, title in rows(grid))


def test_a_reader_that_was_away_too_long_keeps_its_position_focus_and_selection(grid, long):
    scroll(grid, 0.5)
    until(grid, SETTLED)
    _index, title = rows(grid)[20]
    one = f"id-{title.split()[1]}"
    grid.evaluate("(one) => { list.focusItem(one); list.selection = ['id-3', one]; window.node = document.activeElement; }", one)
    at_rest(grid)
    with long.lock:
        for _ in range(4):
            long.sections[0][1].insert(8, f"id-{MILLION + long.seq}")
            long.seq += 1
        long.epoch = "f"
        long.stream.drop()
    until(grid, "list.version?.startsWith('f')")
    until(grid, SETTLED)
    assert grid.evaluate("document.activeElement === node")
    assert grid.evaluate("list.selection.length") == 2
    assert long.stream.query["window"] != "0,0" and int(long.stream.query["window"].split(",")[0]) > 400_000
    order = long.order
    assert all(title == long.content(order[index - 1])["title"] for index, title in rows(grid))


def test_sections_of_a_long_list_have_headers(page, server):
    LongList(server, 300_000, sections=300)
    open_grid(page, server, None, QUERY + "&headers=1")
    until(page, "list.isLoaded")
    for part in (0.3, 0.9):
        scroll(page, part)
        until(page, SETTLED)
        for index, title in rows(page):
            number = int(title.split()[1])
            assert index == number + 1 + number // 1000 + 1
    header = page.locator("[data-ll-row=header]")
    while header.count() == 0:
        page.mouse.wheel(0, 500)
        page.evaluate("list.scrollTop += 2000")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert header.first.inner_text().startswith("Section ")
    assert page.locator("live-list").get_attribute("aria-rowcount") == str(300_300)


def test_rows_that_were_never_seen_are_deleted(grid, server, long):
    grid.evaluate("() => list.load(400_000, 400_010, { idsAlone: true })")
    until(grid, "list.ids(400_009, 400_010)[0] === 'id-400009'")
    grid.evaluate("() => list.delete(list.ids(400_000, 400_010))")
    until(grid, "list.pending.length === 0 && list.count === 999990")
    grid.evaluate("() => list.load(399_999, 400_001)")
    until(grid, "list.ids(399_999, 400_001).join() === 'id-399999,id-400010'")


def test_no_id_is_ever_said_or_shown(grid, long):
    grid.evaluate("""() => {
      window.said = [];
      new MutationObserver(() => said.push(document.querySelector('[role=status]').textContent))
        .observe(document.querySelector('[role=status]'), { childList: true, subtree: true, characterData: true });
    }""")
    grid.evaluate("list.focusItem('id-4')")
    grid.keyboard.press("Alt+End")
    until(grid, "list.indexOf('id-4') === 999999")
    grid.keyboard.press("Control+Home")
    until(grid, "document.activeElement.innerText?.trim() === 'Item 0'")
    grid.keyboard.press("Space")
    until(grid, "said.length > 0")
    assert not [text for text in grid.evaluate("said") if "id-" in text]


def test_a_short_list_of_the_same_server_travels_whole(page, server):
    long = LongList(server, 500)
    open_grid(page, server, None, QUERY)
    until(page, "list.isLoaded && list.ids(499, 500)[0] === 'id-499'")
    scroll(page, 1)
    assert long.ranges == []
