"""What h2spec does not try: floods, bombs and stalls. `python3 abuse.py --host H --port P`, loopback only.

Each row is bounded in count and time, names the reactions that are acceptable, and is followed by a plain GET on a
new connection, once while the abusive connection is still open and once after it. With `--pid` the server's
resident memory is read at the same time; a row may raise it by at most `--growth` MiB.
"""
from __future__ import annotations

import ipaddress
import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from abuse_reactions import Abuse
from abuse_rows import ROWS
from connection import Connection, HandshakeFailed, Target
from run import arguments, plain_get, selected


@dataclass(frozen=True)
class Verdict:
    id: str
    passed: bool
    outcome: str
    seconds: float
    slowest_get: float
    growth: float  # MiB of resident memory, 0 without --pid
    text: str


def timed_get(target: Target) -> tuple[str, float]:
    begun = time.monotonic()
    status = plain_get(target)
    return status, time.monotonic() - begun


def resident(pid: int | None) -> float:
    """MiB of a process's resident memory (Linux), 0 without a process."""
    if pid is None:
        return 0
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def run_row(row: Abuse, target: Target, pid: int | None, growth_allowed: float) -> Verdict:
    before, begun = resident(pid), time.monotonic()
    connection = None
    try:
        connection = Connection(target)
        outcome, detail = row.run(connection)
        accepted, said = outcome in row.accepts, f"{outcome.value}: {detail}"
    except (HandshakeFailed, OSError) as error:
        accepted, said = False, f"no connection: {error}"
    seconds = time.monotonic() - begun
    during = timed_get(target)
    growth = resident(pid) - before
    if connection:
        connection.close()
    after = timed_get(target)
    healthy = all(status.isdigit() for status, _ in (during, after))
    if not healthy:
        said += f"; plain GET meanwhile: {during[0]}, afterwards: {after[0]}"
    slowest = max(during[1], after[1])
    passed = accepted and healthy and seconds < row.seconds and growth <= growth_allowed
    return Verdict(row.id, passed, said, round(seconds, 2), round(slowest, 3), round(growth, 1), row.text)


def show(verdict: Verdict, row: Abuse) -> None:
    mark = "passed" if verdict.passed else "failed"
    print(f"{mark} {verdict.id}: {verdict.outcome} ({verdict.seconds} s, GET {verdict.slowest_get} s, "
          f"{verdict.growth:+} MiB)", flush=True)
    if not verdict.passed:
        allowed = ", ".join(sorted(outcome.value for outcome in row.accepts))
        print(f"    {row.text}\n    expected: one of {allowed}, within {row.seconds} s, and answers to both GETs")


def main() -> int:
    parser = arguments(__doc__ or "")
    parser.add_argument("--pid", type=int, help="the server's process, to watch its memory")
    parser.add_argument("--growth", type=float, default=64, metavar="MIB", help="allowed for each row (default: 64)")
    options = parser.parse_args()
    if options.host != "localhost" and not ipaddress.ip_address(options.host).is_loopback:
        parser.error(f"{options.host} is not a loopback address: these tests are not for other people's servers")
    target = Target(options.host, options.port, options.tls, options.path, options.timeout)
    verdicts = []
    for row in ROWS:
        if selected(row.id, options.only):
            verdicts.append(run_row(row, target, options.pid, options.growth))
            if not options.json:
                show(verdicts[-1], row)
    if options.json:
        print(json.dumps([asdict(verdict) for verdict in verdicts], indent=1))
    failed = sum(not verdict.passed for verdict in verdicts)
    print(f"{len(verdicts) - failed} passed, {failed} failed", file=sys.stderr if options.json else sys.stdout)
    return 1 if failed or not verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
