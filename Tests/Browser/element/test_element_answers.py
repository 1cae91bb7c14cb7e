"""Answers of the page itself to a mutation, and calls that make no sense."""

import pytest
from test_element_stream import stream  # noqa: F401 (a fixture)

from gridpage import numbers, open_grid, run_until, until, until_said

REFUSED = "window.events.some(({ type }) => type === 'refused')"
DETAIL = "(({ detail }) => [detail.kind, detail.status, detail.message, typeof detail.retry])(events.find(({ type }) => type === 'refused'))"


@pytest.fixture
def show(page, server, stream):
    """Shows twelve items; a move is answered by this script, of which `detail` is the event's."""
    page.said = []
    page.on("console", lambda message: message.text.startswith("live-list:") and page.said.append(message.text))
    page.expected_errors.extend(["live-list:", "the server responded with a status of", "ERR_"])

    def show(answer="undefined", has_stream=True):
        page.clock.install()
        if has_stream:
            open_grid(page, server, None, "src=/stream&moves=/moves&deletes=/deletes")
        else:
            open_grid(page, server, 12, "moves=/moves&deletes=/deletes")
        until(page, "list.isLoaded && list.count === 12")
        page.evaluate(f"""() => {{
          window.tries = 0;
          window.send = () => {{ tries++; return fetch('/own', {{ method: 'POST', body: '{{}}' }}); }};
          for (const type of ['reorder', 'delete']) {{
            document.addEventListener(`live-list-${{type}}`, ({{ detail }}) => {{ {answer}; }});
          }}
        }}""")
        return page

    return show


def move(page):
    return page.evaluate("list.move(['id-1'], { after: 'id-3' })")


@pytest.mark.parametrize("answer", ["detail.respondWith(send())", "detail.respondWith(() => send())"])
@pytest.mark.parametrize("status", [400, 403, 404, 409, 422])
def test_a_response_that_refuses_takes_the_mutation_back_and_says_so(show, server, answer, status):
    server.answer("/own", lambda body, query: (status, {"error": {"message": "Not this one."}}))
    page = show(answer)
    move(page)
    until(page, REFUSED)
    kind, told, message, _ = page.evaluate(DETAIL)
    assert (kind, told, message) == ("move", status, "Not this one.")
    assert numbers(page) == list(range(12))
    assert page.evaluate("[tries, list.waiting, list.pending.length]") == [1, 0, 0]


@pytest.mark.parametrize("status", [0, 500, 503, 401, 429])
def test_a_function_is_called_again_until_its_response_is_an_answer(show, server, status):
    server.answer("/own", lambda body, query: (status, None))
    page = show("detail.respondWith(() => send())")
    move(page)
    run_until(page, "tries >= 3")
    assert page.evaluate("[list.waiting, list.pending[0].isAccepted]") == [1, False]
    assert numbers(page, 4) == [0, 2, 3, 1]
    server.answer("/own", lambda body, query: (200, {"changed": True}))
    run_until(page, "list.pending[0]?.isAccepted")
    assert page.evaluate("list.waiting") == 0


@pytest.mark.parametrize("answer,status", [
    ("detail.respondWith(Promise.reject(new Error('no network')))", 0), ("detail.respondWith(Promise.reject())", 0),
    ("detail.respondWith(send())", 503), ("detail.respondWith(send())", 0)])
def test_a_promise_that_fails_is_told_and_taken_back_and_the_next_mutation_is_sent(show, server, answer, status):
    server.answer("/own", lambda body, query: (status, None))
    server.answer("/moves", lambda body, query: (200, {"changed": True}))
    page = show(f"if (window.isAnswered) return; window.isAnswered = true; {answer}")
    move(page)
    until(page, REFUSED)
    kind, told, _, retry = page.evaluate(DETAIL)
    assert (kind, told, retry) == ("move", status, "function")
    assert numbers(page) == list(range(12))
    page.evaluate("list.move(['id-5'], { before: 'id-0' })")
    assert server.wait_for_posts(1, "/moves")[-1]["body"]["ids"] == ["id-5"]
    page.evaluate("events.find(({ type }) => type === 'refused').detail.retry()")
    assert server.wait_for_posts(2, "/moves")[-1]["body"]["ids"] == ["id-1"]


@pytest.mark.network
def test_a_promise_that_fails_before_the_part_that_sends_is_here_is_no_error_of_the_page(show, page):
    held = []
    page.route("**/network/sending.js", lambda route: held.append(route))
    show("detail.respondWith(Promise.reject(new Error('no network')))")
    # A browser tells of a promise that nobody minded between two tasks.
    page.evaluate("""() => {
      window.unminded = [];
      addEventListener('unhandledrejection', ({ reason }) => unminded.push(String(reason)));
    }""")
    move(page)
    page.evaluate("() => new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); })")
    assert page.evaluate("unminded") == []
    while not held:
        page.evaluate("1")
    held[0].continue_()
    until(page, REFUSED)


