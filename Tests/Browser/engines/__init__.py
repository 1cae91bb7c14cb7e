"""Real browsers of three engines behind one interface: Chromium, Firefox and WebKit.

A test that takes `browser` runs once in each engine (`ENGINES=firefox,webkit` picks some):

    def test_a_dialog_makes_an_album(browser, server):
        page = browser.open(server.url)
        page.click("button :: New album…")         # a CSS selector, and after `::` the name or text of the element
        page.type("Summer")
        page.key("Enter")
        page.wait_for("name => document.title.includes(name)", "Summer")

An error in the console of any page fails the test; `browser.expect_errors("503")` lets those pass that contain the text,
`browser.expect_errors(*NETWORK)` those of a server that cannot be reached. `@pytest.mark.engines("firefox")` keeps a test
to the engines that it is special to; `engine` is the fixture for more than one browser (`engine.browser(dark=True)`).
What an engine cannot be driven to raises `NotDrivable` with the reason, and the fixture makes that a skip.

A `browser` has storage of its own, as if another person had it:

    browser.open(url)                              a window; `background=True`: a tab behind the others, hidden from the start
    browser.offline(True)                          no network and navigator.onLine false (not in WebKit: use a `Line`)
    engine.browser(dark=True, reduced_motion=True, forced_colors=True, width=600, height=640)

A `page` (see page.py for all of it):

    click, double_click, right_click(target)       the element is waited for until it is visible, still and uncovered;
                                                   a right click is press, hold and release as a hand does them
    press, move, release(x, y)                     the mouse, step by step, in pixels of the viewport
    drag(source, target)                           with the mouse; touch_drag(source, target) with a finger
    tap, touch(steps)                              touches (not in WebKit)
    type(text), key("Control+a")                   keys go where the focus is
    wheel(target, dy)                              turns of a wheel over an element
    set_files(selector, paths)                     files into an input
    evaluate("(a, b) => …", a, b)                  JSON goes in and comes out; promises are waited for
    wait_for("(a) => …", a)                        until it is true, and gives what it was; never sleep
    ask("(a) => …", a)                             the same, of a question that changes nothing: asked again if its document goes away
    activate(), hidden                             to the front; whether it is hidden
    goto, reload, back, forward, screenshot, close
    resize(width, height), zoom(factor)            (WebKit's window is at least 450 pixels wide, but zooms)
    close_asking(accept)                           closes as a person does; whether the page asked first (not in WebKit: would_ask())

A `Line(server.port)` (line.py) is a network of its own before a server: `line.cut()`, `line.stall()`, `line.restore()`.
Targets are selectors, or points `(x, y)`. Processes, ports and folders go away with the engine, also when a test fails.
"""

from .line import Line
from .page import NETWORK, NotDrivable, Page
from .processes import StartFailed

ENGINES = ("chromium", "firefox", "webkit")
__all__ = ["ENGINES", "NETWORK", "Line", "NotDrivable", "Page", "StartFailed"]
