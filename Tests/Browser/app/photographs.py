"""Pictures for the tests, made when they are needed: none are kept in the repository."""

import struct
import subprocess
import zlib

from PIL import Image, ImageDraw

EXIF_DATE_TAKEN, EXIF_ORIENTATION, EXIF_IFD = 0x9003, 0x0112, 0x8769


def picture(number, width=640, height=480):
    """A picture that differs from its siblings in every pixel's colour and shows its number's size."""
    image = Image.new("RGB", (width, height), ((number * 47) % 256, (number * 91 + 40) % 256, (number * 29 + 90) % 256))
    draw = ImageDraw.Draw(image)
    draw.ellipse((20, 20, 40 + number % 300, 40 + number % 300), fill=(255, 255, 255))
    draw.text((10, height - 30), f"picture {number}", fill=(0, 0, 0))
    return image


def jpeg(path, number, taken=None, orientation=None, **options):
    """Writes a JPEG; `taken` is an EXIF date such as 2024:05:01 10:00:00."""
    image = picture(number, **options)
    exif = Image.Exif()
    if orientation:
        exif[EXIF_ORIENTATION] = orientation
    if taken:
        exif.get_ifd(EXIF_IFD)[EXIF_DATE_TAKEN] = taken
    image.save(path, "JPEG", quality=85, exif=exif.tobytes())
    return path


def huge_png(path, side):
    """Writes a black square, of one bit for each pixel: whole, and in a moment, however many there are."""
    packing = zlib.compressobj(1)
    row = bytes(1 + (side + 7) // 8)  # after the number of its filter
    rows = b"".join(packing.compress(row) for _ in range(side)) + packing.flush()
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, data in ((b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)), (b"IDAT", rows), (b"IEND", b"")):
            file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))


def every_format(folder):
    """One picture of each kind that ContactSheet takes, six in all."""
    paths = []
    for number, (suffix, kind) in enumerate(
            [("jpg", "JPEG"), ("png", "PNG"), ("webp", "WEBP"), ("gif", "GIF"), ("tiff", "TIFF")]):
        path = folder / f"picture-{suffix}.{suffix}"
        picture(100 + number).save(path, kind)
        paths.append(path)
    source = folder / "source.png"
    picture(200).save(source)
    heic = folder / "picture-heic.heic"
    subprocess.run(["vips", "copy", source, heic], check=True, capture_output=True)
    source.unlink()
    return [*paths, heic]


def truncated(path, number):
    """A JPEG of which the second half is missing."""
    jpeg(path, number)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    return path
