"""The rows of a suite, printed and written as the suites in Swift do it."""

import json
import statistics
from pathlib import Path

RESULTS = Path("bench-results")


def median(values):
    return statistics.median(values)


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def written(value):
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


class Report:
    def __init__(self, suite):
        self.suite, self.rows = suite, []
        print(f"Suite {suite}", flush=True)

    @property
    def is_met(self):
        return all(row["isMet"] for row in self.rows)

    def add(self, name, figure, unit, target=None, bounds=(), peer=None, others=None):
        """Adds a row. `bounds` are (what is bounded, ratio, the most it may be); `peer` is (name, figure)."""
        bounds = [{"name": name, "ratio": ratio, "most": most, "isMet": ratio <= most} for name, ratio, most in bounds]
        is_met = (target is None or figure <= target) and all(bound["isMet"] for bound in bounds)
        row = {"name": name, "figure": figure, "unit": unit, "target": target, "bounds": bounds, "isMet": is_met,
               "peerName": peer and peer[0], "peer": peer and peer[1], "others": others or {}}
        self.rows.append(row)
        parts = ["ok     " if is_met else "MISSED ", name.ljust(58), f"{written(figure)} {unit}".ljust(11)]
        if target is not None:
            parts.append(f"target {written(target)} {unit}")
        parts += [f"{written(b['ratio'])} x {b['name']} (at most {written(b['most'])})" for b in bounds]
        if peer:
            parts.append(f"{peer[0]} {written(peer[1])} {unit}, ratio {written(figure / peer[1])}")
        if others:
            parts.append(", ".join(f"{name}: {value if isinstance(value, str) else written(value) + ' ' + unit}"
                                   for name, value in others.items()))
        print("  ".join(parts), flush=True)

    def write(self):
        RESULTS.mkdir(exist_ok=True)
        text = json.dumps({"suite": self.suite, "isMet": self.is_met, "rows": self.rows}, indent=2, sort_keys=True)
        (RESULTS / f"{self.suite}.json").write_text(text + "\n")
