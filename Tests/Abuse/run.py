"""Attacks on a gateway, each while honest clients push: run.py [--list] [--seconds N] [--slack N] [--survive-only] [ROW…]

Each row has its own gateway, the program PUSHPIT_BINARY. While it is attacked, 2,000 honest pushes a second must all
be answered and recorded, 99.9 % of them within 20 ms; no turn of the loop may take over 10 ms; SIGTERM must act within
100 ms; and memory must be given back. A row that is only too slow is repeated, because other programs may have had the
processor; a row that takes over three times as long as it may is not. With --survive-only, for a build with a sanitizer, time and memory do not count.
"""
from __future__ import annotations

import argparse
import os
import sys
import time

from measure import measure
from row import Row, Verdict
from table import named

TRIES = 3
# How many times too slow a row may be and yet be repeated.
HOPELESS = 3


def attempt(row: Row, seconds: float, survive_only: bool, slack: float) -> Verdict:
    for number in range(TRIES):
        verdict = measure(row, seconds, survive_only, slack)
        show(verdict)
        if verdict.wrong or verdict.worst <= 1 or verdict.worst > HOPELESS:
            break
        if number + 1 < TRIES:
            print(f"     {row.name} was too slow; once more", flush=True)
    return verdict


def show(verdict: Verdict) -> None:
    print(f"{'ok  ' if verdict.passed else 'FAIL'} {verdict.row.name}: {verdict.shown}", flush=True)
    for text in verdict.wrong + verdict.late:
        print(f"     {text}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="ROW", help="the names of rows, or beginnings of names; all if none is given")
    parser.add_argument("--list", action="store_true", help="show the rows")
    parser.add_argument("--seconds", type=float, default=1, help="how long each row attacks (1)")
    parser.add_argument("--slack", type=float, default=1, help="by which factor bounds of time may be missed (1)")
    parser.add_argument("--survive-only", action="store_true", help="the gateway only has to survive without a report")
    options = parser.parse_args()
    chosen = named(options.rows)
    if not chosen:
        parser.error(f"no row is named {' or '.join(options.rows)}; --list shows the names")
    if options.list:
        for row in chosen:
            print(f"{row.name:28} {row.text}")
        return 0
    begun = time.monotonic()
    failed = [row.name for row in chosen if not attempt(row, options.seconds, options.survive_only, options.slack).passed]
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{len(chosen) - len(failed)} rows passed, {len(failed)} failed in {time.monotonic() - begun:.0f} s (load {load})")
    if failed:
        print("failed:", *failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
