"""WebKit, as WebKitGTK has it: pages are asked by WebDriver, the mouse and the keys are real events of an X server.

Each browser has a driver and a MiniBrowser of its own while it is used, and its pages are windows side by side on one screen.
The next test goes on with what is left of it, an empty page without cookies: what else a page keeps is its server's, whose port is
another. A private session prints no console messages, so errors are caught by a hook in the page, put in as soon as the document
is there.
"""

import glob
import http.client
import json
import shutil
import tempfile
from pathlib import Path

from .page import Browser, NavigatedAway, NotDrivable
from .processes import Process, StartFailed, free_port, poll, program
from .webkit_page import WebKitPage
from .xserver import XServer

MAXIMUM_IDLE = 2

# What the driver says where a document went away while it was asked.
GONE = {"no such window", "stale element reference", "javascript error", "no such frame", "script timeout"}


class WebKit:
    name = "webkit"

    def __init__(self):
        self.screen = XServer()
        self.idle = []

    def browser(self, width=1000, height=800, **options):
        for browser in self.idle:
            if browser.options == options:
                self.idle.remove(browser)
                browser.begin(width, height)
                return browser
        return WebKitBrowser(self, width, height, **options)

    def close(self):
        for browser in self.idle:
            browser.end()
        self.screen.stop()


class WebKitBrowser(Browser):
    name = "webkit"
    patience = 60  # seconds that an answer of the driver is waited for
    connection = None
    at = None  # the window that the driver is at

    def __init__(self, engine, width, height, **options):
        self.engine, self.screen, self.options = engine, engine.screen, options
        self.begin(width, height)
        self._launch(**options)

    def begin(self, width, height):
        """Begins anew for a test."""
        super().__init__()
        self.size = (width, height)

    def _launch(self, dark=False, reduced_motion=False, forced_colors=False, touch=False, scale=1):
        if forced_colors:
            raise NotDrivable("WebKit has no forced colours")
        if touch:
            raise NotDrivable("WebKitGTK's driver sends mouse events for touches")
        self.port = free_port()
        self.folder = tempfile.mkdtemp(prefix="webkit-")
        settings = Path(self.folder) / "gtk-3.0/settings.ini"
        settings.parent.mkdir()
        settings.write_text(f"[Settings]\ngtk-enable-animations={int(not reduced_motion)}\n")
        environment = {
            "XDG_CONFIG_HOME": self.folder, "XDG_CACHE_HOME": self.folder, "XDG_DATA_HOME": self.folder, "DISPLAY": self.screen.display,
            "LIBGL_ALWAYS_SOFTWARE": "1",
            # Without a graphics card, painting by its interface takes twice the processor time of painting without.
            "WEBKIT_DISABLE_DMABUF_RENDERER": "1", "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1",
            "GTK_A11Y": "none", "GTK_THEME": "Adwaita", "GDK_SCALE": str(scale)}
        self.driver = Process(
            [program("WebKitWebDriver", "webkit2gtk-driver"), f"--port={self.port}", "--host=127.0.0.1"], environment)
        try:
            self.session = self._start(dark)
            self.unused = [WebKitPage(self, self.send("GET", "/window"))]
        except BaseException:
            self.end()
            raise

    def _start(self, dark):
        def is_ready():
            self.driver.check()
            try:
                return self.request("GET", "/status").get("ready")
            except OSError:
                return False

        poll(is_ready, "WebKitWebDriver to answer")
        found = glob.glob("/usr/lib/*/webkit2gtk-4.1/MiniBrowser") + glob.glob("/usr/libexec/webkit2gtk-4.1/MiniBrowser")
        if not found:
            raise StartFailed("MiniBrowser is missing: Debian's package webkit2gtk-driver brings it")
        arguments = ["--automation"] + (["--dark-mode"] if dark else [])
        answer = self.request("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "MiniBrowser", "pageLoadStrategy": "none", "acceptInsecureCerts": True, "unhandledPromptBehavior": "ignore",
            "timeouts": {"script": 40_000},  # less than `request` waits: what a document took with it is asked again
            "webkitgtk:browserOptions": {"binary": found[0], "args": arguments}}}})
        if "sessionId" not in answer:
            raise StartFailed(f"MiniBrowser did not start: {answer}; the driver printed:\n" + "\n".join(self.driver.lines[-20:]))
        return answer["sessionId"]

    def request(self, method, path, body=None):
        text = json.dumps(body or {}) if method == "POST" else None
        connection = self.connection = self.connection or http.client.HTTPConnection("127.0.0.1", self.port)
        connection.timeout = self.patience
        if connection.sock:
            connection.sock.settimeout(self.patience)
        try:
            connection.request(method, path, text, {"Content-Type": "application/json"})
            return json.loads(connection.getresponse().read())["value"]
        except BaseException:
            # What was not answered must not be taken for the answer to the next.
            connection.close()
            self.connection = None
            raise

    def send(self, method, path, body=None):
        try:
            answer = self.request(method, f"/session/{self.session}{path}", body)
        except TimeoutError as error:
            # What is asked of a page in the moment in which another replaces it may never be answered.
            if path == "/execute/async":
                raise NavigatedAway("no answer") from error
            raise
        if isinstance(answer, dict) and "error" in answer:
            if answer["error"] in GONE:
                raise NavigatedAway(str(answer))
            raise RuntimeError(f"{path}: {answer['error']}: {answer['message']}")
        return answer

    def open(self, url=None, background=False):
        if self.unused and not background:
            page = self.unused.pop()
            if page.slot is None:
                page.into(self.screen.slot())
            else:
                page.resize(*self.size)
        elif background:
            front = self.pages[-1]
            front.switch()
            page = WebKitPage(self, self.send("POST", "/window/new", {"type": "tab"})["handle"])
            page.slot, page.front = front.slot, front
        else:
            if self.pages:
                self.pages[-1].switch()  # the one that the driver was at may be closed
            page = WebKitPage(self, self.send("POST", "/window/new", {"type": "window"})["handle"])
            page.into(self.screen.slot())
        self.pages.append(page)
        if url:
            page.goto(url)
        return page

    def offline(self, is_offline):
        raise NotDrivable("WebKit takes its connection from the system's network; a Line can be cut instead")

    def close(self):
        """Leaves the process to the next test, or ends it where it cannot be cleared."""
        try:
            kept = self._clear() if len(self.engine.idle) < MAXIMUM_IDLE else None
        except Exception:  # noqa: BLE001: whatever it was, another process does not have it
            kept = None
        if kept is None:
            self.end()
        else:
            self.unused = [kept]
            self.engine.idle.append(self)

    def _clear(self):
        """The one page that is left, without what the test has seen; none if there is no such page."""
        pages = [*self.pages, *self.unused]
        kept = next((page for page in pages if page.front is None), None)
        if kept is None or any(page.scale != 1 for page in pages):
            return None
        for page in pages:
            page.switch()
            self.send("DELETE", "/cookie")
            if page is not kept:
                self.send("DELETE", "/window")
                self.at = None
                if page.slot != kept.slot:
                    self.screen.taken.discard(page.slot)
        kept.goto("about:blank")
        return kept

    def end(self):
        try:
            if hasattr(self, "session"):
                self.request("DELETE", f"/session/{self.session}")
        except OSError:
            pass
        finally:
            self.driver.stop()
            shutil.rmtree(self.folder, ignore_errors=True)
            for page in [*self.pages, *getattr(self, "unused", [])]:
                self.screen.taken.discard(page.slot)
