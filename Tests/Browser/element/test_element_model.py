"""The model: frames, the vectors that every reader passes, and what is shown on top of them. No DOM takes part."""

import json
import os
import random

import pytest

from fake_server import ROOT, FakeServer
from gridpage import freeze
from seeds import seeds

VECTORS = sorted((ROOT / "Tests/ListStreamTests/Vectors").glob("*.json"))

RUN_VECTOR = """async (vector) => {
  const { wrongIn } = await import('/live-list/model/frames.js');
  const { fill } = await import('/live-list/long-lists/gaps.js');
  const { ListModel } = await import('/live-list/model/model.js');
  const { sectionsOf } = await import('/Tests/Browser/element/pages/sections.js');
  const model = new ListModel();
  // As ranges.js does it.
  const take = (range) => (wrongIn(range) === undefined ? fill(model, range) : 'again');
  if (vector.start) model.receive({ format: 1, kind: 'snapshot', ...vector.start });
  for (const frame of vector.frames ?? []) model.receive(frame);
  // Through JSON, as vectors are: what is not known is null there.
  const state = () => JSON.parse(JSON.stringify({
    epoch: model.epoch, seq: model.seq, sections: sectionsOf(model.order),
    content: Object.fromEntries(model.content), message: model.message,
  }));
  const before = state();
  const { outcome, mutationIDs } = vector.range ? { outcome: take(vector.range), mutationIDs: [] } : model.receive(vector.frame);
  return { before, after: state(), outcome, acts: mutationIDs };
}"""

# A list as slowly and plainly as can be: what the model must agree with.
FOLLOW = """async (steps) => {
  const { ListModel } = await import('/live-list/model/model.js');
  const { sectionsOf } = await import('/Tests/Browser/element/pages/sections.js');
  const model = new ListModel();
  const seen = [];
  for (const { call, args } of steps) {
    // What the server has said yes to (sending.js) is shown as before.
    if (call === 'accept') for (const one of model.pending) one.accepted ||= one.mutationID === args[0];
    const result = model[call]?.(...args);
    seen.push({
      result: result?.outcome ?? null,
      shown: sectionsOf(model.order),
      positions: model.order.slice(0, model.order.count).every((id, n) => model.order.indexOf(id) === n),
      pending: model.pending.map(({ mutationID }) => mutationID),
    });
  }
  return seen;
}"""


@pytest.fixture(scope="module")
def modules(quiet_chromium):
    server = FakeServer()
    page = quiet_chromium.new_page()
    page.goto(f"{server.url}/Tests/Browser/element/pages/blank.html")
    yield page
    page.close()
    server.shutdown()
    server.server_close()


@pytest.fixture
def blank(page, server):
    """A page of the test's own, to be done with as it likes."""
    page.goto(f"{server.url}/Tests/Browser/element/pages/blank.html")
    return page


def test_there_are_vectors():
    assert len(VECTORS) >= 85


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_a_vector_gives_what_it_expects(modules, path):
    vector = json.loads(path.read_text())
    result = modules.evaluate(RUN_VECTOR, vector)
    expected = vector["expected"]
    assert result["outcome"] == expected["outcome"]
    if expected["outcome"] != "applied":
        assert result["after"] == result["before"]
        return
    after = result["after"]
    assert after["sections"] == expected.get("sections", [])
    assert after["content"] == expected.get("content", {})
    assert (after["epoch"], after["seq"]) == (expected.get("epoch"), -1 if expected.get("seq") is None else expected["seq"])
    assert result["acts"] == expected.get("acts", [])
    assert after["message"] == expected.get("message")


