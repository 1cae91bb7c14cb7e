"""A screen for WebKit's windows, and the hand that moves the mouse and the keys on it: real events of the X server."""

import os
import subprocess

from .processes import Process, StartFailed, program

COLUMNS, ROWS, WIDTH, HEIGHT = 4, 4, 1440, 1100


class XServer:
    def __init__(self):
        reader, writer = os.pipe()
        try:
            self.process = Process([
                program("Xvfb", "xvfb"), "-displayfd", str(writer), "-nolisten", "tcp", "-noreset",
                "-screen", "0", f"{COLUMNS * WIDTH}x{ROWS * HEIGHT}x24"], pass_fds=[writer])
        finally:
            os.close(writer)
        with os.fdopen(reader) as answer:
            number = answer.readline().strip()
        if not number:
            self.process.process.wait(10)
            self.process.check()
        self.display = f":{number}"
        self.taken = set()
        self._xdotool = program("xdotool", "xdotool")

    def slot(self):
        """A corner of the screen where no other window is: without a window manager, the mouse is what gives focus."""
        free = next((one for one in range(COLUMNS * ROWS) if one not in self.taken), None)
        if free is None:
            raise StartFailed(f"the screen has room for {COLUMNS * ROWS} windows")
        self.taken.add(free)
        return free

    @staticmethod
    def corner(slot):
        return slot % COLUMNS * WIDTH, slot // COLUMNS * HEIGHT

    def do(self, *commands):
        """Runs commands of xdotool, in one process."""
        words = [str(word) for command in commands for word in command]
        run = subprocess.run([self._xdotool, *words], env={**os.environ, "DISPLAY": self.display}, capture_output=True,
                             text=True, timeout=30)
        if run.returncode:
            raise RuntimeError(f"xdotool {' '.join(words)}: {run.stderr.strip()}")
        return run.stdout

    def stop(self):
        self.process.stop()


