"""Mutations that are not saved yet: they are counted where the page can show it, outlive the page, and are given up only where they must be."""

import threading

import pytest

from gridpage import KEPT, freeze, numbers, open_grid, run_until, until
from test_element_stream import snapshot

QUERY = "src=/stream&moves=/moves&deletes=/deletes&outbox=kept"


@pytest.fixture
def stream(server):
    stream = server.stream("/stream")
    stream.on_open = lambda since: [snapshot()] if since is None else []
    return stream


def fail(server, path="/moves", status=0):
    server.answer(path, lambda body, query: (status, None))


def accept(server, path="/moves"):
    server.answer(path, lambda body, query: (200, {"changed": True}))


def open_list(page, server, query=QUERY):
    page.expected_errors = ["net::ERR", "404", "409", "401", "403", "503"]
    open_grid(page, server, None, query)
    until(page, "list.isLoaded && list.count === 12")


STORE = KEPT % "kept"


def kept(page):
    """The mutations that the browser keeps."""
    return page.evaluate(f"() => {STORE}")


def until_kept(page, count):
    until(page, f"(await {STORE}).length === {count}")


def leave_unsaved(page, server):
    """A page with something that it could not save."""
    fail(server)
    open_list(page, server)
    page.evaluate("list.move(['id-1'], { after: 'id-3' })")
    until(page, "list.waiting === 1")
    until_kept(page, 1)


def test_from_the_first_failed_request_it_is_told_how_many_wait(page, server, stream):
    page.expected_errors.append("net::ERR")
    fail(server)
    open_list(page, server, "src=/stream&moves=/moves")
    assert page.evaluate("list.waiting") == 0
    page.evaluate("list.move(['id-1'], { after: 'id-3' })")
    until(page, "list.waiting === 1")
    page.evaluate("list.move(['id-5'], { before: 'id-0' })")
    until(page, "list.waiting === 2")
    accept(server)
    until(page, "list.waiting === 0")
    counts = page.evaluate("events.filter((e) => e.type === 'waiting').map((e) => e.detail.count)")
    assert [n for n, before in zip(counts, [None, *counts[:-1]], strict=True) if n != before] == [1, 2, 1, 0]


@pytest.fixture
def beats():
    """The seconds between two signs of life that the server promises: 2.4 times that may pass in silence."""
    return 60


@pytest.fixture
def stalled(page, server, stream, beats):
    """A page whose clock stands still; the first request of `/moves` is not answered, as on a network that is gone without a word."""
    end = threading.Event()

    def answer(body, query):
        if len(server.posts) == 1:
            end.wait(60)
        return 200, {"changed": True}

    server.answer("/moves", answer)
    server.beat_data = beats
    freeze(page)
    open_list(page, server, "src=/stream&moves=/moves")
    yield page
    end.set()


def move(page, server, posts=1):
    page.evaluate("list.move(['id-1'], { after: 'id-3' })")
    server.wait_for_posts(posts)


def test_a_request_without_an_answer_counts_as_not_saved_and_is_sent_again(stalled, server):
    move(stalled, server)
    stalled.clock.run_for(4_999)
    assert stalled.evaluate("list.waiting") == 0
    stalled.clock.run_for(1)
    assert stalled.evaluate("list.waiting") == 1
    stalled.evaluate("list.move(['id-5'], { before: 'id-0' })")
    assert stalled.evaluate("list.waiting") == 2
    stalled.clock.run_for(24_999)
    assert len(server.posts) == 1
    told = stalled.evaluate("events.length")
    stalled.clock.run_for(1)
    until(stalled, f"events.length > {told}")  # it has been given up
    stalled.clock.run_for(500)
    # In order, and the same mutation.
    first, again, other = server.wait_for_posts(3)
    assert first["body"] == again["body"] and other["body"]["ids"] == ["id-5"]
    until(stalled, "list.waiting === 0 && list.pending.every((one) => one.isAccepted)")


