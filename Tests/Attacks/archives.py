"""Zip archives that lie about what is in them, through `contact-sheet import`."""

import io
import os
import struct
import zipfile

import peak
from photographs import jpeg
from program import PROGRAM

EDGE = [0, 1, 0xFFFF, 0xFFFFFFFF, 2**31 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1]


def archive(folder, manifest=None, names=("a.jpg",), count=1):
    picture = jpeg(folder / "in-archive.jpg", 3).read_bytes()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in names:
            for _ in range(count):
                packed.writestr(name, picture)
        if manifest is not None:
            packed.writestr("manifest.json", manifest)
    return out.getvalue()


def zip64(data, dice):
    """The same archive with a zip64 end whose numbers are at the edges."""
    end = data.rindex(b"PK\x05\x06")
    numbers = [dice.choice(EDGE) % 2**64 for _ in range(4)]
    record = b"PK\x06\x06" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, *numbers)
    locator = b"PK\x06\x07" + struct.pack("<IQI", 0, dice.choice([end, *EDGE]) % 2**64, 1)
    tail = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return data[:end] + record + locator + tail


def patched(data, dice):
    """The same archive with a number of a header at an edge."""
    data = bytearray(data)
    mark = dice.choice([b"PK\x01\x02", b"PK\x03\x04", b"PK\x05\x06"])
    at = bytes(data).find(mark) + dice.randrange(4, 42)
    for offset, byte in enumerate(struct.pack("<I", dice.choice(EDGE) & 0xFFFFFFFF)[: dice.choice([1, 2, 4])]):
        if at + offset < len(data):
            data[at + offset] = byte
    return bytes(data)


def blown_up(path, piece, times):
    """A small archive whose manifest is huge, written in pieces."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed, packed.open("manifest.json", "w") as manifest:
        manifest.write(b'{"format":1,"album":"x","photos":[')
        for _ in range(times):
            manifest.write(piece)


def attack(ground, dice, count, outcome):
    ground.close()
    entry = b'{"file":"a.jpg","title":"","fileName":"a.jpg","hash":"","width":1,"height":1},'
    good = archive(ground.folder)
    makers = [
        lambda: zip64(good, dice), lambda: patched(good, dice), lambda: good[: dice.randrange(len(good))],
        lambda: archive(ground.folder, names=dice.sample([
            "../../evil.jpg", "/etc/evil.jpg", "a/../../b.jpg", "C:\\evil.jpg", "con.jpg", "\u0d4e/../x.jpg", "x\u0301/..//y.jpg", "-rf.jpg"], 3)),
        lambda: archive(ground.folder, manifest=b"[" * dice.choice([10, 100_000])),
        lambda: archive(ground.folder, manifest=b'{"version":1,"album":"x","photos":[' + b'{"file":"a.jpg","title":"x"},' * 2000 + b"0]}"),
    ]
    for number in range(count):
        path = ground.folder / f"hostile{number}.zip"
        if number < 2:
            blown_up(path, [b" " * 1_000_000, entry * 10_000][number], [390, 8][number])
        else:
            path.write_bytes(dice.choice(makers)())
        size = path.stat().st_size
        before = set(os.listdir(ground.folder))
        status, megabytes, said = peak.run(PROGRAM, "import", path, "--data", ground.data)
        outcome.attempt(status >= 0, lambda: f"signal {-status} for {path.name}: {said[-300:]!r}")
        outcome.attempt(megabytes < 256, lambda: f"{megabytes} MB for an archive of {size} bytes")
        after = set(os.listdir(ground.folder))
        outcome.attempt(after == before | {"data"}, lambda: f"files outside: {after - before}")
        path.unlink()
    ground.restart()
