"""The element as a package: one file for any page or bundler, types for TypeScript, and beside React and Vue."""

import importlib.util
import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

from fake_server import BROWSER_FILES, ROOT, SECURITY_POLICY
from gridpage import frames, until, until_here

STYLE = "live-list { height: 300px; --ll-columns: 1; --ll-row-height: 40 }"
PLAIN = """
document.body.innerHTML = '<live-list src="/stream" moves="/moves" reorder aria-label="Chores">'
  + '<template><span data-text="title"></span></template></live-list>';
"""
DOCUMENT = (ROOT / "Documentation/LiveListElement.md").read_text()


def printed(language):
    """The one piece of the documentation in this language."""
    [text] = re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT, flags=re.M | re.S)
    return text


# The documentation's own text, with a page around it.
REACT = printed("jsx") + """
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

function App() {
  const [count, setCount] = useState(0);
  const [isShown, show] = useState(true);
  return <div><output>{count}</output><button onClick={() => show(!isShown)}>Toggle</button>{isShown && <Chores onCount={setCount} />}</div>;
}

createRoot(document.getElementById('root')).render(<StrictMode><App /></StrictMode>);
"""
VUE = """
import Vue from 'vue';
import 'live-list';

Vue.config.productionTip = Vue.config.devtools = false;
Vue.config.ignoredElements = ['live-list'];
new Vue({
  el: '#root',
  data: { count: 0, isShown: true },
  render(h) {
    const list = () => h('live-list', {
      attrs: { src: '/stream', moves: '/moves', reorder: '', 'aria-label': 'Chores' },
      domProps: { renderer: (cell, content) => (cell.textContent = content?.title ?? '') },
      on: { 'live-list-change': ({ detail }) => (this.count = detail.count) },
    });
    return h('div', [
      h('output', String(this.count)),
      h('button', { on: { click: () => (this.isShown = !this.isShown) } }, 'Toggle'),
      ...(this.isShown ? [list()] : []),
    ]);
  },
});
"""

# Vue's own format needs a compiler that cannot be had here: its script and its template are put together as that does.
[SETUP] = re.findall(r"<script setup>\nimport 'live-list';\n(.*?)</script>", printed("vue"), flags=re.S)
[TEMPLATE] = re.findall(r"<template>\n(.*?)</template>", printed("vue"), flags=re.S)
NAMES = ", ".join(re.findall(r"^const (\w+)", SETUP, flags=re.M))
VUE_3 = f"""
import 'live-list';

const {{ createApp, ref }} = Vue;
const Chores = {{
  emits: ['count'],
  template: {json.dumps(TEMPLATE)},
  setup() {{
    {SETUP}
    return {{ {NAMES} }};
  }},
}};
const app = createApp({{
  components: {{ Chores }},
  setup: () => ({{ count: ref(0), isShown: ref(true) }}),
  template: '<output>{{{{ count }}}}</output><button @click="isShown = !isShown">Toggle</button><Chores v-if="isShown" @count="(n) => (count = n)" />',
}});
app.config.compilerOptions.isCustomElement = (name) => name === 'live-list';
app.mount('#root');
"""


def run(*command, cwd, **environment):
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A folder in which the package is installed, as package managers do it."""
    folder = tmp_path_factory.mktemp("package")
    run(ROOT / "scripts/package-element", folder / "node_modules/live-list", "1.2.3", cwd=folder)
    return folder


@pytest.fixture
def build(package, server):
    """Bundles a script as pages do, and serves it: `build(script, *options)` answers the page's address."""
    def build(script, *options, links=()):
        (package / "app.js").write_text(script)
        out = package / "out"
        if out.exists():
            [path.unlink() for path in out.iterdir()]
        told = run(
            "esbuild", "app.js", "--bundle", "--loader:.js=jsx", "--jsx=automatic", "--outdir=out", "--log-level=warning",
            '--define:process.env.NODE_ENV="development"', *(options or ["--format=esm"]), cwd=package, NODE_PATH="/usr/share/nodejs")
        assert told == "", "the bundler has nothing to say against it"
        kinds = {".js": "text/javascript", ".css": "text/css"}
        for path in out.iterdir():
            server.pages[f"/built/{path.name}"] = (path.read_bytes(), kinds[path.suffix])
        server.pages["/built/page.css"] = (STYLE.encode(), "text/css")
        sheets = "".join(f'<link rel="stylesheet" href="/built/{name}">' for name in ("page.css", *links))
        server.pages["/built/"] = (
            f'<!DOCTYPE html><html lang="en"><title>x</title>{sheets}<body><div id="root"></div>'
            '<script type="module" src="/built/app.js"></script>'.encode(), "text/html; charset=utf-8")
        return f"{server.url}/built/"

    return build