class Plain:
    """The server's list and the pending mutations, done again from nothing for every question."""

    def __init__(self, sections):
        self.server = [[name, list(items)] for name, items in sections]
        self.mutations = []
        self.tried = None

    def shown(self):
        sections = [[name, list(items)] for name, items in self.server]
        for mutation in self.mutations + ([self.tried] if self.tried else []):
            self.perform(mutation, sections)
        return [{"id": name, "items": items} for name, items in sections]

    @staticmethod
    def perform(mutation, sections):
        everything = [one for _, items in sections for one in items]
        ids = [one for one in mutation["ids"] if one in everything]
        if mutation["kind"] == "delete":
            for section in sections:
                section[1] = [one for one in section[1] if one not in ids]
            return
        target = None
        for neighbour, shift in ((mutation["after"], 1), (mutation["before"], 0)):
            if neighbour in everything and neighbour not in mutation["ids"]:
                target = neighbour, shift
                break
        if target is None:
            return
        for section in sections:
            section[1] = [one for one in section[1] if one not in ids]
        for section in sections:
            if target[0] in section[1]:
                at = section[1].index(target[0]) + target[1]
                section[1][at:at] = ids
                return


def change_between(before, after, seq, mutation_ids):
    """A legal change frame: everything that is in both lists counts as moved unless nothing moved at all."""
    def positions(sections):
        return {one: [s, i] for s, (_, items) in enumerate(sections) for i, one in enumerate(items)}

    old, new = positions(before), positions(after)
    by_old = sorted(old, key=old.get)
    by_new = sorted(new, key=new.get)
    return {
        "format": 1, "kind": "change", "epoch": "e", "from": seq - 1, "seq": seq, "acts": mutation_ids,
        "items": {
            "deleted": [[one, *old[one]] for one in by_old if one not in new],
            "inserted": [[one, *new[one]] for one in by_new if one not in old],
            "moved": [[one, *old[one], *new[one]] for one in by_new if one in old],
        },
    }


@pytest.mark.parametrize("seed", seeds(*range(40)))
def test_what_is_shown_is_the_servers_list_with_the_pending_mutations_on_top(modules, seed):
    dice = random.Random(seed)
    names = iter(f"i{n}" for n in range(10_000))
    start = [[f"s{s}", [next(names) for _ in range(dice.randrange(0, 7))]] for s in range(dice.randrange(1, 4))]
    plain, seq = Plain(start), 1
    snapshot = {
        "format": 1, "kind": "snapshot", "epoch": "e", "seq": 1,
        "sections": [{"id": name, "items": items} for name, items in start]}
    steps, expected = [{"call": "receive", "args": [snapshot]}], [(plain.shown(), [])]
    for step in range(60):
        everything = [one for _, items in plain.server for one in items] or ["none"]

        def some():
            return dice.sample(everything, min(len(everything), dice.randrange(1, 4)))

        kind = dice.choice(["move", "move", "delete", "frame", "frame", "confirm", "withdraw", "try", "accept"])
        mutation_ids = []
        if kind in ("move", "delete"):
            mutation = {"mutationID": f"a{step}", "kind": kind, "ids": some(), "after": dice.choice([*everything, None]),
                   "before": dice.choice([*everything, None])}
            plain.mutations.append(mutation)
            steps.append({"call": "add", "args": [mutation]})
        elif kind == "try":
            plain.tried = dice.choice([None, {
                "kind": "move", "ids": some(), "after": dice.choice(everything), "before": None}])
            steps.append({"call": "try", "args": [plain.tried]})
        elif kind == "withdraw" and plain.mutations:
            mutation = plain.mutations.pop(dice.randrange(len(plain.mutations)))
            steps.append({"call": "withdraw", "args": [mutation["mutationID"]]})
        elif kind == "accept" and plain.mutations:
            steps.append({"call": "accept", "args": [dice.choice(plain.mutations)["mutationID"]]})
        else:
            before = [[name, list(items)] for name, items in plain.server]
            if kind == "confirm" and plain.mutations:
                mutation = plain.mutations.pop(0)
                mutation_ids = [mutation["mutationID"]]
                Plain.perform(mutation, plain.server)
            for _ in range(dice.randrange(0, 4)):
                section = dice.choice(plain.server)
                if dice.random() < 0.5 and section[1]:
                    one = section[1].pop(dice.randrange(len(section[1])))
                    if dice.random() < 0.6:
                        other = dice.choice(plain.server)
                        other[1].insert(dice.randrange(len(other[1]) + 1), one)
                else:
                    section[1].insert(dice.randrange(len(section[1]) + 1), next(names))
            seq += 1
            steps.append({"call": "receive", "args": [change_between(before, plain.server, seq, mutation_ids)]})
        expected.append((plain.shown(), [mutation["mutationID"] for mutation in plain.mutations]))
    for number, (seen, (shown, pending)) in enumerate(zip(modules.evaluate(FOLLOW, steps), expected, strict=True)):
        assert seen["shown"] == shown, f"SEED={seed}, step {number}: {steps[number]}"
        assert seen["positions"] and seen["pending"] == pending
        assert seen["result"] in (None, "applied")


