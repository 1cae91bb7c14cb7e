"""The two small examples, `colors` and `events`, each in two browsers."""

import subprocess

import pytest
from playwright.sync_api import expect
from program import PROGRAM


@pytest.fixture
def start_example(tmp_path):
    """A function that starts an example in an empty folder and answers its address."""
    running = []

    def start(name):
        process = subprocess.Popen(
            [PROGRAM.parent / name, "0"], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
        running.append(process)
        return process.stdout.readline().strip()

    yield start
    for process in running:
        process.kill()
        process.wait()
        process.stdout.close()


def cells(page):
    return page.get_by_role("gridcell")


def test_colors_are_searched_and_deleted_live(start_example, open_page):
    address = start_example("colors")
    one, other = open_page(address), open_page(address)
    for page in (one, other):
        expect(page.locator("p[role=status]")).to_have_text("61 colours")

    # Case and accents do not matter; the other browser still shows all.
    one.get_by_role("searchbox").fill("CAFE")
    expect(cells(one)).to_have_text(["Café au lait"])
    one.get_by_role("searchbox").fill("blue")
    expect(one.locator("p[role=status]")).to_have_text("9 colours")
    expect(cells(one).first).to_have_text("Alice Blue")

    # What the other deletes leaves the search as well.
    cells(other).filter(has_text="Alice Blue").click()
    other.keyboard.press("Delete")
    expect(one.locator("p[role=status]")).to_have_text("8 colours")
    expect(other.locator("p[role=status]")).to_have_text("60 colours")
    expect(cells(one).first).to_have_text("Bondi Blue")

    one.get_by_role("button", name="Put all back").click()
    expect(one.locator("p[role=status]")).to_have_text("9 colours")
    expect(other.locator("p[role=status]")).to_have_text("61 colours")


def test_events_come_and_go_with_their_days(start_example, open_page):
    address = start_example("events")
    one, other = (open_page(address, locale="en-GB") for _ in range(2))

    def days(page):
        # The list draws what is near; eight events in three days are all near.
        return page.locator("live-list").evaluate(
            "list => list.ids(0, list.count).map((id) => list.contentOf(id).day)")

    for page in (one, other):
        expect(cells(page).filter(has_text="Farewell")).to_have_count(1)
    assert days(one) == ["2026-06-01"] * 4 + ["2026-06-02"] * 2 + ["2026-06-04"] * 2

    # A new event on a day that had none makes a section, in its place.
    one.get_by_label("Title").fill("Walk along the coast")
    one.get_by_role("button", name="Add").click()
    for page in (one, other):
        expect(cells(page).filter(has_text="Walk along the coast")).to_have_count(1)
        expect(page.get_by_text("3 June · 1")).to_have_count(1)
    assert days(other) == days(one) == (
        ["2026-06-01"] * 4 + ["2026-06-02"] * 2 + ["2026-06-03"] + ["2026-06-04"] * 2)

    # Put off, it joins the next day, and its own is gone.
    cells(other).filter(has_text="Walk along the coast").click()
    expect(one.get_by_text("4 June · 3")).to_have_count(1)
    expect(one.get_by_text("3 June")).to_have_count(0)