@pytest.fixture
def chores(server):
    """The server's side: ten chores that can be moved."""
    stream = server.stream("/stream")
    order = [f"c{n}" for n in range(10)]
    frame = {
        "format": 1, "kind": "snapshot", "epoch": "e", "seq": 1, "sections": [{"id": "", "items": order}],
        "content": {one: {"title": f"Chore {one[1:]}"} for one in order}}
    stream.on_open = lambda since: [frame]

    def move(body, query):
        # A move of which no frame comes is taken back after five seconds.
        [one] = body["ids"]
        stream.send({
            "format": 1, "kind": "change", "epoch": "e", "from": 1, "seq": 2, "acts": [body["act"]],
            "items": {"moved": [[one, 0, order.index(one), 0, order.index(body["before"])]]}})
        return 200, {"changed": True}

    server.answer("/moves", move)
    return order


def shown(page):
    return page.evaluate("""() => [...document.querySelectorAll('.ll-canvas [data-ll-row=item]')]
      .sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y).map((row) => row.innerText.trim())""")


def works(page, server, first="Chore 0"):
    """It is drawn with its styles, moves things by keys and by its menu, and says what was done."""
    expect(page.get_by_role("row")).to_have_count(10)
    until(page, "[...document.querySelectorAll('.ll-canvas > *')].every((row) => getComputedStyle(row).position === 'absolute')")
    until(page, "document.querySelector('live-list').getAttribute('role') === 'grid'")
    assert shown(page)[0] == first
    page.get_by_role("gridcell", name="Chore 3").click(button="right")
    menu = page.get_by_role("menu")
    expect(menu).to_be_visible()
    assert menu.evaluate("node => getComputedStyle(node).borderRadius") == "12px"
    sent = len(server.posts)
    page.get_by_role("menuitem", name="Move to start").click()
    posts = server.wait_for_posts(sent + 1, "/moves")
    assert posts[-1]["body"]["ids"] == ["c3"] and posts[-1]["body"]["before"] == "c0"
    frames(page)
    until(page, "document.querySelector('live-list').ids(0, 1)[0] === 'c3'")


@pytest.mark.parametrize("options", [["--format=esm"], ["--format=iife"], ["--format=esm", "--minify", "--splitting"]])
def test_a_bundle_of_the_package_works(page, server, build, chores, options):
    page.goto(build("import 'live-list';" + PLAIN, *options))
    works(page, server)


def test_the_file_of_the_package_works_in_a_page_without_a_bundler(page, server, package, build, chores):
    address = build(PLAIN)
    server.pages["/built/live-list.js"] = ((package / "node_modules/live-list/live-list.js").read_bytes(), "text/javascript")
    server.pages["/built/app.js"] = (("import '/built/live-list.js';" + PLAIN).encode(), "text/javascript")
    page.goto(address)
    works(page, server)


@pytest.mark.parametrize("options", [["--format=esm"], ["--format=esm", "--splitting"]])
def test_a_bundle_of_the_modules_works_with_their_style_sheets(page, server, build, chores, options):
    sheets = "".join(f"import '{BROWSER_FILES}/{name}.css';" for name in ("live-list", "reordering"))
    page.goto(build(sheets + f"import '{BROWSER_FILES}/live-list.js';" + PLAIN, *options, links=["app.css"]))
    works(page, server)


@pytest.mark.parametrize("options", [["--format=esm"]])
def test_a_bundle_of_the_modules_without_their_style_sheets_says_what_is_missing(page, server, build, chores, options):
    page.expected_errors.extend(["live-list", "404"])
    page.goto(build(f"import '{BROWSER_FILES}/live-list.js';" + PLAIN, *options))
    until(page, "document.querySelector('.ll-canvas')")
    expect(page.get_by_role("row").first).to_be_visible()
    wait_for(page, "live-list.css")
    wait_for(page, "reordering.css")


def wait_for(page, text):
    until_here(page, lambda: any(text in error and "live-list:" in error for error in page.errors), lambda: f"errors: {page.errors}")


@pytest.mark.parametrize("script", [REACT, VUE, VUE_3], ids=["React", "Vue 2", "Vue 3"])
def test_it_works_beside_other_libraries(page, server, build, chores, script):
    address = build(script)
    if script is VUE_3:
        # It compiles templates in the page.
        server.policy = f"{SECURITY_POLICY}; script-src 'self' 'unsafe-eval'"
        # From the one package of those that can be had here that carries it.
        vue = Path(importlib.util.find_spec("trame_client").origin).parent / "module/vue3-www/vue.global.js"
        text = vue.read_text()
        assert "* vue v3." in text[:100]
        server.pages["/built/vue.js"] = (text.encode(), "text/javascript")
        markup, kind = server.pages["/built/"]
        server.pages["/built/"] = (markup.replace(b"<script", b'<script src="/built/vue.js"></script><script', 1), kind)
    page.goto(address)
    works(page, server)
    expect(page.locator("output")).to_have_text("10")
    page.get_by_role("button", name="Toggle").click()
    expect(page.get_by_role("row")).to_have_count(0)
    page.get_by_role("button", name="Toggle").click()
    works(page, server)


