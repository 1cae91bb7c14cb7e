"""Kills of `backup` beside a writer: the copy is the one before, or the new one, or is said not to be finished."""

import json
import subprocess
import threading
import time

from photographs import jpeg
from program import PROGRAM, run


def attack(ground, dice, count, outcome):
    album = ground.album
    stop = threading.Event()

    def write():
        number = 0
        while not stop.is_set():
            picture = jpeg(ground.folder / "writer.jpg", number).read_bytes()
            status, _, body = ground.request("POST", f"/api/albums/{album}/photos?name=w{number}.jpg", picture)
            if status == 201 and number % 3 == 2:
                ground.request("POST", f"/api/albums/{album}/deletes", {"ids": [json.loads(body)["id"]], "act": f"00000000-0000-4000-8000-{number:012}"})
                ground.request("POST", "/api/trash/empty")
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    taken = 0.5
    try:
        for _ in range(count):
            copy = ground.folder / f"copy{dice.randrange(max(1, count // 4))}"
            process = subprocess.Popen([PROGRAM, "backup", copy, "--data", ground.data], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            began = time.monotonic()
            try:
                process.wait(timeout=dice.random() * 1.2 * taken)
                taken = max(0.05, time.monotonic() - began)
                outcome.attempt(process.returncode == 0, lambda: f"a backup that was let go ends with {process.returncode}: {process.stdout.read()}")
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            listed = run("albums", "--data", copy)
            if listed.returncode == 0:
                checked = run("check", "--data", copy)
                # Photos of the backup that was cut off may lie there already, beside the database before.
                usual = ("All is well", "No album has the original", "0 thumb", "This is a backup that was cut off: the albums are those of the backup before")
                strange = [
                    line for line in (checked.stdout + checked.stderr).splitlines()
                    if not line.startswith(usual) and "thumbnails are missing" not in line]
                outcome.attempt(not strange, lambda: f"of a backup that was cut off check says {strange}")
            else:
                said = listed.stdout + listed.stderr
                outcome.attempt("not finished" in said or "is not a data folder" in said, lambda: f"an unfinished backup is called: {said}")
    finally:
        stop.set()
        writer.join()
    for number in range(max(1, count // 4)):
        copy = ground.folder / f"copy{number}"
        for arguments in (("backup", copy, "--data", ground.data), ("check", "--data", copy)):
            ended = run(*arguments)
            outcome.attempt(ended.returncode == 0, lambda: f"{arguments[0]} in the end: {ended.stdout + ended.stderr}")
