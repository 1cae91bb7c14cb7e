"""The console names mistakes that leave rows blank, without a size or without a menu, and what a silent stream has sent."""

import json

import pytest
from test_element_diagnostics import change, other, says, show, snapshot  # noqa: F401 (fixtures)

from fake_server import SECURITY_POLICY
from gridpage import frames, until, until_said

TALL = "live-list { height: 300px; --ll-columns: 1; --ll-row-height: 40 }"


def page_of(page, server, markup, style=TALL):
    page.said = []
    page.on("console", lambda message: message.text.startswith("live-list:") and page.said.append((message.type, message.text)))
    page.expected_errors.extend(["live-list:", "404", "500", "MIME", "CORS", "ERR_FAILED"])
    server.pages["/style.css"] = (style.encode(), "text/css")
    head = '<link rel="stylesheet" href="/live-list/live-list.css"><link rel="stylesheet" href="/style.css">'
    server.pages["/page"] = (
        f'<!DOCTYPE html><html lang="en"><title>x</title>{head}<script type="module" src="/live-list/live-list.js"></script>{markup}'.encode(),
        "text/html; charset=utf-8")
    server.policy = f"{SECURITY_POLICY}; connect-src *"
    page.clock.install()
    page.goto(f"{server.url}/page")
    until(page, "customElements.get('live-list')")
    return page


@pytest.mark.parametrize("inside,text", [
    ("", "neither a `renderer` nor a `<template>`"), ("<template></template>", "the template is empty"),
    ('<template><b data-text="titel"></b></template>', "names “titel”, which no item's content has; the first has: title")])
def test_rows_that_stay_blank_are_named(page, server, inside, text):
    server.stream("/stream").on_open = lambda since: [snapshot()]
    page = page_of(page, server, f'<live-list src="/stream" aria-label="Things">{inside}</live-list>')
    says(page, text, "warning" if inside else "error")


def test_a_template_that_is_added_later_is_taken_by_redraw(page, server):
    server.stream("/stream").on_open = lambda since: [snapshot()]
    page = page_of(page, server, '<live-list src="/stream" aria-label="Things"></live-list>')
    until(page, "document.querySelector('live-list').count === 3")
    page.evaluate("""() => {
      const list = document.querySelector('live-list');
      list.insertAdjacentHTML('beforeend', '<template><b data-text="title"></b></template>');
      list.redraw();
    }""")
    until(page, "document.querySelector('[data-ll-row=item] b')?.textContent === 'i0'")


@pytest.mark.parametrize("frame,text", [
    (snapshot(sections=[]), "has contents and no items"), (snapshot(content={}), "no item has a content")])
def test_contents_without_items_and_items_without_contents_are_named(show, frame, text):
    page = show("")
    page.evaluate("frame => document.querySelector('live-list').receive(frame)", frame)
    says(page, text, "warning")


@pytest.mark.parametrize("display", ["inline", "contents"])
def test_a_list_that_can_have_no_height_says_so(show, server, display):
    server.stream("/stream").on_open = lambda since: [snapshot()]
    page = show('src="/stream"', style=f"live-list {{ height: 300px; display: {display} }}")
    says(page, f"`display: {display}`, which has no height")


@pytest.mark.parametrize("metric", ["--ll-row-height: 3rem", "--ll-row-height: 0", "--ll-columns: -2", "--ll-tile: 0", "--ll-gap: -4", "--ll-tile-aspect: 0"])
def test_a_metric_that_is_none_is_named_and_passed_over(show, server, metric):
    server.stream("/stream").on_open = lambda since: [snapshot(500)]
    page = show('src="/stream"', style=f"live-list {{ height: 300px; {metric} }}")
    until(page, "document.querySelector('live-list').count === 500")
    says(page, f"`{metric}` is passed over")
    assert 0 < page.evaluate("document.querySelector('live-list').statistics.mounted") < 100
    assert page.evaluate("document.querySelector('[data-ll-row=item]').getBoundingClientRect().height") >= 40


