"""Firefox, by WebDriver BiDi. One process serves the browsers of a run, each with a user context of its own; those with
preferences of their own (dark, reduced motion, forced colours, touch) have others, whose looks are changed while nobody is there."""

import base64
import json
import os
import shutil
import tempfile
from pathlib import Path

from .bidi import BiDiError, Connection, remote
from .keys import WEBDRIVER
from .page import Browser, NavigatedAway, NotDrivable, Page
from .processes import Process, poll, program

# Quiet: no first-run pages, no updates, no calls to anybody's servers.
PREFERENCES = {
    "remote.active-protocols": 1,
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.aboutwelcome.enabled": False,
    "browser.contentblocking.category": "standard",
    "browser.dom.window.dump.enabled": False,
    "browser.safebrowsing.blockedURIs.enabled": False,
    "browser.safebrowsing.downloads.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0,
    "browser.topsites.contile.enabled": False,
    "browser.uitour.enabled": False,
    "browser.warnOnQuit": False,
    "datareporting.healthreport.uploadEnabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.disable_beforeunload": False,
    "dom.ipc.processPrelaunch.enabled": False,
    "extensions.systemAddon.update.enabled": False,
    "extensions.update.enabled": False,
    "layout.css.prefers-color-scheme.content-override": 1,
    "messaging-system.askForFeedback": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "privacy.reduceTimerPrecision": False,
    "services.settings.server": "data:,",
    "signon.rememberSignons": False,
    "toolkit.telemetry.server": "data:,",
    "ui.prefersReducedMotion": 0,
}
# Pages see at once when these change.
LOOKS = ("layout.css.prefers-color-scheme.content-override", "ui.prefersReducedMotion", "browser.display.document_color_use")
BUTTONS = {"left": 0, "middle": 1, "right": 2}


def firefox_path():
    found = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
    return found or program("firefox-esr", "firefox-esr")


class Firefox:
    name = "firefox"

    def __init__(self):
        self._processes = []

    def _process(self, preferences):
        for process in [one for one in self._processes if one.process.process.poll() is not None]:
            process.stop()
            self._processes.remove(process)
        for process in self._processes:
            if process.serves(preferences):
                return process
        self._processes.append(FirefoxProcess(preferences))
        return self._processes[-1]

    def browser(self, width=1000, height=800, dark=False, reduced_motion=False, forced_colors=False, touch=False, scale=1):
        preferences = {}
        if dark:
            preferences["layout.css.prefers-color-scheme.content-override"] = 0
        if reduced_motion:
            preferences["ui.prefersReducedMotion"] = 1
        if forced_colors:
            preferences["browser.display.document_color_use"] = 2
        if touch:
            preferences["dom.w3c_touch_events.enabled"] = 1
        return FirefoxBrowser(self._process(preferences), width, height, scale)

    def close(self):
        for process in self._processes:
            process.stop()


class FirefoxProcess:
    def __init__(self, preferences):
        self.preferences = preferences
        self.users = 0
        self.profile = tempfile.mkdtemp(prefix="firefox-")
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n"
                 for name, value in {**PREFERENCES, **preferences}.items()]
        (Path(self.profile) / "user.js").write_text("".join(lines))
        self.browsers = {}
        self.process = None
        try:
            self.process = Process([
                firefox_path(), "--headless", "--no-remote", "--profile", self.profile,
                "--remote-debugging-port", "0", "--remote-allow-system-access"], {"MOZ_CRASHREPORTER_DISABLE": "1", "HOME": self.profile})
            url = self.process.line(r"BiDi listening on (ws://\S+)").group(1)
            self.connection = Connection(f"{url}/session", self._event)
            self.connection.send("session.new", capabilities={
                "alwaysMatch": {"unhandledPromptBehavior": {"default": "ignore"}}})
            self.connection.send("session.subscribe", events=[
                "log.entryAdded", "browsingContext.userPromptOpened", "browsingContext.contextDestroyed"])
            #: Windows without pages, by the tab that keeps them open. What is around a page, the browser's own part of a window, takes half
            #: of the time to open a page and leave it: windows are used again, and their pages are tabs.
            self.windows = [one["context"] for one in self.connection.send("browsingContext.getTree")["contexts"]]
        except BaseException:
            self.stop()
            raise

    def serves(self, preferences):
        """Whether it can serve a browser with these preferences; it has them then."""
        if preferences == self.preferences:
            return True
        if self.users or not preferences or not self.preferences or not {*preferences, *self.preferences} <= set(LOOKS):
            return False
        values = {**{name: PREFERENCES.get(name, 1) for name in LOOKS}, **preferences}
        chrome = {"moz:scope": "chrome"}
        context = self.connection.send("browsingContext.getTree", **chrome)["contexts"][0]["context"]
        lines = [f"Services.prefs.setIntPref({json.dumps(name)}, {value});" for name, value in values.items()]
        self.connection.send("script.evaluate", expression="".join(lines), target={"context": context}, awaitPromise=False)
        self.preferences = preferences
        return True

    def window(self):
        """A window for a page, which is then in nobody else's way: what it shows is seen, and has the focus."""
        return self.windows.pop() if self.windows else self.connection.send("browsingContext.create", type="window")["context"]

    def _event(self, method, parameters):
        context = parameters.get("source", parameters).get("context")
        page = self.browsers.get(context)
        if page is None:
            return
        if method == "log.entryAdded" and parameters["level"] == "error":
            frames = (parameters.get("stackTrace") or {}).get("callFrames") or [{}]
            position = f"{frames[0].get('url', '')}:{frames[0].get('lineNumber', '')}"
            page.browser.error(f"{parameters['type']}: {parameters['text']} ({position})")
        elif method == "browsingContext.userPromptOpened":
            page.prompts.append(parameters["type"])
        elif method == "browsingContext.contextDestroyed":
            page.is_closed = True

    def stop(self):
        if self.process:
            self.process.stop()
        shutil.rmtree(self.profile, ignore_errors=True)


