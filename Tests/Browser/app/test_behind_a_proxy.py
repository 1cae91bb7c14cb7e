"""ContactSheet behind nginx and Caddy, as Documentation/Examples sets them up: https, streams, uploads, addresses."""

import http.client
import socket
import ssl
from urllib.parse import quote

import pytest
from album_page import wait_for_count
from photographs import jpeg
from program import run
from proxies import PROXIES, Caddy

PASSWORD = "correct horse battery"


@pytest.fixture(params=PROXIES)
def proxied(request, start_server, tmp_path):
    """The address of a proxy before a server with a password."""
    data = tmp_path / "data"
    assert run("password", "--data", data, stdin=PASSWORD + "\n").returncode == 0
    server = start_server("--behind-https", "--allow-host", "localhost", data=data)
    proxy = PROXIES[request.param](tmp_path, server.port)
    yield proxy.url, server
    proxy.end()


def log_in(page):
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/albums/*")


def test_lists_are_live_and_photos_arrive_through_a_proxy(proxied, open_page, tmp_path):
    url, _ = proxied
    first = open_page(url, ignore_https_errors=True)
    log_in(first)
    second = open_page(url, ignore_https_errors=True)
    log_in(second)
    wait_for_count(first, 0)
    first.locator("input[type=file]").first.set_input_files(jpeg(tmp_path / "a.jpg", 1))
    wait_for_count(first, 1)
    wait_for_count(second, 1)


def answer(url, method, path, headers=None, body=None):
    port = int(url.rsplit(":", 1)[1])
    connection = http.client.HTTPSConnection("localhost", port, timeout=30, context=ssl._create_unverified_context())
    connection.request(method, path, body=body, headers=headers or {})
    response = connection.getresponse()
    response.read()
    return response


@pytest.mark.parametrize("is_greeted", [False, True])
def test_a_head_that_comes_slowly_keeps_no_connection_of_caddys(start_server, tmp_path, is_greeted):
    # nginx has a minute that no example need name.
    proxy = Caddy(tmp_path, start_server("--behind-https", "--without-password", "--allow-host", "localhost").port, read_header="1s")
    connection = socket.create_connection(("127.0.0.1", proxy.port), timeout=60)
    if is_greeted:
        connection = ssl._create_unverified_context().wrap_socket(connection, server_hostname="localhost")
    connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " if is_greeted else b"\x16\x03")
    assert connection.recv(1) == b""
    connection.close()
    proxy.end()


def test_what_a_caller_says_of_its_address_is_replaced(proxied):
    url, _ = proxied
    statuses = [
        answer(url, "POST", "/login", {
            "Content-Type": "application/x-www-form-urlencoded", "Origin": url, "X-Forwarded-For": f"1.1.1.{number}",
        }, f"password={quote('wrong')}").status
        for number in range(6)
    ]
    assert statuses == [401] * 5 + [429]


def test_browsers_are_told_to_come_by_https_and_cookies_travel_so_only(proxied):
    url, _ = proxied
    response = answer(url, "POST", "/login", {
        "Content-Type": "application/x-www-form-urlencoded", "Origin": url}, f"password={quote(PASSWORD)}")
    assert response.status == 303
    assert response.headers["Strict-Transport-Security"].startswith("max-age=")
    assert all("Secure" in cookie for cookie in response.headers.get_all("Set-Cookie"))
