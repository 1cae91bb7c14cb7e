"""The example `events`, in two browsers; drafts in each engine."""

from playwright.sync_api import expect


def cells(page):
    return page.get_by_role("gridcell")


def test_events_come_and_go_with_their_days(start_example, open_page):
    address = start_example("events").url
    one, other = (open_page(address, locale="en-GB") for _ in range(2))

    def days(page):
        # The list draws what is near; eight events in three days are all near.
        return page.locator("live-list").evaluate(
            "list => list.ids(0, list.count).map((id) => list.contentOf(id).day)")

    for page in (one, other):
        expect(cells(page).filter(has_text="Farewell")).to_have_count(1)
    assert days(one) == ["2026-06-01"] * 4 + ["2026-06-02"] * 2 + ["2026-06-04"] * 2

    # A new event on a day that had none makes a section, in its place.
    one.get_by_label("Title", exact=True).fill("Walk along the coast")
    one.get_by_role("button", name="Add").click()
    for page in (one, other):
        expect(cells(page).filter(has_text="Walk along the coast")).to_have_count(1)
        expect(page.get_by_text("3 June · 1")).to_have_count(1)
    assert days(other) == days(one) == (
        ["2026-06-01"] * 4 + ["2026-06-02"] * 2 + ["2026-06-03"] + ["2026-06-04"] * 2)

    # Put off, it joins the next day, and its own is gone.
    cells(other).filter(has_text="Walk along the coast").click()
    other.get_by_role("button", name="Put off a day").click()
    expect(one.get_by_text("4 June · 3")).to_have_count(1)
    expect(one.get_by_text("3 June")).to_have_count(0)


def test_an_event_is_edited_in_a_draft_that_is_live_beside_another_browser(start_example, engine):
    address = start_example("events").url
    browsers = [engine.browser() for _ in range(2)]
    for browser in browsers:
        browser.expect_errors("409")
    one, other = (browser.open(address) for browser in browsers)

    def wait_for_events(page, *events):
        """Waits until the list has these events."""
        page.wait_for("""(...events) => {
            const list = document.querySelector('live-list');
            const has = list.ids(0, list.count).map((id) => list.contentOf(id))
                .map((event) => event && `${event.day} ${event.time} ${event.title}`);
            return events.every((event) => has.includes(event));
        }""", *events)

    def has(page, title):
        return page.evaluate("""(title) => {
            const list = document.querySelector('live-list');
            return list.ids(0, list.count).some((id) => list.contentOf(id)?.title.includes(title));
        }""", title)

    def edit(page, shown, **fields):
        page.evaluate("""(title) => {
            const list = document.querySelector('live-list');
            list.reveal(list.ids(0, list.count).find((id) => list.contentOf(id)?.title.includes(title)));
        }""", shown)
        page.click(f"[role=gridcell] :: {shown}")
        page.wait_visible("dialog button :: Save")
        for name, value in fields.items():
            # As a person's choice in the picker of a day or time, which engines do not let a driver reach.
            if name == "title":
                page.click("dialog [name=title]")
                page.key("Control+a")
                page.type(value)
            else:
                page.evaluate("""(name, value) => {
                    const field = document.querySelector(`dialog [name=${name}]`);
                    field.value = value;
                    field.dispatchEvent(new Event('input', { bubbles: true }));
                }""", name, value)

    for page in (one, other):
        wait_for_events(page, "2026-06-04 16:00 Farewell")

    # What is typed is in one's own list at once, in its section, and in nobody else's.
    edit(one, "Farewell", title="Farewell at sea", day="2026-06-05")
    wait_for_events(one, "2026-06-05 16:00 Farewell at sea")
    assert not has(other, "at sea")

    # What somebody else saves meanwhile comes in beneath: another column of the same event.
    edit(other, "Farewell", time="18:30")
    other.click("dialog button :: Save")
    other.wait_hidden("dialog")
    wait_for_events(one, "2026-06-05 18:30 Farewell at sea")
    wait_for_events(other, "2026-06-04 18:30 Farewell")

    # Cancel gives back what was there, with what the other has saved.
    one.click("dialog button :: Cancel")
    one.wait_hidden("dialog")
    wait_for_events(one, "2026-06-04 18:30 Farewell")

    # Save shows in both.
    edit(one, "Farewell", day="2026-06-05")
    one.click("dialog button :: Save")
    one.wait_hidden("dialog")
    for page in (one, other):
        wait_for_events(page, "2026-06-05 18:30 Farewell")

    # Both edit the title. The second knows of it when the first has saved, and not first when saving.
    edit(one, "Farewell", title="Goodbye")
    edit(other, "Farewell", title="So long")
    wait_for_events(other, "2026-06-05 18:30 So long")
    assert not other.is_visible("dialog [role=alert] :: Somebody")
    one.click("dialog button :: Save")
    one.wait_hidden("dialog")
    other.wait_visible("dialog [role=alert] :: Somebody has changed the title to “Goodbye”.")
    other.click("dialog button[value=save]")
    other.wait_for("() => document.querySelector('dialog').open")
    wait_for_events(one, "2026-06-05 18:30 Goodbye")
    wait_for_events(other, "2026-06-05 18:30 So long")
    other.click("dialog button :: Keep mine")
    other.wait_hidden("dialog")
    for page in (one, other):
        wait_for_events(page, "2026-06-05 18:30 So long")
        assert not has(page, "Goodbye")

    # Cancelled in a conflict, theirs is what is left.
    edit(one, "So long", title="Adieu")
    edit(other, "So long", title="Auf Wiedersehen")
    wait_for_events(one, "2026-06-05 18:30 Adieu")
    other.click("dialog button :: Save")
    one.wait_visible("dialog button :: Keep mine")
    one.click("dialog button :: Cancel")
    for page in (one, other):
        wait_for_events(page, "2026-06-05 18:30 Auf Wiedersehen")
        assert not has(page, "Adieu")


def test_an_edited_event_that_somebody_deletes_is_a_conflict_and_can_be_kept(start_example, engine):
    address = start_example("events").url
    one, other = (engine.browser().open(address) for _ in range(2))
    titles = "() => { const list = document.querySelector('live-list'); return list.ids(0, list.count).map((id) => list.contentOf(id)?.title) }"
    for page in (one, other):
        page.wait_for(f"() => ({titles})().includes('Farewell')")
    one.click("[role=gridcell] :: Farewell")
    one.wait_visible("dialog button :: Save")
    one.key("Control+a")
    one.type("Goodbye")
    one.wait_for(f"() => ({titles})().includes('Goodbye')")
    # Another event is not begun before this one is saved or given up.
    one.click("[role=gridcell] :: Registration")
    one.wait_visible("dialog [role=alert] :: Save or cancel this event first.")
    other.click("[role=gridcell] :: Farewell")
    other.wait_visible("dialog button :: Save")
    other.click("dialog button :: Cancel")
    other.wait_hidden("dialog")
    other.key("Delete")
    other.wait_for(f"() => !({titles})().includes('Farewell')")
    one.wait_visible("dialog [role=alert] :: Somebody has deleted the event.")
    one.click("dialog button :: Keep mine")
    one.wait_hidden("dialog")
    for page in (one, other):
        page.wait_for(f"() => ({titles})().includes('Goodbye')")
