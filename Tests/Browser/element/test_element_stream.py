"""The stream and the mutations: resume, resync, silence, and what is shown before the server has said yes."""

import threading

import pytest
from playwright.sync_api import expect

from gridpage import drag, freeze, numbers, open_grid, shown, status, tile, until


def snapshot(count=12, seq=1, epoch="e", without=()):
    ids = [f"id-{n}" for n in range(count) if n not in without]
    return {
        "format": 1, "kind": "snapshot", "epoch": epoch, "seq": seq, "acts": [],
        "sections": [{"id": "", "items": ids}], "content": {one: {"title": f"Item {one[3:]}"} for one in ids}}


def change(seq, epoch="e", **members):
    return {"format": 1, "kind": "change", "epoch": epoch, "from": seq - 1, "seq": seq, **members}


@pytest.fixture
def stream(server):
    stream = server.stream("/stream")
    stream.on_open = lambda since: [snapshot()] if since is None else []
    return stream


@pytest.fixture
def live(page, server, stream):
    server.answer("/moves", lambda body, query: (204, None))
    open_grid(page, server, None, "src=/stream&moves=/moves&deletes=/deletes")
    until(page, "list.isLoaded && list.count === 12")
    return page


def test_frames_of_the_stream_are_shown(live, stream):
    assert stream.requests[0] == {"since": None, "last": None}
    stream.send(change(2, items={"deleted": [["id-0", 0, 0]]}))
    expect(tile(live, 0)).to_have_count(0)
    assert live.evaluate("list.version") == "e.2"


def test_a_lost_connection_resumes_where_it_left_off(live, stream):
    stream.send(change(2, items={"deleted": [["id-0", 0, 0]]}))
    expect(tile(live, 0)).to_have_count(0)
    stream.on_open = lambda since: [change(3, items={"deleted": [["id-1", 0, 0]]})]
    stream.drop()
    expect(tile(live, 1)).to_have_count(0)
    assert stream.requests[-1]["since"] == "e.2"


def test_a_gap_asks_for_a_snapshot_and_keeps_what_is_shown(live, stream):
    stream.on_open = lambda since: []
    stream.send(change(7, items={"deleted": [["id-0", 0, 0]]}))
    stream.wait_for_requests(2)
    assert stream.requests[-1] == {"since": None, "last": None}
    assert numbers(live) == list(range(12))
    stream.send(snapshot(seq=7, without=[0, 3]))
    expect(tile(live, 3)).to_have_count(0)


def test_a_snapshot_after_an_overflow_keeps_focus_and_selection(live, stream):
    live.evaluate("() => { list.selection = ['id-2', 'id-3']; list.focusItem('id-2'); window.node = document.activeElement; }")
    stream.on_open = lambda since: [snapshot(seq=90, epoch="next", without=[0, 1, 3])]
    stream.drop()
    expect(tile(live, 0)).to_have_count(0)
    assert live.evaluate("document.activeElement === node")
    assert live.evaluate("list.selection") == ["id-2"]


def test_waits_grow_and_reconnecting_is_said_after_half_a_second(page, server, stream):
    page.expected_errors.append("net::ERR")
    page.clock.install()
    open_grid(page, server, None, "src=/stream")
    stream.wait_for_requests(1)
    expect(tile(page, 0)).to_be_visible()
    stream.is_refusing = True
    stream.drop()
    for wait in (700, 1_400, 2_700, 5_300):
        before = len(stream.requests)
        page.clock.run_for(wait)
        stream.wait_for_requests(before + 1)
    assert page.locator("live-list").get_attribute("data-state") == "reconnecting"
    assert status(page) == "Reconnecting…"
    stream.is_refusing = False
    page.clock.run_for(11_000)
    expect(page.locator("live-list")).to_have_attribute("data-state", "connected")
    assert status(page) == "Connected."


