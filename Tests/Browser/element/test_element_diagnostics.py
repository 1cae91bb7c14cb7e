"""The console says, once, what keeps a list from being shown."""

import pytest

from fake_server import SECURITY_POLICY, FakeServer
from gridpage import frames, until
from test_element_stream import HIDE

PAGE = """<!DOCTYPE html><html lang="en"><title>x</title><link rel="stylesheet" href="/live-list/live-list.css">
<link rel="stylesheet" href="/style.css"><script type="module" src="/live-list/live-list.js"></script>
<live-list aria-label="Things" %s><template><span data-text="title"></span></template></live-list>"""


def snapshot(count=3, **more):
    ids = [f"i{n}" for n in range(count)]
    content = {one: {"title": one} for one in ids}
    return {"format": 1, "kind": "snapshot", "epoch": "e", "seq": 1, "sections": [{"id": "", "items": ids}], "content": content, **more}


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

    def show(attributes, style="live-list { height: 300px }"):
        server.pages["/style.css"] = (style.encode(), "text/css")
        server.pages["/page"] = ((PAGE % attributes).encode(), "text/html; charset=utf-8")
        server.policy = f"{SECURITY_POLICY}; connect-src *"
        page.clock.install()
        page.goto(f"{server.url}/page")
        until(page, "customElements.get('live-list')")
        return page

    return show


def says(page, text, kind="error"):
    end = 200
    while not page.said:
        page.clock.run_for(50)
        frames(page)
        end -= 1
        assert end, "nothing was said"
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


def test_frames_by_another_way_are_enough(show):
    page = show("")
    page.evaluate("frame => document.querySelector('live-list').receive(frame)", snapshot())
    page.clock.run_for(6_000)
    frames(page)
    assert page.said == []


@pytest.mark.parametrize("kind,text", [
    ("missing", "was answered with status 404"), ("page", "was answered with text/html"),
    ("silent", "no frame has come"), ("elsewhere", "does not allow this page to (Access-Control-Allow-Origin)")])
def test_a_stream_that_is_none_is_named_with_what_is_wrong(show, server, other, kind, text):
    server.pages["/html"] = (b"<p>Hello", "text/html")
    server.stream("/silent")
    other.stream("/stream").on_open = lambda since: [snapshot()]
    source = {"missing": "/nothing", "page": "/html", "silent": "/silent", "elsewhere": f"{other.url}/stream"}[kind]
    page = show(f'src="{source}"')
    page.clock.run_for(5_100)
    says(page, text)
    assert source in page.said[0][1]


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
