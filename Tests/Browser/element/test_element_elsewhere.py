"""Announcements of changes from elsewhere: what others did, and nothing of what this page did itself."""

from playwright.sync_api import expect

from gridpage import freeze, open_grid, run_until, until


def announced(page, text):
    expect(page.locator("[role=status]")).to_have_text(text)


def receive(page, seq, **members):
    page.evaluate("([seq, members]) => list.receive(change(seq, members))", [seq, members])


def test_a_mutation_that_the_page_sent_in_order_is_not_from_elsewhere(page, server):
    server.answer("/undo", lambda body, query: (200, {"changed": True}))
    open_grid(page, server, 12)
    page.evaluate("() => list.enqueue({ url: '/undo', body: { act: 'taken back' } })")
    freeze(page)
    receive(page, 2, acts=["taken back"], items={"inserted": [["again", 0, 3]]}, content={"again": {"title": "Again"}})
    receive(page, 3, acts=["of somebody else"], items={"deleted": [["id-5", 0, 6]]})
    announced(page, "1 removed elsewhere.")


def test_a_move_and_its_undo_in_one_change_are_not_from_elsewhere(page, server):
    server.answer("/undo", lambda body, query: (200, {"changed": True}))
    server.answer("/moves", lambda body, query: (200, {"changed": True}))
    open_grid(page, server, 12, "moves=/moves")
    mutation_id = page.evaluate("() => list.move(['id-0'], { after: 'id-4' })")
    page.evaluate("() => list.enqueue({ url: '/undo', body: { act: 'taken back' } })")
    freeze(page)
    receive(page, 2, acts=[mutation_id, "taken back"], items={"moved": [["id-0", 0, 0, 0, 0]]})
    until(page, "list.pending.length === 0")
    receive(page, 3, items={"deleted": [["id-5", 0, 5]]})
    announced(page, "1 removed elsewhere.")


def test_items_that_the_page_added_are_not_from_elsewhere_whichever_comes_first_the_item_or_the_answer(page, server):
    open_grid(page, server, 12)
    freeze(page)
    page.evaluate("() => list.own(new Promise((done) => { window.answer = done }))")
    receive(page, 2, items={"inserted": [["mine", 0, 3], ["another's", 0, 4]]}, content={"mine": {}, "another's": {}})
    page.evaluate("() => answer(['mine'])")
    announced(page, "1 added elsewhere.")
    page.clock.run_for(6_000)
    page.evaluate("() => list.own(Promise.resolve(['mine too']))")
    receive(page, 3, items={"inserted": [["mine too", 0, 3]]}, content={"mine too": {}})
    page.evaluate("() => list.own(Promise.reject(new Error('not added')))")
    receive(page, 4, items={"deleted": [["id-5", 0, 8]]})
    announced(page, "1 removed elsewhere.")


def test_an_answer_that_does_not_come_holds_no_report(page, server):
    open_grid(page, server, 12)
    freeze(page)
    page.evaluate("() => list.own(new Promise(() => {}))")
    receive(page, 2, items={"deleted": [["id-5", 0, 5]]})
    # The module that reports may still be coming.
    run_until(page, "document.querySelector('[role=status]')?.innerText", step=1_000)
    announced(page, "1 removed elsewhere.")


def test_a_mutation_of_the_page_is_not_from_elsewhere_in_the_lists_that_it_follows_later(page, server):
    server.answer("/deletes", lambda body, query: (200, {"changed": True}))
    open_grid(page, server, 12, "deletes=/deletes")
    freeze(page)
    mutation_id = page.evaluate("() => list.delete(['id-0'])")
    server.wait_for_posts(1)
    receive(page, 2, acts=[mutation_id], items={"deleted": [["id-0", 0, 0]]})
    # Another list, as of a while ago, and what has happened to it since.
    for seq in (7, 9):
        page.evaluate("(seq) => list.receive(snapshot(12, { seq }))", seq)
        receive(page, seq + 1, acts=[mutation_id], items={"deleted": [["id-0", 0, 0]]})
        page.clock.run_for(7_000)
    expect(page.locator("[role=status]")).to_have_text("Item 0 removed.")
    receive(page, 11, acts=["of somebody else"], items={"deleted": [["id-5", 0, 4]]})
    announced(page, "1 removed elsewhere.")
