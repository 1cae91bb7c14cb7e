"""Plays every attack against the program and prints how many of each kind were tried and what got through.

Usage: attack.py [--seed N] [--share 0…1] [KIND …]. Ends with a non-zero status if anything got through.
CONTACT_SHEET names the program; a share makes all counts smaller.
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Browser/app")]

import archives  # noqa: E402
import backups  # noqa: E402
import bodies  # noqa: E402
import crowding  # noqa: E402
import crowds  # noqa: E402
import endings  # noqa: E402
import framing  # noqa: E402
import ground as grounds  # noqa: E402
import injection  # noqa: E402
import kills  # noqa: E402
import numbers_at_edges  # noqa: E402
import pictures  # noqa: E402
import random_requests  # noqa: E402
import strangers  # noqa: E402
import unread  # noqa: E402
import uploads  # noqa: E402

#: The seconds after which no further kind is begun: what was not played has not held.
LONGEST = 540

#: Each kind: its attack, how many tries at full length, and what the server is started with.
KINDS = {
    "injection": (injection.attack, 400, {}),
    "numbers": (numbers_at_edges.attack, 6000, {}),
    "strangers": (strangers.attack, 3000, {"password": True}),
    "framing": (framing.attack, 400, {}),
    "requests": (random_requests.attack, 6000, {}),
    "uploads": (uploads.attack, 800, {"arguments": ["--max-megapixels", "60", "--max-seconds", "20"]}),
    "archives": (archives.attack, 120, {}),
    "pictures": (pictures.attack, 16, {}),
    "backups": (backups.attack, 24, {}),
    "crowds": (crowds.attack, 1000, {}),
    "bodies": (bodies.attack_json, 1000, {}),
    "logins": (bodies.attack_login, 1000, {"password": True}),
    "crowding": (crowding.attack, 400, {"password": True, "arguments": crowding.ARGUMENTS}),
    "unread": (unread.attack, 400, {}),
    "endings": (endings.attack, 6, {}),
    "kills": (kills.attack, 12, {}),
}


def play(kind, seed, share, folder):
    """Plays one kind of attack against a server of its own."""
    attack, count, options = KINDS[kind]
    outcome = grounds.Outcome(kind)
    ground = grounds.Ground(folder, *options.get("arguments", []), password=options.get("password", False))
    try:
        attack(ground, random.Random(f"{kind} {seed}"), max(1, round(count * share)), outcome)
        outcome.attempt(ground.lives, lambda: "the server has ended: " + "".join(ground.server.log[-5:]))
        checked = grounds.run("check", "--data", ground.data)
        outcome.attempt(checked.returncode == 0, lambda: "check says: " + checked.stdout + checked.stderr)
    finally:
        ground.close()
    return outcome


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    parser.add_argument("--share", type=float, default=1)
    parser.add_argument("kinds", nargs="*", default=list(KINDS))
    options = parser.parse_args()
    print(f"SEED={options.seed}", flush=True)
    failed, tried, through, start = False, 0, 0, time.monotonic()
    for kind in options.kinds:
        began = time.monotonic()
        if began - start > LONGEST:
            print(f"{kind:12} was not played: the time is over", flush=True)
            failed = True
            continue
        with tempfile.TemporaryDirectory() as folder:
            outcome = play(kind, options.seed, options.share, folder)
        print(f"{kind:12} {outcome.tried:6} tried, {len(outcome.through)} got through ({time.monotonic() - began:.0f} s)", flush=True)
        for said in outcome.through[:10]:
            print(f"    {said}")
        tried, through = tried + outcome.tried, through + len(outcome.through)
        failed = failed or bool(outcome.through) or outcome.tried == 0
    print(f"{'all':12} {tried:6} tried, {through} got through ({time.monotonic() - start:.0f} s)")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
