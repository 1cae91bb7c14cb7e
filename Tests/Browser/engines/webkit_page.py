"""A page of WebKit's: it is asked by WebDriver, and the mouse and the keys are real events of the X server (webkit.py)."""

import base64
import json
from contextlib import contextmanager
from pathlib import Path

from .keys import WEBDRIVER, x_symbol
from .page import NavigatedAway, NotDrivable, Page
from .processes import poll

NARROWEST = 450
TAKEN = {"Control+f", "Control+l", "Control+p", "Control+r"}  # by MiniBrowser's menus, before the page gets them
BUTTONS = {"left": 1, "middle": 2, "right": 3}

# Calls a function with the errors that the page has seen since the last call.
CALL = """const done = arguments[arguments.length - 1], givenArguments = Array.prototype.slice.call(arguments, 0, -1);
if (!window.seenErrors) {
  const seen = window.seenErrors = [];
  // What is still being loaded when a page is left is cancelled, which is an error to the element and not to a console.
  let isLeft = false;
  addEventListener('beforeunload', event => { isLeft ||= event.isTrusted });
  addEventListener('pageshow', () => { isLeft = false });
  addEventListener('error', event => {
    if (event.message) seen.push(`page error: ${event.message} (${event.filename}:${event.lineno})`);
    else if (!isLeft) seen.push(`console: Failed to load resource: ${event.target.src ?? event.target.href}`);
  }, true);
  addEventListener('unhandledrejection', event => seen.push(`page error: ${event.reason} ${event.reason?.stack ?? ''}`));
  const write = console.error;
  window.seenInput = {};
  for (const kind of ['pointermove', 'pointerdown', 'pointerup', 'keydown', 'keyup'])
    addEventListener(kind, () => { seenInput[kind] = (seenInput[kind] ?? 0) + 1 }, true);
  console.error = (...parts) => { seen.push('console: ' + parts.join(' ')); write.apply(console, parts); };
}
(async () => (%s)(...givenArguments))().then(
  value => done(JSON.stringify({ value, errors: window.seenErrors.splice(0) })),
  error => done(JSON.stringify({ thrown: `${error}\\n${error?.stack ?? ''}`, errors: window.seenErrors.splice(0) })));"""


