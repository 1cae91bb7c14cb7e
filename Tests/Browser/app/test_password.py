"""A server that others can reach asks for a password."""

import os
import pty
import subprocess
import urllib.error
import urllib.request

import pytest
from album_page import wait_for_count
from photographs import jpeg
from program import PROGRAM, run

PASSWORD = "correct horse battery"


@pytest.fixture
def guarded(start_server, tmp_path):
    data = tmp_path / "data"
    done = run("password", "--data", data, stdin=PASSWORD + "\n")
    assert done.returncode == 0, done.stderr
    return start_server("--with-password", data=data)


def log_in(page, password=PASSWORD):
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def status(url, **headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


def test_one_logs_in_stays_so_and_logs_out(guarded, open_page, start_server):
    page = open_page(guarded.url, expect_errors=True)
    assert "/login" in page.url and page.title() == "Log in – ContactSheet"
    log_in(page, "wrong password")
    page.get_by_role("alert").wait_for()
    assert "not the password" in page.get_by_role("alert").inner_text()
    log_in(page)
    page.wait_for_url("**/albums/*")
    wait_for_count(page, 0)
    page.reload()
    wait_for_count(page, 0)
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Log out").click()
    page.wait_for_url("**/login*")
    page.goto(guarded.url)
    assert "/login" in page.url


def test_the_login_works_without_scripts(guarded, open_page):
    page = open_page(guarded.url, java_script_enabled=False)
    log_in(page)
    page.wait_for_url("**/albums/*")
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/login*")


def test_a_change_of_the_password_ends_streams_and_leads_to_the_login(guarded, open_page, tmp_path):
    page = open_page(guarded.url, expect_errors=True)
    log_in(page)
    wait_for_count(page, 0)
    done = run("password", "--data", guarded.data, stdin="another password\n")
    assert done.returncode == 0
    # The next thing to be told is not told any more; the page then finds out why.
    done = run("import", jpeg(tmp_path / "secret.jpg", 1), "--data", guarded.data)
    assert done.returncode == 0, "commands on this machine need no password: " + done.stderr
    page.wait_for_url("**/login*", timeout=60_000)
    log_in(page, "another password")
    wait_for_count(page, 1)


def test_nothing_is_told_to_those_who_have_not_logged_in(guarded):
    for path in ("/api/albums", "/api/albums/stream", "/assets/album.js", "/live-list/live-list.js",
                 "/thumbnails/" + "0" * 64):
        assert status(guarded.url + path) == 401, path
    assert status(guarded.url + "/api/albums", Authorization="Bearer guess") == 401
    assert status(guarded.url + "/login") == 200


def test_the_password_is_nowhere_in_the_folder_nor_in_the_log(guarded, open_page):
    page = open_page(guarded.url)
    log_in(page)
    wait_for_count(page, 0)
    guarded.stop()
    for path in guarded.data.rglob("*"):
        if path.is_file():
            assert PASSWORD.encode() not in path.read_bytes(), path
    assert PASSWORD not in "".join(guarded.log)
    assert not (guarded.data / "token").exists()


def test_an_address_that_others_reach_wants_a_password(start_server, tmp_path):
    refused = run("serve", "--port", "0", "--host", "0.0.0.0", "--data", tmp_path / "none", stdin="")
    assert refused.returncode == 64
    assert "contact-sheet password" in refused.stderr and "--without-password" in refused.stderr
    both = run("serve", "--without-password", "--with-password", "--data", tmp_path / "none")
    assert both.returncode == 64
    server = start_server("--host", "0.0.0.0", environment={"CONTACT_SHEET_PASSWORD": PASSWORD})
    assert status(server.url + "/api/albums") == 401
    assert any("unencrypted" in line for line in server.log)
    file = tmp_path / "secret"
    file.write_text("from a file\n")
    other = start_server("--password-file", file, data=tmp_path / "other")
    assert status(other.url + "/api/albums") == 401
    free = start_server("--host", "0.0.0.0", "--without-password", data=tmp_path / "free")
    assert status(free.url + "/api/albums") == 200


def test_the_same_password_by_the_environment_keeps_people_logged_in(start_server, open_page, tmp_path):
    environment = {"CONTACT_SHEET_PASSWORD": PASSWORD}
    server = start_server(environment=environment)
    page = open_page(server.url)
    log_in(page)
    wait_for_count(page, 0)
    cookies = page.context.cookies()
    server.stop()
    page.context.close()
    again = start_server("--behind-https", environment=environment)
    assert status(again.url + "/api/albums") == 401
    cookie = next(cookie for cookie in cookies if cookie["name"] == "contact-sheet")
    assert cookie["httpOnly"] and cookie["sameSite"] == "Lax" and not cookie["secure"]
    assert status(again.url + "/api/albums", Cookie=f"__Host-contact-sheet={cookie['value']}") == 200


def test_at_a_terminal_the_password_is_asked_for_twice_and_not_shown(tmp_path):
    keyboard, terminal = pty.openpty()
    process = subprocess.Popen(
        [PROGRAM, "password", "--data", tmp_path / "data"], stdin=terminal, stdout=subprocess.PIPE, stderr=terminal)
    shown = b""
    for question, answer in ((b"New password: ", b"first password\n"), (b"Once more: ", b"other password\n")):
        while not shown.endswith(question):
            shown += os.read(keyboard, 100)
        os.write(keyboard, answer)
    assert process.wait(30) == 64
    shown += os.read(keyboard, 1000)
    assert b"not the same" in shown and b"first password" not in shown
    assert not (tmp_path / "data/password.json").exists()


def test_a_short_password_is_refused(tmp_path):
    done = run("password", "--data", tmp_path / "data", stdin="short\n")
    assert done.returncode == 64 and "at least 8" in done.stderr
