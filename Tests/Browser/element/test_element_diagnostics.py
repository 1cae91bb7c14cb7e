"""The console says, once, what keeps a list from being shown."""

import json
import threading

import pytest

from engines.processes import poll
from fake_server import PATIENCE, SECURITY_POLICY, FakeServer
from gridpage import freeze, frames, until, until_said
from test_element_stream import HIDE, LISTEN

PAGE = """<!DOCTYPE html><html lang="en"><title>x</title><link rel="stylesheet" href="/live-list/live-list.css">
<link rel="stylesheet" href="/style.css"><script type="module" src="/live-list/live-list.js"></script>
<live-list aria-label="Things" %s><template><span data-text="title"></span></template></live-list>"""


def snapshot(count=3, **more):
    ids = [f"i{n}" for n in range(count)]
    content = {one: {"title": one} for one in ids}
    return {"format": 1, "kind": "snapshot", "epoch": "e", "seq": 1, "sections": [{"id": "", "items": ids}], "content": content, **more}


def change(**members):
    return {"format": 1, "kind": "change", "epoch": "e", "from": 1, "seq": 2, **members}


# All that is shown.
SHOWN = """(() => {
  const list = document.querySelector('live-list');
  return JSON.stringify([list.version, list.ids(), list.ids().map((id) => list.contentOf(id)), document.querySelector('.ll-canvas').outerHTML]);
})()"""


@pytest.fixture
def other():
    """A server of another origin."""
    server = FakeServer()
    yield server
    server.end()


@pytest.fixture
def show(page, server):
    """Shows a list with these attributes; answers the page, whose console is in `said`."""
    page.said = []
    page.on("console", lambda message: message.text.startswith("live-list:") and page.said.append((message.type, message.text)))
    page.expected_errors.extend(["live-list:", "404", "CORS", "ERR_FAILED", "EventSource", "MIME"])

    def show(attributes, style="live-list { height: 300px }", clock=lambda page: page.clock.install()):
        server.pages["/style.css"] = (style.encode(), "text/css")
        server.pages["/page"] = ((PAGE % attributes).encode(), "text/html; charset=utf-8")
        server.policy = f"{SECURITY_POLICY}; connect-src *"
        clock(page)
        page.goto(f"{server.url}/page")
        until(page, "customElements.get('live-list')")
        return page

    return show


def says(page, text, kind="error"):
    until_said(page, step=50)
    assert len(page.said) == 1 and page.said[0][0] == kind and text in page.said[0][1], page.said


def test_a_list_without_a_height_says_so_once(show, server):
    stream = server.stream("/stream")
    stream.on_open = lambda since: [snapshot()]
    page = show('src="/stream"', style="")
    says(page, "has items and no height")
    stream.send({"format": 1, "kind": "change", "epoch": "e", "from": 1, "seq": 2, "items": {"deleted": [["i0", 0, 0]]}})
    until(page, "document.querySelector('live-list').count === 2")
    frames(page)
    assert len(page.said) == 1


@pytest.mark.parametrize("style", ["live-list { height: 300px }", "live-list { display: none }"])
def test_a_list_that_is_well_or_not_shown_says_nothing(show, server, style):
    server.stream("/stream").on_open = lambda since: [snapshot()]
    page = show('src="/stream"', style)
    until(page, "document.querySelector('live-list').count === 3")
    page.clock.run_for(6_000)
    frames(page)
    assert page.said == []


def test_a_list_without_a_stream_says_so(show):
    page = show("")
    page.clock.run_for(5_100)
    says(page, "the attribute `src` is missing", "warning")


def test_a_hidden_list_without_a_stream_says_nothing(show):
    page = show("hidden")
    page.clock.run_for(5_100)
    frames(page)
    assert page.said == []


def test_frames_by_another_way_are_enough(show):
    page = show("")
    page.evaluate("frame => document.querySelector('live-list').receive(frame)", snapshot())
    page.clock.run_for(6_000)
    frames(page)
    assert page.said == []


@pytest.mark.parametrize("kind,text", [
    ("missing", "was answered with status 404"), ("page", "was answered with text/html"),
    ("silent", "sends heartbeats, but no frame has come"), ("elsewhere", "does not allow this page to (Access-Control-Allow-Origin)")])
def test_a_stream_that_is_none_is_named_with_what_is_wrong(show, server, other, kind, text):
    server.pages["/html"] = (b"<p>Hello", "text/html")
    server.stream("/silent")
    other.stream("/stream").on_open = lambda since: [snapshot()]
    source = {"missing": "/nothing", "page": "/html", "silent": "/silent", "elsewhere": f"{other.url}/stream"}[kind]
    page = show(f'src="{source}"')
    page.clock.run_for(5_100)
    says(page, text)
    assert source in page.said[0][1]


