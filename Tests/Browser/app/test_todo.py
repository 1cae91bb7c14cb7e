"""The program of the guide "Start in five minutes", as it stands there, in two windows."""

from playwright.sync_api import expect


def titles(page):
    return [text.strip() for text in page.get_by_role("gridcell").all_inner_texts()]


def test_two_windows_show_one_list_and_outlive_the_server(start_example, open_page):
    program = start_example("todo")
    one, other = (open_page(program.url, expect_errors=True) for _ in range(2))
    for title in ("Sort the photos", "Bake bread"):
        one.get_by_label("What is to be done?").fill(title)
        one.keyboard.press("Enter")
        expect(other.get_by_role("gridcell", name=title)).to_be_visible()
    expect(one.get_by_role("gridcell")).to_have_count(2)
    assert titles(one) == titles(other) == ["Bake bread", "Sort the photos"]

    other.get_by_role("gridcell", name="Bake bread").click()
    other.keyboard.press("Delete")
    expect(one.get_by_role("gridcell")).to_have_count(1)

    # Stopped and started again at the same port: what was deleted meanwhile is sent, and the list is there.
    port = program.url.rsplit(":", 1)[1]
    program.kill()
    one.get_by_role("gridcell", name="Sort the photos").click()
    one.keyboard.press("Delete")
    expect(one.get_by_role("gridcell")).to_have_count(0)
    start_example("todo", port)
    expect(other.get_by_role("gridcell")).to_have_count(0)