@pytest.mark.parametrize("first", seeds(*range(0, 400, 50)))
def test_what_a_sparse_list_knows_is_right_and_becomes_the_whole_list(modules, first):
    count = 1 if "SEED" in os.environ else 50
    modules.evaluate("""async ([first, count]) => {
      const { run } = await import('/Tests/Browser/element/pages/sparse-law.js');
      for (let seed = first; seed < first + count; seed++) run(seed);
    }""", [first, count])


def test_a_gap_of_a_million_costs_nothing(modules):
    counts = modules.evaluate("""async () => {
      const { fill, missing } = await import('/live-list/long-lists/gaps.js');
      const { ListModel } = await import('/live-list/model/model.js');
      const model = new ListModel();
      const counted = (kind, windows, content) => ({
        format: 1, kind, epoch: 'e', seq: 1, sections: [{ id: '', count: 1_000_000, windows }], content });
      model.receive(counted('snapshot', [[0, ['a', 'b']]], { a: 1, b: 2 }));
      const before = missing(model, 0, 60);
      const filled = fill(model, counted('range', [[999_998, ['y', 'z']]], { y: 3, z: 4 }));
      model.receive({ format: 1, kind: 'change', epoch: 'e', from: 1, seq: 2, items: {
        deleted: [['?', 0, 500_000]], moved: [['z', 0, 999_999, 0, 1]] } });
      return [model.order.count, before, filled, model.order.indexOf('y'), model.order.slice(0, 4),
        missing(model, 999_990, 2_000_000)];
    }""")
    assert counts == [999_999, [2, 60], "applied", 999_998, ["a", "z", "b", None], [999_990, 999_998]]


# Ids, and kinds of frames, may be called like what every object of JavaScript has.
ODD = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"]


def test_ids_that_are_names_of_the_language_have_their_own_content_or_none(modules):
    """In each way in which content comes: with a snapshot, a change, rows that were asked for, and a change that leads those on."""
    seen = modules.evaluate("""async (odd) => {
      const { fill } = await import('/live-list/long-lists/gaps.js');
      const { ListModel } = await import('/live-list/model/model.js');
      const ways = {
        snapshot: (model, content) => model.receive({ format: 1, kind: 'snapshot', epoch: 'e', seq: 1, sections: [{ id: '', items: odd }], content }),
        change: (model, content, count) => {
          model.receive({ format: 1, kind: 'snapshot', epoch: 'e', seq: 1, sections: [{ id: '', ...count }] });
          model.receive({ format: 1, kind: 'change', epoch: 'e', from: 1, seq: 2, content, items: { inserted: odd.map((id, n) => [id, 0, n]) } });
        },
        sparse: (model, content) => ways.change(model, content, { count: 0 }),
        rows: (model, content) => {
          model.receive({ format: 1, kind: 'snapshot', epoch: 'e', seq: 1, sections: [{ id: '', count: odd.length }] });
          fill(model, { format: 1, kind: 'range', epoch: 'e', seq: 1, content, sections: [{ id: '', count: odd.length, windows: [[0, odd]] }] });
        },
        later: (model, content) => {
          model.receive({ format: 1, kind: 'snapshot', epoch: 'e', seq: 1, sections: [{ id: '', count: odd.length }] });
          model.receive({ format: 1, kind: 'change', epoch: 'e', from: 1, seq: 2, content, reconfigured: odd });
          fill(model, { format: 1, kind: 'range', epoch: 'e', seq: 1, content: {}, sections: [{ id: '', count: odd.length, windows: [[0, odd]] }] });
        },
      };
      const own = JSON.parse(`{${odd.map((id) => `"${id}": {"title": "${id}"}`)}}`);
      return Object.entries(ways).map(([way, come]) => [way, ...[{}, own].map((content) => {
        const model = new ListModel();
        come(model, content);
        return odd.map((id) => (model.content.get(id) === undefined ? null : model.content.get(id).title ?? 'strange'));
      })]);
    }""", ODD)
    assert seen == [[way, [None] * len(ODD), ODD] for way in ("snapshot", "change", "sparse", "rows", "later")]


