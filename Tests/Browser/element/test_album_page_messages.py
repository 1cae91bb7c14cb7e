"""Messages of an album's page, in every browser: where they are, that they are read out, and that nothing is lost with them."""

import pytest
from engines import NETWORK, Line

from sheet import Sheet

AWAY = (*NETWORK, "net::ERR", "404", "PATCH", "EventSource", "interrupted")

# What live regions have said: all texts that were in one of them, in order.
LISTEN = """() => {
  window.heard = [];
  const listen = () => {
    for (const region of document.querySelectorAll('[aria-live], [role=status], [role=alert]')) {
      const text = region.textContent.trim();
      if (text && !region.closest('[inert]') && (region.closest('dialog') || !document.querySelector('dialog:modal'))) heard.push(text);
    }
  };
  new MutationObserver(listen).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""
HEARD = "text => heard.some((said) => said.includes(text))"
COMPLETE = "() => 'complete' in document.body.dataset && document.querySelector('#photos').count === 12"


@pytest.fixture
def sheet(server):
    return Sheet(server, 12)


@pytest.fixture
def album(browser, sheet):
    page = browser.open(sheet.url)
    page.wait_for(COMPLETE)
    page.evaluate("() => { window.photos = document.querySelector('#photos'); }")
    page.evaluate(LISTEN)
    return page


def test_every_message_is_read_out(album, server, browser):
    album.evaluate("() => photos.focusIndex(0)")
    album.key("Delete")
    album.wait_for(HEARD, "” deleted.Undo")
    album.evaluate("() => photos.focusIndex(0)")
    album.key("Shift+F10")
    album.click(".ll-menu button :: Move to album…")
    album.click("dialog.picker li :: Family")
    album.wait_for(HEARD, "” moved to “Family”.Undo")
    browser.expect_errors("409")
    server.answer("/api/albums/a/moves", lambda body, query: (409, {"error": {"message": "They are gone."}}))
    album.evaluate("() => photos.move(['p5'], { before: 'p4' })")
    album.wait_for(HEARD, "Not moved: They are gone.")


def test_a_deletion_in_the_viewer_can_be_undone_there(album, sheet):
    album.evaluate("() => photos.focusIndex(3)")
    album.key("Enter")
    album.wait_visible("#viewer[open]")
    album.key("Delete")
    album.wait_for("() => photos.count === 11")
    album.wait_for(HEARD, "” deleted.Undo")
    album.click("#viewer .toast button :: Undo")
    album.wait_for("() => photos.count === 12")
    album.wait_for(HEARD, "Undone: “")
    album.key("Delete")
    album.wait_for("() => photos.count === 11")
    album.key("Control+z")
    album.wait_for("() => photos.count === 12")
    # Messages do not go away with the dialog.
    album.key("Delete")
    album.wait_for("() => photos.count === 11")
    album.key("Escape")
    album.wait_hidden("#viewer")
    album.click("body > #toasts .toast button :: Undo")
    album.wait_for("() => photos.count === 12 && document.body === document.querySelector('.ll-status').parentNode")


DIALOGS = {
    "new album": ["#new-album"],
    "rename photo": ["#photos [data-ll-row=item] [data-ll-cell]", ".ll-menu button :: Rename…"],
}


@pytest.mark.parametrize("dialog", DIALOGS)
def test_what_was_typed_stays_where_the_server_is_away(browser, server, dialog):
    sheet = Sheet(server, 12, features="undo albums titles")
    album = browser.open(sheet.url)
    album.wait_for(COMPLETE)
    first, *rest = DIALOGS[dialog]
    album.click(first, button="right" if rest else "left")
    for entry in rest:
        album.click(entry)
    browser.expect_errors("net::ERR", "Failed to load", "NetworkError", "Load failed", "network connection", "404", "PATCH")
    lost = lambda body, query: (0, None)
    server.answer("/api/albums", lost)
    server.answer("PATCH /api/albums/a/photos/p0", lost)
    album.wait_visible("dialog.ask[open]")
    album.evaluate("() => { document.querySelector('dialog.ask input').value = ''; }")
    album.type("Sweden")
    album.key("Enter")
    album.wait_for("() => document.querySelector('dialog.ask [role=alert]').textContent"
                   " === 'The server cannot be reached. Try again when it is back.'")
    assert album.evaluate("() => document.querySelector('dialog.ask[open] input').value") == "Sweden"
    posted = []
    done = lambda body, query: posted.append(body) or (200, {"id": "b", "title": "Sweden", "count": 0})
    server.pages["/albums/b"] = (b"<title>Sweden</title><link rel=icon href=data:,>", "text/html")
    server.answer("/api/albums", done)
    server.answer("PATCH /api/albums/a/photos/p0", done)
    album.click("dialog.ask button.primary")
    if dialog == "new album":
        album.wait_for_url("/albums/b")
    else:
        album.wait_hidden("dialog.ask")
    assert [body["title"] for body in posted] == ["Sweden"]


QUESTIONS = {
    "delete album": (["#albums a[href='/albums/b']", ".ll-menu button :: Delete…"], "DELETE /api/albums/b", "Delete album"),
    "delete the album that is open": (["#more", ".ll-menu button :: Delete album…"], "DELETE /api/albums/a", "Delete album"),
    "log out": (["#more", ".ll-menu button :: Log out"], "POST /logout", "Log out"),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_stays_until_what_it_asks_is_done(browser, server, question):
    sheet = Sheet(server, 12, features="undo albums trash logout")
    for path in ("/", "/login"):
        server.pages[path] = (b"<title>Elsewhere</title><link rel=icon href=data:,>", "text/html")
    album = browser.open(sheet.url)
    album.wait_for(COMPLETE)
    browser.expect_errors(*AWAY)
    (first, *rest), path, action = QUESTIONS[question]
    if question == "log out":
        server.answer("/api/albums/a/moves", lambda body, query: (0, None))
        album.evaluate("() => document.querySelector('#photos').move(['p3'], { before: 'p0' })")
        album.wait_visible("#unsaved :: 1 change not saved yet")
    album.click(first, button="right" if first.startswith("#albums") else "left")
    for entry in rest:
        album.click(entry)
    server.answer(path, lambda body, query: (0, None))
    album.click(f"dialog.ask[open] button.primary :: {action}")
    album.wait_for("() => document.querySelector('dialog.ask[open] [role=alert]').textContent"
                   " === 'The server cannot be reached. Try again when it is back.'")
    assert album.evaluate("() => document.activeElement.matches('dialog.ask[open] button.primary')")
    server.answer(path, lambda body, query: (204, None))
    album.click(f"dialog.ask[open] button.primary :: {action}")
    if question == "delete album":
        album.wait_hidden("dialog.ask")
    else:
        album.wait_for("() => document.title === 'Elsewhere'")


def test_photos_go_to_an_album_while_the_server_is_away(browser, server):
    """The choice is fetched with the page: a module that could not be fetched is not asked for again."""
    Sheet(server, 12)
    line = Line(server.server_address[1])
    album = browser.open(f"{line.url}/albums/a")
    album.wait_for(COMPLETE)
    browser.expect_errors(*AWAY)
    line.cut()
    album.wait_for("() => document.querySelector('#photos').dataset.state === 'reconnecting'")

    def choose(photo, name):
        album.click(f"#photos a.open[data-photo='{photo}']", button="right")
        album.click(".ll-menu button :: Move to album…")
        album.click(f"dialog.picker li :: {name}")

    choose("p0", "Family")
    album.wait_visible("#unsaved :: 1 change not saved yet")
    line.restore()
    album.wait_hidden("#unsaved")
    choose("p1", "Lists")
    sent = server.wait_for_posts(2, "/api/albums/a/transfers")
    assert [(post["body"]["ids"], post["body"]["album"]) for post in sent] == [(["p0"], "b"), (["p1"], "c")]
    album.wait_for("() => document.querySelector('#photos').count === 10")
    album.close()
    line.close()


UNREACHABLE = "The server cannot be reached. Try again when it is back."
LOGIN = (b"<title>Elsewhere</title><link rel=icon href=data:,>", "text/html")


@pytest.mark.parametrize("unsaved", [False, True], ids=["saved", "unsaved"])
def test_who_cannot_log_out_while_the_server_is_away_does_so_when_it_is_back(browser, server, unsaved):
    Sheet(server, 12, features="undo albums logout")
    server.answer("POST /logout", lambda body, query: (204, None))
    server.pages["/login"] = LOGIN
    line = Line(server.server_address[1])
    album = browser.open(f"{line.url}/albums/a")
    album.wait_for(COMPLETE)
    browser.expect_errors(*AWAY)
    line.cut()
    album.wait_for("() => document.querySelector('#photos').dataset.state === 'reconnecting'")
    if unsaved:
        album.evaluate("() => document.querySelector('#photos').move(['p3'], { before: 'p0' })")
        album.wait_visible("#unsaved :: 1 change not saved yet")
    for is_back in (False, True):
        if is_back:
            line.restore()
        if not (unsaved and is_back):
            album.click("#more")
            album.click(".ll-menu button :: Log out")
        if unsaved:
            album.click("dialog.ask[open] button.primary :: Log out")
        if not is_back:
            where = "dialog.ask[open] [role=alert]" if unsaved else ".toast"
            album.wait_for("(where, text) => document.querySelector(where)?.textContent === text", where, UNREACHABLE)
    album.wait_for("() => document.title === 'Elsewhere'")
    album.close()
    line.close()


def test_who_logs_out_while_the_server_hangs_is_told_and_stays(browser, server):
    """Nothing is sent that it would come to later, as a surprise."""
    Sheet(server, 12, features="undo albums logout")
    server.answer("POST /logout", lambda body, query: (204, None))
    line = Line(server.server_address[1])
    album = browser.open(f"{line.url}/albums/a")
    album.wait_for(COMPLETE)
    browser.expect_errors(*AWAY)
    line.stall()
    album.click("#more")
    album.click(".ll-menu button :: Log out")
    album.wait_for("text => document.querySelector('.toast')?.textContent === text", UNREACHABLE)
    line.restore()
    album.wait_for("() => fetch('/api/build').then(({ ok }) => ok)")
    assert not [post for post in server.posts if post["path"] == "/logout"]
    assert album.evaluate("() => location.pathname") == "/albums/a"
    album.close()
    line.close()


def test_a_question_whose_answer_is_stuck_says_so_and_can_be_tried_again(browser, server):
    Sheet(server, 12, features="undo albums")
    server.answer("POST /api/albums", lambda body, query: (422, {"error": {"message": "No."}}))
    line = Line(server.server_address[1])
    album = browser.open(f"{line.url}/albums/a")
    album.wait_for(COMPLETE)
    browser.expect_errors(*AWAY, "422", "cancelled")
    album.click("#new-album")
    album.type("Summer")
    line.stall()
    album.key("Enter")
    said = "text => document.querySelector('dialog.ask[open] [role=alert]')?.textContent === text"
    album.wait_for(said, UNREACHABLE, timeout=45)
    line.restore()
    album.key("Enter")
    album.wait_for(said, "No.")
    album.close()
    line.close()


def test_an_album_that_is_asked_for_again_is_the_same_one(browser, server):
    """Without an answer nobody knows whether the first try was performed: both tries name one mutation, and the later title counts."""
    Sheet(server, 12, features="undo albums")
    tries = []

    def make(body, query):
        tries.append(body)
        if len(tries) == 1:
            return 503, {"error": {"message": "Later."}}
        return 201, {"id": "a", "title": tries[0]["title"], "count": 0}

    server.answer("POST /api/albums", make)
    server.answer("PATCH /api/albums/a", lambda body, query: (200, {"id": "a", "title": body["title"], "count": 0}))
    album = browser.open(f"{server.url}/albums/a")
    album.wait_for(COMPLETE)
    browser.expect_errors("503")
    album.click("#new-album")
    album.type("Summer")
    album.key("Enter")
    album.wait_for("() => document.querySelector('dialog.ask[open] [role=alert]')?.textContent === 'Later.'")
    album.type(" 2026")
    album.key("Enter")
    patch = server.wait_for_posts(1, "/api/albums/a")[-1]
    assert patch["body"] == {"title": "Summer 2026"}
    assert [one["title"] for one in tries] == ["Summer", "Summer 2026"]
    assert tries[0]["act"] == tries[1]["act"]
    album.close()


def test_a_message_is_not_shown_in_another_dialog(album):
    album.evaluate("""async () => {
      const { toast } = await import('/assets/toasts.js');
      window.say = (text) => { toast(text, { duration: 60_000 }) };
      say('Said on the page.');
    }""")
    album.wait_visible("body > #toasts .toast :: Said on the page.")
    album.click("#new-album")
    album.wait_visible("dialog.ask[open]")
    album.evaluate("() => say('Said in the dialog.')")
    album.wait_visible("dialog.ask .toast :: Said in the dialog.")
    assert not album.is_visible(".toast :: Said on the page.")
    album.key("Escape")
    album.wait_hidden("dialog.ask")
    # What nobody may have read yet is on the page again.
    album.wait_visible("body > #toasts .toast :: Said in the dialog.")
    album.wait_visible("body > #toasts .toast :: Said on the page.")
    album.evaluate("() => photos.focusIndex(3)")
    album.key("Shift+F10")
    album.click(".ll-menu button :: Move to position…")
    album.wait_visible(".ll-dialog")
    album.wait_hidden(".toast")


def test_the_words_of_an_engine_are_not_for_people(browser, server, tmp_path):
    Sheet(server, 12, features="undo albums archives")
    album = browser.open(server.url + "/albums/a")
    album.wait_for(COMPLETE)
    # A file that has gone since it was chosen.
    album.evaluate("""() => {
      Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException('Words of the engine', 'NotReadableError'));
    }""")
    (tmp_path / "manifest.json").write_text("{}")
    album.set_files("#files", [tmp_path / "manifest.json"])
    album.wait_visible("#uploads li :: “manifest.json” cannot be used: it could not be read.")
    # A photo of a long album, of which the rows do not come.
    album.evaluate("""() => {
      document.querySelector('#photos').load = () => Promise.reject(new TypeError('Words of the engine'));
      history.pushState({ index: 3 }, '', '/albums/a/photos/p99');
      history.pushState({}, '', '/albums/a');
      history.back();
    }""")
    album.wait_visible(f".toast :: {UNREACHABLE}")
    # Whatever else goes wrong in what a dialog is to do.
    browser.expect_errors("Words of the engine")
    album.evaluate("""async () => {
      const { confirmThat } = await import('/assets/ask.js');
      confirmThat('Sure?', '', 'Yes', () => Promise.reject(new TypeError('Words of the engine')));
    }""")
    album.click("dialog.ask[open] button.primary :: Yes")
    album.wait_visible("dialog.ask [role=alert] :: That did not work. Reload the page, and try again.")


def delete_photos(sheet):
    with sheet.lock:
        sheet.order.clear()
        sheet.commit(deleted=[[f"p{n}", 0, n] for n in range(12)])


def change_albums(sheet, seq, **items):
    content = {"new": {"title": "Sweden", "count": 0, "cover": None}}
    sheet.albums.send({"format": 1, "kind": "change", "epoch": "albums", "from": seq - 1, "seq": seq, "items": items, "content": content})


@pytest.mark.parametrize("first", ["photos", "albums"])
def test_of_an_album_that_was_deleted_elsewhere_only_that_is_said(album, sheet, first):
    """The list of its photos and the list of the albums tell of it each by itself, in any order."""
    album.evaluate("() => photos.own([])")  # what reports is there: it is fetched with the first change
    sheet.deleted.add("a")
    steps = [lambda: delete_photos(sheet), lambda: change_albums(sheet, 2, deleted=[["a", 0, 0]])]
    for step in steps if first == "photos" else reversed(steps):
        step()
    album.wait_for(HEARD, "This album has been deleted.")
    album.wait_for("() => photos.hidden && document.querySelector('#albums').count === 2")
    change_albums(sheet, 3, inserted=[["new", 0, 0]])
    album.wait_for(HEARD, "elsewhere")
    assert {text for text in album.evaluate("() => heard") if "elsewhere" in text} == {"1 added elsewhere."}


def test_of_an_album_that_others_have_emptied_it_is_said_how_many_went(album, sheet):
    delete_photos(sheet)
    album.wait_for(HEARD, "12 removed elsewhere.")
    assert not album.is_visible("#trouble")


def test_an_album_that_was_deleted_elsewhere_takes_its_photos_and_says_what_was_not_saved(album, sheet, server, browser):
    browser.expect_errors("404", "net::ERR", "Failed to load", "NetworkError", "Load failed", "network connection", "EventSource", "interrupted")
    for path in ("moves", "deletes"):
        server.answer(f"/api/albums/a/{path}", lambda body, query: (0, None))
    album.evaluate("() => photos.move(['p3'], { before: 'p0' })")
    album.evaluate("() => photos.delete(['p5'])")
    album.wait_for("() => document.querySelector('#unsaved').textContent === '2 changes not saved yet'")
    gone = lambda body, query: (404, {"error": {"message": "There is no such album. It may have been deleted."}})
    for path in ("moves", "deletes"):
        server.answer(f"/api/albums/a/{path}", gone)
    sheet.deleted.add("a")
    frame = sheet.album_list()
    frame["seq"] += 1
    frame["sections"][0]["items"].remove("a")
    sheet.albums.send(frame)
    album.wait_for(HEARD, "Not moved: There is no such album.")
    album.wait_for(HEARD, "Not deleted: There is no such album.")
    album.wait_for("() => !photos.checkVisibility() && photos.waiting === 0")
    assert album.is_visible("#trouble") and not album.is_visible("#connection")


def test_a_search_without_a_connection_says_that_it_waits(album, sheet, server, browser):
    browser.expect_errors("net::ERR", "Failed to load", "NetworkError", "Load failed", "network connection", "EventSource", "interrupted", "503")
    sheet.stream.is_refusing = True
    sheet.stream.drop()
    album.wait_for("() => photos.dataset.state === 'reconnecting'")
    album.click("#search input")
    album.type("Pier")
    album.wait_for("() => document.querySelector('#count').textContent === 'Waiting for the server…'")
    album.wait_for(HEARD, "What you asked for is shown when it is back.")
    sheet.stream.is_refusing = False
    album.evaluate("() => dispatchEvent(new Event('online'))")
    album.wait_for("() => document.querySelector('#count').textContent === '1 found'")
    album.wait_for("() => getComputedStyle(photos).opacity === '1'")


def test_what_the_page_before_did_is_not_reported_as_somebody_elses(album, sheet, server):
    """A list that is opened may be that of a while ago, followed by what has happened since."""
    before = {path: server.streams[path].on_open(None) for path in ("/api/albums/a/stream", "/api/albums/stream")}
    made = {"id": "new", "title": "Sweden", "count": 0}

    def make(body, query):
        sheet.others["new"] = {"title": "Sweden", "count": 0, "cover": None}
        return 201, made

    server.answer("/api/albums", make)
    server.pages["/albums/new"] = server.pages["/albums/a"]
    album.evaluate("() => photos.delete(['p0'])")
    mutation_id = server.wait_for_posts(1, "/api/albums/a/deletes")[0]["body"]["act"]
    album.wait_for("() => photos.pending.length === 0")
    change = {"format": 1, "kind": "change", "epoch": "e", "from": 1, "seq": 2, "acts": [mutation_id], "items": {"deleted": [["p0", 0, 0]]}}
    inserted = {
        "format": 1, "kind": "change", "epoch": "albums", "from": 1, "seq": 2, "items": {"inserted": [["new", 0, 3]]},
        "content": {"new": {"title": "Sweden", "count": 0, "cover": None}}}
    sheet.stream.on_open = lambda since: [*before["/api/albums/a/stream"], change]
    sheet.albums.on_open = lambda since: [*before["/api/albums/stream"], inserted]
    album.click("#new-album")
    album.type("Sweden")
    album.key("Enter")
    album.wait_for_url("/albums/new")
    album.wait_for("() => document.readyState === 'complete' && 'complete' in document.body.dataset && document.querySelector('#photos').count === 11"
                   " && document.querySelector('#albums').count === 4")
    other = {"format": 1, "kind": "change", "epoch": "e", "from": 2, "seq": 3, "items": {"inserted": [["other", 0, 0]]}, "content": {"other": {"title": "x"}}}
    sheet.stream.send(other)
    album.wait_for("() => /elsewhere/.test(document.querySelector('.ll-status').textContent)")
    assert album.evaluate("() => document.querySelector('.ll-status').textContent.trim()") == "1 added elsewhere."
