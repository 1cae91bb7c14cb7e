"""Notes in bench-results/machine.json what was measured with what: a part of `make figures`, right after the bench."""

import ctypes
import ctypes.util
import json
import os
import platform
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def output(*command):
    """The output of a command, or nothing where it fails or is not there."""
    try:
        return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def processor():
    """The processor, also where its name alone says little, as in a virtual machine."""
    cpus = Path("/proc/cpuinfo")
    if not cpus.exists():
        return platform.processor() or platform.machine()
    facts = dict(re.findall(r"^([\w ]+?)\s*: (.+)$", cpus.read_text().split("\n\n")[0], flags=re.M))
    numbers = ", ".join(f"{name.removeprefix('cpu ')} {facts[name]}" for name in ("cpu family", "model", "stepping") if name in facts)
    return facts.get("model name", platform.machine()) + (f" ({numbers})" if numbers else "")


def memory():
    facts = Path("/proc/meminfo")
    return round(int(re.search(r"MemTotal:\s+(\d+)", facts.read_text()).group(1)) / 1024 ** 2) if facts.exists() else None


def grdb():
    """The version that the bench was built with."""
    path = ROOT / "Benchmarks/Package.resolved"
    pins = json.loads(path.read_text())["pins"] if path.exists() else []
    return next((pin["state"].get("version") for pin in pins if pin["identity"] == "grdb.swift"), None)


def sqlite():
    """The version of the system's library, which GRDB uses on Linux."""
    name = ctypes.util.find_library("sqlite3")
    if not name:
        return None
    version = ctypes.CDLL(name).sqlite3_libversion
    version.restype = ctypes.c_char_p
    return version().decode()


def main():
    swift = re.search(r"Swift version ([\w.]+)", output("swift", "--version"))
    commit = output("git", "rev-parse", "--short=10", "HEAD")
    changed = output("git", "status", "--porcelain", "--untracked-files=no")
    noted = {
        "processor": processor(), "cores": os.cpu_count(), "gigabytes": memory(), "system": f"{platform.system()} {platform.release()}",
        "swift": swift and swift.group(1), "grdb": grdb(), "sqlite": sqlite(),
        "commit": commit + (", with changes" if changed else "") if commit else None,
    }
    results = ROOT / "bench-results"
    results.mkdir(exist_ok=True)
    (results / "machine.json").write_text(json.dumps(noted, indent=2) + "\n")


if __name__ == "__main__":
    main()
