"""ContactSheet below a path of a name that has other things, too, as Documentation/Examples sets it up with nginx and with
Caddy: all that people do there, and no request of their browsers leaves the path."""

import json
import ssl
import urllib.error
import urllib.request
import zipfile

import pytest
from album_page import drag, ids, settle, titles, until, wait_for_count, wait_for_titles
from photographs import jpeg
from program import run
from proxies import PROXIES

PASSWORD = "correct horse battery"
PATH = "/photos"
# With one of the proxies at each commit, with the other at the next.
by_turns = pytest.mark.in_turns(2)


def protected_server(start_server, data, path):
    assert run("password", "--data", data, stdin=PASSWORD + "\n").returncode == 0
    return start_server("--behind-https", "--allow-host", "localhost", "--path", path, data=data)


@pytest.fixture(params=PROXIES)
def below(request, start_server, tmp_path):
    """A proxy before a server with a password, which is at `/photos/` of its name, and before another one below that."""
    server = protected_server(start_server, tmp_path / "data", PATH)
    inner = protected_server(start_server, tmp_path / "inner", f"{PATH}/club")
    proxy = PROXIES[request.param](tmp_path, server.port, PATH, others={f"{PATH}/club": inner.port})
    proxy.data = server.data
    yield proxy
    proxy.end()


def stayed_below(proxy):
    """Holds every request that browsers made to the path."""
    requests = proxy.requests
    elsewhere = [request for request in requests if not request[2].startswith(f"{PATH}/")]
    assert len(requests) > 0 and elsewhere == []
    assert [request for request in requests if request[0].startswith(("4", "5")) and request[0] not in ("401", "499")] == []


