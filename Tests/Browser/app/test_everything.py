"""Ctrl+A on an album that is too long to travel whole: one short request moves, deletes and brings back thousands."""

import json

import pytest
from album_page import ITEM, until, wait_for_count
from long_album import stored_order, without_pictures

pytestmark = pytest.mark.network

COUNT = 6_000
LIST = "document.getElementById('photos')"
QUIET = f"() => {LIST}.pending.length === 0 && !document.querySelector('#photos [data-ll-row=waiting]')"


@pytest.fixture
def ids(fill_album):
    return fill_album(COUNT)


@pytest.fixture
def pages(server, ids, open_page):
    pages = [without_pictures(open_page(None)) for _ in range(2)]
    for page in pages:
        page.goto(server.url)
        wait_for_count(page, COUNT)
    return pages


def select_all_but(page, *positions):
    page.evaluate(f"() => {LIST}.focusIndex(0)")
    page.keyboard.press("Control+a")
    until(page, f"() => {LIST}.selectionCount === {COUNT}")
    for position in positions:
        page.locator(f"{ITEM}[aria-rowindex='{position + 1}']").click(modifiers=["Control"])
    assert page.evaluate(f"() => {LIST}.selectionCount") == COUNT - len(positions)


def expect_everywhere(pages, server, order):
    for page in pages:
        wait_for_count(page, len(order))
        until(page, QUIET)
        until(page, f"ids => {LIST}.ids(0, ids.length).join() === ids.join()", arg=order[:10])
    assert stored_order(server.data) == order


def test_all_but_two_are_deleted_and_brought_back(pages, server, ids):
    page, _ = pages
    select_all_but(page, 1, 4)
    requests = []
    page.on("request", lambda request: request.method == "POST" and requests.append(request.post_data))
    page.evaluate(f"() => {LIST}.focusIndex(0)")
    page.keyboard.press("Delete")
    page.locator(".toast", has_text="5,998 photos deleted.").wait_for()
    expect_everywhere(pages, server, [ids[1], ids[4]])
    [body] = requests
    assert len(body) < 300 and set(json.loads(body)["all"]["except"]) == {ids[1], ids[4]}
    page.keyboard.press("Control+z")
    expect_everywhere(pages, server, ids)


def test_all_but_three_are_moved_behind_one_of_them(pages, server, ids):
    page, _ = pages
    select_all_but(page, 0, 2, 5)
    page.locator(f"{ITEM}[aria-rowindex='4']").click(button="right")
    page.get_by_role("menu", name="5,997 items").wait_for()
    page.get_by_role("menuitem", name="Reorder…").click()
    box = page.locator(f"{ITEM}[aria-rowindex='3']").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2)
    rest = [ids[0], ids[2], ids[5]]
    moved = [one for one in ids if one not in rest]
    expect_everywhere(pages, server, [*rest[:2], *moved, rest[2]])
    page.keyboard.press("Control+z")
    expect_everywhere(pages, server, ids)


def test_what_another_adds_meanwhile_stays(pages, server, ids):
    page, other = pages
    select_all_but(page, 3)
    # The other brings one back that was deleted after everything was selected: it has arrived anew.
    other.evaluate(f"id => {LIST}.delete([id])", ids[0])
    wait_for_count(page, COUNT - 1)
    other.keyboard.press("Control+z")
    wait_for_count(page, COUNT)
    assert page.evaluate(f"() => {LIST}.selectionCount") == COUNT - 2
    page.get_by_role("button", name="Select", exact=True).click()
    assert page.get_by_role("heading", level=1).inner_text() == "5,998 selected"
    page.get_by_role("toolbar").get_by_role("button", name="Delete").click()
    expect_everywhere(pages, server, [ids[0], ids[3]])
