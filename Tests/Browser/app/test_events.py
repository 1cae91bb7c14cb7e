"""The example `events`: sections, search, insertion, drafts in two browsers, and what the controller reports."""

import pytest
from engines import NETWORK
from examples import check_axe, check_that_it_is_kept_to_this_machine, run_example
from playwright.sync_api import expect

SECTIONS = ["Café conversations", "Concerts", "Excursions", "Exhibitions", "Lectures", "Meals", "Workshops"]
EVENTS = """() => {
    const list = document.querySelector('live-list');
    return list.ids(0, list.count).map((id) => list.contentOf(id)?.event);
}"""
COUNT = "(count) => document.querySelector('#count').textContent === count"
# The event that is selected, shown in the detail, and in the middle of the list.
IS_IN_THE_MIDDLE = """(title) => {
    const list = document.querySelector('live-list');
    const row = document.querySelector('.ll-selected');
    if (!row || list.selection.length !== 1 || list.contentOf(list.selection[0]).event.title !== title) return false;
    const [outer, inner] = [list, row].map((one) => one.getBoundingClientRect());
    return Math.abs(outer.top + outer.height / 2 - inner.top - inner.height / 2) < inner.height
        && document.querySelector('[name=title]').value === title;
}"""


@pytest.fixture
def events(start_example):
    """Ten events in each section: the first of Meals is “Event 68”, the newest; they are 2 hours 41 apart."""
    return start_example("events", "0", "--count", "70")


def wait_for_event(page, **members):
    """Waits until the list has an event with these members."""
    page.wait_for(f"(members) => ({EVENTS})().some((event) => event && Object.keys(members).every((name) => event[name] === members[name]))",
                  members)


def has(page, title):
    return page.evaluate(f"(title) => ({EVENTS})().some((event) => event?.title.includes(title))", title)


def positions(page, section):
    """The titles of a section, in their order."""
    return page.evaluate(
        f"(section) => ({EVENTS})().filter((event) => event.section === section).map(({{ title }}) => title)", section)


def choose(page, title):
    page.evaluate(f"""(title) => {{
        const list = document.querySelector('live-list');
        list.reveal(list.ids(0, list.count)[({EVENTS})().findIndex((event) => event?.title === title)]);
    }}""", title)
    page.click(f"[role=gridcell] :: {title}")
    page.wait_for("(title) => document.querySelector('[name=title]').value === title", title)


def edit(page, **fields):
    """Edits fields, as a person's choice in the pickers of section and time, which engines do not let a driver reach."""
    for name, value in fields.items():
        if name in ("title", "note"):
            page.click(f"form [name={name}]")
            page.key("Control+a")
            page.type(value)
        else:
            page.evaluate("""(name, value) => {
                const field = document.querySelector(`form [name=${name}]`);
                field.value = value;
                field.dispatchEvent(new Event('input', { bubbles: true }));
            }""", name, value)


def save(page, button="save"):
    page.click(f"form [value={button}]")
    page.wait_for("() => document.activeElement.closest('live-list') !== null")


def test_five_thousand_events_are_in_seven_sections_the_newest_first(start_example, open_page):
    page = open_page(start_example("events").url)
    expect(page.locator("#count")).to_have_text("5,000 events")
    events = page.evaluate(EVENTS)
    assert [(one["section"], one["time"]) for one in events] == sorted(
        sorted(((one["section"], one["time"]) for one in events), key=lambda one: one[1], reverse=True), key=lambda one: one[0])
    assert sorted({one["section"] for one in events}) == SECTIONS
    expect(page.get_by_role("rowheader").first).to_have_text("Café conversations · 714")


def test_sections_are_searched_as_one_types(events, engine):
    page, other = (engine.browser().open(events.url) for _ in range(2))
    for one in (page, other):
        one.wait_for(COUNT, "70 events")
    page.click("#search")
    page.type("CAFE")
    page.wait_for(COUNT, "10 events")
    page.wait_visible("[role=rowheader] :: Café conversations · 10")
    page.key("Control+a")
    page.type("ex")
    page.wait_for(COUNT, "20 events")
    assert other.evaluate(COUNT, "70 events")
    page.key("Control+a")
    page.key("Delete")
    page.wait_for(COUNT, "70 events")