@pytest.mark.parametrize("change", ["list.style.height = '200px'", "list.style.width = '400px'", "list.redraw()"])
def test_a_metric_that_is_none_only_later_is_named_when_it_is_read(show, server, change):
    server.stream("/stream").on_open = lambda since: [snapshot()]
    page = show('src="/stream"', style="live-list { height: 300px; --ll-columns: 1; --ll-row-height: 40 }")
    until(page, "document.querySelector('live-list').count === 3")
    page.clock.run_for(2_000)
    frames(page)
    page.evaluate("import('/live-list/view/hints.js').then(() => {})")
    frames(page)
    assert page.said == []
    page.evaluate(f"(() => {{ const list = document.querySelector('live-list'); list.style.setProperty('--ll-row-height', '3rem'); {change}; }})()")
    says(page, "`--ll-row-height: 3rem` is passed over")


def stream_says(server, text):
    server.pages["/stream"] = (text.encode(), "text/event-stream")


DATA = json.dumps(snapshot())


@pytest.mark.parametrize("sent,text", [
    (f"{DATA}\n\n", "lines that do not begin with `data:`"), (f"data: {DATA}\n", "without an empty line after it"),
    (f"event: frame\ndata: {DATA}\n\n", "events of the name “frame”"), (f"data: {json.dumps(snapshot(kind='full'))}\n\n", "of the kind “full”"),
    (f"data: {json.dumps(change())}\n\n", "begins with a change"),
    (f"event: frame\r\ndata: {DATA}\r\n\r\n", "events of the name “frame”")])
def test_what_is_no_frame_in_a_stream_is_named(show, server, sent, text):
    stream_says(server, sent)
    page = show('src="/stream"')
    page.clock.run_for(5_100)
    until_said(page, lambda all: any(text in said for _, said in all), step=50)


@pytest.mark.parametrize("streams,text", [("/nothing", "status 404"), ("/html", "text/html")])
def test_a_shared_stream_that_is_none_is_named_with_its_address(show, server, streams, text):
    server.pages["/html"] = (b"<p>Hello", "text/html")
    server.stream("/stream").on_open = lambda since: [snapshot()]
    page = show(f'streams="{streams}" src="/stream"')
    # Where it were late by the page's clock the list would have a stream of its own.
    page.evaluate("import('/live-list/network/shared.js').then(() => {})")
    page.clock.run_for(5_100)
    says(page, text)
    assert f"{streams} (the attribute `streams`), asked for /stream," in page.said[0][1]


def test_rows_of_another_origin_that_does_not_allow_it_are_named(show, server, other, long):
    page = show(f'src="/stream" items="{other.url}/items"')
    until(page, "document.querySelector('live-list').count === 1_000_000")
    page.evaluate("document.querySelector('live-list').scrollTop = 100_000")
    says(page, "does not allow this page to (Access-Control-Allow-Origin)")


@pytest.mark.parametrize("items,text", [
    ("[{ label: 'x' }]", "is not a function"), ("async () => []", "is async"), ("() => ({})", "did not return an array"),
    ("() => { throw new Error('no'); }", "`menuItems` failed"), ("() => [{ title: 'x', action() {} }]", "has no `label`"),
    ("() => [{ label: 'x' }]", "no function as its `action`")])
def test_a_menu_that_is_none_is_named_and_the_rest_of_it_is_there(show, server, items, text):
    server.stream("/stream").on_open = lambda since: [snapshot()]
    page = show('src="/stream" moves="/moves" reorder')
    until(page, "document.querySelector('live-list').count === 3")
    page.evaluate(f"() => {{ document.querySelector('live-list').menuItems = {items}; }}")
    frames(page)
    page.get_by_role("gridcell", name="i1").click(button="right")
    page.get_by_role("menuitem", name="Move to start").wait_for()
    assert page.get_by_role("menuitem").count() == 4
    says(page, text)
