"""All attacks in turn on one gateway, while honest clients send 2,000 pushes a second: soak.py [--minutes N] [ROW…]

At the end no honest push may be lost, 99 % must have been answered within 20 ms, and the resident memory must be
within 50 MiB of what it was at the start. A turn of the loop may take longer than 10 ms only if other programs had the
processor for the rest of the time.
"""
from __future__ import annotations

import argparse
import resource
import sys
import time

from control import call
from gateway import Gateway
from honest import Honest, Result
from measure import LONGEST_TURN, RATE, REPORTS, SLOWEST, WARM, Attack, long_turns, longest_turn, metric, settle, stop, waited
from receiving import end_receivers
from row import Row, Target, Verdict
from table import ROWS, named

GROWTH = 50 << 20
# Seconds that the gateway has to give back memory after the last attack.
PATIENCE = 60
# Seconds of an attack, and of the rest after the last one.
SHORTEST = 0.5
# Milliseconds without the processor in a row that can't explain a long turn.
SHORT_DELAY = 2
END = 3


class Soak:
    def __init__(self, gateway: Gateway, rows: list[Row], minutes: float) -> None:
        self.gateway, self.rows = gateway, rows
        # Each row ends at its time, however long those before took. The last one ends before the honest sender does.
        self.seconds = (minutes * 60 - END) / len(rows)
        self.wrong: list[str] = []
        Honest(gateway, WARM).result(60)
        self.accepted = metric(gateway, "pushpit_pushes_accepted_total")
        self.start = self.peak = gateway.resident_bytes
        self.honest = Honest(gateway, int(RATE * minutes * 60), RATE)
        self.began = time.monotonic()

    def run(self) -> Result:
        for number, row in enumerate(self.rows, 1):
            begun, turn_before, waited_before = time.time(), longest_turn(self.gateway), waited(self.gateway)
            long_before = long_turns(self.gateway)
            problem = self.attack(row, self.began + number * self.seconds)
            self.forget()
            result, turn, delay = self.honest.since(begun), longest_turn(self.gateway), waited(self.gateway) - waited_before
            if turn > max(turn_before, LONGEST_TURN + delay):
                problem += f", a turn of {turn:.1f} ms"
            # A long turn may be shorter than the longest so far. Other programs may have caused it if they had the
            # processor for a while.
            if (long := long_turns(self.gateway) - long_before) and delay < SHORT_DELAY:
                problem += f", {long} turns of over {LONGEST_TURN} ms"
            print(f"{number}/{len(self.rows)} {row.name}: {result}, longest turn so far {turn:.1f} ms, waited {delay:.0f} ms, "
                  f"{self.gateway.resident_bytes >> 20} MiB{problem}", flush=True)
            if problem:
                self.wrong.append(f"{row.name}{problem}")
            if not self.honest.is_running and number < len(self.rows):
                self.wrong.append("the honest sender ended too early")
                break
        return self.honest.result(120)

    def attack(self, row: Row, end: float) -> str:
        """Attacks until that time, and at least for a moment. Returns what went wrong in the test itself."""
        target = Target(self.gateway)
        try:
            if row.prepare:
                row.prepare(target)
            end = max(end, time.monotonic() + SHORTEST)
            with Attack(row, target) as attack:
                while not (failed := attack.fails_within(0.2)) and time.monotonic() < end:
                    self.peak = max(self.peak, self.gateway.resident_bytes)
                return ", the attack ended by itself" if failed else ""
        except (OSError, EOFError, AssertionError) as error:
            return f", the attack was not possible: {error}"

    def forget(self) -> None:
        """Deletes what the attack has left behind, so that the next row begins as the first one."""
        for method, path in (("POST", "/reset"), ("DELETE", "/faults"), ("DELETE", "/media")):
            call(self.gateway, method, path)
        end_receivers(Target(self.gateway))

    def judge(self, result: Result) -> list[str]:
        end = settle(self.gateway, self.start + GROWTH, PATIENCE)
        recorded = metric(self.gateway, "pushpit_pushes_accepted_total") - self.accepted
        turn = longest_turn(self.gateway)
        print(f"{len(result.times)} honest pushes answered, {result.lost} lost; {result}; longest turn {turn:.1f} ms; "
              f"memory {self.start >> 20} MiB at the start, {self.peak >> 20} at most, {end >> 20} at the end")
        found = list(self.wrong)
        if result.lost or recorded < len(result.times):
            found.append(f"{result.lost} honest pushes got no 200; {recorded} pushes were recorded")
        if result.at(0.99) > SLOWEST:
            found.append(f"p99 of honest pushes is {result.at(0.99):.1f} ms, not under {SLOWEST}")
        if end > self.start + GROWTH:
            found.append(f"{(end - self.start) >> 20} MiB of memory remain, not {GROWTH >> 20}")
        if report := REPORTS.search(self.gateway.log):
            found.append(f"a sanitizer reports: {report[0]}")
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="ROW", help="the names of rows, or beginnings of names; all if none is given")
    parser.add_argument("--minutes", type=float, default=20, help="how long it runs in all (20)")
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with Gateway("--log-level", "warning", "--fetch-media", "loopback") as gateway:
        soak = Soak(gateway, named(options.rows) or ROWS, options.minutes)
        found = soak.judge(soak.run()) if gateway.is_running else ["it did not start"]
        verdict = Verdict(ROWS[0])
        print(stop(gateway, verdict))
        found += verdict.wrong + verdict.late
        if code := gateway.process.returncode:
            found.append(f"it ended with {code}")
    for text in found:
        print(f"FAIL {text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