# What the page has heard of its streams, to wait for while its clock stands still.
LISTEN = """
  window.heard = { opens: 0, errors: 0, beats: 0, messages: 0 };
  const Source = EventSource;
  window.EventSource = class extends Source {
    constructor(...all) {
      super(...all);
      heard.opens++;
      super.addEventListener('error', () => heard.errors++);
      super.addEventListener('alive', () => heard.beats++);
      super.addEventListener('message', () => heard.messages++);
    }
  };
"""


@pytest.fixture
def frozen(page, server, stream):
    page.expected_errors.append("net::ERR")
    page.add_init_script(LISTEN)
    freeze(page)
    open_grid(page, server, None, "src=/stream")
    stream.wait_for_requests(1)
    expect(tile(page, 0)).to_be_visible()
    return page


@pytest.mark.parametrize("dice, factor", [(0, 0.7), (0.5, 1), (0.999999, 1.3)])
def test_waits_double_from_half_a_second_to_a_minute_give_or_take_a_third(frozen, stream, dice, factor):
    frozen.evaluate("(dice) => { Math.random = () => dice; }", dice)
    stream.is_refusing = True
    stream.drop()
    for attempt, wait in enumerate([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]):
        until(frozen, f"heard.errors === {attempt + 1}")
        frozen.clock.run_for(int(wait * factor) - 2)
        # Not by the server's count: browsers themselves ask again where a connection was closed on them.
        assert frozen.evaluate("heard.opens") == 1 + attempt
        frozen.clock.run_for(4)
        assert frozen.evaluate("heard.opens") == 2 + attempt


def test_reconnecting_is_said_after_half_a_second_and_until_the_first_word(frozen, stream):
    frozen.evaluate("() => { Math.random = () => 0.999; }")  # the next attempt comes later
    stream.is_refusing = True
    stream.drop()
    until(frozen, "heard.errors === 1")
    frozen.clock.run_for(499)
    assert frozen.locator("live-list").get_attribute("data-state") == "connected"
    frozen.clock.run_for(1)
    assert frozen.locator("live-list").get_attribute("data-state") == "reconnecting"
    stream.is_refusing = False
    stream.on_open = lambda since: []  # nothing but a sign of life
    frozen.clock.run_for(200)
    expect(frozen.locator("live-list")).to_have_attribute("data-state", "connected")


def test_signs_of_life_keep_a_stream_open(frozen, stream):
    for beat in range(6):
        frozen.clock.run_for(15_000)
        stream.beat()
        until(frozen, f"heard.beats === {beat + 2}")
    assert len(stream.requests) == 1


def test_after_twelve_seconds_of_silence_it_is_opened_anew(page, server, stream):
    server.beat_data = 5
    freeze(page)
    open_grid(page, server, None, "src=/stream")
    stream.wait_for_requests(1)
    expect(tile(page, 0)).to_be_visible()
    stream.on_open = lambda since: []
    page.clock.run_for(11_900)
    assert len(stream.requests) == 1
    page.clock.run_for(200)
    assert stream.wait_for_requests(2)[1]["since"] == "e.1"


def test_a_server_that_says_how_often_it_is_heard_is_given_that_time(frozen, server, stream):
    server.beat_data = 30
    stream.beat()
    until(frozen, "heard.beats === 2")
    frozen.clock.run_for(71_900)
    assert len(stream.requests) == 1
    frozen.clock.run_for(200)
    stream.wait_for_requests(2)


def test_after_forty_seconds_of_silence_a_server_that_does_not_say_is_asked_anew(page, server, stream):
    freeze(page)
    open_grid(page, server, None, "src=/stream")
    stream.wait_for_requests(1)
    expect(tile(page, 0)).to_be_visible()
    page.clock.run_for(39_000)
    assert len(stream.requests) == 1
    page.clock.run_for(1_500)
    stream.wait_for_requests(2)
    assert stream.requests[1]["since"] == "e.1"


