"""Where the focus goes in a list of a million when rows are deleted, and the row that gets it is not known yet."""

import threading

import pytest
from playwright.sync_api import expect

from gridpage import until
from long_list import focused

KNOWN = "list.ids(0, 300).filter((id) => id != null)"
RESTORED = "Delete refused, items restored."


@pytest.fixture
def refusing(grid, server, long):
    """The page, with the focus on one of the rows that were just deleted: all that are known. What lets the server refuse
    the deletion, and what lets it send the rows that come after them."""
    grid.expected_errors.append("409")
    may_answer, may_send = threading.Event(), threading.Event()

    def refuse(body, query):
        may_answer.wait(30)
        return 409, {"error": {"message": "No."}}

    server.answer("/deletes", refuse)
    long.on_range = lambda number: may_send.wait(30)
    grid.evaluate("list.focusItem('id-4')")
    grid.evaluate("() => document.body.append(Object.assign(document.createElement('button'), { id: 'aside' }))")
    count = grid.evaluate(f"() => {{ const known = {KNOWN}; list.delete(known); return known.length; }}")
    until(grid, "document.activeElement === document.body && document.querySelector('[data-ll-row=waiting]')")
    yield grid, may_answer, may_send, count
    may_answer.set()
    may_send.set()


def test_a_refused_deletion_gives_the_focus_back_from_a_row_that_was_not_known_at_once(refusing):
    page, may_answer, may_send, count = refusing
    may_send.set()
    until(page, f"document.activeElement.innerText.trim() === 'Item {count + 4}'")
    may_answer.set()
    until(page, "list.pending.length === 0")
    assert focused(page) == "Item 4"


def test_a_refused_deletion_gives_the_focus_back_while_the_row_that_gets_it_is_still_to_come(refusing):
    page, may_answer, may_send, _ = refusing
    may_answer.set()
    until(page, "list.pending.length === 0")
    assert focused(page) == "Item 4"
    may_send.set()
    expect(page.locator("[role=status]")).to_have_text(RESTORED)
    assert focused(page) == "Item 4"


def test_a_refused_deletion_leaves_the_focus_that_somebody_took_elsewhere_before_its_row_came(refusing):
    page, may_answer, _, _ = refusing
    page.evaluate("document.getElementById('aside').focus()")
    may_answer.set()
    until(page, "list.pending.length === 0")
    assert page.evaluate("document.activeElement.id") == "aside"
