"""Text that others wrote stays text in a browser."""

import json
import urllib.request

import pytest

# After U+0D4E there is no boundary between characters: what follows it was once taken for a part of it.
REFRESH = "Holiday \u0d4e<meta http-equiv=refresh content=0;url=http://127.0.0.1:1/ \u0d4e>"
SCRIPT = "\u0d4e\"\u0301 onload=\"alert(1)\" \u0d4e<script>document.title='owned'</script\u0d4e>"


@pytest.mark.parametrize("java_script", [True, False])
def test_a_title_with_markup_behind_a_joiner_stays_text(server, open_page, java_script):
    for title in (REFRESH, SCRIPT):
        made = json.load(urllib.request.urlopen(urllib.request.Request(
            server.url + "/api/albums", json.dumps({"title": title}).encode(), {"Content-Type": "application/json"})))
        page = open_page(f"{server.url}/albums/{made['id']}", java_script_enabled=java_script)
        assert page.url.startswith(server.url)
        assert page.title().startswith(title[:8]) and page.title() != "owned"
        assert page.locator("meta[http-equiv=refresh i]").count() == 0
        assert page.locator("[onload]").count() == 0
        assert page.locator("script:not([src])", has_text="owned").count() == 0
        if not java_script:
            assert title in page.locator(".plain nav").first.inner_text()
