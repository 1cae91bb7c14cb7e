"""Records two browsers while a photo is dragged in one of them: a part of `make screenshots`, for the README."""

import io
import time

from album_page import box, settle
from PIL import Image, ImageDraw

VIEW = {"width": 460, "height": 500}
BETWEEN = 12
ARROW = [(0, 0), (0, 17), (4, 13), (7, 19), (10, 18), (7, 12), (12, 12)]


class Recording:
    """Pictures of two pages beside each other, each shown for as long as the next took to come."""

    def __init__(self, one, other):
        self.pages, self.pointer = (one, other), None
        self.frames, self.times = [], []

    def take(self):
        shots = [Image.open(io.BytesIO(page.screenshot(type="jpeg", quality=90))).convert("RGB") for page in self.pages]
        frame = Image.new("RGB", (VIEW["width"] * 2 + BETWEEN, VIEW["height"]), "#888")
        for number, shot in enumerate(shots):
            frame.paste(shot, (number * (VIEW["width"] + BETWEEN), 0))
        # A page's picture has no pointer in it.
        if self.pointer:
            x, y = self.pointer
            ImageDraw.Draw(frame).polygon([(x + right, y + down) for right, down in ARROW], fill="black", outline="white")
        self.times.append(time.monotonic())
        self.frames.append(frame)

    def hold(self, seconds):
        """Shows the last picture for so long, as a viewer needs it to see what is there."""
        self.times = [at - seconds for at in self.times]

    def move(self, x, y, steps=12):
        from_x, from_y = self.pointer
        for step in range(1, steps + 1):
            self.pointer = from_x + (x - from_x) * step / steps, from_y + (y - from_y) * step / steps
            self.pages[0].mouse.move(*self.pointer)
            self.take()

    def save(self, path):
        ends = [*self.times[1:], self.times[-1] + 1.2]
        lengths = [max(20, round((end - start) * 1000)) for start, end in zip(self.times, ends, strict=True)]
        self.frames[0].save(path, save_all=True, append_images=self.frames[1:], duration=lengths, loop=0, quality=72, method=4)


def two_browsers(one, other, titles, path):
    """Drags the photo of the first title before that of the second, on page `one`, and records what `other` shows."""
    recording = Recording(one, other)
    start, end = (box(one, title) for title in titles)
    recording.pointer = VIEW["width"] / 2, VIEW["height"] - 40
    recording.take()
    recording.hold(0.8)
    recording.move(start["x"], start["y"], steps=6)
    one.mouse.down()
    recording.move(start["x"] + 8, start["y"] + 8, steps=2)
    recording.move(end["x"] - end["width"] / 4, end["y"])
    for _ in range(3):
        recording.take()
    one.mouse.up()
    for _ in range(8):
        recording.take()
    for page in (one, other):
        settle(page)
    recording.take()
    recording.save(path)
