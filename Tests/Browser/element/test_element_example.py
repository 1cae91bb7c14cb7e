"""The example of the documentation with its own servers, which know nothing of Swift."""

import subprocess
import sys

import pytest
from playwright.sync_api import expect

from fake_server import ROOT
from gridpage import until


@pytest.fixture(params=[(sys.executable, "live-list-server.py"), ("node", "live-list-server.mjs")], ids=["Python", "Node"])
def address(request):
    program, script = request.param
    process = subprocess.Popen([program, str(ROOT / "Documentation/Examples" / script), "0"], stdout=subprocess.PIPE, text=True)
    yield process.stdout.readline().strip()
    process.terminate()
    process.wait()


def rows(page):
    return [text.replace("\n", "") for text in page.get_by_role("gridcell").all_inner_texts()]


def test_two_browsers_share_the_example(new_page, address):
    one, other = new_page(), new_page()
    for page in (one, other):
        page.goto(address)
        expect(page.get_by_role("gridcell")).to_have_count(6)
    assert rows(one)[0] == "DishesAda"
    source, target = (one.get_by_role("row").nth(n).bounding_box() for n in (0, 2))
    one.mouse.move(source["x"] + 60, source["y"] + 20)
    one.mouse.down()
    one.mouse.move(source["x"] + 60, source["y"] + 30)
    one.mouse.move(target["x"] + 60, target["y"] + 45, steps=3)
    one.mouse.up()
    until(other, "document.querySelector('live-list').ids().join().startsWith('laundry,plants,dishes')")
    until(one, "document.querySelector('live-list').pending.length === 0")
    other.get_by_role("row").nth(0).click()
    other.keyboard.press("Delete")
    expect(one.get_by_role("gridcell")).to_have_count(5)
