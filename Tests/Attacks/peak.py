"""Runs a program to its end and tells the most memory that it had.

The system counts for a new program what the process that started it had at most, until then: a test run that was large once would
be taken for each program that it starts. So a small process starts it and is asked.
"""

import json
import subprocess
import sys

_STARTER = """
import json, os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, 2, 1)])
_, status, usage = os.wait4(pid, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), usage.ru_maxrss // 1024]))
"""


def run(*arguments):
    """`(status, megabytes, what it said)`; the status is negative where a signal ended it."""
    starter = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _STARTER, *map(str, arguments)], capture_output=True, stdin=subprocess.DEVNULL)
    status, megabytes = json.loads(starter.stdout)
    return status, megabytes, starter.stderr
