"""One Playwright for all tests: it can be started only once in a process. The other engines are in `engines`."""

import re

import pytest
from browser_path import headless_path
from engines import ENGINES, turns
from engines.fixtures import (  # noqa: F401: for the tests
    browser, chromium_engine, engine, firefox_engine, pytest_pyfunc_call, webkit_engine)
from playwright.sync_api import sync_playwright


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
    """Leaves out what has its turn with another commit, where a turn is asked for."""
    if (number := turns.turn()) is not None:
        items[:], left = turns.select(items, number)
        config.hook.pytest_deselected(items=left)


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright):
    # The heap is measured by the tests of the element, after a collection.
    arguments = ["--no-sandbox", "--enable-precise-memory-info", "--js-flags=--expose-gc"]
    browser = playwright.chromium.launch(executable_path=headless_path(), args=arguments)
    yield browser
    browser.close()
