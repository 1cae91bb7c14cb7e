"""A list before, beside and without its script: properties that were set early, second copies, servers that render pages."""

import subprocess

import pytest
from test_element_stream import snapshot

from fake_server import BROWSER_FILES
from gridpage import until

PAGE = """<!DOCTYPE html><html lang="en"><title>x</title><link rel="stylesheet" href="/live-list/live-list.css"><link rel="stylesheet" href="/style.css">
<live-list aria-label="Things"></live-list><script type="module" src="/early.js"></script>"""
EARLY = """
const list = window.list = document.querySelector('live-list');
Object.assign(list, {
  renderer: (cell, content) => (cell.textContent = `<${content.title}>`),
  headerRenderer: (cell, { id }) => (cell.textContent = `# ${id}`),
  label: ({ title }) => `named ${title}`,
  menuItems: () => [{ label: 'Greet', action: () => (window.isGreeted = true) }],
  strings: { item: 'thing' },
  onMeasure: () => (window.isMeasured = true),
  kept: ['id-3'], moves: '/moves', reorder: '', headers: true, labelKey: 'name', mine: 7, src: '/stream',
});
await import('/live-list/live-list.js');
window.ready = true;
"""


@pytest.fixture
def early(page, server):
    def early(script):
        server.pages["/style.css"] = (b"live-list { height: 300px; --ll-columns: 1; --ll-row-height: 40 }", "text/css")
        server.pages["/early.js"] = (script.encode(), "text/javascript")
        server.pages["/page"] = (PAGE.encode(), "text/html; charset=utf-8")
        server.stream("/stream").on_open = lambda since: [snapshot()]
        page.goto(f"{server.url}/page")
        until(page, "window.ready")
        return page

    return early


def test_properties_that_were_set_before_the_script_came_are_the_elements(early, server):
    page = early(EARLY)
    until(page, "list.count === 12")
    until(page, "document.querySelector('[data-ll-row=item]')?.textContent === '<Item 0>'")
    assert page.evaluate("[list.src, list.moves, list.reorder, list.headers, list.selectable, list.labelKey, list.mine]") == [
        "/stream", "/moves", True, True, False, "name", 7]
    own = page.evaluate("Object.keys(list)")
    assert own == ["mine"]
    assert page.evaluate("document.querySelector('[data-ll-row=header]').textContent") == "# "
    assert page.evaluate("window.isMeasured")
    page.locator("[data-ll-row=item]").nth(1).click(button="right")
    page.get_by_role("menuitem", name="Greet").click()
    assert page.evaluate("window.isGreeted")


def test_attributes_are_properties_too(early, server):
    page = early("await import('/live-list/live-list.js'); window.list = document.querySelector('live-list'); window.ready = true;")
    for name in ["items", "moves", "deletes", "streams", "outbox", "labelKey"]:
        attribute = "label-key" if name == "labelKey" else name
        assert page.evaluate(f"[list.{name}, (list.{name} = '/x', list.getAttribute('{attribute}')), list.{name}]") == [None, "/x", "/x"]
        assert page.evaluate(f"(list.{name} = null, list.hasAttribute('{attribute}'))") is False
    for name in ["reorder", "selectable", "editing", "headers"]:
        # An empty text is what frameworks make of an attribute without a value.
        for value, isOn in [("true", True), ("false", False), ("''", True), ("undefined", False)]:
            assert page.evaluate(f"(list.{name} = {value}, [list.{name}, list.hasAttribute('{name}')])") == [isOn, isOn]
    page.evaluate("list.src = '/stream'")
    until(page, "list.count === 12")


def test_a_second_copy_of_the_element_leaves_the_first_and_says_so_once(early, page):
    said = []
    page.on("console", lambda message: said.append((message.type, message.text)))
    page = early("""
      const { LiveList } = await import('/live-list/live-list.js');
      const other = await import('/live-list/live-list.js?2');
      window.same = other.LiveList === LiveList && customElements.get('live-list') === LiveList;
      window.list = document.querySelector('live-list');
      list.src = '/stream';
      window.ready = true;""")
    until(page, "list.count === 12")
    assert page.evaluate("same")
    assert [(kind, "second copy" in text) for kind, text in said if "live-list:" in text] == [("warning", True)]


USED = """async () => {
  const { isUsed } = await import('/live-list/view/early.js');
  await import('/live-list/view/keyboard.js');
  await import('/live-list/reordering.js');
  const differing = [];
  let count = 0;
  const keys = ['ArrowLeft', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown', ' ', 'a', 'F10', 'ContextMenu', 'F5', 'Tab', 'x'];
  for (let n = 0; n < 16; n++) {
    const [altKey, ctrlKey, shiftKey, metaKey] = [n & 1, n & 2, n & 4, n & 8].map(Boolean);
    const menus = [null, () => [{ label: 'Go', action() {} }]];
    for (const reorder of [true, false]) for (const selectable of [true, false]) for (const menuItems of menus) {
      Object.assign(list, { reorder, selectable, menuItems });
      const how = { altKey, ctrlKey, shiftKey, metaKey };
      const look = (event, target) => {
        const cell = target.closest('[role=gridcell]');
        target.dispatchEvent(event);
        const isTaken = event.defaultPrevented;
        const isSame = isTaken === Boolean(isUsed(event, target, cell, { reorder, selectable, menuItems }));
        if (!isSame) differing.push({ type: event.type, key: event.key, isTaken, target: target.localName, reorder, selectable, ...how });
        count++;
        document.querySelector('.ll-menu')?.remove();
      };
      const init = { ...how, bubbles: true, cancelable: true };
      for (const key of keys) {
        const cell = document.querySelectorAll('[role=gridcell]')[2];
        look(new KeyboardEvent('keydown', { key, ...init }), cell);
        look(new KeyboardEvent('keydown', { key, ...init }), cell.querySelector('button'));
      }
      const cell = document.querySelectorAll('[role=gridcell]')[2];
      look(new MouseEvent('contextmenu', init), cell);
      look(new MouseEvent('click', init), cell);
      look(new MouseEvent('click', init), cell.querySelector('a'));
    }
  }
  return [differing, count];
}"""


def test_what_is_taken_before_keyboard_js_is_there_is_what_it_takes(early, page):
    """Of what browsers do something with by themselves."""
    early("""
      await import('/live-list/live-list.js');
      window.list = document.querySelector('live-list');
      list.renderer = (cell) => { cell.innerHTML = '<a href="#elsewhere" tabindex="-1" data-live-list-link>A</a><button tabindex="-1">B</button>'; };
      Object.assign(list, { src: '/stream', reorder: true, moves: '/moves' });
      window.ready = true;""")
    until(page, "list.count === 12 && document.querySelector('[role=gridcell] button')")
    page.evaluate("() => Promise.all([import('/live-list/view/keyboard.js'), import('/live-list/reordering.js')])")
    differing, count = page.evaluate(USED)
    assert count > 3000
    assert not differing, differing[:8]


@pytest.mark.parametrize("name", ["live-list.js", "reordering.js", "outbox.js"])
def test_where_there_is_no_document_it_can_be_imported(name):
    script = f"import('{(BROWSER_FILES / name).as_uri()}').then(() => console.log('imported'))"
    done = subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "imported\n", done.stderr