@pytest.mark.parametrize("beats", [5])
def test_where_the_server_is_not_heard_what_was_sent_counts_as_not_saved(stalled, server, stream):
    stalled.clock.run_for(11_000)
    move(stalled, server)
    stream.is_refusing = True
    stalled.clock.run_for(1_000)
    assert stalled.evaluate("list.waiting") == 0
    stalled.clock.run_for(500)
    assert stalled.evaluate("[list.dataset.state, list.waiting]") == ["reconnecting", 1]
    stalled.evaluate("list.move(['id-5'], { before: 'id-0' })")
    assert stalled.evaluate("list.waiting") == 2


@pytest.mark.parametrize("beats", [5])
def test_what_is_sent_while_the_server_is_not_heard_counts_at_once(stalled, server, stream):
    stream.is_refusing = True
    stalled.clock.run_for(12_500)
    assert stalled.evaluate("[list.dataset.state, list.waiting]") == ["reconnecting", 0]
    move(stalled, server)
    assert stalled.evaluate("list.waiting") == 1


def test_when_the_server_is_heard_again_what_is_late_is_sent_again_soon(stalled, server, stream):
    move(stalled, server)
    stalled.clock.run_for(5_000)
    # Not with every mutation that follows, and not before it is heard.
    stalled.evaluate("list.move(['id-5'], { before: 'id-0' })")
    stream.is_refusing = True
    stream.drop()
    run_until(stalled, "list.dataset.state !== 'connected'")
    assert len(server.posts) == 1
    stream.is_refusing = False
    stream.on_open = lambda since: []
    run_until(stalled, "list.waiting === 0")
    first, again, _ = server.wait_for_posts(3)
    assert first["body"] == again["body"]


def test_what_is_saved_at_once_is_not_told(page, server, stream):
    accept(server)
    open_list(page, server)
    page.evaluate("list.move(['id-1'], { after: 'id-3' })")
    until(page, "list.pending[0].isAccepted")
    until_kept(page, 0)
    assert page.evaluate("events.filter((e) => e.type === 'waiting').length") == 0


def test_why_something_waits_is_told_where_the_server_says_it(page, server, stream):
    server.answer("/moves", lambda body, query: (507, {"error": {"message": "The disk is full."}}))
    open_list(page, server)
    page.expected_errors.append("507")
    page.evaluate("list.move(['id-1'], { after: 'id-3' })")
    until(page, "events.some((e) => e.type === 'waiting' && e.detail.message === 'The disk is full.')")


def test_what_was_not_saved_outlives_the_page_and_is_sent_by_the_next_in_order(page, server, stream):
    # A request outlives its page: another try that this one made as it was closed would come, too, so time stands still, and there is
    # no second mutation that is a reason for another try.
    freeze(page)
    fail(server)
    open_list(page, server)
    page.evaluate("() => { list.move(['id-1'], { after: 'id-3' }); list.delete(['id-7']); }")
    until(page, "list.waiting === 2")
    until_kept(page, 2)
    mutation_ids = page.evaluate("list.pending.map((one) => one.act)")
    fail(server, "/deletes")
    page.close()
    accept(server), accept(server, "/deletes")
    server.posts.clear()
    other = page.context.new_page()
    open_list(other, server)
    posts = server.wait_for_posts(2)
    assert [post["body"]["act"] for post in posts] == mutation_ids
    assert posts[0]["body"] == {"act": mutation_ids[0], "ids": ["id-1"], "after": "id-3", "before": None}
    assert posts[1]["body"] == {"act": mutation_ids[1], "ids": ["id-7"]}
    until_kept(other, 0)
    assert len(server.posts) == 2


@pytest.mark.network
def test_a_store_that_comes_late_is_no_reason_to_send_again_what_has_failed(page, server, stream):
    held = []
    page.route("**/network/outbox-store.js", lambda route: held.append(route))
    freeze(page)
    fail(server)
    open_list(page, server)
    page.evaluate("list.move(['id-1'], { after: 'id-3' })")
    until(page, "list.waiting === 1")
    # One request: the browser itself sends it again where a connection ends without an answer.
    sent = len(server.posts)
    for route in held:
        route.continue_()
    until_kept(page, 1)
    assert len(held) == 1 and len(server.posts) == sent


