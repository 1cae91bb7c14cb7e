"""The API does what its description says: every path, method and status is held against its schema."""

import http.client
import json
import re
import uuid

import pytest
import yaml
from jsonschema import Draft202012Validator, FormatChecker
from openapi_spec_validator import validate
from photographs import jpeg, truncated
from program import ROOT, run
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

DESCRIPTION = yaml.safe_load((ROOT / "Documentation/ContactSheet.openapi.yaml").read_text())
REGISTRY = Registry().with_resource("urn:api", Resource(DESCRIPTION, DRAFT202012))
NOBODY = str(uuid.uuid4())


def resolve(node):
    while "$ref" in node:
        found = DESCRIPTION
        for part in node["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        node = found
    return node


def absolute(node):
    """References in a part of the description, made absolute, so that the part can be a schema of its own."""
    if isinstance(node, dict):
        return {key: "urn:api" + value if key == "$ref" else absolute(value) for key, value in node.items()}
    return [absolute(part) for part in node] if isinstance(node, list) else node


def check(schema, value):
    Draft202012Validator(absolute(schema), registry=REGISTRY, format_checker=FormatChecker()).validate(value)


class Client:
    """Sends requests as a page does, and holds each answer against the description."""

    def __init__(self, server):
        self.server, self.seen, self.cookie = server, set(), None

    def __call__(self, method, template, status, query="", body=None, headers=None, **values):
        path = re.sub(r"\{(\w+)\}", lambda match: values[match[1]], template)
        operation = DESCRIPTION["paths"][template][method.lower()]
        sent = {"Origin": self.server.url, **(headers or {})}
        if self.cookie:
            sent["Cookie"] = self.cookie
        if isinstance(body, (dict, list)):
            if status < 400:
                check(resolve(operation["requestBody"])["content"]["application/json"]["schema"], body)
            body, sent["Content-Type"] = json.dumps(body).encode(), "application/json"
        connection = http.client.HTTPConnection("127.0.0.1", int(self.server.port), timeout=30)
        connection.request(method, path + query, body=body, headers=sent)
        answer = connection.getresponse()
        kind = (answer.headers["Content-Type"] or "").split(";")[0]
        data = b"" if kind == "text/event-stream" else answer.read()
        connection.close()
        assert answer.status == status, (method, path, answer.status, data[:300])
        assert str(status) in operation["responses"], f"{method} {template} does not say that it may answer {status}"
        response = resolve(operation["responses"][str(status)])
        content = response.get("content")
        if content:
            assert kind in content, (method, path, kind)
        if kind == "application/json":
            data = json.loads(data)
            check(content[kind]["schema"], data)
        elif not content and status in (204, 303, 304, 307, 416):
            assert data == b""
        for name, header in response.get("headers", {}).items():
            value = answer.headers[name]
            assert value is not None or not header.get("required")
            if value is not None:
                check(header["schema"], int(value) if header["schema"]["type"] == "integer" else value)
        self.seen.add((method, template, str(status)))
        self.headers = answer.headers
        return data


def form(client, template, status, fields, headers=None, **values):
    from urllib.parse import urlencode
    sent = {"Content-Type": "application/x-www-form-urlencoded", **(headers or {})}
    return client("POST", template, status, body=urlencode(fields).encode(), headers=sent, **values)


def mutation(**more):
    return {"act": str(uuid.uuid4()), **more}


def albums(call):
    made = call("POST", "/api/albums", 201, body={"title": "Other"})
    again = mutation(title="Twice")
    call("POST", "/api/albums", 201, body=again)
    assert call("POST", "/api/albums", 201, body={**again, "title": "x"})["title"] == "Twice"
    call("DELETE", "/api/albums/{album}", 204, album=again["act"])
    call("POST", "/api/albums", 404, body=again)
    assert call("POST", "/api/albums/{album}/restore", 200, album=again["act"])["title"] == "Twice"
    call("POST", "/api/albums/{album}/restore", 404, album=NOBODY)
    call("DELETE", "/api/albums/{album}", 204, album=again["act"])
    call("POST", "/api/albums", 400, body={})
    call("POST", "/api/albums", 403, body={"title": "x"}, headers={"Origin": "http://evil.example"})
    listed = call("GET", "/api/albums", 200)
    one, other = listed[0]["id"], made["id"]
    assert call("PATCH", "/api/albums/{album}", 200, body={"title": "Renamed"}, album=other)["former"] == "Other"
    call("PATCH", "/api/albums/{album}", 409, body={"title": "Other", "former": "x"}, album=other)
    call("PATCH", "/api/albums/{album}", 400, body={"name": "x"}, album=other)
    call("PATCH", "/api/albums/{album}", 404, body={"title": "x"}, album=NOBODY)
    call("POST", "/api/albums/moves", 200, body=mutation(ids=[other], after=None, before=one))
    call("POST", "/api/albums/moves", 409, body=mutation(ids=[other], after=NOBODY, before=None))
    call("POST", "/api/albums/moves", 400, body=[])
    call("GET", "/api/albums/stream", 200)
    call("GET", "/api/streams", 200, query="?list=/api/albums/stream")
    call("GET", "/api/streams", 400)
    call("GET", "/api/build", 200)
    call("GET", "/api/albums/{album}/stream", 200, query="?sections=month", album=one)
    call("GET", "/api/albums/{album}/stream", 404, album=NOBODY)
    return one, other


def photos(call, album, tmp_path):
    post = "/api/albums/{album}/photos"
    files = [jpeg(tmp_path / f"{n}.jpg", n) for n in range(4)]
    batch = uuid.uuid4()
    ids = [
        call("POST", post, 201, query=f"?name={n}.jpg&batch={batch}&place={n}&title=T{n}&taken=2024-05-06T07:08:09Z",
             body=path.read_bytes(), album=album)["id"]
        for n, path in enumerate(files)]
    assert call("POST", post, 200, query="?name=x.jpg", body=files[0].read_bytes(), album=album)["id"] == ids[0]
    for status, query, body in [
            (400, "?taken=yesterday", files[0].read_bytes()), (415, "?name=w.jpg", b"words, no picture"),
            (422, "?name=e.jpg", b""), (422, "?name=c.jpg", truncated(tmp_path / "c.jpg", 9).read_bytes()),
            (413, "?name=big.jpg", b"\xff\xd8\xff" + b"0" * (2 << 20))]:
        error = call("POST", post, status, query=query, body=body, album=album)["error"]
        assert status == 400 or query.split("=")[1] in error["message"]
    call("POST", post, 404, body=files[0].read_bytes(), album=NOBODY)
    patch = "/api/albums/{album}/photos/{photo}"
    assert call("PATCH", patch, 200, body={"title": " New  title "}, album=album, photo=ids[0])["title"] == "New title"
    call("PATCH", patch, 409, body={"title": "x", "former": "y"}, album=album, photo=ids[0])
    call("PATCH", patch, 400, body={}, album=album, photo=ids[0])
    call("PATCH", patch, 404, body={"title": "x"}, album=album, photo=NOBODY)
    return ids


def mutations(call, album, other, ids):
    base = "/api/albums/{album}"
    move = mutation(ids=[ids[0]], after=ids[3], before=None)
    call("POST", base + "/moves", 200, body=move, album=album)
    call("POST", base + "/moves", 409, body=mutation(ids=[ids[0]], after=NOBODY, before=NOBODY), album=album)
    call("POST", base + "/moves", 400, body={"act": "x"}, album=album)
    for path in ("/moves", "/deletes"):
        call("POST", base + path, 404, body=mutation(ids=[ids[0]]), album=NOBODY)
    call("POST", base + "/undo", 200, body=mutation(undoes=move["act"]), album=album)
    call("POST", base + "/undo", 404, body=mutation(undoes=NOBODY), album=album)
    call("POST", base + "/undo", 400, body=mutation(), album=album)
    assert call("POST", base + "/order", 200, body=mutation(by="reversed"), album=album) == {"moved": 3}
    call("POST", base + "/order", 200, body=mutation(ids=ids[:2], reversed=True), album=album)
    call("POST", base + "/order", 400, body=mutation(by="mood"), album=album)
    call("POST", base + "/order", 400, body=mutation(by="date", ids=[]), album=album)
    call("POST", base + "/order", 404, body=mutation(by="date"), album=NOBODY)
    call("POST", base + "/cover", 200, body={"photo": ids[1]}, album=album)
    call("POST", base + "/cover", 200, body={"photo": None}, album=album)
    call("POST", base + "/cover", 400, body={"photo": "x"}, album=album)
    call("POST", base + "/cover", 404, body={"photo": NOBODY}, album=album)
    call("POST", base + "/transfers", 200, body=mutation(ids=[ids[1]], album=other), album=album)
    call("POST", base + "/transfers", 404, body=mutation(ids=[ids[1]], album=NOBODY), album=album)
    call("POST", base + "/transfers", 400, body=mutation(ids=[]), album=album)
    call("POST", base + "/additions", 200, body=mutation(ids=[ids[2]], album=other), album=album)
    call("POST", base + "/additions", 404, body=mutation(ids=[ids[2]], album=NOBODY), album=album)
    call("POST", base + "/additions", 400, body=mutation(ids=[]), album=album)
    call("GET", base + "/export", 200, query="?numbered=1", album=album)
    call("GET", base + "/export", 404, album=NOBODY)
    all_but = {"version": "k3v9x2.41", "except": [ids[0]]}
    for kind, more in (("moves", {"after": ids[0]}), ("deletes", {}), ("transfers", {"album": other}), ("additions", {"album": other})):
        call("POST", base + f"/{kind}", 409, body=mutation(all=all_but, **more), album=album)
    seen = call("GET", base + "/items", 200, query="?from=0&count=9&content=0", album=album)
    all_but["version"] = f"{seen['epoch']}.{seen['seq']}"
    assert call("POST", base + "/moves", 200, body=mutation(all=all_but, after=ids[0]), album=album) == {"changed": True}
    assert call("POST", base + "/moves", 200, body=mutation(all=all_but, after=ids[0]), album=album) == {"changed": False}
    move, delete = mutation(ids=[ids[2]], after=None, before=ids[0]), mutation(ids=[ids[2]])
    call("POST", base + "/moves", 200, body=move, album=album)
    call("POST", base + "/deletes", 200, body=delete, album=album)
    call("POST", base + "/deletes", 400, body={}, album=album)
    assert call("GET", "/api/trash", 200)["count"] == 1
    call("POST", base + "/undo", 409, body=mutation(undoes=move["act"]), album=album)
    trash(call, album, ids[2])
    call("POST", base + "/undo", 404, body=mutation(undoes=delete["act"]), album=album)


def trash(call, album, photo):
    """Has one photo in it, and is left empty."""
    one = "/trash/photos/{photo}"
    call("GET", "/trash", 200)
    call("GET", one, 200, photo=photo)
    call("GET", one, 404, photo=NOBODY)
    call("GET", "/api/trash/stream", 200)
    assert len(call("GET", "/api/trash/items", 200, query="?from=0&count=9")["content"]) == 1
    call("GET", "/api/trash/items", 400, query="?from=0")
    call("GET", "/api/search/stream", 200, query="?query=a")
    call("GET", "/api/search/stream", 400)
    call("GET", "/api/search/items", 200, query="?query=a&from=0&count=9")
    call("GET", "/api/search/items", 400, query="?from=0&count=9")
    details = "/api/trash/photos/{photo}"
    assert call("GET", details, 200, photo=photo)["format"] == "jpeg"
    call("GET", details, 404, photo=NOBODY)
    restore = mutation(ids=[photo])
    call("POST", "/api/trash/restores", 404, body=mutation(ids=[photo], album=NOBODY))
    assert call("POST", "/api/trash/restores", 200, body=restore) == {"changed": True, "left": 0}
    call("POST", "/api/trash/restores", 400, body=mutation())
    call("POST", "/api/trash/restores", 409, body=mutation(all={"version": "k3v9x2.41"}))
    call("POST", "/api/trash/undo", 200, body=mutation(undoes=restore["act"]))
    call("POST", "/api/trash/undo", 404, body=mutation(undoes=NOBODY))
    call("POST", "/api/trash/undo", 400, body=mutation())
    again = mutation(ids=[photo])
    call("POST", "/api/trash/restores", 200, body=again)
    call("POST", "/api/albums/{album}/deletes", 200, body=mutation(ids=[photo]), album=album)
    call("POST", "/api/trash/undo", 409, body=mutation(undoes=again["act"]))
    fields = {"act": str(uuid.uuid4()), "do": "restore", "ids": photo}
    form(call, "/trash", 303, fields)
    form(call, "/trash", 400, {"do": "restore"})
    form(call, "/trash", 403, fields, headers={"Origin": "null"})
    call("POST", "/api/albums/{album}/deletes", 200, body=mutation(ids=[photo]), album=album)
    call("POST", "/api/trash/deletes", 409, body=mutation(all={"version": "k3v9x2.41"}))
    call("POST", "/api/trash/deletes", 400, body=mutation())
    assert call("POST", "/api/trash/deletes", 200, body=mutation(ids=[photo])) == {"changed": True}
    call("POST", "/api/trash/empty", 204)


def pictures(call, server, tmp_path, album):
    photo = call("GET", "/api/albums/{album}/items", 200, query="?from=0&count=1", album=album)["sections"][0]["windows"][0][1][0]
    assert call("GET", "/api/albums/{album}/photos/{photo}", 200, album=album, photo=photo)["format"] == "jpeg"
    call("GET", "/api/albums/{album}/photos/{photo}", 404, album=album, photo=NOBODY)
    digests = [path.name for path in (server.data / "originals").rglob("*") if path.is_file()]
    for template in ("/thumbnails/{hash}", "/previews/{hash}", "/originals/{hash}"):
        call("GET", template, 200, hash=digests[0])
        tag = call.headers["ETag"]
        call("GET", template, 304, headers={"If-None-Match": tag}, hash=digests[0])
        call("GET", template, 206, headers={"Range": "bytes=0-9"}, hash=digests[0])
        call("GET", template, 416, headers={"Range": "bytes=99999999-"}, hash=digests[0])
        call("GET", template, 404, hash="0" * 64)
    import subprocess
    source, heic = tmp_path / "a.jpg", tmp_path / "a.heic"
    subprocess.run(["vips", "copy", jpeg(source, 77), heic], check=True, capture_output=True)
    call("POST", "/api/albums/{album}/photos", 201, query="?name=a.heic", body=heic.read_bytes(), album=album)
    import hashlib
    call("GET", "/originals/{hash}", 303, headers={"Sec-Fetch-Dest": "image"},
         hash=hashlib.sha256(heic.read_bytes()).hexdigest())


def pages(call, album, ids):
    call("GET", "/", 307)
    call("GET", "/albums", 200)
    call("GET", "/albums/{album}", 200, album=album)
    call("GET", "/albums/{album}", 404, album=NOBODY)
    call("GET", "/albums/{album}/photos/{photo}", 200, album=album, photo=ids[3])
    call("GET", "/albums/{album}/photos/{photo}", 404, album=album, photo=NOBODY)
    fields = {"act": str(uuid.uuid4()), "do": "start", "ids": ids[3]}
    form(call, "/albums/{album}", 303, fields, album=album)
    form(call, "/albums/{album}", 400, {"do": "start"}, album=album)
    form(call, "/albums/{album}", 403, fields, headers={"Origin": "null"}, album=album)
    for template, name in (("/assets/{name}", "album.js"), ("/live-list/{name}", "live-list.js")):
        call("GET", template, 200, name=name)
        call("GET", template, 304, headers={"If-None-Match": call.headers["ETag"]}, name=name)
        call("GET", template, 404, name="nothing.js")
    call("GET", "/favicon.ico", 404)


def rows(call, album):
    some = call("GET", "/api/albums/{album}/items", 200, query="?from=0&count=2", album=album)
    assert len(some["content"]) == 2 == len(some["sections"][0]["windows"][0][1])
    assert "content" not in call("GET", "/api/albums/{album}/items", 200, query="?from=0&count=9&content=0", album=album)
    call("GET", "/api/albums/{album}/items", 400, query="?from=0", album=album)
    call("GET", "/api/albums/{album}/items", 404, query="?from=0&count=1", album=NOBODY)
    call("GET", "/api/albums/items", 200, query="?from=0&count=1")
    call("GET", "/api/albums/items", 400, query="?from=x&count=1")


def logins(call):
    call("GET", "/login", 200)
    call("POST", "/logout", 401)
    form(call, "/login", 403, {"password": "x"}, headers={"Origin": "http://evil.example"})
    form(call, "/login", 303, {"password": "correct horse"})
    call.cookie = call.headers.get_all("Set-Cookie")[0].split(";")[0]
    call("GET", "/login", 303)
    call("POST", "/logout", 303)
    form(call, "/login", 401, {"password": "wrong password"})
    # The waits grow, so a slow machine only needs some more tries until one comes too early.
    for _ in range(20):
        try:
            form(call, "/login", 429, {"password": "wrong password"})
            break
        except AssertionError:
            pass


def test_the_description_is_valid():
    validate(DESCRIPTION)


@pytest.mark.timeout(300)
def test_the_server_does_what_its_description_says(start_server, tmp_path):
    server = start_server("--max-megabytes", "1")
    call = Client(server)
    one, other = albums(call)
    ids = photos(call, one, tmp_path)
    mutations(call, one, other, ids)
    pictures(call, server, tmp_path, one)
    pages(call, one, ids)
    rows(call, one)
    call("DELETE", "/api/albums/{album}", 204, album=other)
    call("DELETE", "/api/albums/{album}", 404, album=other)
    data = tmp_path / "guarded"
    assert run("password", "--data", data, stdin="correct horse\n").returncode == 0
    guarded = Client(start_server("--with-password", data=data))
    logins(guarded)
    described = {
        (method.upper(), path, status)
        for path, item in DESCRIPTION["paths"].items()
        for method, operation in item.items() if method in ("get", "post", "patch", "delete")
        for status in operation["responses"] if status != "default"}
    # A disk that is full, too many uploads at a time, a login that very many crowd, and readers who do not read have tests of their own.
    elsewhere = {answer for answer in described if answer[2] == "507"}
    elsewhere |= {("POST", "/api/albums/{album}/photos", "503"), ("POST", "/login", "503")}
    elsewhere |= {answer for answer in described if answer[0] == "GET" and answer[2] == "503"}
    assert described - elsewhere == call.seen | guarded.seen