def test_a_network_that_is_said_to_be_gone_is_tried_at_once(live, stream):
    assert len(stream.requests) == 1
    live.evaluate("dispatchEvent(new Event('offline'))")
    assert stream.wait_for_requests(2)[1]["since"] == "e.1"
    until(live, "list.dataset.state === 'connected'")
    # What did not last was not said.
    assert "reconnecting" not in live.evaluate("events.map((e) => e.detail.state).join()")


def test_a_network_that_is_gone_is_told_after_half_a_second(frozen, stream):
    stream.is_refusing = True
    frozen.evaluate("dispatchEvent(new Event('offline'))")
    until(frozen, "heard.errors === 1")
    frozen.clock.run_for(499)
    assert frozen.locator("live-list").get_attribute("data-state") == "connected"
    frozen.clock.run_for(1)
    assert frozen.locator("live-list").get_attribute("data-state") == "reconnecting"


HIDE = """(state) => {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def test_a_page_that_was_opened_in_the_background_begins_when_it_is_shown(page, server, stream):
    page.add_init_script(f"({HIDE})('hidden')")
    freeze(page)
    open_grid(page, server, None, "src=/stream")
    page.clock.run_for(60_000)
    assert stream.requests == []
    page.evaluate(HIDE, "visible")
    expect(tile(page, 0)).to_be_visible()


@pytest.mark.parametrize("event", ["new Event('online')", "document, new Event('visibilitychange')"])
def test_the_network_that_is_back_is_used_at_once(frozen, stream, event):
    frozen.evaluate("() => { Math.random = () => 0.999; }")  # the next attempt would come after more than 0.6 s
    stream.is_refusing = True
    stream.drop()
    until(frozen, "heard.errors === 1")
    frozen.clock.run_for(500)
    assert frozen.locator("live-list").get_attribute("data-state") == "reconnecting"
    stream.is_refusing = False
    stream.on_open = lambda since: []
    # No time passes.
    target, _, event = event.rpartition(", ")
    frozen.evaluate(f"{target or 'window'}.dispatchEvent({event})")
    expect(frozen.locator("live-list")).to_have_attribute("data-state", "connected")
    assert stream.requests[-1]["since"] == "e.1" and frozen.evaluate("heard.opens") == 2


def test_a_page_that_nobody_sees_gives_its_connection_back(page, server, stream):
    freeze(page)
    open_grid(page, server, None, "src=/stream")
    expect(tile(page, 0)).to_be_visible()
    page.evaluate(HIDE, "hidden")
    page.clock.run_for(21_000)
    stream.on_open = lambda since: [change(2, items={"deleted": [["id-1", 0, 1]]})]
    page.evaluate(HIDE, "visible")
    expect(tile(page, 1)).to_have_count(0)
    assert stream.wait_for_requests(2)[1]["since"] == "e.1"
    assert "reconnecting" not in page.evaluate("events.map((e) => e.detail.state).join()")


OUTDATED = {"format": 2, "kind": "snapshot", "epoch": "e", "seq": 9}


def test_an_unknown_format_stops_and_says_so(live, stream):
    stream.send(OUTDATED)
    expect(live.locator("[role=status]")).to_have_text("This page is out of date. Reload it to go on.")
    expect(live.locator("live-list")).to_have_attribute("data-state", "outdated")
    assert live.evaluate("events.at(-1)") == {"type": "state", "detail": {"state": "outdated"}}
    assert numbers(live) == list(range(12))


def test_an_outdated_list_saves_what_is_done_and_keeps_showing_it(page, server, stream):
    freeze(page)
    server.answer("/moves", lambda body, query: (204, None))
    open_grid(page, server, None, "src=/stream&moves=/moves")
    expect(tile(page, 0)).to_be_visible()
    page.evaluate("list.move(['id-1'], { after: 'id-3' })")
    until(page, "list.pending[0].isAccepted")
    stream.send(OUTDATED)
    until(page, "list.dataset.state === 'outdated'")
    page.evaluate("list.move(['id-5'], { before: 'id-0' })")
    assert [post["body"]["ids"] for post in server.wait_for_posts(2)] == [["id-1"], ["id-5"]]
    until(page, "list.pending.every((one) => one.isAccepted)")
    # No frame can tell what became of them: they stay, and nothing is opened anew.
    page.clock.run_for(60_000)
    assert numbers(page, 6) == [5, 0, 2, 3, 1, 4]
    assert page.evaluate("list.dataset.state") == "outdated" and len(stream.requests) == 1
    # Another source is another beginning.
    page.evaluate("list.setAttribute('src', '/stream?again')")
    until(page, "list.dataset.state === 'connected'")


def test_a_failure_is_told_and_the_list_keeps_its_last_good_state(live, stream):
    stream.send({"format": 1, "kind": "failure", "epoch": "e", "seq": 1, "message": "The database is locked."})
    until(live, "events.some((e) => e.type === 'failure' && e.detail.message === 'The database is locked.')")
    assert numbers(live) == list(range(12))
    stream.send(change(2))
    until(live, "events.at(-1).type === 'failure' && events.at(-1).detail.message === null")


def test_a_mutation_is_confirmed_by_its_id_without_a_jump(live, server, stream):
    drag(live, 1, 3, half="right")
    [post] = server.wait_for_posts(1)
    assert live.evaluate("list.pending.length") == 1
    live.evaluate("() => { window.before = list.statistics; }")
    stream.send(change(2, acts=[post["body"]["act"]], items={"moved": [["id-1", 0, 1, 0, 3]]}))
    until(live, "list.pending.length === 0")
    assert numbers(live, 5) == [0, 2, 3, 1, 4]
    assert live.evaluate("list.statistics.moved - before.moved") == 0


def test_a_refused_mutation_is_taken_back_and_said(live, server):
    live.expected_errors.append("409")
    server.answer("/moves", lambda body, query: (409, {"error": {"message": "No."}}))
    drag(live, 1, 3, half="right")
    expect(live.locator("[role=status]")).to_have_text("Move refused, order restored.")
    assert numbers(live) == list(range(12))
    refused = live.evaluate("events.find((e) => e.type === 'refused').detail.message")
    assert refused == "No."


def test_a_network_error_keeps_mutations_and_sends_them_again_in_order(live, server, stream):
    live.expected_errors.append("net::ERR")
    server.answer("/moves", lambda body, query: (0, None))
    drag(live, 1, 3, half="right")
    server.wait_for_posts(1)
    drag(live, 5, 0)
    assert numbers(live, 6) == [5, 0, 2, 3, 1, 4]
    failed = len(server.posts)
    server.answer("/moves", lambda body, query: (204, None))
    posts = server.wait_for_posts(failed + 2)
    done = [post["body"]["ids"] for post in posts[-2:]]
    assert done == [["id-1"], ["id-5"]]
    assert len({post["body"]["act"] for post in posts}) == 2
    assert numbers(live, 6) == [5, 0, 2, 3, 1, 4]


def test_a_server_with_too_much_to_do_is_left_alone_as_long_as_it_says(page, server, stream):
    page.expected_errors.append("503")
    freeze(page)
    page.evaluate("() => { Math.random = () => 0; }")
    open_grid(page, server, None, "src=/stream&moves=/moves")
    page.evaluate("() => { Math.random = () => 0; }")
    expect(tile(page, 0)).to_be_visible()
    answers = [(503, {"error": {"message": "Busy."}}, {"Retry-After": "7"}), (503, None, {"Retry-After": "3"})]
    server.answer("/moves", lambda body, query: answers.pop(0) if answers else (200, {"changed": True}))
    wait = "list.pending.length === %d && window.waits === %d"
    page.evaluate("""() => {
      window.waits = 0;
      const real = setTimeout;
      window.setTimeout = (work, time) => { if (time === 7000 || time === 3000) waits++; return real(work, time); };
    }""")
    page.evaluate("list.move(['id-1'], { after: 'id-3' })")
    server.wait_for_posts(1)
    until(page, wait % (1, 1))
    # Another mutation, and a stream that is heard again, are no reason to ask earlier.
    page.evaluate("list.move(['id-5'], { before: 'id-0' })")
    stream.drop()
    stream.wait_for_requests(1)
    page.clock.run_for(6_900)
    assert len(server.posts) == 1
    page.clock.run_for(200)
    server.wait_for_posts(2)
    until(page, wait % (2, 2))
    # The answer came within the 200 ms that the clock went, early or late.
    page.clock.run_for(2_700)
    assert len(server.posts) == 2
    page.clock.run_for(400)
    posts = server.wait_for_posts(4)
    assert [post["body"]["ids"] for post in posts] == [["id-1"], ["id-1"], ["id-1"], ["id-5"]]
    assert len({post["body"]["act"] for post in posts[:3]}) == 1
    until(page, "list.pending.every((one) => one.isAccepted)")
    assert numbers(page, 6) == [5, 0, 2, 3, 1, 4]


def test_a_refused_deletion_is_taken_back_and_said(live, server):
    live.expected_errors.append("409")
    server.answer("/deletes", lambda body, query: (409, {"error": {"message": "No."}}))
    live.evaluate("list.delete(['id-1', 'id-2'])")
    expect(live.locator("[role=status]")).to_have_text("Delete refused, items restored.")
    assert numbers(live) == list(range(12))


@pytest.fixture
def refusing(live, server):
    """The page, and what lets the server refuse deletions."""
    live.expected_errors.append("409")
    may_answer = threading.Event()

    def refuse(body, query):
        may_answer.wait(30)
        return 409, {"error": {"message": "No."}}

    server.answer("/deletes", refuse)
    yield live, may_answer
    may_answer.set()


@pytest.mark.parametrize("ids,next_one", [(["id-4"], "Item 5"), (["id-11"], "Item 10"), (["id-4", "id-5"], "Item 6"), (None, None)])
def test_a_refused_deletion_gives_the_focus_back(refusing, ids, next_one):
    page, may_answer = refusing
    number = 4 if ids is None else int(ids[0][3:])
    page.evaluate(f"list.focusItem('id-{number}')")
    page.evaluate("(ids) => { list.delete(ids ?? list.ids()); }", ids)
    # Where none is left the list itself has it.
    until(page, f"document.activeElement.innerText === '{next_one}'" if next_one else "document.activeElement === list")
    may_answer.set()
    until(page, "list.pending.length === 0")
    assert page.evaluate("document.activeElement.innerText") == f"Item {number}"
    assert page.evaluate("[...document.querySelectorAll('.ll-canvas [data-ll-cell][tabindex=\"0\"]')].map((cell) => cell.innerText)") == [f"Item {number}"]


def test_refused_deletions_one_after_another_give_the_focus_back_step_by_step(refusing):
    page, may_answer = refusing
    page.evaluate("list.focusItem('id-4')")
    page.evaluate("list.delete(['id-4'])")
    page.evaluate("list.delete(['id-5'])")
    until(page, "document.activeElement.innerText === 'Item 6'")
    may_answer.set()
    until(page, "list.pending.length === 0")
    # The first came back while the focus was farther on; the second took it to the item that it was on then.
    assert page.evaluate("document.activeElement.innerText") == "Item 5"
    assert numbers(page) == list(range(12))


@pytest.mark.parametrize("where", ["list.focusItem('id-8')", "document.getElementById('aside').focus()"])
def test_a_refused_deletion_leaves_the_focus_where_somebody_took_it_since(refusing, where):
    page, may_answer = refusing
    page.evaluate("list.focusItem('id-4')")
    page.evaluate("list.delete(['id-4'])")
    until(page, "document.activeElement.innerText === 'Item 5'")
    page.evaluate(where)
    now = page.evaluate("document.activeElement.innerText")
    may_answer.set()
    until(page, "list.pending.length === 0")
    assert page.evaluate("document.activeElement.innerText") == now


def test_a_refused_deletion_takes_no_focus_that_was_not_on_its_items(refusing):
    page, may_answer = refusing
    page.evaluate("document.getElementById('aside').focus()")
    page.evaluate("list.delete(['id-0'])")
    page.evaluate("list.focusItem('id-1')")
    may_answer.set()
    until(page, "list.pending.length === 0")
    assert page.evaluate("document.activeElement.innerText") == "Item 1"


def test_a_deletion_that_changed_nothing_gives_the_focus_back_when_it_is_dropped(live, server):
    server.answer("/deletes", lambda body, query: (204, None))
    freeze(live)
    live.evaluate("list.focusItem('id-4')")
    live.evaluate("list.delete(['id-4'])")
    until(live, "list.pending[0].isAccepted && document.activeElement.innerText === 'Item 5'")
    live.clock.run_for(5_000)
    assert live.evaluate("[list.pending.length, document.activeElement.innerText]") == [0, "Item 4"]


@pytest.mark.network
def test_a_mutation_made_before_its_sender_is_fetched_is_sent_later(page, server, stream):
    page.expected_errors.append("net::ERR")
    server.answer("/deletes", lambda body, query: (204, None))
    is_down = [True]
    page.route("**/outbox.js*", lambda route: route.abort() if is_down[0] else route.continue_())
    open_grid(page, server, None, "src=/stream&deletes=/deletes")
    until(page, "list.isLoaded")
    page.evaluate("list.delete(['id-1'])")
    assert numbers(page, 2) == [0, 2]
    stream.drop()
    is_down[0] = False
    until(page, "list.pending.every((one) => one.isAccepted)")  # a route is answered only while the page is asked
    [post] = server.wait_for_posts(1)
    assert post["body"]["ids"] == ["id-1"]


def test_a_frame_is_applied_below_the_pending_mutations(live, server, stream):
    drag(live, 1, 3, half="right")
    server.wait_for_posts(1)
    stream.send(change(2, items={"moved": [["id-3", 0, 3, 0, 0]]}))
    until(live, "list.version === 'e.2'")
    assert numbers(live, 5) == [3, 1, 0, 2, 4]


def test_an_accepted_mutation_that_does_not_come_back_is_dropped(page, server, stream):
    freeze(page)
    server.answer("/moves", lambda body, query: (204, None))
    open_grid(page, server, None, "src=/stream&moves=/moves")
    expect(tile(page, 0)).to_be_visible()
    page.evaluate("list.move(['id-1'], { after: 'id-3' })")
    until(page, "list.pending[0].isAccepted")
    page.clock.run_for(4_900)
    assert numbers(page, 4) == [0, 2, 3, 1]
    page.clock.run_for(200)
    assert numbers(page, 4) == [0, 1, 2, 3]


def test_a_page_can_forbid_a_mutation_or_send_it_itself(page, server):
    open_grid(page, server, 12)
    page.evaluate("list.addEventListener('live-list-reorder', (e) => e.preventDefault(), { once: true })")
    drag(page, 1, 3, half="right")
    assert numbers(page) == list(range(12))
    page.evaluate("""() => list.addEventListener('live-list-reorder', ({ detail }) => {
      window.sent = detail;
      detail.respondWith(Promise.resolve());
    })""")
    drag(page, 1, 3, half="right")
    assert numbers(page, 4) == [0, 2, 3, 1]
    assert page.evaluate("[sent.ids, sent.after, sent.before]") == [["id-1"], "id-3", "id-4"]


def test_several_lists_of_a_page_have_one_live_region(page, server):
    open_grid(page, server, 3)
    page.evaluate("() => document.querySelector('main').append(document.createElement('live-list'))")
    assert page.locator("[role=status]").count() == 1
    page.evaluate("() => document.querySelectorAll('live-list')[1].remove()")
    assert shown(page) == ["Item 0", "Item 1", "Item 2"]
