"""A search and Group by month are in the address: a reload, Back, Forward and a link show them again."""

import pytest

from sheet import Sheet

COMPLETE = "'complete' in (document.body?.dataset ?? {}) && document.querySelector('#photos')?.isLoaded"
FOUND = f"""([count, query, months]) => {COMPLETE} && document.querySelector('#photos').count === count
  && document.querySelector('#search input').value === query
  && (document.querySelectorAll('#photos [data-ll-row=header]').length > 0) === months
  && document.querySelector('#count').textContent === (query ? `${{count}} found` : `${{count}} photos`)"""

# What is on its way is not where it was when the pointer gets there.
STILL = "() => document.getAnimations().every(({ playState }) => playState !== 'running')"


@pytest.fixture
def sheet(server):
    server.pages["/blank"] = (b"<title>Blank</title><link rel=icon href=data:,>", "text/html")
    return Sheet(server, 24)


@pytest.fixture
def album(browser, sheet):
    page = browser.open(sheet.url)
    page.wait_for(FOUND, [24, "", False])
    return page


def search(page, text):
    page.click("#search input")
    page.key("Control+a")
    page.type(text)
    page.key("Enter")


def group_by_month(page, choice="Months, newest last"):
    page.click("#view")
    page.click(f".view-panel label :: {choice}")
    page.key("Escape")


def reload(page):
    page.evaluate("() => { window.isOld = true; setTimeout(() => location.reload()) }")
    page.wait_for(f"() => !window.isOld && {COMPLETE}")


def leave(page):
    page.evaluate("() => { setTimeout(() => location.assign('/blank')) }")
    page.wait_for("() => document.title === 'Blank'")


def come_back(page, way):
    """Reloads the page, or leaves it and comes back."""
    if way == "reload":
        reload(page)
    else:
        leave(page)
        page.back()


@pytest.mark.parametrize("way", ["reload", "back"])
def test_a_search_outlives_a_reload_and_back(album, way):
    search(album, "dunes")
    album.wait_for(FOUND, [3, "dunes", False])
    assert album.evaluate("() => location.pathname + location.search") == "/albums/a?search=dunes"
    come_back(album, way)
    album.wait_for(FOUND, [3, "dunes", False])
    album.click("#search input")
    album.key("Escape")
    album.wait_for(FOUND, [24, "", False])
    assert album.evaluate("() => location.search") == ""


@pytest.mark.parametrize("way", ["reload", "back"])
def test_grouping_by_month_outlives_a_reload_and_back(album, way):
    group_by_month(album)
    album.wait_for(FOUND, [24, "", True])
    assert album.evaluate("() => location.search") == "?group=month"
    come_back(album, way)
    album.wait_for(FOUND, [24, "", True])
    group_by_month(album, "The album’s own")
    album.wait_for(FOUND, [24, "", False])
    assert album.evaluate("() => location.search") == ""


def test_a_photo_of_a_search_is_opened_and_closed_within_it(album):
    search(album, "dunes")
    album.wait_for(FOUND, [3, "dunes", False])
    album.wait_for(STILL)
    album.click("#photos a.open[data-photo=p11]")
    album.wait_visible("#viewer .caption :: Dunes 2")
    reload(album)
    album.wait_visible("#viewer .caption :: 2 of 3")
    album.key("Escape")
    album.wait_hidden("#viewer")
    album.wait_for("() => location.pathname + location.search === '/albums/a?search=dunes'")
    # Another search; Forward leads to the photo among what was found when it was open.
    search(album, "pier 2")
    album.wait_for(FOUND, [1, "pier 2", False])
    album.forward()
    album.wait_visible("#viewer .caption :: 2 of 3")
    album.wait_for(FOUND, [3, "dunes", False])
    album.back()
    album.wait_hidden("#viewer")
    album.wait_for(FOUND, [1, "pier 2", False])


def test_the_address_of_a_photo_leads_to_it_in_the_whole_album(browser, sheet):
    page = browser.open(f"{sheet.url}/photos/p11?search=pier&group=month")
    page.wait_visible("#viewer .caption :: 12 of 24")
    page.wait_for("() => location.pathname + location.search === '/albums/a/photos/p11'")
    other = browser.open(f"{sheet.url}?search=pier&group=month")
    other.wait_for("() => document.querySelector('#search input').value === 'pier'")
    other.wait_for("() => document.querySelector('#photos').src === '/api/albums/a/stream?query=pier&sections=month'")
