"""A picture that is a page of its own, and the session ends: nobody who goes back to it sees it any more."""

import pytest
from photographs import jpeg
from program import run
from proxies import Nginx

PASSWORD = "correct horse battery"


@pytest.fixture
def guarded(start_server, tmp_path):
    """The address of a proxy that speaks https before a server with a photo and a password, the photo's path, and the folder."""
    data = tmp_path / "data"
    assert run("password", "--data", data, stdin=PASSWORD + "\n").returncode == 0
    assert run("import", jpeg(tmp_path / "a.jpg", 1), "--data", data).returncode == 0
    name = next((data / "originals").glob("*/*")).name
    server = start_server("--behind-https", "--allow-host", "localhost", data=data)
    proxy = Nginx(tmp_path, server.port)
    yield proxy.url, f"/originals/{name}", data
    proxy.end()


def log_in(page, password):
    page.wait_visible("#password")
    page.click("#password")
    page.type(password)
    page.key("Enter")
    page.wait_for("() => location.pathname.startsWith('/albums/')")


# Over http WebKit shows it: Documentation/Security.md says so. A page that came by https and is not to be stored it does not keep.
@pytest.mark.engines("webkit")
@pytest.mark.parametrize("end", ["new password", "log out"])
def test_by_https_who_goes_back_to_a_picture_after_the_session_has_to_log_in(browser, guarded, end):
    url, picture, data = guarded
    browser.expect_errors("401", "Failed to load resource", "EventSource", "/api/streams", "Access-Control", "cancelled")
    page = browser.open(url)
    log_in(page, PASSWORD)
    page.goto(url + picture)
    page.wait_for("() => document.contentType === 'image/jpeg' && document.images[0].complete")
    # From a page without anything in it: WebKit sometimes stops answering where it clears the storage that a page has open.
    page.goto(url + "/api/build")
    page.wait_for("() => location.pathname === '/api/build'")
    if end == "new password":
        assert run("password", "--data", data, stdin="another " + PASSWORD + "\n").returncode == 0
    else:
        assert page.evaluate("() => fetch('/logout', { method: 'POST' }).then(({ url }) => url)") == url + "/login"
    page.back()
    # What was there is nobody's any more: the login is there instead.
    page.wait_for("() => location.pathname === '/login' && document.readyState === 'complete'")
    assert page.evaluate("() => document.contentType") == "text/html"
