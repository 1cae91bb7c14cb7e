"""Draws Documentation/Figures.md and its plots from bench-results/figures.json and browser.json: a part of `make figures`."""

import datetime
import json
import re
from pathlib import Path

import matplotlib
from matplotlib import pyplot
from matplotlib.ticker import FuncFormatter, NullFormatter

ROOT = Path(__file__).resolve().parents[2]
RESULTS, DOCUMENTATION = ROOT / "bench-results", ROOT / "Documentation"

# Colours that stand for those of the reader's scheme, light or dark: the finished picture has variables in their place.
COLORS = {
    "ink": ("#010203", "#1f2328", "#e6edf3"), "quiet": ("#040506", "#59636e", "#9198a1"), "grid": ("#070809", "#d1d9e0", "#30363d"),
    "paper": ("#0a0b0c", "#ffffff", "#0d1117"), "ours": ("#0d0e0f", "#0b5fd8", "#58a6ff"), "peer": ("#101112", "#b04a00", "#f0883e"),
}
INK, QUIET, GRID, PAPER, OURS, PEER = (marker for marker, _, _ in COLORS.values())
SCHEMES = "".join(
    f"{before}:root{{{''.join(f'--{name}:{color[place]};' for name, color in COLORS.items())}}}{after}"
    for place, before, after in ((1, "", ""), (2, "@media (prefers-color-scheme: dark){", "}")))

matplotlib.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "figures", "font.family": "sans-serif", "font.size": 11,
    "text.color": INK, "axes.labelcolor": QUIET, "axes.edgecolor": GRID, "xtick.color": QUIET, "ytick.color": QUIET,
    "grid.color": GRID, "axes.facecolor": PAPER, "figure.facecolor": PAPER, "savefig.facecolor": PAPER,
})


def time(microseconds):
    """A time as one says it: 57 µs, 1.2 ms, 3 s."""
    for most, size, unit in ((1e3, 1, "µs"), (1e6, 1e3, "ms"), (float("inf"), 1e6, "s")):
        if microseconds < most * 0.9995:
            return f"{microseconds / size:.2g} {unit}" if microseconds / size < 10 else f"{microseconds / size:.0f} {unit}"


def size(bytes):
    for most, unit_size, unit in ((1e3, 1, "B"), (1e6, 1e3, "kB"), (1e9, 1e6, "MB"), (float("inf"), 1e9, "GB")):
        if bytes < most * 0.9995:
            return f"{bytes / unit_size:.2g} {unit}" if bytes / unit_size < 10 else f"{bytes / unit_size:.0f} {unit}"


def rows(suite, kind):
    """The measured row of each length: {length: row}."""
    path = RESULTS / f"{suite}.json"
    found = json.loads(path.read_text())["rows"] if path.exists() else []
    return {int(row["name"].split(", ")[1]): row for row in found if row["name"].startswith(f"{kind}, ")}


def plot(name, title, axis, curves, written):
    """Writes one picture with both axes logarithmic. `curves` are (name, colour, {length: value})."""
    figure, axes = pyplot.subplots(figsize=(7.6, 3.9))
    # Curves that end close to each other have their names above and below, not over one another.
    ends = [values[max(values)] for _, _, values in curves]
    are_close = len(ends) == 2 and max(ends) / min(ends) < 6
    for label, color, values in curves:
        lengths = sorted(values)
        axes.plot(lengths, [values[one] for one in lengths], color=color, linewidth=2.2, marker="o", markersize=5)
        end = lengths[-1]
        axes.annotate(
            f"{label}\n{written(values[end])}", (end, values[end]), xytext=(9, 0), textcoords="offset points", color=color,
            va="center" if not are_close else "bottom" if values[end] == max(ends) else "top", fontweight="bold", annotation_clip=False)
        begin = lengths[0]
        is_above = are_close and values[end] == max(ends)
        axes.annotate(
            written(values[begin]), (begin, values[begin]), xytext=(6, 8 if is_above else -15), textcoords="offset points", color=color)
    axes.set(xscale="log", yscale="log", xlabel="rows in the list")
    low, high = axes.get_ylim()
    axes.set_ylim(low / 2.5, high * 4)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: written(value)))
    for one in (axes.xaxis, axes.yaxis):
        one.set_minor_formatter(NullFormatter())
        one.set_tick_params(which="both", length=0)
    axes.grid(True, which="major", linewidth=0.8)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_title(f"{title}\n", loc="left", fontweight="bold", fontsize=13)
    axes.text(0, 1.03, axis, transform=axes.transAxes, color=QUIET)
    figure.subplots_adjust(left=0.1, right=0.75, top=0.83, bottom=0.14)
    save(figure, name)