class FirefoxBrowser(Browser):
    name = "firefox"

    def __init__(self, process, width, height, scale):
        super().__init__()
        self.process, self.size, self.scale = process, (width, height), scale
        process.users += 1
        self.windows = []
        self.user = self.send("browser.createUserContext")["userContext"]

    def send(self, method, **parameters):
        return self.process.connection.send(method, **parameters)

    def open(self, url=None, background=False):
        if background:
            beside = self.pages[-1].context
        else:
            beside = self.process.window()
            self.windows.append(beside)
        context = self.send(
            "browsingContext.create", type="tab", userContext=self.user, background=background, referenceContext=beside)["context"]
        page = FirefoxPage(self, context)
        self.process.browsers[context] = page
        self.pages.append(page)
        page.resize(*self.size)
        if url:
            page.goto(url)
        return page

    def offline(self, is_offline):
        condition = {"type": "offline"} if is_offline else None
        self.send("emulation.setNetworkConditions", networkConditions=condition, userContexts=[self.user])

    def close(self):
        self.process.users -= 1
        self.send("browser.removeUserContext", userContext=self.user)
        self.process.windows += self.windows


class FirefoxPage(Page):
    def __init__(self, browser, context):
        self.browser, self.context = browser, context
        self.prompts, self.is_closed = [], False

    def _send(self, method, **parameters):
        return self.browser.send(method, context=self.context, **parameters)

    def goto(self, url):
        self._send("browsingContext.navigate", url=url, wait="complete")

    def reload(self):
        self._send("browsingContext.reload", wait="complete")

    def evaluate(self, function, *arguments):
        # As JSON: what BiDi makes of objects is not what a test wants to see.
        function = f"async (...givenArguments) => JSON.stringify(await ({function})(...givenArguments)) ?? null"
        try:
            answer = self.browser.send(
                "script.callFunction", functionDeclaration=function, awaitPromise=True,
                target={"context": self.context}, arguments=[remote(one) for one in arguments])
        except BiDiError as error:
            if error.code == "unknown error" and "destroyed" in str(error):
                raise NavigatedAway(str(error)) from error
            raise
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        text = answer["result"].get("value")
        return None if text is None else json.loads(text)

    def _actions(self, kind, actions, **source):
        self._send("input.performActions", actions=[{"type": kind, "id": source.pop("id", kind), **source, "actions": actions}])

    def _mouse(self, steps):
        self._actions("pointer", [
            {"type": "pointerMove", "x": round(rest[0]), "y": round(rest[1]), "duration": 0} if kind == "move"
            else {"type": {"down": "pointerDown", "up": "pointerUp"}[kind], "button": BUTTONS[rest[0]]}
            for kind, *rest in steps], id="mouse", parameters={"pointerType": "mouse"})

    def _keys(self, steps):
        names = {"down": "keyDown", "up": "keyUp"}
        self._actions("key", [{"type": names[kind], "value": WEBDRIVER.get(key, key)} for kind, key in steps])

    def _touch(self, steps):
        actions = []
        for kind, *point in steps:
            if kind == "cancel":
                raise NotDrivable("BiDi has no cancelled touches")
            if point:
                actions.append({"type": "pointerMove", "x": round(point[0]), "y": round(point[1]), "duration": 0})
            if kind != "move":
                actions.append({"type": {"down": "pointerDown", "up": "pointerUp"}[kind], "button": 0})
        self._actions("pointer", actions, id="finger", parameters={"pointerType": "touch"})

    def wheel(self, target, dy, dx=0):
        x, y = self.box(target)
        self._at = (x, y)
        self._actions("wheel", [
            {"type": "scroll", "x": round(x), "y": round(y), "deltaX": dx, "deltaY": dy, "duration": 0}])
        # Turns that follow within a frame or two are lost.
        self.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def set_files(self, selector, paths):
        nodes = self._send("browsingContext.locateNodes", locator={"type": "css", "value": selector})["nodes"]
        self._send("input.setFiles", element={"sharedId": nodes[0]["sharedId"]}, files=[str(path) for path in paths])

    def activate(self):
        self._send("browsingContext.activate")

    def resize(self, width, height):
        self._send("browsingContext.setViewport", viewport={"width": width, "height": height},
                   **({"devicePixelRatio": self.browser.scale} if self.browser.scale != 1 else {}))
        self.size = (width, height)

    def zoom(self, factor):
        """Zooms as Control and plus do: a viewport of fewer, larger pixels."""
        width, height = self.size
        self._send("browsingContext.setViewport", devicePixelRatio=factor,
                   viewport={"width": round(width / factor), "height": round(height / factor)})

    def screenshot(self, path):
        data = self._send("browsingContext.captureScreenshot")["data"]
        Path(path).write_bytes(base64.b64decode(data))

    def close(self):
        self._send("browsingContext.close")
        self.browser.pages.remove(self)

    def close_asking(self, accept):
        self.prompts.clear()
        closing = self.browser.process.connection.begin(
            "browsingContext.close", context=self.context, promptUnload=True)
        poll(lambda: self.prompts or not closing.empty() or self.is_closed, "the page to close or to ask")
        asked = bool(self.prompts)
        if asked:
            self._send("browsingContext.handleUserPrompt", accept=accept)
        if accept or not asked:
            poll(lambda: self.is_closed, "the page to close")
            self.browser.pages.remove(self)
        return asked