class WebKitPage(Page):
    slot = front = None
    scale = 1
    asks_for_a_while = False

    def __init__(self, browser, handle):
        self.browser, self.handle = browser, handle

    def switch(self):
        if self.browser.at != self.handle:
            self.browser.at = None
            self.browser.send("POST", "/window", {"handle": self.handle})
            self.browser.at = self.handle

    def into(self, slot):
        self.slot = slot
        self.resize(*self.browser.size)

    def _send(self, method, path, body=None):
        self.switch()
        return self.browser.send(method, path, body)

    def goto(self, url):
        # The strategy “none” answers at once, so that the hook for errors is there before the page's modules run.
        before = self.evaluate("() => { window.isOld = true; return location.href }")
        same = "#" in url and url.partition("#")[0] == before.partition("#")[0]
        self._send("POST", "/url", {"url": url})
        self._wait_for_document("same => (same || !window.isOld) && document.readyState === 'complete'", same)

    def reload(self):
        self.evaluate("() => { window.isOld = true }")
        self._send("POST", "/refresh")
        self._wait_for_document("() => !window.isOld && document.readyState === 'complete'")

    def _wait_for_document(self, *condition):
        self.wait_for(*condition, timeout=120)

    def wait_for(self, function, *arguments, timeout=None):
        # A question that a document took with it may never be answered. It is asked again, and the time for that is not the page's.
        self.browser.patience = 10
        try:
            return super().wait_for(function, *arguments, timeout=max(timeout or self.timeout, 30))
        finally:
            del self.browser.patience

    def evaluate(self, function, *arguments):
        text = self._send("POST", "/execute/async", {"script": CALL % function, "args": list(arguments)})
        answer = json.loads(text)
        for error in answer["errors"]:
            self.browser.error(error)
        if "thrown" in answer:
            raise RuntimeError(answer["thrown"])
        return answer.get("value")

    def _corner(self):
        """Where the viewport begins on the screen: below the window's bars."""
        x, y = self.browser.screen.corner(self.slot)
        bars = self.evaluate("scale => outerHeight - innerHeight * scale", self.scale)
        return x, y + bars

    def _mouse(self, steps):
        left, top = self._corner() if any(kind == "move" for kind, *_ in steps) else (0, 0)
        commands, awaited = [], []
        for kind, *rest in steps:
            if kind == "move":
                if commands:
                    commands.append(["sleep", "0.02"])  # a hand takes its time; the engine makes one move of those of a frame
                commands.append(["mousemove", round(left + rest[0] * self.scale), round(top + rest[1] * self.scale)])
            else:
                commands.append([f"mouse{kind}", BUTTONS[rest[0]]])
                awaited.append(f"pointer{kind}")
        with self._awaiting(awaited or ["pointermove"], 10 if awaited else 0.25):
            self.browser.screen.do(*commands)

    @contextmanager
    def _awaiting(self, kinds, timeout):
        """Waits until the events have come to the page: they go through the X server and two processes. A page may never
        get one, where its document goes away, nothing moves or a window of the browser takes it."""
        counts = "kinds => [performance.timeOrigin, ...kinds.map(kind => window.seenInput?.[kind] ?? 0)]"
        names = sorted(set(kinds))

        def has_come():
            document, *now = self.evaluate(counts, names)
            return document != before[0] or all(
                count >= was + kinds.count(kind) for kind, was, count in zip(names, before[1:], now, strict=True))

        try:
            before = self.evaluate(counts, names)
            yield
            poll(has_come, "", timeout, 0.005)
            self.evaluate("() => new Promise(done => setTimeout(done, 0))")
        except (TimeoutError, NavigatedAway):
            pass

    def _focus(self):
        """The mouse is what gives focus; the page has the keys then."""
        left, top = self._corner()
        x, y = getattr(self, "_at", (300, 300))
        self.browser.screen.do(["mousemove", round(left + x * self.scale), round(top + y * self.scale)])

    def key(self, chord, times=1):
        if chord not in TAKEN:
            super().key(chord, times)
            return
        *modifiers, last = [WEBDRIVER.get(one, one) for one in chord.split("+")]
        self._send("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": [
            *({"type": "keyDown", "value": one} for one in modifiers),
            *({"type": kind, "value": last} for _ in range(times) for kind in ("keyDown", "keyUp")),
            *({"type": "keyUp", "value": one} for one in reversed(modifiers))]}]})

    def _keys(self, steps):
        self._focus()
        with self._awaiting([f"key{kind}" for kind, _ in steps], 10):
            self.browser.screen.do(*[[f"key{kind}", x_symbol(key)] for kind, key in steps])

    def double_click(self, target):
        # Clicks at one point soon after another would be a third and a fourth.
        x, y = self.box(target)
        self._aside = -getattr(self, "_aside", 12)
        super().double_click((x + self._aside, y))

    def type(self, text):
        self._focus()
        if not text.isascii():
            # For letters that no key has, xdotool changes the keyboard, which a program may read too late.
            self._send("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": [
                {"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]}]})
            return
        with self._awaiting(["keydown"] * len(text), 10):
            self.browser.screen.do(["type", "--delay", "5", text])

    def _touch(self, steps):
        raise NotDrivable("WebKitGTK's driver sends mouse events for touches")

    def wheel(self, target, dy, dx=0):
        """Turns the wheel by steps, as many as come nearest: one is about a tenth of the viewport."""
        self.move(*self.box(target))
        notch = 53
        for distance, buttons in ((dy, (4, 5)), (dx, (6, 7))):
            if distance:
                self.browser.screen.do(["click", "--repeat", max(1, round(abs(distance) / notch)), "--delay", "5",
                                        buttons[distance > 0]])

    def set_files(self, selector, paths):
        # The driver wants the input visible; most pages hide it behind a button.
        self.evaluate("""css => { const one = document.querySelector(css);
            one.dataset.wasHidden = one.hidden; one.hidden = false;
            one.style.cssText += ';display:block!important;position:fixed!important;inset:0 auto auto 0!important;'
              + 'opacity:1!important;width:9px!important;height:9px!important;clip-path:none!important;visibility:visible!important' }""", selector)
        element = self._send("POST", "/element", {"using": "css selector", "value": selector})
        self._send("POST", f"/element/{next(iter(element.values()))}/value", {"text": "\n".join(map(str, paths))})
        self.evaluate("""css => { const one = document.querySelector(css); if (!one) return;
            one.hidden = one.dataset.wasHidden === 'true'; delete one.dataset.wasHidden; one.removeAttribute('style') }""", selector)

    def activate(self):
        """Brings a tab to the front by the keys of the browser."""
        self._focus()
        shown = next(page for page in self.browser.pages if page.slot == self.slot and not page.hidden)
        while shown is not self:
            # The page may have a use for the key: it does not get it.
            shown.evaluate("""() => { const keep = event => {
                event.stopImmediatePropagation(); if (event.key === 'PageDown') removeEventListener('keydown', keep, true) };
                addEventListener('keydown', keep, true) }""")
            self.browser.screen.do(["keydown", "ctrl"], ["key", "Page_Down"], ["keyup", "ctrl"])
            shown.wait_for("() => document.visibilityState === 'hidden'")
            shown = next(page for page in self.browser.pages if page.slot == self.slot and not page.hidden)
        poll(lambda: not self.hidden, "the tab to come to the front")

    def resize(self, width, height):
        if width < NARROWEST:
            raise NotDrivable(f"MiniBrowser's window is at least {NARROWEST} pixels wide; zoom makes the page narrower")
        x, y = self.browser.screen.corner(self.slot)
        # The bars are the window's: it has to be higher than the page by as much, which is known once it has its size.
        asked = 0

        def has_size():
            nonlocal asked
            inner, bars = self.evaluate("() => [[innerWidth, innerHeight], outerHeight - innerHeight]")
            if inner != [width, height] and bars > 0 and bars != asked:
                asked = bars
                self._send("POST", "/window/rect", {"x": x, "y": y, "width": width, "height": height + bars})
            return inner == [width, height]

        self._send("POST", "/window/rect", {"x": x, "y": y, "width": width, "height": height})
        poll(has_size, lambda: f"a page of {width} by {height}; the window's bars take {asked}")
        self.size = (width, height)

    def zoom(self, factor):
        """Zooms by the browser's own keys, by tenths."""
        width = self.size[0]
        self._focus()
        while self.evaluate("() => innerWidth") > width / factor + 1:
            before = self.evaluate("() => innerWidth")
            self.browser.screen.do(["key", "ctrl+plus"])
            self.wait_for("before => innerWidth < before", before)
        self.scale = width / self.evaluate("() => innerWidth")

    def screenshot(self, path):
        Path(path).write_bytes(base64.b64decode(self._send("GET", "/screenshot")))

    def close(self):
        self.browser.pages.remove(self)
        if self.browser.pages:
            self._send("DELETE", "/window")
        else:
            # With its last window the browser would end. It stays where it is, so that no other is opened below it.
            self.goto("about:blank")
            self.browser.unused.append(self)
            return
        if self.front is None and not any(page.slot == self.slot for page in self.browser.pages):
            self.browser.screen.taken.discard(self.slot)

    def close_asking(self, accept):
        raise NotDrivable("a browser under automation closes without asking; ask `would_ask()`")
