"""Random mutations, lost answers and broken connections in three browsers: when it is quiet, all show what the server has."""

import random

import pytest

from gridpage import until
from seeds import seeds
from sheet import Sheet
from test_album_page import open_album

LIST = "document.getElementById('photos')"


def unreliable(respond, dice):
    """Performs a request or not, and loses the answer now and then; a mutation that comes again is not performed again."""
    done = set()

    def answer(body, query):
        if dice.random() < 0.15:
            return 0, None
        if body["act"] not in done:
            done.add(body["act"])
            respond(body, query)
        return (0, None) if dice.random() < 0.15 else (204, None)

    return answer


@pytest.mark.in_turns(3)
@pytest.mark.parametrize("seed", seeds(1, 2, 3))
def test_when_it_is_quiet_every_browser_shows_what_the_server_has(new_page, server, seed):
    dice = random.Random(seed)
    sheet = Sheet(server, 30)
    server.answer("/api/albums/a/moves", unreliable(sheet.move, dice))
    server.answer("/api/albums/a/deletes", unreliable(sheet.delete, dice))
    pages = [new_page(viewport={"width": 700, "height": 600}) for _ in range(3)]
    for page in pages:
        page.expected_errors.append("net::ERR")
        open_album(page, sheet)
    for _ in range(60):
        page = dice.choice(pages)
        kind = dice.random()
        if kind < 0.65:
            choice = [dice.random() for _ in range(3)]
            page.evaluate("""([a, b, c]) => {
              const list = document.getElementById('photos');
              const at = (part) => list.ids()[Math.floor(part * list.count)];
              const ids = [...new Set([at(a), at(b)])];
              if (list.count > 3 && !ids.includes(at(c))) list.move(ids, { after: at(c) });
            }""", choice)
        elif kind < 0.75:
            page.evaluate(
                "(part) => { const list = document.getElementById('photos');"
                " if (list.count > 8) list.delete([list.ids()[Math.floor(part * list.count)]]); }", dice.random())
        elif kind < 0.9:
            with sheet.lock:
                sheet.insert(f"new-{sheet.seq}", f"New {sheet.seq}")
                sheet.commit(inserted=[[sheet.order[-1], 0, len(sheet.order) - 1]])
        else:
            sheet.stream.drop()
    for page in pages:
        until(page, f"{LIST}.pending.length === 0")
    with sheet.lock:
        expected = ",".join(sheet.order)
        version = f"e.{sheet.seq}"
    for page in pages:
        until(page, f"{LIST}.version === '{version}'")
        assert page.evaluate(f"{LIST}.ids().join()") == expected, f"SEED={seed}"