def test_a_new_event_is_selected_in_the_middle_of_the_list(start_example, engine):
    events = start_example("events", "0", "--count", "700")
    page, other = (engine.browser().open(events.url) for _ in range(2))
    for one in (page, other):
        one.wait_for(COUNT, "700 events")
    # Where the page is longer than its window, too.
    page.resize(1000, 600)
    page.click("#new")
    page.wait_for(IS_IN_THE_MIDDLE, "New event")
    assert page.evaluate("() => scrollY") == 0, "the page scrolls with its list"
    other.wait_for(COUNT, "701 events")
    assert positions(other, "Concerts")[0] == "New event"
    # In others nothing is selected, and nothing scrolls.
    assert other.evaluate("() => { const list = document.querySelector('live-list'); return [list.selection, list.scrollTop] }") == [[], 0]


def test_an_edited_time_and_section_move_the_event_in_ones_own_list_until_it_is_saved(events, engine):
    page, other = (engine.browser().open(events.url) for _ in range(2))
    for one in (page, other):
        one.wait_for(COUNT, "70 events")
    meals = positions(page, "Meals")
    choose(page, "Event 68")
    edit(page, time="2026-01-01T00:00")
    page.wait_for(f"(title) => ({EVENTS})().findLast((event) => event.section === 'Meals').title === title", "Event 68")
    # It stays in view, wherever it goes.
    page.wait_for("() => document.querySelector('.ll-selected')?.textContent.includes('Event 68')")
    edit(page, section="Workshops")
    page.wait_for(f"(title) => ({EVENTS})().at(-1).title === title", "Event 68")
    assert positions(other, "Meals") == meals
    page.click("form [value=cancel]")
    page.wait_for(f"(title) => ({EVENTS})().find((event) => event.section === 'Meals').title === title", meals[0])
    assert positions(page, "Meals") == meals

    # Also where what the list does not show was edited just before.
    choose(page, "Event 68")
    edit(page, note="x", section="Café conversations")
    page.wait_for("() => document.querySelector('live-list').scrollTop < 100")
    edit(page, section="Workshops")
    page.wait_for("() => document.querySelector('live-list').scrollTop > 1000")
    save(page)
    for one in (page, other):
        wait_for_event(one, section="Workshops", title="Event 68")


def test_a_click_on_the_event_that_is_edited_leaves_it_edited(events, engine):
    page = engine.browser().open(events.url)
    page.wait_for(COUNT, "70 events")
    choose(page, "Event 68")
    edit(page, section="Café conversations")
    wait_for_event(page, section="Café conversations", title="Event 68")
    page.click("[role=gridcell] :: Event 68")
    page.click("[role=gridcell] :: Event 64")
    page.wait_visible("[role=alert] :: Save or cancel this event first.")


def test_an_edit_before_the_answer_to_a_cancel_is_a_new_one(events, engine):
    page = engine.browser().open(events.url)
    page.wait_for(COUNT, "70 events")
    choose(page, "Event 68")
    edit(page, section="Workshops")
    wait_for_event(page, section="Workshops", title="Event 68")
    # The answer comes later than what it does to the list, as it may at any time.
    page.evaluate("""() => {
        const { fetch } = window;
        window.fetch = async (...all) => {
            const answer = await fetch(...all);
            if (`${all[0]}`.endsWith('discards')) await new Promise((pass) => { window.pass = pass; });
            return answer;
        };
    }""")
    # Somebody in a hurry cancels twice.
    page.click("form [value=cancel]")
    page.click("form [value=cancel]")
    wait_for_event(page, section="Meals", title="Event 68")
    for _ in range(2):
        page.wait_for("() => Boolean(window.pass)")
        edit(page, note="x", section="Café conversations")
        page.evaluate("() => { window.pass(); window.pass = undefined; }")
    # It stays in view, and the focus where it is.
    wait_for_event(page, section="Café conversations", title="Event 68")
    page.wait_for("() => document.querySelector('live-list').scrollTop < 100")
    page.type("y")
    assert page.evaluate("() => document.querySelector('[name=note]').value") == "xy"
    # It is not saved: another event is not begun.
    page.click("[role=gridcell] :: Event 64")
    page.wait_visible("[role=alert] :: Save or cancel this event first.")
    save(page)
    wait_for_event(page, section="Café conversations", title="Event 68", note="xy")


