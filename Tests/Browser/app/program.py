"""The program under test: where it is, and a server that a test starts and stops."""

import json
import os
import re
import signal
import subprocess
import threading
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(os.environ.get("CONTACT_SHEET", ROOT / "Apps/.build/debug/contact-sheet"))


def run(*arguments, stdin=None, environment=None):
    """Runs one command to its end."""
    return subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=120, input=stdin,
        env={**os.environ, **(environment or {})})


class Server:
    """One running `contact-sheet serve`, on a port that the system chose."""

    def __init__(self, data, *arguments, environment=None):
        self.data = data
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", "--data", data, *arguments], env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True)
        self.log = []
        self._told = threading.Event()
        self.url = None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._told.wait(60)
        if self.url is None:
            self.kill()
            raise RuntimeError("the server did not start:\n" + "".join(self.log))

    def _read(self):
        for line in self.process.stdout:
            self.log.append(line)
            if self.url is None and (match := re.search(r"http://[\w.:\[\]]+:\d+", line)):
                self.url = match.group()
                self._told.set()
        self._told.set()

    @property
    def port(self):
        return self.url.rsplit(":", 1)[1]

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=30) as response:
            return response.read()

    def json(self, path):
        return json.loads(self.get(path))

    def post(self, path, value):
        request = urllib.request.Request(
            self.url + path, data=json.dumps(value).encode(), method="POST",
            headers={"Content-Type": "application/json", "Origin": self.url})
        with urllib.request.urlopen(request, timeout=30) as response:
            body = response.read()
            return json.loads(body) if body else None

    def memory(self, name="VmHWM"):
        """The most memory that the server has had so far, in megabytes; with `VmRSS`, what it has now."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1]) / 1024
        raise RuntimeError(f"the system does not tell {name}")

    @property
    def album(self):
        return self.json("/api/albums")[0]["id"]

    def stop(self):
        """Stops as Ctrl-C does, and answers the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            status = self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError("the server did not stop within 20 s:\n" + "".join(self.log)) from None
        self._reader.join(5)
        self.process.stdout.close()
        return status

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
