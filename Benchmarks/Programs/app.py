"""`make bench SUITE=app`: ContactSheet's release program as a server of many, an importer and an exporter.

BENCH_PART=0.1 takes a tenth of the photos and bytes, for a look that is not waited for long.
"""

import json
import os
import random
import resource
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import uuid
from pathlib import Path

from albums import checksum_of, fill, memory, memory_of_family, new_folder
from program import PROGRAM, Server
from readers import Readers
from report import Report, median, percentile
from viewing import viewing

PART = float(os.environ.get("BENCH_PART", "1"))


def many_readers(report, work):
    """A drag every 100 ms, and how long until the last of a thousand readers has it."""
    readers, photos, drags = 1000, 200, 100
    folder = work / "readers"
    album = new_folder(folder)
    fill(folder, photos)
    server = Server(folder)
    server.album_id = album
    try:
        few = Readers(server, 1)
        few.until_all_have_the_list()
        few.close()
        empty = memory(server.process.pid)
        many = Readers(server, readers)
        many.until_all_have_the_list()
        order = [str(uuid.UUID(bytes=row)) for row in photo_ids(folder)]
        times, chance = [], random.Random(1)
        for number in range(drags + 10):
            start = time.perf_counter()
            photo = order.pop(chance.randrange(1, photos // 2))
            place = chance.randrange(photos // 2, photos - 1)  # never where it was: that would be no change
            took = many.drag(photo, order[place - 1])
            order.insert(place, photo)
            if number >= 10:
                times.append(took)
            time.sleep(max(0, 0.1 - (time.perf_counter() - start)))
        grown = (memory(server.process.pid) - empty) / readers / 1024
        many.close()
    finally:
        server.kill()
    report.add("a drag every 100 ms to the last of 1,000 readers, p95", percentile(times, 0.95), "ms", target=100,
               others={"median": median(times), "longest": max(times)})
    report.add("memory of one connection among 1,000", grown, "kB", target=64)


def photo_ids(folder):
    with sqlite3.connect(folder / "contactsheet.sqlite") as database:
        return [row[0] for row in database.execute("SELECT id FROM photo ORDER BY rank")]


def photographs(folder, count):
    """JPEGs of 12 megapixels, as large as those of a telephone. A few are painted; the others have another comment, which
    makes them other files and no other work."""
    from PIL import Image

    folder.mkdir()
    bases = []
    for seed in range(4):
        coarse = Image.frombytes("RGB", (252, 189), random.Random(seed).randbytes(252 * 189 * 3))
        image = coarse.resize((4032, 3024), Image.BICUBIC)
        noise = Image.effect_noise((4032, 3024), 14).convert("RGB")
        path = folder / "base.jpg"
        Image.blend(image, noise, 0.25).save(path, "JPEG", quality=82)
        bases.append(path.read_bytes())
        path.unlink()
    for number in range(count):
        base = bases[number % len(bases)]
        comment = f"photo {number}".encode()
        segment = b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment
        (folder / f"IMG_{number:05}.jpg").write_bytes(base[:2] + segment + base[2:])


def importing(report, work):
    """An import beside two `vipsthumbnail`, which only make the thumbnails and the previews, on the same files."""
    count = max(20, int(1000 * PART))
    photos = work / "photos"
    photographs(photos, count)
    size = sum(path.stat().st_size for path in photos.iterdir())
    for path in photos.iterdir():
        path.read_bytes()  # both find the files in memory

    def ours(run, watched=False):
        process = subprocess.Popen(
            [PROGRAM, "import", photos, "--data", work / f"imported-{run}"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        start, most, ended = time.perf_counter(), 0, threading.Event()

        def watch():
            nonlocal most
            while watched and not ended.wait(0.05):
                most = max(most, memory_of_family(process.pid))

        watcher = threading.Thread(target=watch)
        watcher.start()
        errors = process.communicate()[1]
        took = time.perf_counter() - start
        ended.set()
        watcher.join()
        if process.returncode != 0:
            raise RuntimeError(f"the import failed: {errors.decode(errors='replace')[-1000:]}")
        shutil.rmtree(work / f"imported-{run}")
        return most if watched else took

    def theirs(run):
        target = work / f"thumbnails-{run}"
        target.mkdir()
        paths = sorted(photos.iterdir())
        start = time.perf_counter()
        for side in (480, 2048):
            halves = [subprocess.Popen(
                ["vipsthumbnail", "--size", f"{side}x{side}", "-o", f"{target}/%s-{side}.jpg[Q=80,strip]", *half],
                env={**os.environ, "VIPS_CONCURRENCY": "1"}) for half in (paths[::2], paths[1::2])]
            if any(process.wait() for process in halves):
                raise RuntimeError("vipsthumbnail failed")
        took = time.perf_counter() - start
        shutil.rmtree(target)
        return took

    # Looking at the memory of a process stops it for a while: the run that is watched is not timed.
    most = ours("watched", watched=True)
    pairs = [(ours(run), theirs(run)) for run in range(2)]
    took, peer = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
    report.add(f"import of {count:,} JPEGs of 12 megapixels, {size / 1e6:.0f} MB", took, "s",
               bounds=[("two vipsthumbnail, both sizes", took / peer, 1.25)], peer=("vipsthumbnail", peer))
    report.add("memory of that import, with its decoders", most / 1e6, "MB", target=400)
    shutil.rmtree(photos)


def drain(connection):
    """Reads a socket to its end and answers the number of bytes."""
    buffer, total = bytearray(1 << 20), 0
    while (count := connection.recv_into(buffer)) > 0:
        total += count
    return total


def exporting(report, work):
    """An export beside `cat` of the same files to a socket that is read in the same way."""
    photo, count = work / "photo.jpg", max(10, int(1000 * PART))
    photo.write_bytes(random.Random(3).randbytes(10_000_000))
    folder = work / "exported"
    album = new_folder(folder)
    fill(folder, count, content=photo, size=photo.stat().st_size, checksum=checksum_of(photo))
    files = [path for path in sorted((folder / "originals").rglob("*")) if path.is_file()]
    server = Server(folder)

    def ours():
        connection = socket.create_connection(("127.0.0.1", int(server.port)))
        connection.sendall(f"GET /api/albums/{album}/export HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                           "Connection: close\r\n\r\n".encode())
        start = time.perf_counter()
        total = drain(connection)
        took = time.perf_counter() - start
        connection.close()
        if total < count * photo.stat().st_size:
            raise RuntimeError(f"the export ended after {total:,} bytes")
        return took

    def theirs():
        with socket.create_server(("127.0.0.1", 0)) as listener:
            sender = socket.create_connection(listener.getsockname())
            connection, _ = listener.accept()
            start = time.perf_counter()
            process = subprocess.Popen(["cat", *files], stdout=sender)
            sender.close()
            drain(connection)
            process.wait()
            took = time.perf_counter() - start
            connection.close()
            return took

    try:
        before = memory(server.process.pid)
        pairs = [(ours(), theirs()) for _ in range(2)]
        grown = (memory(server.process.pid, "VmHWM") - before) / 1e6
    finally:
        server.kill()
    took, peer = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
    report.add(f"export of {count * photo.stat().st_size / 1e9:.1f} GB", took, "s",
               bounds=[("cat to a socket", took / peer, 1 / 0.8)], peer=("cat", peer))
    report.add("memory that the export adds at most", grown, "MB", target=32)


def everything(report, work):
    """All of an album of a million but one photo, deleted and brought back: one act each, and how much memory it takes."""
    count = int(1_000_000 * PART)
    folder = work / "everything"
    album = new_folder(folder)
    fill(folder, count)
    server = Server(folder)

    def act(kind, **members):
        body = json.dumps({"act": str(uuid.uuid4()), **members}).encode()
        request = urllib.request.Request(
            f"{server.url}/api/albums/{album}/{kind}", data=body, method="POST",
            headers={"Content-Type": "application/json", "Origin": server.url})
        start = time.perf_counter()
        with urllib.request.urlopen(request, timeout=300) as response:
            if json.load(response) != {"changed": True}:
                raise RuntimeError(f"{kind} changed nothing")
        return time.perf_counter() - start, json.loads(body)["act"]

    try:
        rows = server.json(f"/api/albums/{album}/items?from=0&count=1&content=0")
        Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")  # reading the list is another matter
        before = memory(server.process.pid)
        spared = rows["sections"][0]["windows"][0][1]
        deleting, deletion = act("deletes", all={"version": f"{rows['epoch']}.{rows['seq']}", "except": spared})
        grown = (memory(server.process.pid, "VmHWM") - before) / 1e6
        undoing, _ = act("undo", undoes=deletion)
        if server.json("/api/albums")[0]["count"] != count:
            raise RuntimeError("not all photos came back")
    finally:
        server.kill()
    report.add(f"deleting {count - 1:,} photos in one act", deleting, "s", others={"bringing them back": undoing})
    report.add("memory that the deletion adds", grown, "MB")


def main():
    if not Path(PROGRAM).exists():
        sys.exit(f"{PROGRAM} is missing: make build")
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit, 65536), limit))
    report = Report("app")
    chosen = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="bench-app-") as work:
        for part in (many_readers, importing, exporting, everything, viewing):
            if not chosen or part.__name__ in chosen:
                part(report, Path(work))
    report.write()
    sys.exit(0 if report.is_met else 1)


main()