def test_an_event_is_edited_in_a_draft_that_is_live_beside_another_browser(events, engine):
    browsers = [engine.browser() for _ in range(2)]
    for browser in browsers:
        browser.expect_errors("409")
    one, other = (browser.open(events.url) for browser in browsers)
    for page in (one, other):
        page.wait_for(COUNT, "70 events")

    # What is typed is in one's own list at once, and in nobody else's.
    choose(one, "Event 69")
    edit(one, title="Farewell", section="Meals")
    wait_for_event(one, title="Farewell", section="Meals")
    assert not has(other, "Farewell")

    # What somebody else saves meanwhile comes in beneath: another column of the same event.
    choose(other, "Event 69")
    edit(other, time="2026-07-01T18:30")
    save(other)
    wait_for_event(one, title="Farewell", section="Meals", time="2026-07-01T18:30")
    one.wait_for("() => document.querySelector('[name=time]').value === '2026-07-01T18:30'")
    wait_for_event(other, title="Event 69", time="2026-07-01T18:30")

    # Cancel gives back what was there, with what the other has saved.
    save(one, "cancel")
    wait_for_event(one, title="Event 69", section="Workshops", time="2026-07-01T18:30")

    # Both edit the title. The second knows of it when the first has saved, and not first when saving.
    edit(one, title="Goodbye")
    edit(other, title="So long")
    wait_for_event(other, title="So long")
    assert not other.is_visible("[role=alert] :: Somebody")
    save(one)
    other.wait_visible("[role=alert] :: Somebody has changed the title to “Goodbye”.")
    other.click("form [value=save]")
    other.wait_visible("[role=alert] :: Somebody has changed the title to “Goodbye”.")
    wait_for_event(one, title="Goodbye")
    save(other, "mine")
    for page in (one, other):
        wait_for_event(page, title="So long")
        assert not has(page, "Goodbye")

    # Cancelled in a conflict, theirs is what is left.
    edit(one, title="Adieu")
    edit(other, title="Auf Wiedersehen")
    wait_for_event(one, title="Adieu")
    save(other)
    one.wait_visible("form [value=mine]")
    save(one, "cancel")
    for page in (one, other):
        wait_for_event(page, title="Auf Wiedersehen")
        assert not has(page, "Adieu")


def test_an_edited_event_that_somebody_deletes_is_a_conflict_and_can_be_kept(events, engine):
    one, other = (engine.browser().open(events.url) for _ in range(2))
    for page in (one, other):
        page.wait_for(COUNT, "70 events")
    choose(one, "Event 70")
    edit(one, title="Goodbye")
    wait_for_event(one, title="Goodbye")
    # Another event is not begun before this one is saved or given up.
    one.click("[role=gridcell] :: Event 56")
    one.wait_visible("[role=alert] :: Save or cancel this event first.")
    choose(other, "Event 70")
    other.click("#delete")
    other.wait_for(COUNT, "69 events")
    one.wait_visible("[role=alert] :: Somebody has deleted the event.")
    save(one, "mine")
    for page in (one, other):
        wait_for_event(page, title="Goodbye")


def test_events_are_deleted_by_key_and_button_and_the_detail_closes(events, engine):
    page, other = (engine.browser().open(events.url) for _ in range(2))
    for one in (page, other):
        one.wait_for(COUNT, "70 events")
    choose(page, "Event 63")
    page.click("[role=gridcell] :: Event 63")
    page.key("Delete")
    for one in (page, other):
        one.wait_for(COUNT, "69 events")
    page.wait_visible("#hint")
    choose(page, "Event 62")
    choose(other, "Event 62")
    edit(page, title="Never saved")
    page.click("#delete")
    for one in (page, other):
        one.wait_for(COUNT, "68 events")
        one.wait_visible("#hint")
    assert not has(page, "Never saved")


