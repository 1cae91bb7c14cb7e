"""People who have not logged in, pages of other sites, and names that are not this server's."""

import uuid
from urllib.parse import quote

from ground import HOST, PASSWORD, routes

TWISTS = [
    "{}", "/{}", "{}/", "{}//", "{}?x=/login", "{}#/login", "/login/..{}", "/login/%2e%2e{}", "/assets/login.css/..{}", "/.{}", "{};/login", "/%2f{}",
    "/login%00{}", "{}%20", "{}.css", "/assets/..{}", "//login{}", "http://127.0.0.1{}", "http://evil.example{}",
]
FORGED = ["", "x", "0" * 64, "../../sessions.json", "null", "true", "' OR 1=1 --", "\u00e9", "A" * 5000, "%00"]


def attack(ground, dice, count, outcome):
    secret = b"A title that nobody may see"
    _, head, _ = ground.request(
        "POST", "/login", f"password={quote(PASSWORD)}".encode(), {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"})
    cookie = next(line.split(": ", 1)[1].split(";")[0] for line in head.split("\r\n") if line.lower().startswith("set-cookie: contact-sheet="))
    status, _, _ = ground.request("POST", "/api/albums", {"title": secret.decode()}, {"Cookie": cookie})
    assert status == 201, status

    cases = []
    for method, path, _ in routes():
        path = path.replace("{album}", str(uuid.uuid4())).replace("{photo}", str(uuid.uuid4())).replace("{hash}", "0" * 64)
        for twist in TWISTS:
            twisted = twist.format(path.replace("{name}", "album.js"))
            cases.append((method, twisted, {}))
        for value in FORGED:
            cases.append((method, path, {"Cookie": f"contact-sheet={value}".encode().decode("latin-1")}))
            cases.append((method, path, {"Authorization": f"Bearer {value}".encode().decode("latin-1")}))
        cases.append((method, path, {"X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1", "Forwarded": "for=127.0.0.1"}))
    dice.shuffle(cases)
    for method, path, headers in cases[:count]:
        status, head, body = ground.request(method, path, headers=headers)
        leaks = secret in body or b"contactsheet.sqlite" in body or b"root:" in body
        open_path = any(part in path for part in ("/login", "login.css", "login.js", "icon.svg", "favicon"))
        outcome.attempt(
            not leaks and (status in (0, 303, 400, 401, 403, 404, 405, 429, 301) or (open_path and status == 200 and method in ("GET", "HEAD"))
                           or (open_path and status < 500)),
            lambda: f"{status} for {method} {path} {headers}")
    own = {"Cookie": cookie}
    for host in ("evil.example", f"{HOST}.evil.example", f"{HOST}:80@evil.example", "localhost:evil", "[::1]evil", "", "0x7f.1",
                 "127.1", "LOCALHOST.", "localhost, evil.example"):
        status, _, body = ground.request("GET", "/api/albums", headers={**own, "Host": host})
        outcome.attempt(status in (400, 403) and secret not in body, lambda: f"{status} for the host {host!r}")
    for origin in ("http://evil.example", "null", "https://127.0.0.1", f"http://{HOST}:1", f"http://{HOST}.evil.example", "", "file://"):
        for site in ("cross-site", "same-site", None):
            headers = {**own, "Origin": origin, **({"Sec-Fetch-Site": site} if site else {})}
            status, _, _ = ground.request("POST", "/api/albums", {"title": "written by another site"}, headers)
            outcome.attempt(status == 403, lambda: f"{status} for a write from {origin!r}, {site}")
