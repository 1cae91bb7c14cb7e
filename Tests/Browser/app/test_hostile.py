"""Five hundred files that were made to harm: each is dealt with by name, and the server lives."""

import http.client
import json
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest
from hostile import files
from photographs import jpeg
from seeds import seeds

IMAGES = {"image/jpeg", "image/png", "image/webp", "image/heic", "image/gif", "image/tiff"}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", seeds(6))
def test_every_hostile_file_is_taken_or_refused_by_name(start_server, tmp_path, seed):
    server = start_server("--max-megapixels", "60", "--max-seconds", "20")
    path = f"/api/albums/{server.album}/photos?name="

    def send(file):
        name, mark, data = file
        connection = http.client.HTTPConnection("127.0.0.1", int(server.port), timeout=120)
        try:
            connection.request("POST", path + quote(name, safe=""), body=data)
            answer = connection.getresponse()
            return mark, answer.status, json.loads(answer.read())
        finally:
            connection.close()

    made = list(files(seed, 500, tmp_path))
    assert len({data for _, _, data in made}) > 450
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(send, made))
    taken = []
    for mark, status, body in answers:
        if status in (200, 201):
            taken.append(body)
            continue
        assert status in (413, 415, 422), (mark, status, body)
        assert mark in body["error"]["message"], (mark, body)
        assert body["error"]["code"] not in ("internal", "storage"), (mark, body)
        assert not any(ord(letter) < 32 or letter == "\u202e" for letter in body["error"]["message"]), (mark, body)
    assert 20 < len(taken) < 250, "some are harmless, most are not"
    assert server.process.poll() is None
    assert server.memory() < 400, "the server's own memory, in megabytes"
    assert not any((server.data / "incoming").iterdir())

    # What was taken is served as a picture and nothing else, and stands nowhere but where photos stand.
    stored = [path.name for path in (server.data / "originals").rglob("*") if path.is_file()]
    assert len(stored) == server.json("/api/albums")[0]["count"] == len({photo["id"] for photo in taken})
    for digest in stored:
        connection = http.client.HTTPConnection("127.0.0.1", int(server.port), timeout=30)
        connection.request("GET", f"/originals/{digest}")
        answer = connection.getresponse()
        answer.read()
        assert answer.headers["Content-Type"] in IMAGES
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        connection.request("GET", f"/thumbnails/{digest}")
        assert connection.getresponse().read()[:2] == b"\xff\xd8"
        connection.close()
    top = {entry.name.split("-")[0] for entry in server.data.iterdir()}
    assert top <= {"contactsheet.sqlite", "originals", "thumbnails", "previews", "incoming", "lock", "backup.lock", "reserve", "token"}, top
    assert send(("good.jpg", "good", jpeg(tmp_path / "good.jpg", 999).read_bytes()))[1] == 201
