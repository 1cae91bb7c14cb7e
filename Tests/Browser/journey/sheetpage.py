"""An album's page, with the deeds of the journey's steps in the words of its user, for every engine."""

READY = """() => {
  const list = document.getElementById('photos');
  return !!list?.isLoaded && 'complete' in document.body.dataset;
}"""
TITLES = "() => { const list = document.getElementById('photos'); return list.ids().map(id => list.contentOf(id)?.title) }"
SETTLED = """() => document.getElementById('photos').pending.length === 0
  && document.getAnimations().every(one => one.playState !== 'running' || one.effect?.getTiming().iterations === Infinity)"""


# What moves photos has a style sheet, which comes after it.
STYLED = "() => getComputedStyle(document.documentElement).getPropertyValue('--ll-has-reordering') !== ''"
STILL = """() => !document.querySelector('.ll-preview')
  && document.getAnimations().every(one => one.playState !== 'running' || one.effect?.getTiming().iterations === Infinity)"""


def open_album(browser, server, path="/", background=False):
    page = browser.open(server.url + path, background=background)
    page.wait_for(READY)
    page.wait_for(STYLED)
    return page


def photo(title):
    """The tile of a photo."""
    return f'#photos [data-title="{title}"]'


def titles(page):
    return page.evaluate(TITLES)


def wait_titles(page, expected):
    page.wait_for(f"expected => {{ const now = ({TITLES})(); return now.join('|') === expected.join('|') }}", expected)


def wait_count(page, count):
    page.wait_for("n => { const list = document.getElementById('photos'); return list.isLoaded && list.count === n }", count)


def at_rest(page):
    """Waits until nothing moves and every change was confirmed."""
    page.wait_for(SETTLED)


def wait_on_screen(page, expected):
    """Waits until the screen begins with these titles, row by row: not the model, the boxes."""
    page.wait_for("""expected => [...document.querySelectorAll('#photos .photo')]
        .filter(one => !one.closest('.ll-preview, .ll-leaving'))
        .map(one => [one.getBoundingClientRect(), one.dataset.title])
        .filter(([box]) => box.bottom > 0 && box.top < innerHeight)
        .sort(([a], [b]) => Math.round(a.y) - Math.round(b.y) || a.x - b.x).map(([, title]) => title)
        .slice(0, expected.length).join('|') === expected.join('|')""", expected)


def move_before(order, names, before):
    """The order after some were put before another."""
    names = [names] if isinstance(names, str) else names
    rest = [one for one in order if one not in names]
    at = rest.index(before)
    return rest[:at] + names + rest[at:]


def drag_before(page, title, before, release=True):
    """Drags a photo onto the left part of another."""
    page.wait_for(STILL)
    end = page.box(photo(before))
    page.drag(photo(title), photo(before), offset=(-end.width / 4, 0), release=release)


def choose(page, label, menu=".ll-menu"):
    """Clicks an entry of the menu that is open."""
    page.click(f"{menu} [role^=menuitem] :: {label}")


def more(page, label):
    """Chooses from the album's menu."""
    page.click("#more")
    choose(page, label)


def view(page, label):
    """Chooses what the album looks like."""
    page.click("#view")
    page.click(f".view-panel label :: {label}")
    page.key("Escape")
    page.wait_for("() => !document.querySelector('.view-panel')")


def toast(page, text):
    page.wait_visible(f".toast :: {text}")


def undo_by_toast(page):
    page.click(".toast:last-child button :: Undo")


def wait_toast_gone(page):
    page.wait_hidden(".toast")


def answer(page, text=None, button=None):
    """Fills in the dialog that is open, and presses its button, or Enter."""
    page.wait_visible("dialog[open]:not(#viewer)")
    if text is not None:
        page.wait_for("() => document.activeElement.matches('dialog[open] input')")
        page.key("Control+a")
        page.type(text)
    if button:
        page.click(f"dialog[open]:not(#viewer) button :: {button}")
    else:
        page.key("Enter")
    page.wait_for("() => !document.querySelector('dialog[open]:not(#viewer)')")


def menu_of(page, title):
    """Opens a photo's menu with the right button, as a hand does it, and sees that it is still open after the release."""
    page.wait_for(STILL)
    page.right_click(photo(title))
    page.wait_visible(".ll-menu [role=menuitem]")
    assert page.evaluate("() => document.querySelectorAll('.ll-menu').length") == 1


def albums(page):
    return page.evaluate("""() => { const list = document.getElementById('albums');
        return list.isLoaded ? list.ids().map(id => list.contentOf(id)?.title) : [] }""")


def wait_albums(page, expected):
    page.wait_for("""expected => { const list = document.getElementById('albums');
        return list.isLoaded && list.ids().map(id => list.contentOf(id)?.title).join('|') === expected.join('|') }""", expected)


def album_id(page, title):
    return page.evaluate("""title => { const list = document.getElementById('albums');
        return list.ids().find(id => list.contentOf(id)?.title === title) }""", title)
