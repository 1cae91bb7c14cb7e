"""Steps of tests on an album's page, in the words of its user."""


ITEM = '#photos [data-ll-row="item"]'


def until(page, condition, arg=None, timeout=None):
    """Waits for a condition, by the clock: a page that nobody looks at may have no animation frames to wait by."""
    page.wait_for_function(condition, arg=arg, polling=50, timeout=timeout)


def wait_for_count(page, count):
    """Waits until the page shows so many photos, and all of the page is there: it may not even be parsed yet."""
    until(
        page, """n => {
            const list = document.getElementById('photos');
            return list?.isLoaded && list.count === n && 'complete' in document.body.dataset;
        }""", arg=count)


def titles(page):
    """The titles in the order that the page shows."""
    return page.evaluate(
        "() => { const l = document.getElementById('photos'); return l.ids().map(id => l.contentOf(id).title) }")


def ids(page):
    return page.evaluate("() => document.getElementById('photos').ids()")


def dom_titles(page):
    """The titles by what is in the document, top left to bottom right: the screen itself, not the model behind it."""
    return page.evaluate("""() => {
        const list = document.getElementById('photos');
        return [...document.querySelectorAll('#photos [data-ll-row="item"]')].map(node => {
            const {x, y} = node.getBoundingClientRect();
            return {x: Math.round(x), y: Math.round(y), id: list.ids()[node.getAttribute('aria-rowindex') - 1]};
        }).sort((a, b) => a.y - b.y || a.x - b.x).map(({id}) => list.contentOf(id).title)
    }""")


def wait_for_titles(page, expected):
    """Waits until the page shows these titles in this order."""
    until(
        page, """expected => {
            const list = document.getElementById('photos');
            return list.ids().map(id => list.contentOf(id)?.title).join('|') === expected.join('|')
                && 'complete' in document.body.dataset;
        }""", arg=expected)


def settle(page):
    """Waits until nothing moves on the page, and every mutation was confirmed by the server."""
    until(
        page, """() => document.getElementById('photos').pending.length === 0
            && document.getAnimations().every(a => a.playState !== 'running')""")


def box(page, title):
    """The middle of a photo on the screen, and its size."""
    return page.evaluate(
        """title => {
            const list = document.getElementById('photos');
            const id = list.ids().find(id => list.contentOf(id).title === title);
            const ordinal = String(list.indexOf(id) + 1);
            const node = [...document.querySelectorAll('#photos [data-ll-row="item"]')]
                .find(node => node.getAttribute('aria-rowindex') === ordinal);
            const {x, y, width, height} = node.getBoundingClientRect();
            return {x: x + width / 2, y: y + height / 2, width, height};
        }""", title)


def drag(page, title, before, release=True):
    """Drags a photo with the mouse onto the left half of another, so that it comes before it."""
    start, end = box(page, title), box(page, before)
    page.mouse.move(start["x"], start["y"])
    page.mouse.down()
    page.mouse.move(start["x"] + 8, start["y"] + 8, steps=2)
    page.mouse.move(end["x"] - end["width"] / 4, end["y"], steps=8)
    if release:
        page.mouse.up()


def touch_drag(page, title, before):
    """Holds a photo with a finger until it is lifted, and moves it before another."""
    start, end = box(page, title), box(page, before)
    session = page.context.new_cdp_session(page)

    def touch(kind, x=None, y=None):
        points = [] if x is None else [{"x": x, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", start["x"], start["y"])
    page.wait_for_selector("#photos [data-ll-dragging], #photos.ll-dragging, .ll-preview", state="attached")
    x, y = end["x"] - end["width"] / 4, end["y"]
    for step in range(1, 11):
        touch("touchMove", start["x"] + (x - start["x"]) * step / 10, start["y"] + (y - start["y"]) * step / 10)
    touch("touchEnd")


def drop_files(page, paths):
    """Drops files from outside onto the page, as from a file manager."""
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, "x": 400, "y": 400, "data": data})
