"""One stream for a browser: shared by all lists of all its tabs, wherever the hub is, and whatever becomes of it."""

import os
import signal
import threading
from pathlib import Path

import pytest
from playwright.sync_api import expect

from fake_server import PATIENCE
from gridpage import freeze, numbers, until, until_here
from test_element_stream import HIDE, change, snapshot

HUBS = {"worker": "", "leader": "&no-workers", "tab": "&no-workers&no-locks"}
GONE = [["id-0", 0, 0]]


@pytest.fixture
def lists(server):
    """Three lists, each with a life of its own."""
    lists = {}
    for name in "abc":
        stream = lists[name] = server.stream(f"/{name}")
        stream.on_open = lambda since, name=name: [snapshot(epoch=name)] if since is None else []
    return lists


@pytest.fixture(params=HUBS)
def hub(request):
    return request.param


@pytest.fixture
def open_tab(page, server):
    """Opens lists, each in a tab of its own of one browser."""
    page.context.add_init_script("""window.addEventListener('DOMContentLoaded', () => { window.states = []; });
      addEventListener('live-list-state', ({ detail }) => window.states?.push(detail.state));""")

    def open_tab(name, hub="worker", wait=True):
        tab = page.context.new_page()
        tab.goto(f"{server.url}/Tests/Browser/element/pages/grid.html?streams=/streams&src=/{name}{HUBS[hub]}")
        until(tab, "window.ready")
        if wait:
            until(tab, "list.isLoaded && list.count === 12 && list.dataset.state === 'connected'")
        return tab

    return open_tab


def add_list(tab, name):
    """Adds a list to a page, which knows it by that name."""
    tab.evaluate("""name => {
      const another = document.createElement('live-list');
      another.setAttribute('streams', '/streams');
      another.setAttribute('src', `/${name}`);
      another.renderer = list.renderer;
      document.querySelector('main').append(another);
      window[name] = another;
    }""", name)


def delete_first(lists, *names):
    """Deletes the first item of lists as a server does that remembers: who opens the stream anew just now misses nothing."""
    for name in names:
        deletion = change(2, epoch=name, items={"deleted": GONE})
        lists[name].on_open = lambda since, name=name, deletion=deletion: [deletion] if since == f"{name}.1" else []
        lists[name].send(deletion)


def until_gone(tab, number=0, seconds=PATIENCE):
    until(tab, f"list.isLoaded && list.indexOf('id-{number}') < 0", seconds)


@pytest.mark.parametrize("hub", ["worker", "leader"])
def test_tabs_share_one_stream(server, lists, open_tab, hub):
    tabs = {name: open_tab(name, hub) for name in "abc"}
    server.wait_for_open_streams(1)
    for name in tabs:
        lists[name].send(change(2, epoch=name, items={"deleted": GONE}))
    for tab in tabs.values():
        until_gone(tab)
    # Each opening names every list, and resumes those that were there.
    assert [one.split("=")[-1] for one in server.opens[-1]][:2] == ["a.1", "b.1"]
    assert all("reconnecting" not in tab.evaluate("states") for tab in tabs.values())


def test_where_tabs_cannot_agree_each_has_one_stream_for_all_its_lists(server, lists, open_tab):
    one, other = open_tab("a", "tab"), open_tab("b", "tab")
    server.wait_for_open_streams(2)
    add_list(one, "c")
    until(one, "c.count === 12")
    server.wait_for_open_streams(2)
    lists["b"].send(change(2, epoch="b", items={"deleted": GONE}))
    lists["c"].send(change(2, epoch="c", items={"deleted": GONE}))
    until_gone(other)
    until(one, "c.count === 11")


def test_the_same_list_in_two_tabs_is_sent_once_where_both_have_the_same_of_it(server, lists, open_tab):
    tabs = [open_tab("a"), open_tab("a")]
    open_tab("b")
    server.wait_for_open_streams(1)
    assert server.opens[-1][0] == "/a?since=a.1" and len(server.opens[-1]) == 2
    lists["a"].send(change(2, epoch="a", items={"deleted": GONE}))
    for tab in tabs:
        until_gone(tab)


def test_a_lost_connection_is_told_in_all_tabs_and_resumed_for_all(server, lists, open_tab, hub):
    tabs = {name: open_tab(name, hub) for name in "ab"}
    for name in "ab":
        lists[name].is_refusing = True
    for name in "ab":
        lists[name].drop()
    for tab in tabs.values():
        expect(tab.locator("live-list")).to_have_attribute("data-state", "reconnecting")
    for name in "ab":
        lists[name].on_open = lambda since, name=name: [change(2, epoch=name, items={"deleted": GONE})]
        lists[name].is_refusing = False
    for tab in tabs.values():
        tab.evaluate("dispatchEvent(new Event('online'))")
    for name, tab in tabs.items():
        until_gone(tab)
        until(tab, "list.dataset.state === 'connected'")
        # Nobody began anew.
        assert [one["since"] for one in lists[name].requests].count(None) == 1


