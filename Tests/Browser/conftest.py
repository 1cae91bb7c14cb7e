"""One Playwright for all tests: it can be started only once in a process. The other engines are in `engines`."""

import re

import pytest
from browser_path import headless_path
from engines import ENGINES, turns
from engines.fixtures import (  # noqa: F401: for the tests
    browser, chromium_engine, engine, firefox_engine, network_chromium_engine, pytest_pyfunc_call, webkit_engine)
from quiet import is_quiet, launch, start_playwright


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Where several processes share the work (`-n 3`), one runs all tests of an engine, so that it is started once, and of
    the others all of a file."""
    from xdist.scheduler import LoadScopeScheduling

    class ByEngine(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            parameters = re.split(r"[\[\]-]", nodeid)[1:]
            return next((one for one in ENGINES if one in parameters), nodeid.partition("::")[0])

    return ByEngine(config, log)


def pytest_collection_modifyitems(config, items):
    """Leaves out what has its turn with another commit, where a turn is asked for.

    What failed is run again whatever its turn: alone, a case has another position among those of its test.
    """
    if (number := turns.turn()) is not None and not config.getoption("lf", False):
        items[:], left = turns.select(items, number)
        config.hook.pytest_deselected(items=left)


@pytest.fixture(scope="session")
def playwright():
    with start_playwright() as playwright:
        yield playwright


# The heap is measured by the tests of the element, after a collection.
ARGUMENTS = ["--no-sandbox", "--enable-precise-memory-info", "--js-flags=--expose-gc"]


@pytest.fixture(scope="session")
def quiet_chromium(playwright):
    browser = launch(playwright, ARGUMENTS, quiet=True, executable_path=headless_path())
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def network_chromium(playwright):
    browser = launch(playwright, ARGUMENTS, quiet=False, executable_path=headless_path())
    yield browser
    browser.close()


@pytest.fixture
def chromium(request):
    """A Chromium that stays for other tests; one that tells of requests where the test has the mark `network`."""
    return request.getfixturevalue("quiet_chromium" if is_quiet(request.node) else "network_chromium")