def test_the_panel_says_what_the_controller_reports(events, engine):
    page, other = (engine.browser().open(events.url) for _ in range(2))

    def wait_for_report(text):
        page.wait_for("(text) => document.querySelector('#costs li')?.textContent.startsWith(text)", text)

    wait_for_report("the whole list · 70 inserted")
    other.wait_for(COUNT, "70 events")
    other.click("#new")
    wait_for_report("1 insertedrows read: 1 · ")
    # An edit that the list does not show is a difference, too: of its row and of nothing else.
    page.wait_for(COUNT, "71 events")
    before = page.evaluate("() => document.querySelector('live-list').textContent")
    choose(other, "New event")
    edit(other, note="Bring a chair")
    save(other)
    wait_for_report("1 updated · noterows read: 1 · ")
    assert page.evaluate("() => document.querySelector('live-list').textContent") == before
    edit(other, section="Meals")
    save(other)
    wait_for_report("1 moved · sectionrows read: 1 · ")
    other.click("#delete")
    wait_for_report("1 deletedrows read: 1 · ")
    # Nothing of this has the whole list read again.
    other.wait_for("() => document.querySelector('#costs li').textContent.startsWith('1 deleted')")
    assert other.evaluate("() => [...document.querySelectorAll('#costs li')].filter((one) => one.textContent.startsWith('the whole')).length") == 1
    page.wait_for("() => /[1-9][0-9.]* µs from commit$/.test(document.querySelector('#costs li').textContent)")


def test_a_search_of_events_outlives_the_server(start_example, engine):
    browser = engine.browser()
    browser.expect_errors(*NETWORK)
    arguments = ("--count", "70", "--data", "kept")
    events = start_example("events", "0", *arguments)
    page = browser.open(events.url)
    page.wait_for(COUNT, "70 events")
    page.click("#search")
    page.type("meals")
    page.wait_for(COUNT, "10 events")
    assert events.stop() == 0
    page.wait_for("() => document.querySelector('live-list').dataset.state === 'reconnecting'")
    start_example("events", events.url.rsplit(":", 1)[1], *arguments)
    page.wait_for("() => document.querySelector('live-list').dataset.state === 'connected'")
    page.wait_for(COUNT, "10 events")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_events(events, open_page, scheme):
    page = open_page(events.url, color_scheme=scheme)
    expect(page.locator("#count")).to_have_text("70 events")
    check_axe(page)
    page.get_by_role("button", name="New event").click()
    expect(page.get_by_label("Title")).to_have_value("New event")
    page.get_by_label("Title").fill("Another")
    page.get_by_role("gridcell").first.click()
    expect(page.get_by_role("alert")).to_have_text("Save or cancel this event first.")
    check_axe(page)


def test_all_of_events_is_within_320_pixels(events, open_page):
    page = open_page(events.url, viewport={"width": 320, "height": 640})
    expect(page.locator("#count")).to_have_text("70 events")
    page.get_by_role("button", name="New event").click()
    expect(page.get_by_label("Title")).to_have_value("New event")
    assert page.evaluate("() => document.documentElement.scrollWidth") == 320


def test_bad_events_are_refused_in_words(events, tmp_path):
    event = {"id": "a", "section": "Meals", "time": "2026-06-01T09:30", "title": "Lunch", "note": ""}
    assert events.post("/events", event) == (204, None)
    reason = "An event has a section, a time such as 2026-06-01T09:30, and a title."
    for wrong in (
        {"time": "tomorrow"}, {"time": "2026-13-01T09:30"}, {"section": ""}, {"id": ""}, {"title": ""}, {"title": "a" * 101},
        {"note": "a" * 1001},
    ):
        assert events.post("/events", event | wrong) == (409, reason)
    edit = {"page": "1", "id": "a", "time": "9"}
    assert events.post("/edits", edit) == (409, reason)
    assert events.post("/edits", {**edit, "id": "b"}) == (409, "The event was deleted.")
    assert events.post("/deletions", {"act": "1", "ids": ["b", "a"]}) == (204, None)
    check_that_it_is_kept_to_this_machine(events, "/deletions", {"act": "2", "ids": []})
    ended = run_example("events", "0", "--count", "many", folder=tmp_path)
    assert (ended.returncode, ended.stderr) == (1, "events: --count needs a number of events, up to a million.\n")
