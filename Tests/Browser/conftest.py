"""One Playwright for all tests: it can be started only once in a process. The other engines are in `engines`."""

import pytest
from browser_path import chromium_path
from engines.fixtures import (  # noqa: F401: for the tests
    browser, chromium_engine, engine, firefox_engine, pytest_pyfunc_call, webkit_engine)
from playwright.sync_api import sync_playwright


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright):
    # The heap is measured by the tests of the element, after a collection.
    arguments = ["--no-sandbox", "--enable-precise-memory-info", "--js-flags=--expose-gc"]
    browser = playwright.chromium.launch(executable_path=chromium_path(), args=arguments)
    yield browser
    browser.close()
