"""Albums of many photos without files: their rows are written into the database of a server that does not run."""

import hashlib
import sqlite3
import uuid

from program import Server

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001"
    "a5f645400000000049454e44ae426082")


def rank(number):
    """The rank of the whole number `number`: a head that says how long it is, and its bytes."""
    digits = number.to_bytes(max(1, (number.bit_length() + 7) // 8), "big")
    return bytes([0x7F + len(digits)]) + digits


def database(data, mode="rw"):
    return sqlite3.connect(f"file:{data / 'contactsheet.sqlite'}?mode={mode}", uri=True, timeout=30)


def fill(data, count, months=1):
    """Puts photos into the first album: `Photo 0`, `Photo 1`, … Answers their ids in order."""
    connection = database(data)
    try:
        [album] = connection.execute("SELECT id FROM album ORDER BY rank, id LIMIT 1").fetchone()
        # The triggers count at every row, which takes long for many.
        triggers = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'photo'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        ids = [uuid.uuid4() for _ in range(count)]
        month = 2_630_000 * 1_000_000  # microseconds

        def row(number):
            date = 1_600_000_000_000_000 + month * (number * months // count)
            name = hashlib.sha256(ids[number].bytes).hexdigest()
            return (ids[number].bytes, album, f"Photo {number}", f"photo-{number}.jpg", date, 0, name, 400, 300, 1,
                    "jpeg", rank(number), 0x8090A0)

        connection.executemany(
            "INSERT INTO photo (id, albumID, title, fileName, captureDate, importedDate, contentHash, width, height,"
            " byteCount, format, rank, color) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", map(row, range(count)))
        connection.execute(
            "UPDATE album SET photoCount = ?, cover = ? WHERE id = ?", (count, row(0)[6] if count else None, album))
        for _, sql in triggers:
            connection.execute(sql)
        connection.commit()
        return [str(one) for one in ids]
    finally:
        connection.close()


def stored_order(data):
    """The ids of what is shown of the first album, in its order, as the database has them."""
    connection = database(data, "ro")
    try:
        rows = connection.execute(
            "SELECT photo.id FROM photo WHERE trashedDate IS NULL AND albumID ="
            " (SELECT id FROM album ORDER BY rank, id LIMIT 1) ORDER BY photo.rank, photo.id")
        return [str(uuid.UUID(bytes=one)) for [one] in rows]
    finally:
        connection.close()


def without_pictures(page):
    """Answers for pictures that there are not."""
    answer = {"status": 200, "content_type": "image/png", "body": PIXEL}
    for kind in ("thumbnails", "previews", "originals"):
        page.route(f"**/{kind}/**", lambda route: route.fulfill(**answer))
    return page


def filled_server(data, count):
    """Starts a server with one album of so many photos. Answers it and their ids in order."""
    server = Server(data)
    server.get("/")
    assert server.stop() == 0
    ids = fill(data, count)
    return Server(data), ids
