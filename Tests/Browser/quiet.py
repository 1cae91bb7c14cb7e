"""Chromium that tells the tests of no requests, as most do not ask: opening a page works the processors a fifth to a third less.

Playwright hears of each request in some ten messages, wanted or not. `quiet_driver.cjs` keeps it from asking for them. A test that
listens to requests, answers them, goes offline or clicks a link to a download has the mark `network`, and a browser that tells all.
Without it, it fails: at once, or where it waits for the download.
"""

import os
from contextlib import contextmanager
from functools import wraps
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, sync_playwright

HOOK = Path(__file__).with_name("quiet_driver.cjs")
FLAG = "--quiet-network"
NETWORK_EVENTS = {"request", "requestfailed", "requestfinished", "response", "websocket"}
quiet_browsers = []


@contextmanager
def start_playwright():
    """Playwright with the hook in its driver, and in no other program of Node's that tests start."""
    before = os.environ.get("NODE_OPTIONS")
    os.environ["NODE_OPTIONS"] = f'{before or ""} --require "{HOOK}"'.strip()
    try:
        playwright = sync_playwright().start()
    finally:
        if before is None:
            del os.environ["NODE_OPTIONS"]
        else:
            os.environ["NODE_OPTIONS"] = before
    try:
        yield playwright
    finally:
        playwright.stop()


def launch(playwright, arguments, *, quiet, **options):
    """Starts a Chromium."""
    browser = playwright.chromium.launch(args=[*arguments, FLAG] if quiet else arguments, **options)
    if quiet:
        quiet_browsers.append(browser)
    return browser


def is_quiet(item):
    """Whether a test has a browser that tells of no requests."""
    return item.get_closest_marker("network") is None


def guard(owner, name):
    """Has a method fail that would wait for what a quiet browser does not tell."""
    method = getattr(owner, name)

    @wraps(method)
    def guarded(self, *arguments, **options):
        event = arguments[0] if arguments else options.get("event")
        asks = name not in ("on", "once", "expect_event") or event in NETWORK_EVENTS
        context = self if isinstance(self, BrowserContext) else self.context
        assert not (asks and context.browser in quiet_browsers), f"a test that calls {name} for requests has the mark `network`"
        return method(self, *arguments, **options)

    setattr(owner, name, guarded)


for owner in (Page, BrowserContext):
    for name in ("on", "once", "expect_event", "route", "route_from_har"):
        guard(owner, name)
for name in ("expect_request", "expect_response", "expect_request_finished", "expect_websocket"):
    guard(Page, name)
for name in ("set_offline", "set_extra_http_headers"):
    guard(BrowserContext, name)
