"""Logging out gives up what is not saved yet: it is asked about first, in whichever tab it waits."""

import pytest
from album_page import drag, until, wait_for_titles
from photographs import jpeg
from program import run

PASSWORD = "correct horse battery"


@pytest.mark.network
def test_what_waits_in_another_tab_is_asked_about(start_server, open_page, tmp_path):
    data = tmp_path / "data"
    assert run("password", "--data", data, stdin=PASSWORD + "\n").returncode == 0
    pictures = [jpeg(tmp_path / f"{name}.jpg", number) for number, name in enumerate(("Beach", "Dunes", "Pier"))]
    assert run("import", *pictures, "--data", data).returncode == 0
    server = start_server("--with-password", data=data)
    first = open_page(server.url, expect_errors=True)
    first.get_by_label("Password").fill(PASSWORD)
    first.get_by_role("button", name="Log in").click()
    first.wait_for_url("**/albums/**")
    second = first.context.new_page()
    second.goto(first.url)
    for page in (first, second):
        wait_for_titles(page, ["Beach", "Dunes", "Pier"])

    first.route("**/api/**", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    first.bring_to_front()
    drag(first, "Pier", before="Beach")
    until(first, "() => document.getElementById('unsaved').textContent === '1 change not saved yet'")

    second.bring_to_front()
    for answer in ("Cancel", "Log out"):
        second.get_by_role("button", name="More").click()
        second.get_by_role("menuitem", name="Log out").click()
        dialog = second.get_by_role("dialog")
        assert "give up what is not saved yet" in dialog.inner_text()
        dialog.get_by_role("button", name=answer).click()
        if answer == "Cancel":
            dialog.wait_for(state="hidden")
            assert "/albums/" in second.url
    second.wait_for_url("**/login")
