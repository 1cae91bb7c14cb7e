"""Random requests by schemathesis, from the description of the API: none may be a failure of the server or its end.

Usage: described.py [--seed N] [--examples N], with the packages of requirements.txt beside this file, in an environment of its own.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Browser/app")]

from ground import ROOT, Ground  # noqa: E402


def description(album):
    """The description, whose requests mostly name an album that is there."""
    described = yaml.safe_load((ROOT / "Documentation/ContactSheet.openapi.yaml").read_text())
    described["components"]["parameters"]["album"]["schema"] = {"enum": [album, album, str(uuid.uuid4())]}
    # What deletes the album is left to the other requests; nobody logs in, and streams have no end.
    for path, method in (("/api/albums/{album}", "delete"), ("/login", None), ("/logout", None)):
        described["paths"][path].pop(method) if method else described["paths"].pop(path)
    for path in [path for path in described["paths"] if "stream" in path]:
        described["paths"].pop(path)
    return described


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    parser.add_argument("--examples", type=int, default=100)
    options = parser.parse_args()
    print(f"SEED={options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        ground = Ground(Path(folder) / "ground")
        try:
            ground.request("GET", "/")
            api = Path(folder) / "api.yaml"
            api.write_text(yaml.safe_dump(described := description(ground.album)))
            status = subprocess.run(
                [Path(sys.executable).with_name("schemathesis"), "run", api, "--url", ground.server.url, "--seed", str(options.seed),
                 "--checks", "not_a_server_error", "--phases", "fuzzing", "--max-examples", str(options.examples),
                 "--header", "Sec-Fetch-Site: same-origin"], cwd=folder).returncode
            print(f"described: {len(described['paths'])} addresses, status {status}, the server {'lives' if ground.lives else 'has ended'}")
            sys.exit(0 if status == 0 and ground.lives else 1)
        finally:
            ground.close()


if __name__ == "__main__":
    main()