def test_a_kind_of_any_name_is_not_known(modules):
    outcomes = modules.evaluate("""async (odd) => {
      const { ListModel } = await import('/live-list/model/model.js');
      return odd.map((kind) => new ListModel().receive({ format: 1, kind, epoch: 'e', seq: 1 }).outcome);
    }""", ODD)
    assert outcomes == ["ignored"] * len(ODD)


def test_blocks_split_and_empty_without_losing_a_position(modules):
    assert modules.evaluate("""async () => {
      const { Order } = await import('/live-list/model/order.js');
      const order = new Order([{ id: '', items: [] }]);
      const plain = [];
      for (let n = 0; n < 3000; n++) {
        const at = (n * 7919) % (plain.length + 1);
        plain.splice(at, 0, `i${n}`);
        order.apply({ items: { inserted: [[`i${n}`, 0, at]] } });
      }
      for (let n = 0; n < 2500; n++) {
        const at = (n * 104729) % plain.length;
        const [id] = plain.splice(at, 1);
        order.apply({ items: { deleted: [[id, 0, at]] } });
      }
      return order.slice(0, order.count).join() === plain.join() && plain.every((id, n) => order.indexOf(id) === n);
    }""")


def test_as_few_entries_as_possible_move(modules):
    lengths = modules.evaluate("""async () => {
      const { staying } = await import('/live-list/model/difference.js');
      const count = (list) => staying(list).reduce((sum, one) => sum + one, 0);
      return [count([]), count([0]), count([2, 1, 0]), count([0, 4, 1, 2, -1, 3]), count([1, 2, 3, 0])];
    }""")
    assert lengths == [0, 1, 1, 4, 3]


def test_a_long_selection_names_also_what_is_not_known_of_the_list(modules):
    """Long ones are put in order by going through the list, in which some may not be known any more."""
    [count, first, last] = modules.evaluate("""async () => {
      const { Order } = await import('/live-list/model/order.js');
      const { Selection } = await import('/live-list/model/selection.js');
      const ids = Array.from({ length: 1200 }, (_, n) => `i${n}`);
      const order = new Order([{ id: '', items: ids.slice(100) }]);
      const selection = new Selection(() => order, () => {});
      selection.set(ids.toReversed());
      const named = selection.inOrder;
      return [new Set(named).size, named.slice(0, 1100).join() === ids.slice(100).join(), named.slice(1100).toSorted().join()];
    }""")
    assert (count, first) == (1200, True)
    assert last == ",".join(sorted(f"i{n}" for n in range(100)))


def test_a_range_stays_when_another_is_begun_elsewhere(modules):
    selected = modules.evaluate("""async () => {
      const { Order } = await import('/live-list/model/order.js');
      const { Selection } = await import('/live-list/model/selection.js');
      const { Selecting } = await import('/live-list/view/selecting.js');
      const order = new Order([{ id: '', items: Array.from({ length: 12 }, (_, n) => `i${n}`) }]);
      const selection = new Selection(() => order, () => {});
      const selecting = new Selecting(selection, () => order);
      selecting.toggle('i0');
      selecting.extend('i2');
      selecting.toggle('i5');
      selecting.extend('i8');
      selecting.extend('i6'); // instead of the range up to 8, but not of the first
      const before = selection.inOrder;
      selection.set(['i7', 'i8']); // by the page: of these there is no range
      selecting.extend('i4');
      return [before, selection.inOrder];
    }""")
    assert selected == [["i0", "i1", "i2", "i5", "i6"], ["i4", "i5", "i7", "i8"]]


