"""A running example, and what every example has to be."""

import json
import os
import signal
import subprocess
import urllib.error
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from program import PROGRAM

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


class Example:
    """An example on a port that the system chose, in a folder of the test's, which has its temporary files, too."""

    def __init__(self, name, folder, *arguments):
        self.folder = folder
        # A program that writes to a pipe keeps its lines back without `stdbuf`.
        self.process = subprocess.Popen(
            ["stdbuf", "-oL", PROGRAM.absolute().parent / name, *(arguments or ["0"])], cwd=folder, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "TMPDIR": str(folder)})
        # The address is the first line that it prints.
        self.url = self.process.stdout.readline().strip()

    def post(self, path, body, **headers):
        """Posts what a page would, or something worse. Answers the status, and the reason where it is refused."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.url}{path}", data=data, headers={"Content-Type": "application/json", **headers})
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, None
        except urllib.error.HTTPError as error:
            body = error.read()
            return error.code, json.loads(body)["error"]["message"] if body else None

    def stop(self):
        """Interrupts it as Ctrl-C does. Answers its status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(20)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def run_example(name, *arguments, folder):
    """Runs an example that should end by itself."""
    return subprocess.run(
        [PROGRAM.absolute().parent / name, *arguments], cwd=folder, capture_output=True, text=True, timeout=60,
        env={**os.environ, "TMPDIR": str(folder)})


def check_axe(page):
    """Fails where axe finds something, when nothing moves any more."""
    page.wait_for_function("() => document.getAnimations().every((one) => one.playState !== 'running')")
    results = Axe().run(page, options={"runOnly": {"type": "tag", "values": TAGS}})
    found = [
        f"{one['id']}: {one['help']}: {[node['html'][:160] for node in one['nodes'][:3]]}"
        for one in results.response["violations"]]
    assert not found, "\n".join(found)


def check_that_it_is_kept_to_this_machine(example, path, body):
    """Writes of other sites' pages are refused, and requests under another name."""
    def status(**headers):
        return example.post(path, body, **headers)[0]

    authority = example.url.removeprefix("http://")
    assert status(Origin="https://evil.example") == status(Origin="null") == 403
    assert status(Host="evil.example") == status(Host=f"127.0.0.1.evil.example:{authority.split(':')[1]}") == 403
    assert status(**{"Content-Type": "text/plain"}) == 415
    assert status() == status(Origin=example.url) == 204