@pytest.mark.network
def test_a_page_that_was_opened_in_the_background_is_given_its_time_from_when_it_is_shown(page, show, server):
    page.add_init_script(f"({HIDE})('hidden')")
    routes = []
    page.route("**/diagnostics.js", lambda route: routes.append(route))
    stream = server.stream("/silent")
    page = show('src="/silent"')
    page.clock.run_for(5_100)
    while not routes:
        frames(page)
    page.evaluate(HIDE, "visible")
    stream.wait_for_requests(1)
    routes[0].continue_()
    while len(stream.requests) < 2:  # the list itself, and what looks why it has nothing
        frames(page)
    frames(page)
    assert page.said == []
    says(page, "no frame has come")


def test_a_stream_of_another_origin_that_allows_it_works(show, server, other):
    other.allowed_origin = server.url
    other.stream("/stream").on_open = lambda since: [snapshot()]
    other.answer("/moves", lambda body, query: (200, {"changed": True}))
    page = show(f'src="{other.url}/stream" moves="{other.url}/moves" reorder')
    until(page, "document.querySelector('live-list').count === 3")
    page.evaluate("document.querySelector('live-list').move(['i2'], { before: 'i0' })")
    assert other.wait_for_posts(1, "/moves")[0]["body"]["ids"] == ["i2"]
    assert page.said == []


@pytest.mark.parametrize("frame,kind", [({"hello": "world"}, "error"), ([1, 2], "error"), ({"format": 7, "kind": "snapshot"}, "warning")])
def test_what_is_no_frame_is_shown(show, frame, kind):
    page = show("")
    page.evaluate("frame => document.querySelector('live-list').receive(frame)", frame)
    says(page, "the stream sent what is no frame", kind)


def test_rows_that_are_none_are_named(show, server, long):
    server.pages["/items"] = (b"<p>Hello", "text/html")
    page = show('src="/stream" items="/items"')
    until(page, "document.querySelector('live-list').count === 1_000_000")
    page.evaluate("document.querySelector('live-list').scrollTop = 100_000")
    says(page, "/items")
    assert "was not answered with JSON" in page.said[0][1]


@pytest.mark.parametrize("frame,path", [
    (snapshot(sections=[{"id": "", "items": [1, 2]}]), ".sections[0].items[0]"),
    (snapshot(epoch=None), ".epoch"), (snapshot(epoch="a.b"), ".epoch"), (snapshot(epoch=""), ".epoch"), (snapshot(epoch="e" * 65), ".epoch"),
    (snapshot(seq="1"), ".seq"),
    (snapshot(sections=None), ".sections"),
    (snapshot(sections=[{"items": ["a"]}]), ".sections[0].id"),
    (snapshot(sections=[{"id": "", "count": 3, "windows": [[0, ["a", None]]]}]), ".sections[0].windows[0][1][1]"),
    (snapshot(content=[]), ".content"),
    (snapshot(sections=[{"id": "", "items": ["a", "a"]}]), "an item is there twice"),
    (change(items=None), ".items"),
    (change(items={"inserted": None}), ".items.inserted"),
    (change(items={"inserted": [["x", 0, 0], ["y", 0]]}), ".items.inserted[1][2]"),
    (change(items={"moved": [["i0", 0, 0, 0, -1]]}), ".items.moved[0][4]"),
    (change(sections={"deleted": [[7, 0]]}), ".sections.deleted[0][0]"),
    (change(acts="x"), ".acts"),
    (change(reloaded={}), ".reloaded"),
    (change(**{"from": None}), ".from"),
    (change(items={"deleted": [["i2", 0, 0]]}), "item i2 is not at 0/0"),
    ({"format": 1}, ".kind"), ({"kind": "snapshot"}, ".format"), ("text", ".format"), (None, ".format")])
def test_a_frame_that_is_wrong_is_named_and_a_snapshot_asked_for_and_nothing_of_it_shown(show, server, frame, path):
    stream = server.stream("/stream")
    stream.on_open = lambda since: [snapshot(5)]
    page = show('src="/stream"')
    until(page, "document.querySelector('live-list').count === 5")
    until(page, "document.querySelector('[data-ll-row=item] span')")  # the template has been fetched
    before = page.evaluate(SHOWN)
    stream.on_open = lambda since: []
    page.evaluate("frame => document.querySelector('live-list').receive(frame)", frame)
    says(page, path)
    assert stream.wait_for_requests(2)[1]["since"] is None
    assert page.evaluate(SHOWN) == before
    stream.send(snapshot(6, seq=9))
    until(page, "document.querySelector('live-list').count === 6")


