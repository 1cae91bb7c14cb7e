"""Documentation/frames.schema.json describes frames: those of the vectors, which all readers pass, and those of the server."""

import copy
import http.client
import json
import uuid

import pytest
from jsonschema import Draft202012Validator
from photographs import jpeg
from program import ROOT

SCHEMA = json.loads((ROOT / "Documentation/frames.schema.json").read_text())
VALIDATOR = Draft202012Validator(SCHEMA)
VECTORS = sorted((ROOT / "Tests/ListStreamTests/Vectors").glob("*.json"))
# What a reader of format 1 need not understand is not described; nor is what it refuses for its form.
BEYOND = {"35-other-format", "36-unknown-kind", *(path.stem for path in VECTORS if path.stem >= "80")}


def frames(case):
    return [*case.get("frames", []), *(case[kind] for kind in ("frame", "range") if kind in case)]


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_the_frames_of_a_vector_are_described(path):
    found = frames(json.loads(path.read_text()))
    assert found
    for frame in found:
        assert VALIDATOR.is_valid(frame) == (path.stem not in BEYOND), list(VALIDATOR.iter_errors(frame))


def spoiled(frame):
    """The frame with one thing wrong, in all the ways that a schema can tell."""
    for name in ("format", "kind", "epoch", "seq", *(["from"] if frame["kind"] == "change" else [])):
        yield f"without {name}", {key: value for key, value in frame.items() if key != name}
        yield f"{name} is a list", {**frame, name: []}
    yield "negative", {**frame, "seq": -1}
    yield "epoch", {**frame, "epoch": "a b"}
    for part in ("items", "sections"):
        changes = frame.get(part)
        if not isinstance(changes, dict):
            continue
        for kind, entries in ((kind, changes.get(kind, [])) for kind in ("deleted", "inserted", "moved")):
            for entry in entries:
                for worse in (entry[:-1], [*entry, 0], [entry[0], *map(str, entry[1:])], [entry[0], *(-1 for _ in entry[1:])]):
                    other = copy.deepcopy(frame)
                    other[part][kind] = [worse]
                    yield f"{part}.{kind} {worse}", other
    for number, section in enumerate(frame["sections"] if isinstance(frame.get("sections"), list) else []):
        for worse in ({}, {**section, "id": 1}, {**section, "items": ["a", "a"]}, {**section, "items": ["a"], "count": 1},
                      {**section, "count": -1}, {**section, "windows": [[0]], "count": 1}):
            other = copy.deepcopy(frame)
            other["sections"][number] = worse
            yield f"section {worse}", other


def test_what_is_wrong_with_a_frame_is_seen():
    seen = 0
    for path in VECTORS:
        for frame in frames(json.loads(path.read_text())) if path.stem not in BEYOND else []:
            for what, worse in spoiled(frame):
                seen += 1
                assert not VALIDATOR.is_valid(worse), (path.stem, what)
    assert seen > 500


def stream(server, path):
    """The frames of a stream, as they come."""
    connection = http.client.HTTPConnection("127.0.0.1", int(server.port), timeout=30)
    connection.request("GET", path)
    answer = connection.getresponse()
    try:
        while line := answer.readline():
            if line.startswith(b"data: {"):
                yield json.loads(line[6:])
    finally:
        connection.close()


def test_the_servers_frames_are_described(server, tmp_path):
    album = server.json("/api/albums")[0]["id"]
    found = stream(server, f"/api/albums/{album}/stream?sections=month")
    seen = [next(found)]
    for number in range(3):
        upload(server, album, jpeg(tmp_path / f"{number}.jpg", number))
        seen.append(next(found))
    for _ in range(2):
        ids = [seen[3]["items"]["inserted"][0][0]]
        server.post(f"/api/albums/{album}/deletes", {"act": str(uuid.uuid4()), "ids": ids})
        seen.append(next(found))
    assert {frame["kind"] for frame in seen} == {"snapshot", "change"}
    assert seen[-1]["acts"] and "items" not in seen[-1], "a mutation that changed nothing comes alone"
    for frame in seen:
        assert VALIDATOR.is_valid(frame), (frame, list(VALIDATOR.iter_errors(frame)))


def upload(server, album, path):
    connection = http.client.HTTPConnection("127.0.0.1", int(server.port), timeout=30)
    connection.request("POST", f"/api/albums/{album}/photos?name={path.name}", path.read_bytes(), {"Origin": server.url})
    assert connection.getresponse().status == 201
    connection.close()
