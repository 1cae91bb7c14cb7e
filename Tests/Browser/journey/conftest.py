"""The journey: what people do in ContactSheet, step by step, in each engine.

Each file is a chapter, with a server and a browser of its own for each engine, whose steps follow one another on the same
page; a step that fails closes the page, so that the next begins with a new one. `make browsers` prints what came of them.
"""

import shutil
import sys
import uuid
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parent.parent / "app"))
from engines import ENGINES
from engines.fixtures import Engine, chosen, fixture_of
from photographs import jpeg
from program import Server, run
from sheetpage import open_album

COUNT = 30
TITLES = [f"Photo {n:02}" for n in range(1, COUNT + 1)]


@pytest.fixture(scope="session")
def filled(tmp_path_factory):
    """A data folder with thirty photos of three months, which chapters copy."""
    folder = tmp_path_factory.mktemp("journey")
    photos = folder / "photos"
    photos.mkdir()
    for number, title in enumerate(TITLES):
        jpeg(photos / f"{title}.jpg", number, taken=f"2024:{number // 10 + 1:02}:{number % 10 + 1:02} 10:00:00",
             width=240, height=180)
    done = run("import", photos, "--data", folder / "data", "--album", "My photos")
    assert done.returncode == 0, done.stderr
    return folder / "data"


class Chapter:
    """A server with thirty photos, and the browser that goes through them."""

    def __init__(self, engine, data):
        self.engine, self.name = engine, engine.name
        self.server = Server(data)
        self.people = Engine(engine)
        self.browser = self.people.browser()
        self._page = None
        self._errors = []  # of those who went

    @property
    def page(self):
        if self._page is None:
            self._page = open_album(self.browser, self.server)
        return self._page

    def restart(self, *arguments):
        """Starts the server again at the address that it had."""
        self.server = Server(self.server.data, "--port", self.server.port, *arguments)

    def begin_again(self):
        """After a step that failed: another browser, so that the next step finds nothing of it."""
        if self.server.process.poll() is not None:
            self.restart()
        self.people.close()
        self.server.post(f"/api/albums/{self.server.album}/order", {"act": str(uuid.uuid4()), "by": "title"})
        self.people = Engine(self.engine)
        self.browser = self.people.browser()
        self._page = None

    def leave(self, browser):
        """Closes the browser of somebody else; what its console said still counts."""
        for page in browser.pages:
            page.evaluate("() => 0")  # WebKit tells of errors in its answers
        self._errors += browser.errors
        browser.close()
        self.people.browsers.remove(browser)

    def take_errors(self):
        errors = self._errors + [error for browser in self.people.browsers for error in browser.errors]
        self._errors = []
        for browser in self.people.browsers:
            browser._errors.clear()
        return errors

    def close(self):
        try:
            self.people.close()
        finally:
            self.server.kill()


@pytest.fixture(scope="module", params=ENGINES)
def chapter(request, filled, tmp_path_factory):
    if request.param not in chosen():
        pytest.skip(f"not for {request.param}")
    # Its steps go offline and download.
    engine = request.getfixturevalue(fixture_of(request.param, quiet=False))
    data = tmp_path_factory.mktemp("data") / "data"
    shutil.copytree(filled, data)
    chapter = Chapter(engine, data)
    yield chapter
    chapter.close()


@pytest.fixture
def page(chapter):
    """The page of the chapter; errors in its console fail the step."""
    return chapter.page


@pytest.fixture(autouse=True)
def step(chapter, request):
    """Fails the step in which a browser said something that nobody expected."""
    yield
    report = getattr(request.node, "outcome_of_call", None)
    for one in chapter.browser.pages:
        try:
            one.evaluate("() => 0")  # WebKit tells of errors in its answers
        except Exception:  # noqa: BLE001: a page that is gone has told
            pass
    errors = chapter.take_errors()
    if errors or report != "passed":
        chapter.begin_again()
    assert not errors, f"errors in the console: {errors[:5]}"


# Where they begin: chapters wait at the same time otherwise, for a server that falls silent or ten windows to open.
FIRST_CHAPTER = {"chromium": 0, "firefox": 2, "webkit": 5}


def pytest_collection_modifyitems(items):
    """Has each engine go through the chapters from another one on."""
    here = Path(__file__).resolve().parent
    steps = [(n, item) for n, item in enumerate(items) if item.path.parent == here and hasattr(item, "callspec")]
    chapters = sorted({item.path for _, item in steps})

    def position(item):
        engine = item.callspec.params["chapter"]
        return ENGINES.index(engine), (chapters.index(item.path) - FIRST_CHAPTER[engine]) % len(chapters)

    for (n, _), item in zip(steps, sorted((item for _, item in steps), key=position), strict=True):
        items[n] = item


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if call.when == "call":
        item.outcome_of_call = report.outcome
    engine = getattr(item, "callspec", None) and item.callspec.params.get("chapter")
    if engine:
        name = item.originalname.removeprefix("test_").replace("_", " ")
        # Reports come from workers to the process that prints the table, and this with them.
        report.step = [item.path.stem, item.location[1], name, engine]


TABLE = {}


def pytest_runtest_logreport(report):
    if not hasattr(report, "step"):
        return
    *step, engine = report.step
    row = TABLE.setdefault(tuple(step), {})
    verdict, reason, took = row.get(engine, ("", "", 0))
    if report.failed:
        verdict, reason = "FAILED", str(report.longrepr).strip().rsplit("\n", 1)[-1]
    elif report.skipped and "not for" not in str(report.longrepr):
        verdict, reason = "not drivable", str(report.longrepr[2]).partition("not drivable: ")[2]
    elif report.skipped:
        verdict = "–"
    elif report.when == "call" and verdict != "FAILED":
        verdict = "passed"
    row[engine] = (verdict, reason, took + report.duration)


def pytest_terminal_summary(terminalreporter):
    if not TABLE:
        return
    engines = [one for one in ENGINES if one in chosen()]
    widest = max(len(name) for *_, name in TABLE)
    line = terminalreporter.write_line
    line("")
    line(f"{'':{widest}}  " + "  ".join(f"{engine:<20}" for engine in engines))
    reasons, seconds, counts = {}, dict.fromkeys(engines, 0), dict.fromkeys(engines, 0)
    for (*_, name), row in sorted(TABLE.items()):
        cells = []
        for engine in engines:
            verdict, reason, took = row.get(engine, ("–", "", 0))
            seconds[engine] += took
            counts[engine] += verdict == "passed"
            mark = ""
            if reason:
                mark = f" ({reasons.setdefault(reason, len(reasons) + 1)})"
            cells.append(f"{verdict + mark + (f' {took:.1f} s' if verdict == 'passed' else ''):<20}")
        line(f"{name:{widest}}  " + "  ".join(cells).rstrip())
    line(f"{'':{widest}}  " + "  ".join(f"{f'{counts[engine]} passed, {seconds[engine]:.0f} s':<20}" for engine in engines))
    for reason, number in reasons.items():
        line(f"({number}) {reason[:300]}")
