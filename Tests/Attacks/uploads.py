"""Hostile files through the door where photos come in."""

import json
from urllib.parse import quote

from hostile import files


def attack(ground, dice, count, outcome):
    album = ground.album
    for name, _mark, data in files(dice.randrange(1 << 30), count, ground.folder):
        status, _head, body = ground.request("POST", f"/api/albums/{album}/photos?name={quote(name, safe='')}", data)
        try:
            answer = json.loads(body)
        except ValueError:
            answer = None
        held = status in (200, 201) or (status in (413, 415, 422) and answer and answer["error"]["code"] not in ("internal", "storage"))
        outcome.attempt(held, lambda: f"{status} for {name!r}: {body[:200]!r}")
    left = [path.name for path in (ground.data / "incoming").iterdir()]
    outcome.attempt(not left, lambda: f"left behind: {left}")
    top = {path.name.split("-")[0] for path in ground.data.iterdir()}
    known = {"contactsheet.sqlite", "originals", "thumbnails", "previews", "incoming", "lock", "backup.lock", "reserve", "token"}
    outcome.attempt(top <= known, lambda: f"files at {top}")