def test_a_list_that_is_asked_for_while_the_stream_comes_back_is_served(server, lists, open_tab, hub):
    tab = open_tab("a", hub)
    add_list(tab, "b")
    until(tab, "b.count === 12")
    for name in "ab":
        lists[name].is_refusing = True
        lists[name].drop()
    expect(tab.locator("#list")).to_have_attribute("data-state", "reconnecting")
    answered = threading.Event()
    lists["a"].on_open = lambda since: answered.wait(20) and [change(2, epoch="a")]
    for name in "ab":
        lists[name].is_refusing = False
    opened = len(server.opens)
    tab.evaluate("dispatchEvent(new Event('online'))")
    until_here(tab, lambda: len(server.opens) > opened)
    add_list(tab, "c")
    tab.evaluate("() => new Promise(requestAnimationFrame)")
    answered.set()
    until(tab, "c.count === 12 && list.dataset.state === 'connected'")


def test_a_tab_that_is_closed_is_no_longer_sent_what_it_wanted(server, lists, open_tab, hub):
    one, other = open_tab("a", hub), open_tab("b", hub)
    one.close()
    until_here(other, lambda: not lists["a"].listeners)
    delete_first(lists, "b")
    until_gone(other)
    other.close()
    server.wait_for_open_streams(0)


def test_where_the_leader_is_closed_another_leads_and_nothing_is_lost(server, lists, open_tab):
    leader, follower, third = (open_tab(name, "leader") for name in "abb")
    server.wait_for_open_streams(1)
    lists["b"].on_open = lambda since: [change(2, epoch="b", items={"deleted": GONE})] if since == "b.1" else []
    leader.close()
    for tab in (follower, third):
        until_gone(tab)
        assert "reconnecting" not in tab.evaluate("states")
    server.wait_for_open_streams(1)
    lists["b"].on_open = lambda since: []
    lists["b"].send(change(3, epoch="b", items={"deleted": [["id-1", 0, 0]]}))
    for tab in (follower, third):
        until_gone(tab, 1)


def test_where_the_leader_falls_silent_another_leads_and_nothing_is_lost(page, server, lists, open_tab):
    page.clock.install()  # of all tabs: time goes by itself, and faster where the test says so
    leader, follower = (open_tab(name, "leader") for name in "ab")
    server.wait_for_open_streams(1)
    # It keeps its lock, and nobody hears of it any more: so a frozen tab is to the others. (Tabs may share a process here, so
    # that none can be frozen alone.)
    leader.evaluate("""() => {
      window.say = BroadcastChannel.prototype.postMessage;
      BroadcastChannel.prototype.postMessage = () => {};
    }""")
    lists["b"].on_open = lambda since: [change(2, epoch="b", items={"deleted": GONE})] if since == "b.1" else []
    page.clock.run_for(12_000)
    until_gone(follower)
    # When it wakes up, it follows.
    lists["a"].on_open = lambda since: [change(2, epoch="a", items={"deleted": GONE})] if since == "a.1" else []
    leader.evaluate("() => { BroadcastChannel.prototype.postMessage = say; }")
    page.clock.run_for(5_000)
    until_gone(leader)
    server.wait_for_open_streams(1)


def fields(process):
    """The system's record of a process: its state, its parent and so on."""
    return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()


def is_ours(process):
    """Whether a process was begun by this one: other browsers may run beside these."""
    while process > 1 and process != os.getpid():
        process = int(fields(process)[1])
    return process == os.getpid()


