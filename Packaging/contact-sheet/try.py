"""Tries an archive that `scripts/dist` made, as somebody would who has no Swift: unpacks it into a folder of its own, hides Swift's
libraries and the checkout where the system permits that, imports a photo, has the server show it, and ends it.

Usage: try.py ARCHIVE
"""

import json
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser/app"))

from photographs import jpeg  # noqa: E402


def hidden(folders):
    """The beginning of a command that runs the rest where folders look empty; nothing where that is not permitted."""
    mounts = " && ".join(f"mount -t tmpfs none '{folder}'" for folder in folders)
    command = ["unshare", "--mount", "--map-root-user", "sh", "-c", f'{mounts} && exec "$@"', "sh"]
    tried = subprocess.run([*command, "true"], capture_output=True)
    return command if tried.returncode == 0 else []


def swift_libraries():
    """The folder of the toolchain's libraries."""
    told = json.loads(subprocess.run(["swift", "-print-target-info"], capture_output=True, check=True, text=True).stdout)
    return told["paths"]["runtimeResourcePath"]


def check_needs(program, folder):
    """Holds the packages that the instructions name to those of the libraries that the program needs."""
    dynamic = subprocess.run(["readelf", "-d", program], capture_output=True, check=True, text=True).stdout
    needed = re.findall(r"NEEDED.*\[(.*)\]", dynamic)
    assert not [name for name in needed if "swift" in name.lower() or "Foundation" in name], needed
    if not shutil.which("dpkg"):
        return
    paths = dict(re.findall(r"(\S+) => (\S+)", subprocess.run(["ldd", program], capture_output=True, check=True, text=True).stdout))
    needed.append("libvips.so.42")  # which the processes that decode find by themselves
    owners = set()
    for name in needed:
        path = paths.get(name, name)
        found = subprocess.run(["dpkg", "-S", Path(path).resolve(), path], capture_output=True, text=True).stdout
        assert found, f"no package owns {path}"
        owners.update(line.split(":")[0] for line in found.splitlines())
    # They are there on every Debian.
    owners -= {"libc6", "libstdc++6", "libgcc-s1"}
    for name in ("Dockerfile", "INSTALL.md"):
        named = set(re.findall(r"\blib[a-z0-9.+-]+\b|\bzlib1g\b", " ".join(re.findall(r"install .*", (folder / name).read_text()))))
        assert owners <= named, f"{name} names {sorted(named)}, and the program needs {sorted(owners)}"


def check_service(folder, program):
    """Has systemd read the unit, with the program where it is now."""
    if not shutil.which("systemd-analyze"):
        return "systemd is not installed: the unit was not read"
    unit = folder / "try" / "contact-sheet.service"
    unit.parent.mkdir()
    text = (folder / "contact-sheet.service").read_text().replace("/opt/contact-sheet/bin/contact-sheet", str(program))
    unit.write_text(text)
    read = subprocess.run(["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True)
    assert read.returncode == 0 and "contact-sheet.service" not in read.stderr, read.stderr
    return "systemd reads the unit without a complaint"


def main():
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        with tarfile.open(sys.argv[1]) as archive:
            archive.extractall(place, filter="data")
        [folder] = place.iterdir()
        program = folder / "bin/contact-sheet"
        check_needs(program, folder)
        print(check_service(folder, program))
        hiding = hidden([swift_libraries(), ROOT])
        print("Swift's libraries and the checkout are out of reach" if hiding else "Nothing could be hidden from the program: mounting is not permitted")
        command = [*hiding, program]
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(place)}
        picture = jpeg(place / "kite.jpg", 1)
        data = place / "data"

        def run(*arguments):
            return subprocess.run([*command, *arguments], env=environment, cwd=place, capture_output=True, check=True, text=True).stdout

        assert run("--version").strip() in folder.name
        run("import", picture, "--data", data)
        with subprocess.Popen(
                [*command, "serve", "--port", "0", "--data", data], env=environment, cwd=place, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True) as server:
            try:
                url = next(match[0] for line in server.stdout if (match := re.search(r"http://127\.0\.0\.1:\d+", line)))
                with urllib.request.urlopen(url) as page:
                    text = page.read().decode()
                # The files of the page and of the element are resources beside the program.
                files = re.findall(r'(?:src|href)="(/[^"]+\.(?:js|css))"', text)
                assert files, text[:2000]
                for path in files:
                    with urllib.request.urlopen(url + path) as file:
                        assert len(file.read()) > 0
                upload = urllib.request.Request(
                    f"{page.url.replace('/albums/', '/api/albums/')}/photos?name=two.jpg", jpeg(place / "two.jpg", 2).read_bytes(), method="POST")
                with urllib.request.urlopen(upload) as answer:
                    assert answer.status == 201
            finally:
                server.send_signal(signal.SIGTERM)
            assert server.wait(timeout=60) == 0
        assert run("photos", "--data", data).count("\n") == 2
        print("The archive was unpacked and tried: an import, a page, an upload.")


if __name__ == "__main__":
    main()
