"""Data folders with long albums, written straight into the database of a real one."""

import hashlib
import os
import sqlite3
import sys
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "Tests/Browser"), str(ROOT / "Tests/Browser/app")]
os.environ.setdefault("CONTACT_SHEET", str(ROOT / "Apps/.build/release/contact-sheet"))

from program import Server  # noqa: E402  (the program is chosen above)


def rank(number):
    """The rank of a whole number, as `Rank` writes it: a head that says how many digits follow, the digits."""
    digits = number.to_bytes(max(1, (number.bit_length() + 7) // 8), "big")
    return bytes([0x7F + len(digits)]) + digits


def new_folder(folder):
    """A data folder as the program makes it, with its first album; answers that album's identifier."""
    server = Server(folder)
    album = server.album
    server.stop()
    return album


def fill(folder, count, content=None, size=0, checksum=None):
    """Adds photos to the first album of a data folder. Each has a content hash of its own; with `content`, the bytes of
    one file are linked under all of them, so that they can be exported."""
    database = sqlite3.connect(folder / "contactsheet.sqlite")
    (album,) = database.execute("SELECT id FROM album ORDER BY rank LIMIT 1").fetchone()
    triggers = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    hashes = [hashlib.sha256(f"photo {n}".encode()).hexdigest() for n in range(count)]

    def rows():
        for n, name in enumerate(hashes):
            yield (hashlib.md5(name.encode()).digest(), album, f"Photo {n}", f"IMG_{n:07}.JPG", None, n, name, 4032, 3024,
                   size, "jpeg", rank(n), 0x507090 + n % 64, None, "", checksum)

    with database:
        # The album's count and cover are set once, and not by a trigger for each photo.
        for name, _ in triggers:
            database.execute(f"DROP TRIGGER {name}")
        database.executemany(
            "INSERT INTO photo (id, albumID, title, fileName, captureDate, importedDate, contentHash, width, height,"
            " byteCount, format, rank, color, trashedDate, dateText, checksum) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", rows())
        for _, sql in triggers:
            database.execute(sql)
        database.execute("UPDATE album SET photoCount = ?, cover = ? WHERE id = ?", (count, hashes[0], album))
    database.close()
    for name in hashes if content else []:
        place = folder / "originals" / name[:2]
        place.mkdir(exist_ok=True)
        os.link(content, place / name)


def checksum_of(path):
    return zlib.crc32(path.read_bytes())


def memory(process, kind="VmRSS"):
    """Resident memory of a process in bytes; `VmHWM` is the most that it ever was."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith(kind + ":"):
            return int(line.split()[1]) * 1024
    return 0


def memory_of_family(process):
    """Memory of a process and all its descendants; what they share is counted once."""
    total, waiting = 0, [process]
    while waiting:
        one = waiting.pop()
        try:
            for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
            for task in Path(f"/proc/{one}/task").iterdir():
                waiting += [int(child) for child in (task / "children").read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended meanwhile
    return total
