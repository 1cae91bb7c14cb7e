"""The interface that the three engines share, and what of it is the same in all of them."""

import json
import os

from .processes import poll

# How the engines say in their consoles that a server cannot be reached.
NETWORK = ("ERR_", "Failed to load resource", "NetworkError", "Load failed", "Failed to fetch", "network connection")

# Finds an element that can be clicked now: visible, the first by document order, in the viewport, uncovered.
FIND = """(css, text) => {
  const name = one => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().replace(/\\s+/g, ' ');
  const all = [...document.querySelectorAll(css)].filter(one => one.checkVisibility({ visibilityProperty: true }));
  const found = text == null ? all : all.filter(one => name(one) === text).concat(all.filter(one => name(one).includes(text)));
  const one = found[0];
  if (!one) return { why: 'it is not there or not visible' };
  let box = one.getBoundingClientRect();
  if (box.bottom > innerHeight || box.top < 0 || box.right > innerWidth || box.left < 0) {
    one.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    box = one.getBoundingClientRect();
  }
  const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2;
  const y = (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2;
  let hit = document.elementFromPoint(x, y);
  while (hit?.shadowRoot && hit.shadowRoot.elementFromPoint(x, y) !== hit) hit = hit.shadowRoot.elementFromPoint(x, y);
  const isHit = hit && (one.contains(hit) || hit.contains(one) && one.matches('option, label *') || one.getRootNode().host === hit);
  if (!isHit) return { why: `at its middle is ${hit?.outerHTML.slice(0, 120)}` };
  return { x, y, left: box.left, top: box.top, width: box.width, height: box.height };
}"""

# Looks twice: what moves cannot be clicked yet.
FIND_STILL = f"""async (css, text) => {{
  const find = {FIND};
  const was = find(css, text);
  await new Promise(done => setTimeout(done, 20));
  const is = find(css, text);
  // What is about to move stands still until a busy browser has begun with it.
  if ('x' in is && document.getAnimations().some(one => one.pending)) return {{ why: 'it may begin to move' }};
  return 'x' in is && JSON.stringify(is) !== JSON.stringify(was) ? {{ why: 'it moves' }} : is;
}}"""

# Asks for a while: each question from outside costs two processes more than this.
ASK = """async (...all) => {
  for (const end = performance.now() + 200; ;) {
    const answer = await (%s)(...all);
    if (answer || performance.now() > end) return answer;
    await new Promise(done => setTimeout(done, 20));
  }
}"""


class NotDrivable(Exception):
    """The engine has no way to be driven to this; the message says why."""


class Box:
    """Where an element is in the viewport: its middle is `x`, `y`."""

    def __init__(self, found):
        self.__dict__.update(found)

    def __iter__(self):
        return iter((self.x, self.y))