@pytest.mark.parametrize("kind", ["promise", "function"])
def test_an_answer_that_never_comes_holds_up_nothing_for_longer_than_thirty_seconds(show, server, kind):
    server.answer("/moves", lambda body, query: (200, {"changed": True}))
    never = "(() => { tries++; return new Promise(() => {}); })"
    page = show(f"if (tries > 0) return; detail.respondWith({never}{'()' if kind == 'promise' else ''})")
    page.clock.pause_at(page.evaluate("Date.now()") + 1_000)
    move(page)
    page.evaluate("list.move(['id-5'], { before: 'id-0' })")
    until(page, "tries === 1")
    page.clock.run_for(29_900)
    assert page.evaluate("[list.waiting, tries]") == [2, 1] and server.posts == [] and page.said == []
    page.clock.run_for(200)
    if kind == "promise":
        until(page, REFUSED)
        assert page.evaluate(DETAIL) == ["move", 0, "The page has not answered.", "function"]
        assert server.wait_for_posts(1, "/moves")[0]["body"]["ids"] == ["id-5"]
        until(page, "list.waiting === 0")
        assert numbers(page, 6) == [5, 0, 1, 2, 3, 4]
    else:
        # It is called again, as a request is sent again.
        run_until(page, "tries === 2", within=40_000)
        assert server.posts == [] and page.evaluate("list.waiting") == 2
    expect_one_message(page, f"a {kind} that a mutation was answered with")


NEVER = "{ tries++; return new Promise(() => {}); }"


@pytest.mark.parametrize("way", ["respondWith", "delete", "enqueue"])
def test_a_function_that_never_settles_is_taken_for_failed_after_three_calls_of_thirty_seconds(show, server, way):
    server.answer("/moves", lambda body, query: (200, {"changed": True}))
    page = show(f"if (detail.ids[0] === 'id-1' && !window.isAnswered) detail.respondWith(() => {NEVER})" if way == "respondWith" else "", has_stream=False)
    page.clock.pause_at(page.evaluate("Date.now()") + 1_000)
    if way == "respondWith":
        move(page)
    elif way == "delete":
        page.evaluate(f"list.delete(['id-1'], {{ send: () => {NEVER} }})")
    else:
        page.evaluate(f"() => {{ list.enqueue(() => {NEVER}).catch(({{ message }}) => (window.failure = message)); }}")
    page.evaluate("list.move(['id-5'], { before: 'id-0' })")
    for tries in (1, 2, 3):
        run_until(page, f"tries === {tries}", within=40_000)
        page.clock.run_for(29_000)
        assert server.posts == [] and page.evaluate("[tries, list.waiting]") == [tries, 2]
    if way == "enqueue":
        run_until(page, "window.failure === 'The page has not answered.'", within=40_000)
    else:
        run_until(page, REFUSED, within=40_000)
        assert page.evaluate(DETAIL) == ["move" if way == "respondWith" else "delete", 0, "The page has not answered.", "function"]
    # What is behind it goes on, and the item is back.
    assert server.wait_for_posts(1, "/moves")[0]["body"]["ids"] == ["id-5"]
    run_until(page, "list.waiting === 0")
    assert numbers(page, 6) == [5, 0, 1, 2, 3, 4] and page.evaluate("tries") == 3
    if way == "respondWith":
        page.evaluate("() => { window.isAnswered = true; events.find(({ type }) => type === 'refused').detail.retry(); }")
        assert server.wait_for_posts(2, "/moves")[1]["body"]["ids"] == ["id-1"]


def test_a_function_that_fails_now_and_then_is_called_for_as_long_as_it_takes(show, server):
    page = show("detail.respondWith(() => ++tries % 3 === 0 ? Promise.reject() : tries > 7 ? { changed: true } : new Promise(() => {}))", has_stream=False)
    page.clock.pause_at(page.evaluate("Date.now()") + 1_000)
    move(page)
    for tries in range(1, 8):
        run_until(page, f"tries >= {tries}")
        page.clock.run_for(29_000)
    run_until(page, "tries === 8")
    run_until(page, "list.pending[0]?.isAccepted")
    assert not page.evaluate(REFUSED)


def test_calls_that_do_not_settle_while_the_server_is_away_are_not_counted(show, server, stream):
    page = show(f"detail.respondWith(() => {NEVER})")
    page.clock.pause_at(page.evaluate("Date.now()") + 1_000)
    stream.is_refusing = True
    stream.drop()
    run_until(page, "list.dataset.state === 'reconnecting'")
    move(page)
    for tries in range(1, 6):
        run_until(page, f"tries >= {tries}")
        page.clock.run_for(29_000)
    assert not page.evaluate(REFUSED) and page.evaluate("list.pending.length") == 1


def expect_one_message(page, text):
    until_said(page)
    assert len(page.said) == 1 and text in page.said[0], page.said


