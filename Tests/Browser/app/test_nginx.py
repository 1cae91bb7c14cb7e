"""ContactSheet behind nginx, as Documentation/Examples/nginx.conf sets it up: https, streams, uploads, addresses."""

import http.client
import shutil
import socket
import ssl
import subprocess
from urllib.parse import quote

import pytest
from album_page import wait_for_count
from photographs import jpeg
from program import ROOT, run

PASSWORD = "correct horse battery"
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture
def proxied(start_server, tmp_path):
    """The address of nginx before a server with a password."""
    data = tmp_path / "data"
    assert run("password", "--data", data, stdin=PASSWORD + "\n").returncode == 0
    server = start_server("--behind-https", "--allow-host", "localhost", data=data)
    port, key, certificate = free_port(), tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
    site = (ROOT / "Documentation/Examples/nginx.conf").read_text()
    words = {"LISTEN": f"127.0.0.1:{port}", "NAME": "localhost", "CERTIFICATE": certificate, "KEY": key, "PORT": server.port}
    for word, value in words.items():
        site = site.replace(f" {word};", f" {value};").replace(f" {word} ", f" {value} ").replace(f":{word};", f":{value};")
    folders = "\n".join(f"{name}_temp_path {tmp_path}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    main = tmp_path / "nginx.conf"
    main.write_text(f"pid {tmp_path}/nginx.pid;\nerror_log {tmp_path}/error.log;\ndaemon off;\nworker_processes 1;\n"
                    f"events {{}}\nhttp {{\naccess_log off;\n{folders}\n{site}\n}}\n")
    nginx = subprocess.Popen([NGINX, "-p", tmp_path, "-c", main], stderr=subprocess.PIPE)
    while nginx.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except ConnectionRefusedError:
            pass
    assert nginx.poll() is None, nginx.stderr.read()
    yield f"https://localhost:{port}", server
    nginx.terminate()
    nginx.wait(20)


def log_in(page):
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/albums/*")


def test_lists_are_live_and_photos_arrive_through_nginx(proxied, open_page, tmp_path):
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