class Page:
    """One page. Subclasses give `evaluate`, `_mouse`, `_keys` and the rest of what only their engine knows."""

    timeout = float(os.environ.get("PATIENCE", "20"))  # seconds that anything is waited for
    asks_for_a_while = True  # unless a document that goes away takes the question with it

    # Looking

    def wait_for(self, function, *arguments, timeout=None):
        """Evaluates a function in the page until its answer is true, also across navigations; returns the answer."""
        last = None
        question = ASK % function if self.asks_for_a_while else function

        def ask():
            nonlocal last
            try:
                last = self.evaluate(question, *arguments)
                return last
            except NavigatedAway as error:
                last = error

        return poll(ask, lambda: f"{function} with {json.dumps(arguments)}; the last answer was {last!r}, by {self._state()}",
                    max(timeout or 0, self.timeout))

    def _state(self):
        """Says for a failure what there is instead of what was waited for."""
        try:
            return self.evaluate("() => [location.href, document.readyState, {...document.body?.dataset}].map(one => JSON.stringify(one)).join(' ')")
        except Exception as error:  # noqa: BLE001: the failure that it is for matters more
            return repr(error)

    def ask(self, function, *arguments):
        """Evaluates a function that changes nothing: where a document goes away and takes the question with it, the next is asked."""
        return self.wait_for(f"async (...all) => [await ({function})(...all)]", *arguments)[0]

    def wait_for_url(self, part):
        return self.wait_for("part => location.href.includes(part)", part)

    def box(self, target):
        """Waits until the element is visible, uncovered and does not move; gives its `Box`. Points are passed through."""
        if not isinstance(target, str):
            x, y = target
            return Box({"x": x, "y": y})
        css, _, text = target.partition("::")
        found = {}

        def look():
            nonlocal found
            try:
                found = self.evaluate(FIND_STILL, css.strip(), text.strip() or None)
            except NavigatedAway:
                return None
            return found if "x" in found else None

        return Box(poll(look, lambda: f"“{target}” to use; {found.get('why')}", self.timeout))

    def is_visible(self, target):
        css, _, text = target.partition("::")
        return self.ask("""(css, text) => [...document.querySelectorAll(css)].some(one =>
            one.checkVisibility({ visibilityProperty: true })
            && (text == null || (one.getAttribute('aria-label') ?? one.textContent).includes(text)))""",
            css.strip(), text.strip() or None)

    def wait_visible(self, target, timeout=None):
        poll(lambda: self.is_visible(target), f"“{target}” to be visible", max(timeout or 0, self.timeout))

    def wait_hidden(self, target, timeout=None):
        poll(lambda: not self.is_visible(target), f"“{target}” to be hidden", max(timeout or 0, self.timeout))

    @property
    def url(self):
        return self.ask("() => location.href")

    @property
    def hidden(self):
        return self.ask("() => document.visibilityState === 'hidden'")

    # The mouse, as steps ("move", x, y), ("down", button), ("up", button)

    def move(self, x, y, steps=1):
        start = getattr(self, "_at", (0, 0))
        self._at = (x, y)
        self._mouse([("move", start[0] + (x - start[0]) * n / steps, start[1] + (y - start[1]) * n / steps)
                     for n in range(1, steps + 1)])

    def press(self, x=None, y=None, button="left"):
        if x is not None:
            self.move(x, y)
        self._mouse([("down", button)])

    def release(self, button="left"):
        self._mouse([("up", button)])

    def click(self, target, button="left", modifier=None):
        self.move(*self.box(target))
        if modifier:
            self._keys([("down", modifier)])
        self._mouse([("down", button), ("up", button)])
        if modifier:
            self._keys([("up", modifier)])

    def double_click(self, target):
        self.move(*self.box(target))
        self._mouse([("down", "left"), ("up", "left"), ("down", "left"), ("up", "left")])

    def right_click(self, target, held=None):
        """Presses, holds until the press has been handled (and `held(page)` was called), and releases."""
        self.move(*self.box(target))
        self._mouse([("down", "right")])
        self.evaluate("() => new Promise(done => setTimeout(() => setTimeout(done, 60), 60))")
        if held:
            held(self)
        self._mouse([("up", "right")])
        self.evaluate("() => new Promise(done => setTimeout(() => setTimeout(done, 0), 0))")

    def drag(self, source, target, offset=(0, 0), release=True):
        """Drags with the mouse from the middle of one to the middle of the other, moved by `offset`."""
        start, end = self.box(source), self.box(target)
        self.move(*start)
        self.press()
        self.move(start.x + 8, start.y + 8, steps=2)
        self.move(end.x + offset[0], end.y + offset[1], steps=8)
        # A hand rests before it lets go.
        self.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        if release:
            self.release()

    # Fingers, as steps ("down", x, y), ("move", x, y), ("up",), ("cancel",)

    def touch(self, steps):
        self._touch(steps)

    def tap(self, target):
        x, y = self.box(target)
        self._touch([("down", x, y), ("up",)])

    def touch_drag(self, source, target, lifted, offset=(0, 0)):
        """Holds with a finger until `lifted`, a selector, is visible, then moves before lifting the finger."""
        start, end = self.box(source), self.box(target)
        self._touch([("down", start.x, start.y)])
        self.wait_visible(lifted)
        x, y = end.x + offset[0], end.y + offset[1]
        for n in range(1, 11):
            self._touch([("move", start.x + (x - start.x) * n / 10, start.y + (y - start.y) * n / 10)])
        self._touch([("up",)])

    # The keyboard

    def key(self, chord, times=1):
        """Presses keys together, such as "Control+z" or "ArrowRight"."""
        *modifiers, last = chord.split("+") if chord != "+" else ["+"]
        pressed = [("down", one) for one in modifiers]
        let_go = [("up", one) for one in reversed(modifiers)]
        self._keys(pressed + [("down", last), ("up", last)] * times + let_go)

    def type(self, text):
        self._keys([(kind, letter) for letter in text for kind in ("down", "up")])

    # What engines differ in and some lack

    def back(self):
        self.evaluate("() => { setTimeout(() => history.back()) }")

    def forward(self):
        self.evaluate("() => { setTimeout(() => history.forward()) }")

    def reload(self):
        self.goto(self.url)

    def would_ask(self):
        """Whether the page asks a browser to ask before it closes, by an event made for it: where `close_asking` cannot be
        driven."""
        return self.evaluate("() => !dispatchEvent(new Event('beforeunload', { cancelable: true }))")


class NavigatedAway(Exception):
    """The document went away while it was asked: ask the next one."""


class Browser:
    """The pages of one person, with what they share. `errors` are those of the consoles that nobody expected."""

    def __init__(self):
        self.pages = []
        self._errors = []
        self._expected = []

    def expect_errors(self, *parts):
        self._expected += parts

    def error(self, text):
        self._errors.append(text)

    @property
    def errors(self):
        return [error for error in self._errors if not any(part in error for part in self._expected)]

    def offline(self, is_offline):
        raise NotDrivable("the network cannot be switched off")
