"""Helpers of the tests of speed.

The times are those of a quiet machine, and `make bench SUITE=browser` holds them, by GATES=strict. Tests hold the counts alone: one
that builds or is shared may take any time for the same script.
"""

import os

TOLERANCE = 1 if os.environ.get("GATES") == "strict" else float("inf")

# The steps and the number of sweeps; each step's least time counts. Fewer are enough where times are not held.
STEPS, SWEEPS = (150, 3) if TOLERANCE == 1 else (50, 1)

# The longest task, in milliseconds: browsers tell of those from 50 on, and a quiet machine has none.
LONG_TASK = 0 if TOLERANCE == 1 else TOLERANCE


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def sweep(page, steps=STEPS, times=SWEEPS):
    """Scrolls through the whole list once or several times. Gives the script time of each step, and the longest of its
    long tasks, each as the least of its turns: what other processes take from a busy machine is not the list's."""
    return page.evaluate("""async ([steps, times]) => {
      const furthest = list.scrollHeight - list.clientHeight;
      const least = new Array(steps).fill(Infinity), long = new Array(steps).fill(Infinity);
      let longest = 0;
      const observer = new PerformanceObserver((tasks) => {
        for (const { duration } of tasks.getEntries()) longest = Math.max(longest, duration);
      });
      observer.observe({ type: 'longtask' });
      for (let turn = 0; turn < times; turn++) {
        for (let n = 0; n < steps; n++) {
          measures.scroll = [];
          longest = 0;
          list.scrollTop = furthest * (n + 1) / steps;
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          least[n] = Math.min(least[n], measures.scroll.reduce((sum, time) => sum + time, 0));
          long[n] = Math.min(long[n], longest);
        }
        list.scrollTop = 0;
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      }
      list.scrollTop = furthest;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      observer.disconnect();
      return [least, long];
    }""", [steps, times])
