"""Processes that are stopped by their id, and say why they did not start."""

import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time


class StartFailed(RuntimeError):
    """A browser, or what it needs, did not start; the message says why."""


def program(name, package):
    if found := shutil.which(name):
        return found
    raise StartFailed(f"{name} is missing: scripts/install-packages test installs it (Debian's package {package}).")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def poll(condition, what, timeout=20, interval=0.02):
    """Calls a function until its answer is true, and returns it. `what` names what was waited for, or makes the name.
    What takes longer is asked for ever less often, up to five intervals apart: the browsers have use for the processor."""
    end = time.monotonic() + timeout
    longest = 5 * interval
    while True:
        if answer := condition():
            return answer
        if time.monotonic() > end:
            raise TimeoutError(f"not within {timeout} s: {what() if callable(what) else what}")
        time.sleep(interval)
        interval = min(interval * 1.3, longest)


class Process:
    """One process in a group of its own, with what it prints."""

    def __init__(self, arguments, environment=None, **options):
        self.name = os.path.basename(arguments[0])
        try:
            self.process = subprocess.Popen(
                arguments, env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True, **options)
        except OSError as error:
            raise StartFailed(f"{self.name} did not start: {error}") from error
        self.lines = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip())

    def check(self):
        if self.process.poll() is not None:
            said = "\n".join(self.lines[-20:]) or "nothing"
            raise StartFailed(f"{self.name} ended with status {self.process.returncode}; it printed:\n{said}")

    def line(self, pattern, timeout=60):
        """Waits for a line that matches, and gives the match."""
        def look():
            self._ended = self.process.poll() is not None
            for line in list(self.lines):
                if match := re.search(pattern, line):
                    return match
            if self._ended:
                self._reader.join(5)
                self.check()

        try:
            return poll(look, f"a line of {self.name} with {pattern}", timeout)
        except TimeoutError as error:
            raise StartFailed(f"{error}; it printed:\n" + "\n".join(self.lines[-20:])) from error

    def stop(self):
        """Ends the process and those that it started."""
        for signal_number in (signal.SIGTERM, signal.SIGKILL):
            if self.process.poll() is None:
                self.process.send_signal(signal_number)
                try:
                    self.process.wait(5)
                except subprocess.TimeoutExpired:
                    continue
            break
        try:
            os.killpg(self.process.pid, signal.SIGKILL)  # the group is the process's own
        except (ProcessLookupError, PermissionError):
            pass
        self.process.wait()