def test_a_function_that_takes_longer_is_called_again_and_the_first_answer_counts(show, server):
    page = show("detail.respondWith(() => { tries++; return tries === 1 ? new Promise((done) => (window.answer = done)) : new Promise(() => {}); })")
    page.clock.pause_at(page.evaluate("Date.now()") + 1_000)
    move(page)
    until(page, "tries === 1")
    page.clock.run_for(29_000)
    run_until(page, "tries === 2")
    page.evaluate("answer({ changed: true })")
    until(page, "list.pending[0].isAccepted && list.waiting === 0")
    assert page.evaluate("tries") == 2


def test_a_late_answer_that_is_none_counts_once(show, server):
    page = show("""detail.respondWith(() => {
      tries++;
      return tries === 1 ? new Promise((done) => (window.answer = done)) : tries === 2 ? new Promise(() => {}) : { changed: true };
    })""")
    page.clock.pause_at(page.evaluate("Date.now()") + 1_000)
    move(page)
    until(page, "tries === 1")
    page.clock.run_for(29_000)
    run_until(page, "tries === 2")
    page.evaluate("answer(new Response('{}', { status: 503 }))")
    run_until(page, "list.pending[0].isAccepted && list.waiting === 0")
    assert page.evaluate("tries") == 3


def test_a_promise_that_takes_its_time_is_waited_for_also_when_the_server_was_lost_meanwhile(show, server, stream):
    page = show("tries++; detail.respondWith(new Promise((done) => (window.answer = done)))")
    page.clock.pause_at(page.evaluate("Date.now()") + 1_000)
    move(page)
    until(page, "window.answer")
    page.clock.run_for(6_000)
    stream.is_refusing = True
    stream.drop()
    run_until(page, "list.dataset.state === 'reconnecting'")
    stream.is_refusing = False
    stream.on_open = lambda since: []
    run_until(page, "list.dataset.state === 'connected'")
    page.evaluate("answer({ changed: true })")
    run_until(page, "list.pending[0]?.isAccepted")
    assert page.evaluate("[tries, list.waiting]") == [1, 0] and page.said == []


def test_what_rejects_with_nothing_is_tried_again(show, server):
    page = show("detail.respondWith(() => ++tries < 3 ? Promise.reject() : { changed: true })")
    move(page)
    run_until(page, "list.pending[0]?.isAccepted")
    assert page.evaluate("tries") == 3


def test_an_answer_that_changed_nothing_is_told(show, server):
    server.answer("/own", lambda body, query: (200, {"changed": False}))
    page = show("detail.respondWith(() => send())")
    page.evaluate("document.addEventListener('live-list-unchanged', () => (window.isUnchanged = true))")
    move(page)
    until(page, "window.isUnchanged")


@pytest.mark.parametrize("status,outcome", [(200, 200), (409, "Refusal 409")])
def test_what_is_sent_by_functions_is_judged_by_its_response_too(show, server, status, outcome):
    server.answer("/own", lambda body, query: (status, {"number": 7}))
    page = show()
    assert page.evaluate("list.enqueue(() => send()).then(async (r) => (await r.json()).number && r.status, (e) => `${e.name} ${e.status}`)") == outcome
    page.evaluate("list.delete(['id-2'], { send: () => send() })")
    if status == 200:
        until(page, "list.pending[0].isAccepted")
    else:
        until(page, REFUSED)
        assert page.evaluate("list.count") == 12


@pytest.mark.parametrize("ids", ["'id-1'", "undefined", "null", "[]", "[1]", "['id-1', null]", "{}", "new Set(['id-1'])", "[['id-1']]"])
@pytest.mark.parametrize("call", ["move(%s, { after: 'id-3' })", "delete(%s)", "startMoving(%s)"])
def test_what_are_no_ids_is_an_error_before_anything_is_shown_or_sent(show, server, call, ids):
    page = show("window.isAsked = true")
    said = page.evaluate(f"() => {{ try {{ list.{call % ids}; return 'nothing'; }} catch (error) {{ return `${{error.name}} ${{error.message}}`; }} }}")
    assert said.startswith("TypeError live-list: not an array of ids:")
    assert page.evaluate("[window.isAsked, list.pending.length, list.count]") == [None, 0, 12]
    assert server.posts == []


@pytest.mark.parametrize("call", ["move(['gone'], { after: 'id-3' })", "delete(['gone', 'lost'])"])
def test_ids_that_are_not_in_the_list_are_not_sent_but_said(show, server, call):
    page = show("window.isAsked = true")
    assert page.evaluate(f"list.{call}") is None
    until_said(page)
    assert "of ids that are not in the list" in page.said[0]
    assert page.evaluate("[window.isAsked, list.pending.length]") == [None, 0]
    assert server.posts == []


def test_of_some_that_are_not_in_the_list_the_others_are_sent(show, server):
    server.answer("/deletes", lambda body, query: (200, {"changed": True}))
    page = show()
    page.evaluate("list.delete(['gone', 'id-2'])")
    assert server.wait_for_posts(1, "/deletes")[0]["body"]["ids"] == ["id-2"]
