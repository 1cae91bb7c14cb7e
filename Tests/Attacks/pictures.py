"""Small files of every format that announce as much as the limits allow, many at the same time, by upload and by command."""

import io
import os
import struct
import subprocess
import threading
import zlib
from concurrent.futures import ThreadPoolExecutor

from crowds import DECODER_LIMIT, SERVER_LIMIT, bomb, decoders
from hostile import chunk, encoded, patched
from PIL import Image
from program import PROGRAM

AT_ONCE = 8


def png(width, height, depth, kind, interlaced, rows):
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, int(interlaced))
    colors = chunk(b"PLTE", b"\0\0\0\xff\xff\xff") if kind == 3 else b""
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + colors + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def gif(width, height, frames):
    canvas = struct.pack("<HH", width, height)
    return b"GIF89a" + canvas + b"\x80\0\0" + b"\0" * 6 + (b",\0\0\0\0" + canvas + b"\0\x02\x02\x44\x01\0") * frames + b";"


def tiff(width, height, rows, tile=None):
    """RGB, deflated, in one strip that is the whole picture or in one tile."""
    data = zlib.compress(rows, 9)
    entries = [(256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, 8), (259, 3, 1, 8), (262, 3, 1, 2), (277, 3, 1, 3)]
    start = 8 + 2 + 12 * 9 + 4
    if tile:
        entries += [(322, 4, 1, tile), (323, 4, 1, tile), (324, 4, 1, start), (325, 4, 1, len(data))]
        start += 12
        entries[-2] = (324, 4, 1, start)
    else:
        entries += [(273, 4, 1, start), (278, 4, 1, height), (279, 4, 1, len(data))]
    entries.sort()
    return b"II*\0" + struct.pack("<IH", 8, len(entries)) + b"".join(struct.pack("<HHII", *entry) for entry in entries) + b"\0" * 4 + data


def webp(data, side):
    """A real picture whose header says another size."""
    start = data.index(b"\x9d\x01\x2a") + 3
    return patched(data, start, struct.pack("<HH", side, side))


def bombs(folder):
    whole = encoded(folder)
    heic = whole["heic"]
    lossless = io.BytesIO()
    Image.new("RGB", (30, 20), (200, 3, 3)).save(lossless, "WEBP", lossless=True)
    lossless = lossless.getvalue()
    at = lossless.index(b"VP8L") + 9
    side = 0x3FFF - 1
    return [
        ("jpg", bomb()),
        ("png", png(18_000, 18_000, 16, 6, True, b"\0" * 1000)),
        ("png", png(9_000, 9_000, 16, 6, True, b"\0" * 1000)),
        ("png", png(19_000, 19_000, 16, 6, False, b"\0" * 10_000)),
        ("png", png(19_000, 19_000, 1, 3, False, b"\0" * (19_000 * 2376))),
        ("png", png(19_000, 19_000, 1, 3, True, b"\0" * (19_000 * 2400))),
        ("gif", gif(18_000, 18_000, 1)),
        ("gif", gif(4_000, 4_000, 200)),
        ("tif", tiff(18_000, 18_000, b"\0" * 100_000)),
        ("tif", tiff(6_000, 6_000, b"\0" * (6_000 * 18_000))),
        ("tif", tiff(18_000, 18_000, b"\0" * 100_000, tile=32_768)),
        ("tif", tiff(64, 64, b"\0" * 1000, tile=1 << 30)),
        ("webp", webp(whole["webp"], side)),
        ("webp", patched(lossless, at, struct.pack("<I", side | side << 14))),
        ("heic", patched(heic, heic.index(b"ispe") + 8, struct.pack(">II", 18_000, 18_000))),
        ("heic", patched(heic, heic.index(b"ispe") + 8, struct.pack(">II", 8_000, 8_000))),
    ]


def attack(ground, dice, count, outcome):
    made = bombs(ground.folder)
    dice.shuffle(made)
    idle = ground.server.memory("VmRSS")
    for number, (suffix, data) in enumerate(made[:max(1, count)]):
        def throw(copy):
            # A picture may take a minute, and longer where it waits for the memory of others.
            return ground.request("POST", f"/api/albums/{ground.album}/photos?name=bomb{number}-{copy}.{suffix}", data + bytes([copy]), timeout=180)

        with ThreadPoolExecutor(AT_ONCE) as crowd:
            for status, _, body in crowd.map(throw, range(AT_ONCE)):
                # Some are whole pictures, if of one color.
                outcome.attempt(
                    status in (200, 201, 413, 415, 422) and b'"internal"' not in body, lambda: f"{status} for bomb {number} ({suffix}): {body[:200]!r}")
        together = decoders(ground)
        outcome.attempt(together <= DECODER_LIMIT, lambda: f"decoders took {together:.0f} MB after {suffix} {number}")
    most = ground.server.memory("VmHWM") - idle
    outcome.attempt(most <= SERVER_LIMIT, lambda: f"the server took {most:.0f} MB above idle")
    imported(ground, made[:max(1, count)], outcome)


def imported(ground, made, outcome):
    """The same by command, into a folder of its own."""
    pictures = ground.folder / "pictures"
    pictures.mkdir()
    for number, (suffix, data) in enumerate(made):
        for copy in range(2):
            (pictures / f"{number}-{copy}.{suffix}").write_bytes(data + bytes([copy]))
    process = subprocess.Popen(
        [PROGRAM, "import", pictures, "--data", ground.folder / "own"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    most = {}
    ended = threading.Event()

    def watch():
        while not ended.wait(0.02):
            for child in subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split():
                try:
                    for line in open(f"/proc/{child}/status"):
                        if line.startswith("VmHWM"):
                            most[child] = int(line.split()[1]) / 1024
                except (FileNotFoundError, ProcessLookupError):
                    pass

    watcher = threading.Thread(target=watch)
    watcher.start()
    said = process.communicate(timeout=300)[0]
    ended.set()
    watcher.join()
    outcome.attempt(process.returncode in (0, 65), lambda: f"import ends with {process.returncode}: {said[-400:]}")
    # Each decoder's most, though they had it at different times.
    largest = max(most.values(), default=0)
    outcome.attempt(largest <= DECODER_LIMIT, lambda: f"a decoder of an import took {largest:.0f} MB")
    left = os.listdir(ground.folder / "own/incoming")
    outcome.attempt(not left, lambda: f"left behind: {left}")
