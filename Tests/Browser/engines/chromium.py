"""Chromium, through Playwright, which keeps every page painted: a tab in the background is one that says it is hidden."""

from browser_path import chromium_path
from playwright.sync_api import Error
from quiet import launch

from .page import Browser, NavigatedAway, Page
from .processes import poll


class Chromium:
    name = "chromium"

    def __init__(self, playwright, *, quiet):
        self.chromium = launch(
            playwright, ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info", "--js-flags=--expose-gc"], quiet=quiet,
            executable_path=chromium_path())

    def browser(self, **options):
        return ChromiumBrowser(self, **options)

    def close(self):
        self.chromium.close()


# Has the page say whether it is seen, and tells it when that changes.
SEEN = """hidden => {
  const is = 'saysItIsHidden' in window;
  window.saysItIsHidden = hidden;
  if (!is) {
    Object.defineProperty(document, 'visibilityState', { get: () => saysItIsHidden ? 'hidden' : 'visible', configurable: true });
    Object.defineProperty(document, 'hidden', { get: () => saysItIsHidden, configurable: true });
  }
  document.dispatchEvent(new Event('visibilitychange'));
}"""


class ChromiumBrowser(Browser):
    name = "chromium"

    def __init__(self, engine, width=1000, height=800, dark=False, reduced_motion=False, forced_colors=False, touch=False,
                 scale=1):
        super().__init__()
        self.engine = engine
        self.context = engine.chromium.new_context(
            viewport={"width": width, "height": height}, has_touch=touch, device_scale_factor=scale,
            color_scheme="dark" if dark else "light", reduced_motion="reduce" if reduced_motion else "no-preference",
            forced_colors="active" if forced_colors else "none")
        self.context.set_default_timeout(Page.timeout * 1000)

    def open(self, url=None, background=False):
        page = ChromiumPage(self, self.context.new_page())
        if background:
            page.tabs = self.pages[-1].tabs
            page.page.add_init_script(f"({SEEN})(true)")
        page.tabs.append(page)
        self.pages.append(page)
        if url:
            page.goto(url)
        return page

    def offline(self, is_offline):
        self.context.set_offline(is_offline)

    def close(self):
        self.context.close()


class ChromiumPage(Page):
    def __init__(self, browser, page):
        self.browser, self.page = browser, page
        self.tabs = []  # of the same window
        self.session = browser.context.new_cdp_session(page)
        page.on("pageerror", lambda error: browser.error(f"page error: {error}"))
        page.on("console", lambda message: message.type == "error" and browser.error(f"console: {message.text}"))
        page.on("crash", lambda _: browser.error("the page crashed"))

    def goto(self, url):
        self.page.goto(url)

    def evaluate(self, function, *arguments):
        try:
            # Functions of several arguments: Playwright passes one.
            return self.page.evaluate(f"givenArguments => ({function})(...givenArguments)", list(arguments))
        except Error as error:
            if "context was destroyed" in error.message or "navigation" in error.message:
                raise NavigatedAway(error.message) from error
            raise

    def _mouse(self, steps):
        mouse = self.page.mouse
        for kind, *rest in steps:
            if kind == "move":
                mouse.move(*rest)
            else:
                getattr(mouse, kind)(button=rest[0])

    def double_click(self, target):
        self.page.mouse.dblclick(*self.box(target))

    def _keys(self, steps):
        for kind, key in steps:
            if len(key) == 1 and not key.isascii():
                if kind == "down":
                    self.page.keyboard.insert_text(key)
            else:
                getattr(self.page.keyboard, kind)(key)

    def _touch(self, steps):
        kinds = {"down": "touchStart", "move": "touchMove", "up": "touchEnd", "cancel": "touchCancel"}
        for kind, *point in steps:
            points = [{"x": point[0], "y": point[1]}] if point else []
            self.session.send("Input.dispatchTouchEvent", {"type": kinds[kind], "touchPoints": points})

    def wheel(self, target, dy, dx=0):
        self.move(*self.box(target))
        self.page.mouse.wheel(dx, dy)

    def set_files(self, selector, paths):
        self.page.set_input_files(selector, [str(path) for path in paths])

    def activate(self):
        self.page.bring_to_front()
        for tab in self.tabs:
            tab.evaluate(SEEN, tab is not self)

    def resize(self, width, height):
        self.page.set_viewport_size({"width": width, "height": height})

    def zoom(self, factor):
        """Zooms as Control and plus do: a viewport of fewer, larger pixels."""
        size = self.page.viewport_size
        self.session.send("Emulation.setDeviceMetricsOverride", {
            "width": round(size["width"] / factor), "height": round(size["height"] / factor),
            "deviceScaleFactor": factor, "mobile": False})

    def screenshot(self, path):
        self.page.screenshot(path=path)

    def close(self):
        self.page.close()
        self._forget()

    def _forget(self):
        self.browser.pages.remove(self)
        self.tabs.remove(self)

    def close_asking(self, accept):
        asked = []

        def answer(dialog):
            asked.append(dialog.type)
            (dialog.accept if accept else dialog.dismiss)()

        self.page.on("dialog", answer)
        self.page.close(run_before_unload=True)

        def has_decided():
            try:
                self.page.evaluate("1")  # lets events in
            except Error:
                pass
            return self.page.is_closed() or (asked and not accept)

        poll(has_decided, "the page to close or to ask")
        self.page.remove_listener("dialog", answer)
        if self.page.is_closed():
            self._forget()
        return bool(asked)