def log_in(page):
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/albums/**")


def open_and_log_in(open_page, proxy, **options):
    page = open_page(proxy.url + PATH + "/", ignore_https_errors=True, **options)
    log_in(page)
    return page


def add(page, tmp_path, *names):
    files = [jpeg(tmp_path / f"{name}.jpg", number, taken=f"2024:05:0{number + 1} 10:00:00") for number, name in enumerate(names)]
    page.locator("input[type=file]").first.set_input_files(files)


@by_turns
@pytest.mark.network
def test_all_that_people_do_stays_below_the_path(below, open_page, tmp_path):
    first = open_and_log_in(open_page, below)
    second = open_and_log_in(open_page, below)
    wait_for_count(first, 0)
    wait_for_count(second, 0)

    add(first, tmp_path, "Beach", "Dunes", "Pier")
    for page in (first, second):
        wait_for_titles(page, ["Beach", "Dunes", "Pier"])
    until(first, "() => [...document.querySelectorAll('#photos img')].filter(image => image.naturalWidth > 0).length === 3")
    settle(first)
    drag(first, "Pier", before="Beach")
    for page in (first, second):
        wait_for_titles(page, ["Pier", "Beach", "Dunes"])
    settle(first)
    first.get_by_role("button", name="Undo").click()
    wait_for_titles(second, ["Beach", "Dunes", "Pier"])

    # A photo, its address, and the way back.
    album = first.url
    photo = ids(first)[1]
    first.locator(f'a.open[data-photo="{photo}"]').click()
    first.wait_for_url(f"{album}/photos/{photo}")
    until(first, "() => document.querySelector('#viewer .current img.previews')?.src.includes('/previews/')")
    first.reload()
    until(first, "() => document.getElementById('viewer').open && document.querySelector('#viewer .current img.previews')?.naturalWidth === 640")
    first.get_by_role("button", name="Close").click()
    first.wait_for_url(album)
    first.go_forward()
    first.wait_for_url(f"{album}/photos/{photo}")
    first.go_back()
    first.wait_for_url(album)

    # A search, another album, and an export.
    first.get_by_role("searchbox").fill("dun")
    wait_for_titles(first, ["Dunes"])
    first.get_by_role("searchbox").fill("")
    wait_for_count(first, 3)
    with first.expect_download() as download:
        first.get_by_role("button", name="More").click()
        first.get_by_role("menuitem", name="Export", exact=True).click()
    with zipfile.ZipFile(download.value.path()) as archive:
        manifest = next(name for name in archive.namelist() if name.endswith("manifest.json"))
        assert [entry["title"] for entry in json.loads(archive.read(manifest))["photos"]] == ["Beach", "Dunes", "Pier"]
    first.get_by_role("button", name="New album").click()
    first.get_by_role("textbox", name="Title").fill("Family")
    first.get_by_role("button", name="Create").click()
    first.wait_for_function("album => !location.href.startsWith(album)", arg=album)
    wait_for_count(first, 0)
    assert first.evaluate("location.pathname").startswith(f"{PATH}/albums/")
    assert first.locator('#albums [data-ll-row="item"] a').first.evaluate("link => link.pathname").startswith(f"{PATH}/albums/")
    first.goto(album)
    wait_for_count(first, 3)

    # Out, which the other page notices, and which leads back to where it was.
    first.get_by_role("button", name="More").click()
    first.get_by_role("menuitem", name="Log out").click()
    first.wait_for_url(f"**{PATH}/login")
    first.goto(f"{album}/photos/{photo}")
    first.wait_for_url(f"**{PATH}/login?next=*")
    log_in(first)
    assert first.url == f"{album}/photos/{photo}"
    until(first, "() => document.getElementById('viewer').open")
    stayed_below(below)


@by_turns
@pytest.mark.network
def test_without_scripts_all_of_it_is_below_the_path(below, open_page, tmp_path):
    scripted = open_and_log_in(open_page, below)
    add(scripted, tmp_path, "Beach", "Dunes", "Pier")
    wait_for_count(scripted, 3)
    plain = open_and_log_in(open_page, below, java_script_enabled=False)
    for image in plain.locator(".plain li img").all():
        assert image.bounding_box()["width"] > 50
    plain.get_by_label("Pier", exact=True).check()
    plain.get_by_role("button", name="Move to the start").click()
    assert "Moved 1 photo." in plain.get_by_role("status").inner_text()
    wait_for_titles(scripted, ["Pier", "Beach", "Dunes"])
    plain.get_by_role("button", name="Undo").click()
    wait_for_titles(scripted, ["Beach", "Dunes", "Pier"])
    plain.get_by_role("link", name="Open Dunes").click()
    plain.wait_for_url(f"**{PATH}/albums/*/photos/*")
    plain.get_by_role("link", name="Next").click()
    plain.get_by_role("link", name="Pier").click()
    assert f"{PATH}/originals/" in plain.url
    plain.go_back()
    plain.get_by_role("link", name="All photos").click()
    with plain.expect_download() as download:
        plain.get_by_role("link", name="Export this album").click()
    assert zipfile.is_zipfile(download.value.path())
    plain.get_by_role("button", name="Log out").click()
    plain.wait_for_url(f"**{PATH}/login")
    stayed_below(below)


@by_turns
def test_an_error_leads_back_below_the_path(below, open_page):
    page = open_and_log_in(open_page, below, expect_errors=True)
    page.goto(f"{below.url}{PATH}/nothing")
    page.get_by_role("link", name="Go to the albums").click()
    page.wait_for_url(f"**{PATH}/albums/*")
    assert {address for _, _, address in below.requests if not address.startswith(f"{PATH}/")} == set()


@by_turns
def test_two_servers_at_one_name_keep_their_things_apart(below, open_page, tmp_path):
    """Two pages of one browser, at two servers of one name, of which one is below the other."""
    outer = open_and_log_in(open_page, below)
    inner = outer.context.new_page()
    inner.set_default_timeout(60_000)
    inner.goto(f"{below.url}{PATH}/club")
    # Who is logged in at one of them is not at the other.
    inner.wait_for_url(f"**{PATH}/club/login")
    log_in(inner)
    assert "/photos/club/albums/" in inner.url
    wait_for_count(outer, 0)
    add(outer, tmp_path, "Beach", "Dunes")
    wait_for_titles(outer, ["Beach", "Dunes"])
    wait_for_count(inner, 0)
    add(inner, tmp_path, "Harbour")
    wait_for_titles(inner, ["Harbour"])
    assert titles(outer) == ["Beach", "Dunes"]

    cookies = [(cookie["name"], cookie["path"]) for cookie in outer.context.cookies()]
    assert sorted(cookies) == [
        ("__Secure-contact-sheet", "/photos"), ("__Secure-contact-sheet", "/photos/club"),
        ("contact-sheet-device", "/photos/club/login"), ("contact-sheet-device", "/photos/login")]
    # What waits for one of them is not taken over, sent or thrown away by the other.
    keep = """async name => {
        const { openStore } = await import(document.querySelector('link[rel=modulepreload]').href.replace('live-list.js', 'network/outbox-store.js'));
        await (await openStore(name)).add('a mutation', { url: '/nowhere', body: {} });
    }"""
    for page, name in ((outer, "contact-sheet-changes/photos"), (inner, "contact-sheet-changes/photos/club")):
        page.evaluate(keep, name)
    names = outer.evaluate("async () => (await indexedDB.databases()).map(({ name }) => name).sort()")
    assert names == [f"contact-sheet-{what}{path}" for what in ("changes", "imports") for path in ("/photos", "/photos/club")]

    outer.get_by_role("button", name="More").click()
    outer.get_by_role("menuitem", name="Log out").click()
    # Of what waits it is asked first.
    outer.get_by_role("dialog").get_by_role("button", name="Log out").click()
    outer.wait_for_url(f"**{PATH}/login")
    kept = """name => new Promise(done => {
        indexedDB.open(name).onsuccess = ({ target: { result } }) => {
            const count = result.transaction('mutations').objectStore('mutations').count();
            count.onsuccess = () => done(count.result);
        };
    })"""
    assert outer.evaluate(kept, "contact-sheet-changes/photos") == 0
    assert outer.evaluate(kept, "contact-sheet-changes/photos/club") == 1
    inner.reload()
    wait_for_titles(inner, ["Harbour"])


def status(url, path, **headers):
    request = urllib.request.Request(url + path, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30, context=ssl._create_unverified_context()) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


def test_nothing_is_answered_beside_the_path(below, start_server, tmp_path):
    server = start_server("--path", "/a/photos/", data=tmp_path / "open")
    assert status(server.url, "/a/photos/api/albums") == 200
    for path in ["/", "/api/albums", "/login", "/photos/", "/photos/api/albums", "/a", "/a/", "/a/photosx/api/albums",
                 "/a/photos/../api/albums", "/a//photos/api/albums", "//a/photos/api/albums", "/A/photos/api/albums",
                 "/a%2Fphotos/api/albums", "/a/photos%2fapi/albums", "/%61/photos/api/albums", "/a/photos/a/photos/api/albums"]:
        assert status(server.url, path) == 404, path
    for path in ["/", "/login", "/api/albums", "/photosx/login"]:
        assert status(below.url, path) == 404, path


def test_commands_find_a_server_below_a_path(below, tmp_path):
    picture = jpeg(tmp_path / "a.jpg", 1)
    imported = run("import", picture, "--album", "By command", "--data", below.data)
    assert imported.returncode == 0, imported.stdout + imported.stderr
    assert "1" in imported.stdout
    ordered = run("sort", "--album", "By command", "--by", "title", "--data", below.data)
    assert ordered.returncode == 0, ordered.stdout + ordered.stderr


@pytest.mark.parametrize("path", [
    "photos", "//evil.example", "/a/../b", "/..", "/%2e%2e/x", "/a b", "/a;Path=/", "/a\r\nSet-Cookie: x", "/<b>", '/"',
    "/a?b", "/a#b", "/a\\b", "/ä", "http://evil.example/", "/" + "a" * 200])
def test_a_path_that_means_something_else_is_refused(path, tmp_path):
    answer = run("serve", "--port", 0, "--data", tmp_path / "data", f"--path={path}")
    assert answer.returncode == 64
    assert "path below which the server is" in answer.stderr
    assert not (tmp_path / "data").exists()
