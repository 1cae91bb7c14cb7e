"""The browser that tells of no requests tells of none, and a test that would wait for them in vain is told so."""

import pytest
from playwright.sync_api import Page


def requests_of(browser, address):
    page = browser.new_page()
    requests = []
    # As it is without its guard.
    Page.on.__wrapped__(page, "request", lambda request: requests.append(request.url))
    page.goto(address)
    page.evaluate("async () => { await fetch('/second') }")
    page.close()
    return len(requests)


def test_only_one_of_the_browsers_tells_of_requests(quiet_chromium, network_chromium, address):
    assert requests_of(network_chromium, address) >= 2
    assert requests_of(quiet_chromium, address) == 0, "Playwright starts Chromium in another way than quiet_driver.cjs knows"


def ignore(_):
    pass


@pytest.mark.parametrize("listen", [
    lambda page: page.on("request", ignore), lambda page: page.once("response", ignore), lambda page: page.route("**", ignore),
    lambda page: page.expect_response("**"), lambda page: page.context.on("requestfailed", ignore),
    lambda page: page.context.set_offline(True)])
def test_who_would_listen_in_vain_is_told(chromium, listen):
    page = chromium.new_page()
    with pytest.raises(AssertionError, match="has the mark `network`"):
        listen(page)
    page.on("console", ignore)
    page.close()


@pytest.mark.network
def test_with_the_mark_everything_is_heard(chromium, address):
    context = chromium.new_context()
    page = context.new_page()
    page.goto(address)
    context.set_offline(True)
    with page.expect_event("requestfailed"):
        page.evaluate("fetch('/').catch(() => {})")
    context.close()