def times():
    """The processor time that each process has had which draws pages of these tests, in ticks."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            process = int(path.parent.name)
            if b"--type=renderer" in path.read_bytes() and is_ours(process):
                found[process] = int(fields(process)[11])
        except OSError:
            pass  # it has just ended
    return found


def process_of(tab):
    """The process that draws a tab: the one of all that are new or old in which it does something at length."""
    before = times()
    tab.evaluate("() => { for (const end = Date.now() + 2_000; Date.now() < end;); }")
    spent = {process: time - before.get(process, 0) for process, time in times().items()}
    return max(spent, key=spent.get)


def test_a_lead_that_is_refused_at_once_is_asked_for_again_a_second_later(page, server, lists, open_tab):
    # So it is in a page that is being left. Asking again at once would hold it up for ever: WebKit's tabs stood still.
    page.context.add_init_script("""
      const request = LockManager.prototype.request;
      window.asked = [];
      window.refuses = true;
      LockManager.prototype.request = function (name, ...rest) {
        if (!window.refuses || !/^live-list \\d/.test(name)) return request.call(this, name, ...rest);
        asked.push(performance.now());
        return asked.length > 100 ? new Promise(() => {}) : Promise.reject(new DOMException('It is being left.', 'InvalidStateError'));
      };""")
    tab = open_tab("a", "leader", wait=False)
    until(tab, "asked.length > 2")
    first, second, third = tab.evaluate("asked.slice(0, 3)")
    assert second - first > 900
    assert third - second > 900
    tab.evaluate("refuses = false")
    until(tab, "list.isLoaded && list.count === 12")


@pytest.mark.parametrize("hub", ["worker", "leader"])
def test_where_a_tab_is_really_frozen_the_others_go_on_and_it_catches_up(server, lists, open_tab, hub):
    frozen, other = (open_tab(name, hub) for name in "ab")
    process = process_of(frozen)
    assert process != process_of(other)
    server.wait_for_open_streams(1)
    os.kill(process, signal.SIGSTOP)
    try:
        delete_first(lists, "a", "b")
        # By the clock of the world: that of the tests would wait for the frozen tab.
        until_gone(other, seconds=30)
    finally:
        os.kill(process, signal.SIGCONT)
    until_gone(frozen, seconds=30)
    until(frozen, "list.dataset.state === 'connected'")
    until(other, "list.dataset.state === 'connected'")
    # A worker is in the process of the tab that began it, and stood still with it. Whether that tab finds it again or keeps a
    # way of its own hangs on which of the two wakes first.
    with server.opened:
        few = {"worker": (1, 2), "leader": (1,)}[hub]
        assert server.opened.wait_for(lambda: server.open_streams in few, 10), server.open_streams


def test_where_the_worker_says_nothing_a_tab_leads(page, server, lists, open_tab):
    page.context.add_init_script("window.SharedWorker = class { port = { postMessage() {}, close() {} }; };")
    tabs = [open_tab(name, wait=False) for name in "ab"]
    for tab in tabs:
        until(tab, "list.isLoaded && list.count === 12", seconds=20)
    server.wait_for_open_streams(1)


def test_none_is_open_while_all_tabs_are_hidden_from_the_start(page, server, lists, open_tab, hub):
    page.context.add_init_script(f"({HIDE})('hidden')")
    tabs = [open_tab(name, hub, wait=False) for name in "ab"]
    assert server.opens == [] and lists["a"].requests == []
    tabs[0].evaluate(HIDE, "visible")
    until(tabs[0], "list.count === 12")
    assert list(server.opens[-1]) == ["/a"]
    server.wait_for_open_streams(1)


def test_the_stream_is_given_back_when_the_last_tab_is_hidden(page, server, lists, open_tab, hub):
    tab = open_tab("a", hub, wait=False)
    until(tab, "list.count === 12")
    freeze(tab)
    tab.evaluate(HIDE, "hidden")
    tab.clock.run_for(22_000)
    server.wait_for_open_streams(0)
    lists["a"].on_open = lambda since: [change(2, epoch="a", items={"deleted": GONE})]
    tab.clock.resume()
    tab.evaluate(HIDE, "visible")
    until_gone(tab)


def test_a_list_that_is_not_there_does_not_disturb_the_others(server, lists, open_tab, hub):
    one = open_tab("a", hub)
    lost = open_tab("nothing", hub, wait=False)
    # It is asked for again, and what is heard of the other lists is no answer to that.
    server.wait_for_opens(lambda opens: sum("/nothing" in one for one in opens) >= 3)
    until(lost, "list.dataset.state === 'reconnecting'")
    assert lost.evaluate("states") == ["reconnecting"]
    delete_first(lists, "a")
    until_gone(one)
    assert "reconnecting" not in one.evaluate("states")


def test_a_gap_asks_for_a_snapshot_of_that_list_alone(server, lists, open_tab, hub):
    tabs = {name: open_tab(name, hub) for name in "ab"}
    lists["a"].send(change(7, epoch="a", items={"deleted": GONE}))
    lists["a"].on_open = lambda since: [snapshot(epoch="a", seq=7, without=[3])]
    until_gone(tabs["a"], 3)
    assert server.opens[-1] in (["/a", "/b?since=b.1"], ["/b?since=b.1", "/a"]) or hub == "tab"
    assert numbers(tabs["b"]) == list(range(12))


def test_a_list_goes_over_to_another_source(server, lists, open_tab, hub):
    tab = open_tab("a", hub)
    lists["b"].on_open = lambda since: [snapshot(epoch="b", without=[4])]
    tab.evaluate("list.setAttribute('src', '/b')")
    until_gone(tab, 4)
    until_here(tab, lambda: not lists["a"].listeners)


@pytest.mark.network
def test_where_what_shares_cannot_be_fetched_a_list_has_a_stream_of_its_own(page, server, lists, open_tab):
    page.context.route("**/shared.js", lambda route: route.abort())
    tab = open_tab("a")
    lists["a"].send(change(2, epoch="a", items={"deleted": GONE}))
    until_gone(tab)
    assert server.opens == []
