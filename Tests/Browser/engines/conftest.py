"""A page that writes down what happens to it, for the tests of the drivers themselves."""

import http.server
import threading

import pytest

PAGE = """<!doctype html><title>A page</title><meta charset=utf-8>
<style>[hidden] { display: none !important }
body { margin: 0; height: 3000px } button, input, div { display: block; margin: 10px; width: 200px; height: 30px }</style>
<button>Say hello</button><button hidden>Hidden</button><input id=text><input id=files type=file multiple hidden>
<div id=a style="background: teal">A</div><div id=b style="background: gray">B</div>
<script>
  window.seen = [];
  for (const kind of ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'contextmenu', 'click', 'dblclick', 'wheel'])
    addEventListener(kind, event => { if (event.isTrusted) seen.push(kind + event.button) });
  for (const kind of ['keydown', 'touchstart', 'touchmove', 'touchend', 'offline', 'online', 'visibilitychange'])
    addEventListener(kind, event => seen.push(event.key ?? kind), true);
  addEventListener('contextmenu', event => event.preventDefault());
  let moves = 0;
  addEventListener('pointermove', event => { if (event.buttons === 1) moves++ });
</script>"""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = PAGE.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def address():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def page(browser, address):
    return browser.open(address)
