"""Files that were made to harm, from a seed: the same seed gives the same files."""

import io
import random
import struct
import subprocess
import zipfile
import zlib

from PIL import Image
from photographs import picture


def encoded(tmp_path):
    """One honest picture of each format, as bytes."""
    whole = {}
    image = picture(1, 200, 150)
    for kind in ("JPEG", "PNG", "WEBP", "GIF", "TIFF"):
        out = io.BytesIO()
        image.save(out, kind)
        whole[kind.lower()] = out.getvalue()
    source, target = tmp_path / "honest.png", tmp_path / "honest.heic"
    image.save(source)
    subprocess.run(["vips", "copy", source, target], check=True, capture_output=True)
    whole["heic"] = target.read_bytes()
    return whole


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(width, height, rows=b"\0" * 10, depth=8, kind=2, extra=b""):
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", zlib.compress(rows, 9))
            + chunk(b"IEND", b""))


def patched(data, at, new):
    return data[:at] + new + data[at + len(new):]


def lying(whole):
    """Headers that claim what no memory holds."""
    jpeg, gif, tiff = whole["jpeg"], whole["gif"], whole["tiff"]
    frame = jpeg.index(b"\xff\xc0")
    for width, height in ((65535, 65535), (65500, 65500), (1, 65535), (0, 0), (0, 100)):
        yield "jpg", patched(jpeg, frame + 5, struct.pack(">HH", height, width))
        yield "gif", patched(gif, 6, struct.pack("<HH", width, height))
        yield "png", png(width, height)
        for kind in (0, 3, 4, 6, 9):
            yield "png", png(width or 9, height or 9, depth=16 if kind != 3 else 8, kind=kind)
    for width, height in ((2_000_000, 2_000_000), (2**31 - 1, 1), (1, 2**31 - 1), (2**31, 2**31), (30_000, 30_000)):
        yield "png", png(width, height)
    # TIFF: every number of its directory in turn.
    offset = struct.unpack("<I", tiff[4:8])[0] if tiff[:2] == b"II" else struct.unpack(">I", tiff[4:8])[0]
    count = struct.unpack("<H" if tiff[:2] == b"II" else ">H", tiff[offset:offset + 2])[0]
    for entry in range(count):
        for value in (b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f"):
            yield "tif", patched(tiff, offset + 2 + entry * 12 + 8, value)
            yield "tif", patched(tiff, offset + 2 + entry * 12 + 4, value)
    yield "tif", patched(tiff, 4, struct.pack("<I", 8) if tiff[:2] == b"II" else struct.pack(">I", 8))
    # WebP with a canvas of 16 million squared, HEIC with one that its tiles do not fill.
    yield "webp", (b"RIFF" + struct.pack("<I", 30) + b"WEBPVP8X" + struct.pack("<I", 10) + b"\0\0\0\0"
                   + b"\xff\xff\xff" * 2 + b"VP8 " + b"\0" * 8)
    heic = whole["heic"]
    offset = heic.index(b"ispe") + 8
    for size in (0, 1, 2**16, 2**31 - 1, 2**32 - 1):
        yield "heic", patched(heic, offset, struct.pack(">II", size, size))


def bombs(dice):
    """Small files of much."""
    yield "png", png(12_000, 12_000, rows=b"\0" * (12_000 * 36_001))
    yield "png", png(8_000, 8_000, rows=b"\0" * 100)
    yield "png", png(100, 100, extra=chunk(b"zTXt", b"x\0\0" + zlib.compress(b"\0" * 60_000_000, 9)))
    yield "png", png(100, 100, extra=chunk(b"iCCP", b"x\0\0" + zlib.compress(b"\0" * 60_000_000, 9)))
    for levels in (5, 9):
        entities = "".join(f'<!ENTITY e{n} "{"&e" + str(n - 1) + ";" if n else "x"}{"&e0;" * 20 if n else ""}">' for n in range(levels))
        yield "svg", f'<?xml version="1.0"?><!DOCTYPE svg [{entities}]><svg>&e{levels - 1};</svg>'.encode()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("bomb.jpg", b"\0" * 20_000_000)
    yield "jpg", archive.getvalue()
    frames = io.BytesIO()
    images = [Image.new("P", (600, 600), dice.randrange(256)) for _ in range(60)]
    images[0].save(frames, "GIF", save_all=True, append_images=images[1:])
    yield "gif", frames.getvalue()
    yield "gif", b"GIF89a" + struct.pack("<HH", 9000, 9000) + b"\x80\0\0" + b"\0" * 6 + b",\0\0\0\0" + struct.pack("<HH", 9000, 9000) + b"\0\x02\x02\x44\x01\0;"


def other_things():
    """Bytes that are no picture, whatever their name says."""
    yield from [
        ("jpg", b""), ("png", b"\0"), ("gif", b"GIF89a"), ("jpg", b"\xff\xd8"), ("jpg", b"\xff\xd8\xff\xe0"),
        ("png", b"\x89PNG\r\n\x1a\n"), ("webp", b"RIFF\0\0\0\0WEBP"), ("tif", b"II*\0"), ("tif", b"MM\0*\0\0\0\x08"),
        ("heic", b"\0\0\0\x18ftypheic\0\0\0\0"), ("heic", b"\0\0\0\x18ftypmif1"),
        ("jpg", b"%PDF-1.7\n1 0 obj"), ("jpg", b"<html><script>alert(1)</script>"), ("png", b"\x7fELF\x02\x01\x01" + b"\0" * 99),
        ("jpg", b"MZ" + b"\0" * 200), ("jpg", b"#!/bin/sh\nrm -rf /\n"), ("mp4", b"\0\0\0\x20ftypisom" + b"\0" * 99),
        ("avif", b"\0\0\0\x20ftypavif" + b"\0" * 99), ("bmp", b"BM" + b"\0" * 99), ("jxl", b"\xff\x0a" + b"\0" * 99),
        ("jp2", b"\0\0\0\x0cjP  \r\n\x87\n" + b"\0" * 99), ("psd", b"8BPS\0\1" + b"\0" * 99), ("ico", b"\0\0\1\0\1\0" + b"\0" * 99),
        ("svg", b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
        ("svg", b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
        ("svg", b'\xef\xbb\xbf<svg><image href="file:///etc/passwd"/></svg>'), ("jpg", b"push graphic-context\nfill 'url(https://x/|ls)'\n"),
        ("hdr", b"#?RADIANCE\n"), ("ppm", b"P6\n99999 99999\n255\n"), ("pfm", b"PF\n99999 99999\n-1\n"), ("v", b"\x08\xf2\xa6\xb6" + b"\0" * 99),
        ("jpg", b"P6 30000 30000 255 "), ("fits", b"SIMPLE  =                    T"), ("mat", b"MATLAB 5.0 MAT-file" + b" " * 150),
        ("exr", b"\x76\x2f\x31\x01" + b"\0" * 99),
    ]


def polyglots(whole):
    """Files that are two things at once."""
    script = b"<script>alert(document.cookie)</script>"
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("index.html", script.decode())
    for kind, data in whole.items():
        yield kind, data + script
        yield kind, data + archive.getvalue()
        yield kind, script + data
    yield "gif", b"GIF89a/*" + whole["gif"][8:] + b"*/=1;alert(1)//"
    jpeg = whole["jpeg"]
    yield "jpg", jpeg[:2] + b"\xff\xfe" + struct.pack(">H", len(script) + 2) + script + jpeg[2:]
    yield "jpg", jpeg[:2] + b"\xff\xe2\xff\xff" + b"ICC_PROFILE\0\1\1" + b"\xff" * (65533 - 14) + jpeg[2:]
    # EXIF whose directories lead into themselves, and beyond the end.
    for pointer in (8, 0, 0xFFFFFFF0, 10):
        exif = b"Exif\0\0II*\0" + struct.pack("<I", 8) + struct.pack("<H", 1) + struct.pack("<HHII", 0x8769, 4, 1, pointer) + struct.pack("<I", 8)
        yield "jpg", jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


NAMES = [
    "../../../../etc/{}", "/etc/{}", "..\\..\\windows\\{}", "a\nb\r{}", "<img src=x onerror=alert(1)>{}", "{} \u202egpj.exe",
    "'; DROP TABLE photo; --{}", "%2e%2e%2f{}", "$(reboot){}", "{}\u0000.sh", "con.{}", " . {} . ", "\u0301" * 50 + "{}", "{}" + "x" * 5000,
    "{{{{albumID}}}}{}", "{}?a=b&c#d", "file://{}", "|{}", "{}" + "😀" * 300,
]


def files(seed, count, tmp_path):
    """So many files, each with a name that holds its own number: `(name, mark, bytes)`."""
    dice = random.Random(seed)
    whole = encoded(tmp_path)
    made = [*lying(whole), *bombs(dice), *other_things(), *polyglots(whole)]
    kinds = list(whole)
    while len(made) < count:
        kind = dice.choice(kinds)
        data = bytearray(whole[kind])
        if dice.random() < 0.5:
            del data[dice.randrange(1, len(data)):]
        else:
            # Most of what decides is at the start.
            reach = dice.choice([64, 512, len(data)])
            for _ in range(dice.randrange(1, 12)):
                data[dice.randrange(min(reach, len(data)))] = dice.randrange(256)
        made.append((dice.choice([kind, kind, "jpg", "png"]), bytes(data)))
    for number, (suffix, data) in enumerate(made[:count]):
        mark = f"hostile{number:04}"
        name = f"{mark}.{suffix}"
        if number % 5 == 0:
            name = dice.choice(NAMES).format(name)
        yield name, mark, data