USE = """
import { LiveList, Refusal } from 'live-list';

interface Chore { title: string }

const list = document.querySelector('live-list') as LiveList<Chore>;
list.src = '/stream';
list.items = list.moves = list.deletes = list.streams = list.outbox = list.labelKey = null;
list.reorder = list.selectable = list.editing = list.headers = true;
list.renderer = (cell, content, { id, index }) => (cell.textContent = `${content?.title} ${id} ${index + 1}`);
list.renderer = { draw(cell, content) { cell.textContent = content?.title ?? ''; }, discard(cell) { cell.remove(); } };
list.headerRenderer = (cell, { id, count }) => (cell.textContent = `${id}: ${count}`);
list.menuItems = (ids) => [{ label: `Open ${ids.length}`, action() {} }, null];
list.addEventListener('live-list-reorder', (event) => {
  const after: string | null = event.detail.after;
  event.detail.respondWith(Promise.resolve(after));
  event.detail.respondWith(() => fetch('/moves'));
  event.detail.respondWith((post) => post('/moves', {}));
});
list.addEventListener('click', (event) => event.clientX);
document.body.addEventListener('live-list-activate', ({ detail }) => detail.id.length);
document.addEventListener('live-list-reorder', ({ detail }) => [detail.kind === 'move', detail.after?.length, detail.section?.length]);
window.addEventListener('live-list-delete', ({ detail }) => detail.kind === 'delete' && detail.ids.length);
addEventListener('live-list-state', ({ detail }) => detail.state === 'outdated');
document.body.attachShadow({ mode: 'open' }).addEventListener('live-list-change', ({ detail }) => detail.count.toFixed());
// @ts-expect-error: it is a mutation's kind
document.addEventListener('live-list-reorder', ({ detail }) => detail.kind === 'delete');
const id: string | null = list.move(['a'], { after: 'b' });
list.delete(list.selected, { send: async (id) => { throw new Refusal(id); } });
const title: string | undefined = list.contentOf('a')?.title;
void list.enqueue(async () => 3).then((three) => three.toFixed());
void [id, title, document.createElement('live-list').count];
// @ts-expect-error: it is the list's own
list.count = 3;
// @ts-expect-error: ids are strings
list.move([1]);
"""


@pytest.mark.in_turns(3)
@pytest.mark.parametrize("files", [["use.ts"], ["use.cts"], ["use.mts", "use.cts"]], ids=" and ".join)
@pytest.mark.parametrize("resolution", ["node", "node16"])
def test_the_types_are_right(package, resolution, files):
    """`.cts` is a CommonJS module: what imports the package there would be `require` in JavaScript."""
    (package / "package.json").write_text('{"type": "module"}')
    for name in files:
        (package / name).write_text(USE)
    module = {"node": "es2022", "node16": "node16"}[resolution]
    run("tsc", "--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--module", module,
        "--moduleResolution", resolution, *files, cwd=package)


def test_a_module_that_requires_the_package_is_bundled_too(page, server, build, chores):
    page.goto(build("require('live-list');" + PLAIN))
    works(page, server)


def test_the_types_name_what_the_element_has():
    script = (BROWSER_FILES / "live-list.js").read_text()
    types = (ROOT / "Packaging/live-list/live-list.d.ts").read_text()
    body = types[types.index("class LiveList<"):types.index("/** Thrown by")]
    of_element = set(re.findall(r"^  (?:get |set |async )?(\w+)\(", script, flags=re.M))
    of_element -= {"constructor", "connectedCallback", "disconnectedCallback", "attributeChangedCallback"}
    flags, values = (re.findall(r"'([\w-]+)'", line) for line in re.findall(r"^const (?:flags|values) = \[(.*)\];", script, flags=re.M))
    of_element |= {"src", *flags, *(name.replace("label-key", "labelKey") for name in values)}
    of_types = set(re.findall(r"^  (?:get |set |readonly )?(\w+)(?:<[^>]*>)?[(:]", body, flags=re.M))
    assert of_types - {"addEventListener", "removeEventListener"} == of_element
    told = set(re.findall(r"'(live-list-\w+)'", "".join(path.read_text() for path in BROWSER_FILES.rglob("*.js"))))
    named = set(re.findall(r"'(live-list-\w+)'", types))
    assert named == told


def test_the_package_is_what_it_says(package):
    folder = package / "node_modules/live-list"
    about = json.loads((folder / "package.json").read_text())
    assert about["version"] == "1.2.3" and about["sideEffects"] is True and "dependencies" not in about
    named = {about["main"], about["types"], *(path for one in about["exports"]["."].values() for path in one.values())}
    assert (folder / "live-list.d.cts").read_text() == (folder / "live-list.d.ts").read_text()
    assert {path.removeprefix("./") for path in named} | set(about["files"]) <= {path.name for path in folder.iterdir()}
    assert len({path.name for path in folder.iterdir()} - set(about["files"])) == 1
    script = (folder / "live-list.js").read_text()
    assert not re.search(r"import\([\"'`]|(?<![\"'])\bfrom[\"']|import[\"']", script), "everything is inside"