def test_what_a_living_page_has_to_send_others_leave_to_it(page, server, stream):
    leave_unsaved(page, server)
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    other = page.context.new_page()
    open_list(other, server)
    until(other, "(await navigator.locks.query()).held.some(({ name }) => name.startsWith('live-list outbox kept'))")
    # Its own first mutation is behind what it would have taken over.
    server.answer("/deletes", lambda body, query: (200, {"changed": True}))
    other.evaluate("list.delete(['id-2'])")
    until(other, "list.pending[0].isAccepted")
    assert other.evaluate("list.waiting") == 0
    until_kept(other, 1)
    assert kept(other)[0]["about"]["body"]["ids"] == ["id-1"]


def test_an_open_page_takes_over_what_another_left_when_the_server_is_back(page, server, stream):
    other = page.context.new_page()
    leave_unsaved(page, server)
    open_list(other, server)
    page.close()
    accept(server)
    server.posts.clear()
    stream.drop()
    assert server.wait_for_posts(1)[0]["body"]["ids"] == ["id-1"]
    until_kept(other, 0)


def test_what_no_longer_fits_is_told_with_the_reason_and_cannot_be_tried_again(page, server, stream):
    leave_unsaved(page, server)
    page.close()
    server.answer("/moves", lambda body, query: (409, {"error": {"message": "The photo is gone."}}))
    other = page.context.new_page()
    open_list(other, server)
    until(other, "events.some((e) => e.type === 'refused')")
    detail = other.evaluate("events.find((e) => e.type === 'refused').detail")
    assert detail["isLeft"] and detail["message"] == "The photo is gone." and detail["kind"] == "move"
    assert detail["retry"] is None
    assert detail["ids"] == ["id-1"] and detail["act"] == detail["body"]["act"]
    until_kept(other, 0)


AGE = """() => new Promise((done) => {
  const request = indexedDB.open('kept', 1);
  request.onsuccess = () => {
    const store = request.result.transaction('mutations', 'readwrite').objectStore('mutations');
    store.openCursor().onsuccess = ({ target: { result: cursor } }) => {
      if (!cursor) { request.result.close(); done(); return; }
      cursor.update({ ...cursor.value, made: cursor.value.made - 90_000_000 });
      cursor.continue();
    };
  };
})"""


@pytest.mark.parametrize("answer", ["send", "discard"])
def test_what_is_older_than_a_day_is_sent_only_if_the_user_wants_it(page, server, stream, answer):
    freeze(page)  # no other try is on its way when it is closed
    leave_unsaved(page, server)
    page.evaluate(AGE)
    page.close()
    accept(server)
    server.posts.clear()
    other = page.context.new_page()
    open_list(other, server)
    until(other, "events.some((e) => e.type === 'old')")
    assert other.evaluate("events.find((e) => e.type === 'old').detail.count") == 1
    assert server.posts == []
    other.evaluate(f"events.find((e) => e.type === 'old').detail.{answer}()")
    until_kept(other, 0)
    assert len(server.posts) == (answer == "send")


def test_who_has_to_log_in_first_loses_nothing(page, server, stream):
    server.answer("/moves", lambda body, query: (401, {"error": {"message": "Log in first."}}))
    open_list(page, server)
    page.evaluate("list.move(['id-1'], { after: 'id-3' })")
    until(page, "list.waiting === 1")
    until_kept(page, 1)
    assert numbers(page, 4) == [0, 2, 3, 1]