@pytest.mark.parametrize("frame", [snapshot(sections=[{"id": "", "items": [1]}]), "{"])
def test_a_server_that_sends_nothing_but_wrong_frames_is_asked_less_and_less_often(page, show, server, frame):
    page.add_init_script(LISTEN + "Math.random = () => 0.5;")
    data = frame if isinstance(frame, str) else json.dumps(frame)
    server.pages["/wrong"] = (f"data: {data}\n\n".encode(), "text/event-stream")
    page = show('src="/wrong"', clock=freeze)
    until(page, "heard.messages === 2")  # once more at once
    opens = 2
    for wait in [1_000, 2_000, 4_000, 8_000]:
        until(page, f"heard.messages === {opens}")
        page.clock.run_for(wait - 10)
        assert page.evaluate("heard.opens") == opens
        page.clock.run_for(20)
        opens += 1
        assert page.evaluate("heard.opens") == opens
    says(page, "the stream sent what is no frame")


@pytest.mark.parametrize("frames_sent", [1, 0])
def test_a_stream_that_ends_as_soon_as_it_has_begun_is_opened_less_and_less_often_and_named(page, show, server, frames_sent):
    page.add_init_script(LISTEN + "Math.random = () => 0.5;")
    stream = server.stream("/stream")
    stream.on_open = lambda since: [snapshot()]
    page = show('src="/stream"', clock=freeze)
    until(page, "document.querySelector('live-list').count === 3")
    body = b": hello\n\n" if not frames_sent else f"id: e.1\ndata: {json.dumps(snapshot())}\n\n".encode()
    del server.streams["/stream"]
    server.pages["/stream"] = (body, "text/event-stream")
    stream.drop()
    opens = 1
    for wait in [500, 1_000, 2_000, 4_000, 8_000]:
        until(page, f"heard.errors === {opens}")
        page.clock.run_for(wait - 10)
        assert page.evaluate("heard.opens") == opens
        page.clock.run_for(20)
        opens += 1
        assert page.evaluate("heard.opens") == opens
    says(page, "/stream ends again and again as soon as it has begun", "warning")


def test_a_stream_that_held_for_a_while_is_opened_again_soon(page, show, server):
    page.add_init_script(LISTEN + "Math.random = () => 0.5;")
    stream = server.stream("/stream")
    stream.on_open = lambda since: [snapshot()] if since is None else []
    page = show('src="/stream"', clock=freeze)
    for opens in range(1, 8):
        until(page, f"heard.beats === {opens}")
        page.clock.run_for(2_100)
        stream.drop()
        until(page, f"heard.errors === {opens}")
        page.clock.run_for(510)
        assert page.evaluate("heard.opens") == opens + 1
    assert page.said == []


def test_a_stream_that_ends_before_a_frame_has_come_says_so(show, server):
    asked = []
    over = threading.Event()

    def answer():
        # The list's own stream waits, as one that ends is opened again: after three of them the console says that instead, and
        # how many there are by then depends on the machine. Of the one that is opened to look what is wrong the end is seen.
        asked.append(None)
        if len(asked) == 1:
            over.wait(PATIENCE)
        return b": hello\n\n"

    server.pages["/stream"] = (answer, "text/event-stream")
    page = show('src="/stream"')
    poll(lambda: asked, "the list's own stream", PATIENCE)
    page.clock.run_for(5_100)
    says(page, "/stream ends before a frame has come")
    over.set()


@pytest.mark.parametrize("src,text", [("http://:::/", "`src` is no address: http://:::/"), ("", "`src` is empty")])
def test_an_address_that_is_none_is_named(show, server, src, text):
    page = show(f'src="{src}"')
    says(page, text)
    page.clock.run_for(11_000)
    frames(page)
    assert len(page.said) == 1


def test_an_address_of_shared_streams_that_is_none_leaves_the_list_its_own(show, server):
    server.stream("/stream").on_open = lambda since: [snapshot()]
    page = show('streams="http://:::/" src="/stream"')
    until(page, "document.querySelector('live-list').count === 3")
    says(page, "`streams` is no address: http://:::/")


@pytest.mark.parametrize("items", ["", 'items=""', 'items="http://:::/"'])
@pytest.mark.network
def test_counted_rows_without_an_address_for_them_are_named(page, show, server, items):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    stream = server.stream("/stream")
    stream.on_open = lambda since: [snapshot(sections=[{"id": "", "count": 500, "windows": [[0, ["i0", "i1", "i2"]]]}])]
    page = show(f'src="/stream" {items}')
    until(page, "document.querySelector('live-list').count === 500")
    says(page, "the attribute `items`, which says where their rows are, is missing or no address")
    page.clock.run_for(3_000)
    assert not [url for url in asked if "undefined" in url or "null" in url or "from=" in url]
    assert page.evaluate("document.querySelector('live-list').load(300, 310).then(() => 'loaded', ({ message }) => message)") == \
        "The rows' address is none."


