"""Kills at any moment: what was confirmed is there, and nothing is half done."""

import json
import threading

from photographs import jpeg
from program import run


def attack(ground, dice, count, outcome):
    confirmed = set()
    number = 0
    for _ in range(count):
        album = ground.album
        stop = threading.Event()

        def send(start):
            for offset in range(40):
                if stop.is_set():
                    return
                picture = jpeg(ground.folder / f"kill{start}.jpg", start * 1000 + offset).read_bytes()
                status, _, body = ground.request("POST", f"/api/albums/{album}/photos?name=k{start}-{offset}.jpg", picture)
                if status == 201:
                    confirmed.add(json.loads(body)["id"])

        number += 3
        threads = [threading.Thread(target=send, args=(number + lane,)) for lane in range(3)]
        target = len(confirmed) + dice.randrange(1, 12)
        for thread in threads:
            thread.start()
        while len(confirmed) < target and any(thread.is_alive() for thread in threads):
            threads[0].join(0.001)
        ground.server.kill()
        stop.set()
        for thread in threads:
            thread.join()
        ground.restart()
        listed = set()
        total = json.loads(ground.request("GET", "/api/albums")[2])[0]["count"]
        for start in range(0, total, 500):
            rows = json.loads(ground.request("GET", f"/api/albums/{album}/items?from={start}&count=500")[2])
            listed |= set(_ids(rows))
        outcome.attempt(confirmed <= listed, lambda: f"lost after a kill: {len(confirmed - listed)}")
        checked = run("check", "--data", ground.data)
        outcome.attempt(checked.returncode == 0, lambda: f"check says {checked.stdout + checked.stderr}")


def _ids(value):
    """Every identifier in an answer of rows."""
    if isinstance(value, str):
        if len(value) == 36 and value.count("-") == 4:
            yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _ids(part)
    elif isinstance(value, list):
        for part in value:
            yield from _ids(part)
