"""The fixtures `engine` and `browser`; Tests/Browser/conftest.py brings them to every test. See engines/__init__.py."""

import os

import pytest
from quiet import is_quiet

from . import ENGINES
from .page import NotDrivable


def chosen():
    names = [name for name in os.environ.get("ENGINES", ",".join(ENGINES)).split(",") if name]
    if unknown := set(names) - set(ENGINES):
        raise ValueError(f"ENGINES names {', '.join(unknown)}; there are {', '.join(ENGINES)}")
    return names


class Engine:
    """One engine as a test sees it: what it opens goes away with the test, and errors of its pages fail it."""

    def __init__(self, engine):
        self._engine = engine
        self.name = engine.name
        self.browsers = []

    def browser(self, **options):
        browser = self._engine.browser(**options)
        self.browsers.append(browser)
        return browser

    def close(self):
        errors = []
        for browser in self.browsers:
            for page in browser.pages:
                try:
                    page.evaluate("() => 0")  # what an engine tells of errors, it tells in its answers
                except Exception:  # noqa: BLE001: a page that is gone has told what it had to tell
                    pass
            errors += browser.errors
            browser.close()
        return errors


# Each starts with the first test that needs it and stays for the others.

@pytest.fixture(scope="session")
def chromium_engine(playwright):
    from .chromium import Chromium
    engine = Chromium(playwright, quiet=True)
    yield engine
    engine.close()


@pytest.fixture(scope="session")
def network_chromium_engine(playwright):
    from .chromium import Chromium
    engine = Chromium(playwright, quiet=False)
    yield engine
    engine.close()


@pytest.fixture(scope="session")
def firefox_engine():
    from .firefox import Firefox
    engine = Firefox()
    yield engine
    engine.close()


@pytest.fixture(scope="session")
def webkit_engine():
    from .webkit import WebKit
    engine = WebKit()
    yield engine
    engine.close()


def fixture_of(name, *, quiet):
    """The name of an engine's fixture; only Chromium has one that tells of requests and one that does not (quiet.py)."""
    return "network_chromium_engine" if name == "chromium" and not quiet else f"{name}_engine"


@pytest.fixture(params=ENGINES)
def engine(request):
    name = request.param
    marker = request.node.get_closest_marker("engines")
    if name not in chosen() or (marker and name not in marker.args):
        pytest.skip(f"not for {name}")
    # Pages go before the servers that they show: what is set up later ends earlier.
    for fixture in ("start_server", "server", "address"):
        if fixture in request.fixturenames:
            request.getfixturevalue(fixture)
    engine = Engine(request.getfixturevalue(fixture_of(name, quiet=is_quiet(request.node))))
    yield engine
    errors = engine.close()
    assert not errors, f"errors in the console of {name}: {errors[:5]}"


@pytest.fixture
def browser(engine):
    return engine.browser()


@pytest.hookimpl(hookwrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """Skips a test with the reason where its engine cannot be driven to what it does: that is no failure of the page."""
    outcome = yield
    if outcome.excinfo and issubclass(outcome.excinfo[0], NotDrivable):
        outcome.force_exception(pytest.skip.Exception(f"not drivable: {outcome.excinfo[1]}"))