def test_a_mutation_of_everything_but_some_is_not_shown_where_nobody_knows_what_has_arrived(modules):
    [deleted, again, mutation_id] = modules.evaluate("""async () => {
      const { ListModel } = await import('/live-list/model/model.js');
      const { AllExcept } = await import('/live-list/long-lists/all-except.js');
      const snapshot = (seq, items) => ({
        format: 1, kind: 'snapshot', epoch: 'e', seq, content: {}, sections: [{ id: '', count: items.length, windows: [[0, items]] }] });
      const model = new ListModel();
      model.receive(snapshot(1, ['a', 'b', 'c']));
      model.add({ mutationID: 'x', kind: 'delete', ids: new AllExcept(() => model.order, model.version, ['b']) });
      const deleted = model.order.slice(0, 9);
      // Of these four one has arrived; until the server answers the mutation, the list is shown as the server has it.
      model.receive(snapshot(5, ['a', 'n', 'b', 'c']));
      return [deleted, model.order.slice(0, 9), model.pending[0].mutationID];
    }""")
    assert (deleted, again, mutation_id) == (["b"], ["a", "n", "b", "c"], "x")


def test_a_change_is_our_own_only_where_all_of_its_mutations_are(modules):
    own = modules.evaluate("""async () => {
      const { ListModel } = await import('/live-list/model/model.js');
      return [['x'], ['x', 'theirs'], ['theirs'], []].map((mutationIDs) => {
        const model = new ListModel();
        model.receive({ format: 1, kind: 'snapshot', epoch: 'e', seq: 1, content: {}, sections: [{ id: '', items: ['a', 'b', 'c'] }] });
        model.add({ mutationID: 'x', kind: 'move', ids: ['c'], after: null, before: 'a' });
        const moved = [['c', 0, 2, 0, 0]];
        return model.receive({ format: 1, kind: 'change', epoch: 'e', from: 1, seq: 2, acts: mutationIDs, items: { moved } }).change.own;
      });
    }""")
    assert own == [True, False, False, False]


def test_what_was_hidden_by_a_mutation_and_comes_back_is_new_to_the_screen(modules):
    new = modules.evaluate("""async () => {
      const { ListModel } = await import('/live-list/model/model.js');
      const model = new ListModel();
      model.receive({ format: 1, kind: 'snapshot', epoch: 'e', seq: 1, content: {}, sections: [{ id: '', items: ['a', 'b', 'c'] }] });
      model.add({ mutationID: 'x', kind: 'delete', ids: ['c'] });
      // The mutation is answered by a frame that does not delete it.
      const { change } = model.receive({
        format: 1, kind: 'change', epoch: 'e', from: 1, seq: 2, acts: ['x'], items: { moved: [['b', 0, 1, 0, 0]] } });
      return [model.order.slice(0, 9).join(), ...['a', 'b', 'c'].map((id) => change.isNew(id))];
    }""")
    assert new == ["b,a,c", False, False, True]


def test_what_may_pass_is_no_refusal(blank):
    refused = blank.evaluate("""async () => {
      const { post } = await import('/live-list/network/outbox.js');
      const refused = [];
      for (const status of [400, 403, 404, 408, 409, 422, 429, 500, 503]) {
        window.fetch = async () => new Response('{}', { status });
        await post('/moves', {}).catch((error) => error.name === 'Refusal' && refused.push(status));
      }
      return refused;
    }""")
    assert refused == [400, 403, 404, 409, 422]


def test_mutations_that_fail_are_tried_again_after_ever_longer_waits(blank):
    freeze(blank)
    tries = blank.evaluate("""async () => {
      const { Outbox } = await import('/live-list/network/outbox.js');
      window.tries = 0;
      window.outbox = new Outbox({ onAccepted() {}, onRefused() {}, onWaiting() {} });
      outbox.add('x', undefined, () => Promise.reject(new Error(`${++tries}`)));
      return tries;
    }""")
    for wait in (500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000):
        blank.clock.run_for(wait - 1)
        assert blank.evaluate("tries") == tries
        blank.clock.run_for(1)
        tries += 1
        assert blank.evaluate("tries") == tries
