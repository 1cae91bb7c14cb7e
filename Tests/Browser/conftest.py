"""One browser for all tests: Playwright can be started only once in a process."""

import pytest
from browser_path import chromium_path
from playwright.sync_api import sync_playwright


@pytest.fixture(scope="session")
def chromium():
    # The heap is measured by the tests of the element, after a collection.
    arguments = ["--no-sandbox", "--enable-precise-memory-info", "--js-flags=--expose-gc"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=arguments)
        yield browser
        browser.close()
