"""How things move: what, how far, how long, and what does not."""

import pytest

from gridpage import freeze, open_grid, until


def animations(page, work):
    """The animations that a piece of work starts: `{text: {property: [first, last], …, duration, easing}}`."""
    return page.evaluate("""(work) => {
      const started = {};
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (keyframes, timing) {
        const text = this.innerText.trim();
        started[text] = { ...started[text], ...keyframes, ...timing, onScreen: this.getBoundingClientRect().y };
        return animate.call(this, keyframes, timing);
      };
      steps[work]();
      Element.prototype.animate = animate;
      return started;
    }""", work)


def define(page, **steps):
    for name, work in steps.items():
        page.evaluate(f"() => {{ (window.steps ??= {{}}).{name} = () => {{ {work} }}; }}")


def moved(one, source, to, seq=2):
    return f"list.receive(change({seq}, {{ items: {{ moved: [['{one}', 0, {source}, 0, {to}]] }} }}))"


def test_what_stays_travels_in_200_ms_what_comes_grows_what_leaves_fades_in_150(page, server):
    open_grid(page, server, 12)
    define(page, work="""list.receive(change(2, { content: { fresh: { title: 'Fresh' } }, items: {
      deleted: [['id-3', 0, 3]], inserted: [['fresh', 0, 6]], moved: [['id-0', 0, 0, 0, 4]] } }))""")
    seen = animations(page, "work")
    travel = seen["Item 0"]
    assert set(travel) == {"translate", "duration", "easing", "onScreen"}
    assert (travel["duration"], travel["easing"].replace(" ", "")) == (200, "cubic-bezier(.2,0,0,1)")
    assert travel["translate"][1] == "0px 0px"
    assert (seen["Fresh"]["opacity"], seen["Fresh"]["scale"], seen["Fresh"]["duration"]) == ([0, 1], [0.96, 1], 200)
    assert (seen["Item 3"]["opacity"], seen["Item 3"]["duration"]) == ([1, 0], 150)
    assert page.locator(".ll-leaving").get_by_text("Item 3").count() <= 1
    assert "Item 11" not in seen, "what did not change position stands still"


def test_what_comes_and_what_leaves_stays_where_it_is_also_far_down_a_list(page, server):
    open_grid(page, server, 400)
    page.evaluate("() => { list.scrollTop = 3000; }")
    until(page, "list.scrollTop > 2000 && document.querySelector('.ll-canvas [aria-rowindex]:last-child').getAttribute('aria-rowindex') > 40")
    before, left, came = page.evaluate("""() => {
      const centre = (cell) => {
        const { x, y, width, height } = cell.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
      };
      const { top } = list.getBoundingClientRect();
      const cell = [...document.querySelectorAll('.ll-canvas [data-ll-cell]')].find((one) => one.getBoundingClientRect().y > top + 50);
      const before = centre(cell);
      const index = cell.closest('[data-ll-row]').getAttribute('aria-rowindex') - 1;
      const [id] = list.ids(index, index + 1);
      list.receive(change(2, { content: { fresh: { title: 'Fresh' } }, items: { deleted: [[id, 0, index]], inserted: [['fresh', 0, index]] } }));
      for (const one of document.getAnimations()) { one.pause(); one.currentTime = 100; }
      const fresh = [...document.querySelectorAll('.ll-canvas [data-ll-cell]')].find((one) => one.innerText.trim() === 'Fresh');
      return [before, centre(document.querySelector('.ll-leaving [data-ll-cell]')), centre(fresh)];
    }""")
    assert left == pytest.approx(before, abs=1)
    assert came == pytest.approx(before, abs=1)


def test_only_what_is_seen_moves(page, server):
    open_grid(page, server, 400)
    mounted = page.evaluate("list.statistics.mounted")
    define(page, work=moved("id-399", 399, 0))
    seen = animations(page, "work")
    visible = page.evaluate("""() => {
      const { bottom } = list.getBoundingClientRect();
      return [...document.querySelectorAll('.ll-canvas [data-ll-row]')].filter((r) => r.getBoundingClientRect().y < bottom).length;
    }""")
    assert visible < mounted
    # One may have left what is seen; it travels on to where it is not.
    assert visible <= len(seen) <= visible + 1


@pytest.mark.parametrize("count, travels", [(60, True), (61, False)])
def test_more_than_sixty_changes_are_a_cross_fade_of_120_ms(new_page, server, count, travels):
    page = new_page(viewport={"width": 1200, "height": 700})
    open_grid(page, server, count)
    page.evaluate("() => { list.style.setProperty('--ll-columns', 20); list.redraw(); }")
    define(page, work=moved("id-0", 0, count - 1))
    seen = animations(page, "work")
    assert len(seen) == count
    kinds = {(tuple(set(one) - {"onScreen", "duration", "easing"}), one["duration"]) for one in seen.values()}
    assert kinds == ({(("translate",), 200)} if travels else {(("opacity",), 120)})


def test_more_than_sixty_that_leave_are_just_gone(new_page, server):
    page = new_page(viewport={"width": 1200, "height": 700})
    open_grid(page, server, 100)
    page.evaluate("() => { list.style.setProperty('--ll-columns', 20); list.redraw(); }")
    define(page, work="list.receive(change(2, { items: { deleted: list.ids(0, 61).map((id, n) => [id, 0, n]) } }))")
    animations(page, "work")
    assert page.locator(".ll-leaving > *").count() == 0


def test_a_mark_is_seen_for_700_ms(page, server):
    open_grid(page, server, 12)
    freeze(page)
    page.evaluate(moved("id-0", 0, 4))
    assert page.locator(".ll-flash").all_inner_texts() == ["Item 0"]
    assert page.evaluate("getComputedStyle(document.querySelector('.ll-flash'), '::after').animationDuration") == "0.7s"
    page.clock.run_for(699)
    assert page.locator(".ll-flash").count() == 1
    page.clock.run_for(1)
    assert page.locator(".ll-flash").count() == 0


def test_ones_own_drag_is_not_marked(page, server):
    server.answer("/moves", lambda body, query: (204, None))
    open_grid(page, server, 12, "moves=/moves")
    page.evaluate("""() => {
      const mutationID = list.move(['id-0'], { after: 'id-4' });
      list.receive(change(2, { acts: [mutationID], items: { moved: [['id-0', 0, 0, 0, 4]] } }));
    }""")
    assert page.locator(".ll-flash").count() == 0
