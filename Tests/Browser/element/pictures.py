"""Small pictures, made and not stored."""

import colorsys
import math
import random
import struct
import zlib
from functools import cache


def png(width, height, pixel):
    rows = b"".join(
        b"\0" + b"".join(bytes(pixel(x / width, y / height)) for x in range(width)) for y in range(height))

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@cache
def landscape(seed, width=120, height=120):
    """Hills under a sky; the same for the same seed."""
    dice = random.Random(seed)
    hue = dice.random()
    sky = [colorsys.hsv_to_rgb(hue, 0.25 + 0.3 * dice.random(), 0.95), colorsys.hsv_to_rgb(hue + 0.08, 0.5, 0.7)]
    hills = [
        (0.45 + 0.18 * n + 0.05 * dice.random(), 0.1 * dice.random() + 0.03, 2 + 5 * dice.random(),
         6 * dice.random(), colorsys.hsv_to_rgb(hue + 0.45 + 0.05 * n, 0.45, 0.6 - 0.15 * n))
        for n in range(3)]
    sun = dice.random(), 0.15 + 0.25 * dice.random(), 0.05 + 0.05 * dice.random()

    def pixel(x, y):
        color = None
        for level, amplitude, frequency, phase, shade in hills:
            if y > level + amplitude * math.sin(frequency * x + phase):
                color = shade
        if color is None:
            if math.hypot(x - sun[0], y - sun[1]) < sun[2]:
                color = (1, 0.97, 0.85)
            else:
                color = tuple(a + (b - a) * y * 1.6 for a, b in zip(*sky, strict=True))
        return [min(255, max(0, int(255 * part))) for part in color]

    return png(width, height, pixel)


def average(seed):
    dice = random.Random(seed)
    red, green, blue = colorsys.hsv_to_rgb(dice.random(), 0.4, 0.75)
    return f"#{int(255 * red):02x}{int(255 * green):02x}{int(255 * blue):02x}"