def bars(name, title, axis, lengths, written):
    """Writes one picture of a bar for each of `lengths`, which are (name, value)."""
    figure, axes = pyplot.subplots(figsize=(7.6, 0.9 + 0.6 * len(lengths)))
    names, values = zip(*lengths, strict=True)
    axes.barh(names, values, color=OURS, height=0.5)
    for position, value in enumerate(values):
        axes.annotate(written(value), (value, position), xytext=(6, 0), textcoords="offset points", color=OURS, va="center", fontweight="bold")
    axes.invert_yaxis()
    axes.set_xlim(0, max(values) * 1.2)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: written(value) if value else "0"))
    axes.tick_params(length=0)
    axes.grid(True, axis="x", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    axes.set_title(f"{title}\n", loc="left", fontweight="bold", fontsize=13)
    axes.text(0, 1.06, axis, transform=axes.transAxes, color=QUIET)
    figure.subplots_adjust(left=0.22, right=0.94, top=0.7, bottom=0.14)
    save(figure, name)


def save(figure, name):
    """Writes a picture whose colours are those of the reader's scheme."""
    path = DOCUMENTATION / f"Images/figure-{name}.svg"
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    text = path.read_text()
    for color, (marker, _, _) in COLORS.items():
        text = text.replace(marker, f"var(--{color})")
    text = re.sub(r"(<svg[^>]*>)", rf"\1\n <style>{SCHEMES}</style>", text, count=1)
    path.write_text(re.sub(r"[ \t]+$", "", text, flags=re.M))


def table(heads, lines):
    return "\n".join(["| " + " | ".join(heads) + " |", "|" + "---:|" * len(heads), *("| " + " | ".join(line) + " |" for line in lines)])


def machine():
    """The machine of the measurement, as machine.py noted it then."""
    path = RESULTS / "machine.json"
    if not path.exists():
        return "on a machine that was not noted (`Benchmarks/Programs/machine.py` does)"
    noted = json.loads(path.read_text())
    memory = f", {noted['gigabytes']} GB of memory" if noted["gigabytes"] else ""
    versions = [f"{name} {noted[key] or 'of an unknown version'}" for name, key in (("Swift", "swift"), ("GRDB", "grdb"), ("SQLite", "sqlite"))]
    return (f"on {noted['processor']}, {noted['cores']} cores{memory}, {noted['system']}, in release,\nwith {', '.join(versions)}, "
            f"at commit {noted['commit'] or 'unknown'}")


def drawn():
    """Draws what was measured, and says the parts of the page."""
    commits, fetches, memory = (rows("figures", kind) for kind in ("commit", "first fetch", "memory"))
    differences = rows("figures", "difference")
    parts = []

    ours = {length: row["figure"] for length, row in commits.items()}
    peers = {length: row["peer"] for length, row in commits.items() if row.get("peer")}
    plot("commit", "One row moves: what a commit costs", "time from the commit to the change in hand, beyond the bare commit",
         [("ValueObservation\nand a difference", PEER, peers), ("LiveLists", OURS, ours)], time)
    parts.append(("A commit", "commit", "the cost of a commit by the length of the list, for LiveLists and ValueObservation", """\
One row takes another place. Measured is the time from before the write until the listener holds the change, less that of the same write without
a list. GRDB's `ValueObservation` runs the query again and delivers the identifiers; `OrderedSet.difference` then finds what changed. It is a
general tool: it follows any query, and at a thousand rows nobody notices the difference.""", table(
        ["rows", "LiveLists", "ValueObservation and a difference", "the bare commit"],
        [[f"{length:,}", time(row["figure"]), time(row["peer"]) if row.get("peer") else "–", time(row["others"]["bare commit"])]
         for length, row in sorted(commits.items())])))

    plot("fetch", "The first fetch", "time until snapshot and index are there",
         [("LiveLists", OURS, {length: row["figure"] * 1e3 for length, row in fetches.items()}),
          ("a bare cursor", PEER, {length: row["peer"] * 1e3 for length, row in fetches.items()})], time)
    parts.append(("The first fetch", "fetch", "the time of the first fetch by the length of the list, beside a bare cursor", """\
The first fetch reads the list once; after it, commits cost what the plot above says. The bare cursor reads the same columns of the same rows and
keeps nothing: no fetch can take less.""", table(
        ["rows", "LiveLists", "a bare cursor"],
        [[f"{length:,}", time(row["figure"] * 1e3), time(row["peer"] * 1e3)] for length, row in sorted(fetches.items())])))

    if memory:
        plot("memory", "Memory of a list", "bytes that snapshot and index hold",
             [("LiveLists", OURS, {length: row["figure"] * 1e6 for length, row in memory.items()})], size)
        parts.append(("Memory", "memory", "the memory of a list by its length", """\
A list holds identifiers, sections and what it is ordered by, and no objects: those are read as they are shown. Short lists are
mostly the cache of their database connection.""", table(
            ["rows", "memory", "a row"],
            [[f"{length:,}", size(row["figure"] * 1e6), size(row["figure"] * 1e6 / length)] for length, row in sorted(memory.items())])))

    plot("difference", "The difference of two lists", "a tenth is gone, a tenth new, a tenth elsewhere",
         [("CollectionDifference", PEER, {length: row["peer"] * 1e3 for length, row in differences.items() if row.get("peer")}),
          ("LiveLists", OURS, {length: row["figure"] * 1e3 for length, row in differences.items()})], time)
    parts.append(("A difference", "difference", "the time of a difference by the length of the lists, beside the standard library", """\
Two lists that share no history; of one that does, as after an edit, the difference costs microseconds at any length. The standard library's
`CollectionDifference` finds the fewest changes, in time and memory that grow with their square: from a hundred thousand rows on it was not measured.""",
                  table(["rows", "LiveLists", "CollectionDifference, with its moves"],
                        [[f"{length:,}", time(row["figure"] * 1e3), time(row["peer"] * 1e3) if row.get("peer") else "–"]
                         for length, row in sorted(differences.items())])))
    return parts


def drops():
    """The section about the time from a drop in one browser to the other."""
    path = RESULTS / "browser.json"
    found = [row for row in json.loads(path.read_text())["rows"] if "drop" in row["name"] or "p95" in row["name"]] if path.exists() else []
    if not found:
        return """
## A drop, in the other browser

It was not measured in this run: [Browsers.md](Browsers.md) has what it took before.
"""
    lines = [[row["name"], f"{row['figure']:.1f} ms"] for row in found[:2]]
    times = zip(("half of the drops", "19 of 20 drops"), (row["figure"] for row in found), strict=False)
    bars("drop", "A drop, in the other browser", "from letting go to the document of the other browser, 100,000 photos",
         [*times, ("a frame at 60 Hz", 1000 / 60)], lambda value: f"{value:.0f} ms")
    return f"""
## A drop, in the other browser

From letting go of a photo in one browser to the changed document of another, through the database, on one machine.

![A drop, in the other browser: the time of half of the drops, and of 19 of 20](Images/figure-drop.svg)

{table(["", "time"], lines)}
"""


def main():
    day = datetime.date.fromtimestamp((RESULTS / "figures.json").stat().st_mtime)
    sections = "\n".join(
        f"## {title}\n\n{text}\n\n![{title}: {says}](Images/figure-{name}.svg)\n\n{rows_of_it}\n" for title, name, says, text, rows_of_it in drawn())
    (DOCUMENTATION / "Figures.md").write_text(f"""\
# Figures

What a list costs, by its length, beside what one would use without it. `make figures` measures all of it anew and writes this page
(`scripts/figures` says how to leave the longest lists out). Times are medians: of four commits with GRDB, whose runs are long, of three to nine
first fetches by new controllers of an open store, of five differences of the standard library. Both axes of each plot are logarithmic.

Measured on {day:%B} {day.day}, {day.year}, {machine()}.
The lists have twenty sections, UUIDs as identifiers, and an index that fits their order.

{sections}{drops()}""")


main()