@pytest.mark.parametrize("status, helps", [(400, False), (403, True), (404, False), (409, False), (422, False), (423, True)])
def test_another_try_is_offered_only_where_it_can_help(page, server, stream, status, helps):
    server.answer("/moves", lambda body, query: (status, None))
    open_list(page, server)
    page.expected_errors.append(str(status))
    page.evaluate("list.move(['id-1'], { after: 'id-3' })")
    until(page, "window.events.some((e) => e.type === 'refused')")
    assert page.evaluate("typeof events.find((e) => e.type === 'refused').detail.retry") == ("function" if helps else "object")
    until_kept(page, 0)


def test_a_deletion_by_another_request_is_kept_too_and_one_by_a_function_is_sent_by_its_page_alone(page, server, stream):
    fail(server, "/transfers")
    open_list(page, server)
    page.evaluate("list.delete(['id-1'], { send: { url: '/transfers', body: { ids: ['id-1'], album: 'b' } }, label: 'Moved' })")
    page.evaluate("list.delete(['id-2'], { send: () => Promise.reject(new Error('later')) })")
    until(page, "list.waiting === 2")
    until_kept(page, 1)
    [one] = kept(page)
    assert one["about"] == {
        "url": f"{server.url}/transfers", "kind": "delete", "label": "Moved",
        "body": {"ids": ["id-1"], "album": "b", "act": one["act"]}}


def test_without_a_store_mutations_are_sent_all_the_same(page, server, stream):
    page.add_init_script("delete Object.getPrototypeOf(window).indexedDB; Object.defineProperty(window, 'indexedDB', { get() { throw new Error('no'); } })")
    accept(server)
    open_list(page, server)
    page.evaluate("list.move(['id-1'], { after: 'id-3' })")
    until(page, "list.pending[0].isAccepted")
    server.wait_for_posts(1)


def test_a_browser_that_forgets_the_site_closes_the_store_and_the_next_mutation_is_kept_again(page, server, stream):
    leave_unsaved(page, server)
    page.context.new_cdp_session(page).send("Storage.clearDataForOrigin", {"origin": server.url, "storageTypes": "indexeddb"})
    page.evaluate("list.move(['id-5'], { before: 'id-0' })")
    until(page, "list.waiting === 2")
    until_kept(page, 1)


@pytest.fixture
def database(page, server):
    """A store, without a list: `undone` is how many transactions are aborted, `refused` how often it cannot be opened."""
    page.goto(f"{server.url}/Tests/Browser/element/pages/blank.html")
    page.evaluate("""async () => {
      const { Database } = await import('/live-list/network/database.js');
      window.database = new Database('entries', 'entries');
      window.tries = 0;
      window.add = (value) => database.run('readwrite', (store) => {
        const request = store.add(value);
        if (++tries <= (window.undone ?? 0)) store.transaction.abort();
        return request;
      });
      window.all = () => database.run('readonly', (store) => store.getAll());
      const open = IDBFactory.prototype.open;
      window.refused = 0;
      IDBFactory.prototype.open = function (...all) {
        if (refused-- > 0) throw new Error('not now');
        return open.apply(this, all);
      };
    }""")
    return page


def test_what_the_browser_undoes_as_it_closes_the_store_is_kept_again(database):
    database.evaluate("add('before')")
    database.evaluate("window.tries = 0, window.undone = 1")
    assert database.evaluate("add('one')") is not None
    assert database.evaluate("all()") == ["before", "one"]


def test_what_a_browser_cannot_open_while_it_is_closing_the_store_is_kept_a_moment_later(database):
    database.evaluate("refused = 2")
    assert database.evaluate("add('one')") is not None
    assert database.evaluate("all()") == ["one"]


def test_what_cannot_be_kept_this_time_is_given_up_and_the_next_is_kept(database):
    database.evaluate("window.undone = 4")
    assert database.evaluate("add('one')") is None
    assert database.evaluate("add('two')") is not None
    database.evaluate("window.tries = -10")
    assert database.evaluate("all()") == ["two"]


def test_a_store_that_could_not_be_opened_is_opened_later(database):
    database.evaluate("refused = 4")
    assert database.evaluate("add('one')") is None
    assert database.evaluate("add('two')") is not None
    assert database.evaluate("all()") == ["two"]