@pytest.mark.parametrize("answer", [{"hello": 1}, [], {"format": 1, "kind": "range", "epoch": "e", "seq": 1, "sections": None}])
def test_rows_that_are_no_rows_are_named_and_asked_for_again(show, server, long, answer):
    server.answer("GET /items", lambda body, query: (200, answer))
    page = show('src="/stream" items="/items"')
    until(page, "document.querySelector('live-list').count === 1_000_000")
    page.evaluate("document.querySelector('live-list').scrollTop = 100_000")
    says(page, "was not answered with rows")


@pytest.mark.parametrize("kind,call,text", [
    ("move", "move(['i2'], { before: 'i0' })", "`moves`"), ("delete", "delete(['i2'])", "`deletes`")])
@pytest.mark.parametrize("value", [None, "", "http://:::/"])
def test_a_mutation_that_nobody_takes_is_taken_back_and_named(page, show, server, kind, call, text, value):
    server.stream("/stream").on_open = lambda since: [snapshot()]
    page = show(f'src="/stream" reorder {"" if value is None else f"""{kind}s="{value}" """}')
    until(page, "document.querySelector('live-list').count === 3")
    page.evaluate(f"""() => {{
      window.refused = [];
      document.addEventListener('live-list-refused', ({{ detail }}) => refused.push([detail.kind, detail.retry]));
      document.querySelector('live-list').{call};
    }}""")
    says(page, text)
    until(page, "refused.length > 0")
    assert page.evaluate("refused") == [[kind, None]]
    assert page.evaluate("document.querySelector('live-list').ids()") == ["i0", "i1", "i2"]
    assert server.posts == []


FAILING = """() => {
  const list = document.querySelector('live-list');
  list.renderer = {
    draw(cell, content, { id }) {
      cell.textContent = 'begun';
      if (content.isBad) throw new Error(`no ${id}`);
      cell.textContent = content.title;
    },
    discard() { throw new Error('no discard'); },
  };
  list.headerRenderer = (cell, { id }) => { throw new Error(`no ${id}`); };
  list.label = () => { throw new Error('no label'); };
}"""
MARKED = "[...document.querySelectorAll('[data-ll-failed]')].map((row) => row.textContent)"
TITLES = "[...document.querySelectorAll('.ll-canvas [data-ll-row=item]')].map((row) => row.textContent)"


def test_a_renderer_that_fails_costs_its_own_row_and_is_named_once(show, server):
    stream = server.stream("/stream")
    frame = snapshot(5)
    frame["content"]["i1"]["isBad"] = frame["content"]["i3"]["isBad"] = True
    stream.on_open = lambda since: [frame]
    page = show("")
    page.evaluate(FAILING)
    page.evaluate("document.querySelector('live-list').setAttribute('src', '/stream')")
    until(page, "document.querySelector('live-list').count === 5")
    says(page, "the page's code failed for “i1”")
    assert "no i1" in page.said[0][1]
    assert page.evaluate(TITLES) == ["i0", "begun", "i2", "begun", "i4"]
    assert page.evaluate(MARKED) == ["begun", "begun"]
    assert page.evaluate("[...document.querySelectorAll('[role=gridcell]')].every((cell) => cell.tabIndex <= 0)")
    # What is drawn again without a failure is marked no longer; and the rest goes on.
    stream.send(change(items={"deleted": [["i0", 0, 0]]}, reconfigured=["i1"], content={"i1": {"title": "mended"}}))
    until(page, "document.querySelector('live-list').count === 4")
    until(page, "!document.querySelector('.ll-leaving').firstChild")
    assert page.evaluate(TITLES) == ["mended", "i2", "begun", "i4"] and page.evaluate(MARKED) == ["begun"]
    frames(page)
    assert len(page.said) == 1


def test_headers_and_names_that_fail_cost_nothing_else(show, server):
    frame = snapshot(2, sections=[{"id": "June", "items": ["i0"]}, {"id": "July", "items": ["i1"]}])
    server.stream("/stream").on_open = lambda since: [frame]
    server.answer("/moves", lambda body, query: (200, {"changed": True}))
    page = show("headers reorder moves='/moves'")
    page.evaluate(FAILING)
    page.evaluate("document.querySelector('live-list').setAttribute('src', '/stream')")
    until(page, "document.querySelector('live-list').count === 2")
    says(page, "the page's code failed for “June”")
    assert page.evaluate(TITLES) == ["i0", "i1"] and len(page.evaluate(MARKED)) == 2
    page.get_by_role("gridcell", name="i1").click(button="right")
    page.get_by_role("menuitem", name="Move to start").click()
    assert server.wait_for_posts(1, "/moves")[0]["body"]["ids"] == ["i1"]
