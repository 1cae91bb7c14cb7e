"""The test that pays most: random mutations, random disconnections and crashes, in three browsers, on the real server. When it
is quiet, each browser's ids are the database's."""

import os
import random

import pytest
from album_page import until, wait_for_count
from long_album import stored_order, without_pictures
from seeds import seeds

pytestmark = pytest.mark.network

LIST = "document.getElementById('photos')"
STEPS = int(os.environ.get("STEPS", "60"))

# What a user may do, by parts from 0 to 1, with what is known on the page.
MOVE = f"""([a, b, c]) => {{
    const list = {LIST};
    const known = list.ids().filter(id => id !== undefined);
    const at = part => known[Math.floor(part * known.length)];
    const ids = [...new Set([at(a), at(b)])];
    if (known.length > 3 && !ids.includes(at(c))) list.move(ids, {{ after: at(c) }});
}}"""
DELETE = f"""part => {{
    const list = {LIST};
    const known = list.ids().filter(id => id !== undefined);
    if (known.length > 8) list.delete([known[Math.floor(part * known.length)]]);
}}"""
# Everything but up to three of those on screen, behind one of these.
MOVE_ALL_BUT = f"""async parts => {{
    const list = {LIST};
    list.selectAll();
    for (let n = 0; n < 20 && list.selectionCount < list.count; n++) await new Promise(done => setTimeout(done, 10));
    const rows = [...document.querySelectorAll('#photos [data-ll-row=item]')];
    if (rows.length === 0) return;
    const some = new Set(parts.map(part => rows[Math.floor(part * rows.length)]));
    for (const row of some) row.firstChild.dispatchEvent(new MouseEvent('click', {{ ctrlKey: true, bubbles: true }}));
    const at = [...some][0]?.getAttribute('aria-rowindex') - 1;
    if (list.selectionCount > 0) list.move(list.selected, {{ after: list.ids(at, at + 1)[0] }});
    list.selection = [];
}}"""
SCROLL = f"part => {{ const list = {LIST}; list.scrollTop = (list.scrollHeight - list.clientHeight) * part }}"


def press_undo(page):
    page.evaluate("() => dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }))")


@pytest.mark.in_turns(4)
@pytest.mark.parametrize("seed", seeds(1, 2))
@pytest.mark.parametrize("count", [30, 2_600], ids=["short", "long"])
def test_when_it_is_quiet_every_browser_has_what_the_database_has(server, fill_album, start_server, open_page, count, seed):
    dice = random.Random(seed)
    fill_album(count)
    # Failed requests are logged by the browser: they are the point here.
    pages = []
    for _ in range(3):
        page = without_pictures(open_page(None, expect_errors=True, viewport={"width": 700, "height": 600}))
        page.is_offline = False
        page.goto(server.url)
        wait_for_count(page, count)
        pages.append(page)
    for step in range(STEPS):
        page = dice.choice(pages)
        kind = dice.random()
        if kind < 0.4:
            page.evaluate(MOVE, [dice.random() for _ in range(3)])
        elif kind < 0.45:
            page.evaluate(MOVE_ALL_BUT, [dice.random() for _ in range(3)])
        elif kind < 0.6:
            page.evaluate(DELETE, dice.random())
        elif kind < 0.7:
            if not page.is_offline:
                press_undo(page)
        elif kind < 0.8:
            page.evaluate(SCROLL, dice.random())
        elif kind < 0.95:
            page.is_offline = not page.is_offline
            page.context.set_offline(page.is_offline)
        elif step < STEPS - 5:
            port = server.port
            server.kill()
            server = start_server("--port", port, data=server.data)
    for page in pages:
        page.context.set_offline(False)
        # A page that waits for its next try need not wait here.
        page.evaluate("() => dispatchEvent(new Event('online'))")
    what = f"SEED={seed}, {count} photos"
    for page in pages:
        until(page, f"() => {LIST}.pending.length === 0 && {LIST}.dataset.state === 'connected'", timeout=60_000)
    expected = stored_order(server.data)
    for page in pages:
        until(page, f"count => {LIST}.count === count", arg=len(expected), timeout=30_000)
        page.evaluate(f"() => {LIST}.load(0, {LIST}.count, {{ idsAlone: true }})")
        until(page, f"expected => {LIST}.ids().join() === expected", arg=",".join(expected), timeout=30_000)
        assert page.evaluate(f"() => {LIST}.ids().length") == len(expected), what
