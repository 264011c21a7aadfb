"""Runs one row against its own gateway, and compares what was measured with the bounds."""
from __future__ import annotations

import multiprocessing
import os
import re
import signal
import socket
import subprocess
import time
from multiprocessing.connection import wait
from pathlib import Path

from control import call
from gateway import Gateway
from honest import APP, Honest, Result
from http1_client import Connection
from row import NICENESS, Row, Target, Verdict, until

RATE = 2000
WARM = 10_000
# Milliseconds.
LONGEST_TURN = 10
SLOWEST = 20
STOPS_WITHIN = 100
DRAIN = 300
# SIGTERM comes when the attack has done as much as in this many seconds while it was measured.
BUILD_UP = 0.3
# Seconds in which a sender or an attack has to begin.
BEGINS_WITHIN = 10
REPORTS = re.compile(r"ERROR: \w+Sanitizer|WARNING: ThreadSanitizer|runtime error:")


def metric(gateway: Gateway, name: str) -> int:
    with Connection(gateway.at().connect()) as asking:
        page = asking.ask("GET /metrics HTTP/1.1\nHost: localhost").body.decode()
    found = re.search(rf"^{name} (\d+)$", page, re.MULTILINE)
    if not found:
        raise AssertionError(f"/metrics has no {name}: {page}")
    return int(found[1])


def longest_turn(gateway: Gateway) -> float:
    return metric(gateway, "pushpit_longest_turn_microseconds") / 1000


def long_turns(gateway: Gateway) -> int:
    return metric(gateway, "pushpit_long_turns_total")


def waited(gateway: Gateway) -> float:
    """Milliseconds that the gateway was ready to run while other programs had the processor."""
    return int(Path(f"/proc/{gateway.process.pid}/schedstat").read_text().split()[1]) / 1e6


class Attack:
    """The processes of the attack, while the `with` block runs."""

    def __init__(self, row: Row, target: Target) -> None:
        self.row, self.target = row, target
        self.processes = [multiprocessing.Process(target=self._run, args=(1 + n,)) for n in range(row.workers)]

    def _run(self, number: int) -> None:
        self.target.worker = number
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.nice(NICENESS)
        try:
            while True:
                try:
                    self.row.attack(self.target)
                except ConnectionRefusedError:
                    # The gateway is going down. This process is ended soon, too.
                    signal.pause()
                except (OSError, EOFError):
                    # The gateway has ended the connection, as it may. The next one follows.
                    continue
        finally:
            os._exit(3)

    def __enter__(self) -> Attack:
        for process in self.processes:
            process.start()
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.join()

    def fails_within(self, seconds: float) -> bool:
        """Waits until one of its processes ends, which only an error in the test does."""
        return bool(wait([process.sentinel for process in self.processes], seconds))


def measure(row: Row, seconds: float, survive_only: bool, slack: float = 1) -> Verdict:
    verdict = Verdict(row, slack=slack)
    runner = ("prlimit", f"--nofile={row.files}") if row.files else ()
    with Gateway("--drain-timeout", f"{DRAIN}ms", *row.arguments, runner=runner) as gateway:
        try:
            _measure(verdict, Target(gateway, 0.02 if survive_only else 1), seconds, survive_only)
        except (OSError, EOFError, AssertionError) as error:
            verdict.wrong.append(f"the row did not end: {type(error).__name__} {error}")
        if not gateway.is_running and gateway.process.returncode:
            verdict.wrong.append(f"it ended with {gateway.process.returncode}: {gateway.log[-2000:]}")
        if report := REPORTS.search(gateway.log):
            verdict.wrong.append(f"a sanitizer reports: {gateway.log[report.start():][:3000]}")
    return verdict


def _measure(verdict: Verdict, target: Target, seconds: float, survive_only: bool) -> None:
    row, gateway = verdict.row, target.gateway
    rate = RATE // 10 if survive_only else RATE
    Honest(gateway, WARM if not survive_only else 400).result(60)
    if row.prepare:
        row.prepare(target)
    before, accepted = gateway.resident_bytes, metric(gateway, "pushpit_pushes_accepted_total")
    rounds = target.rounds
    turn_before, waited_before = longest_turn(gateway), waited(gateway)
    # Its connections come first, because some attacks leave no room for others.
    honest = Honest(gateway, int(rate * seconds), rate)
    if not until(lambda: metric(gateway, "pushpit_pushes_accepted_total") > accepted, BEGINS_WITHIN):
        verdict.wrong.append("the honest sender has not begun")
    begun = time.monotonic()
    with Attack(row, target) as attack:
        result = honest.result(seconds + 30)
        if attack.fails_within(0):
            verdict.wrong.append("the attack ended by itself, see above")
        # One round of some attacks takes longer than the honest sender.
        until(lambda: target.rounds > rounds, BEGINS_WITHIN)
    done = target.rounds - rounds
    if not done:
        verdict.wrong.append("the attack has sent nothing")
    build_up = max(1, int(done * BUILD_UP / (time.monotonic() - begun)))
    turn, delay = longest_turn(gateway), waited(gateway) - waited_before
    peak = gateway.resident_bytes
    judge_answers(verdict, target, result, accepted)
    if row.check:
        row.check(target, verdict)
    if row.resets:
        target.ask("POST", "/reset", {"app": "com.example.attack"})
    after = settle(gateway, before + (row.growth << 20), row.patience)
    before_stop = target.rounds
    with Attack(row, target):
        if not until(lambda: target.rounds >= before_stop + build_up, BEGINS_WITHIN):
            verdict.wrong.append(f"before SIGTERM the attack did {target.rounds - before_stop} rounds, not {build_up}")
        stopping = stop(gateway, verdict)
    verdict.shown = (
        f"{target.rounds - rounds} rounds, {result}, turn {turn:.1f} (before {turn_before:.1f}), "
        f"waited {delay:.0f} ms, memory {before >> 20} > {peak >> 20} > {after >> 20} MiB, {stopping}")
    if survive_only:
        verdict.late, verdict.worst = [], 0
        return
    verdict.bound("p99.9 of honest pushes is", result.at(0.999), SLOWEST)
    verdict.bound("the longest turn took", turn, LONGEST_TURN)
    if after > before + (row.growth << 20):
        verdict.wrong.append(f"{(after - before) >> 20} MiB of memory remain, not {row.growth}")


def judge_answers(verdict: Verdict, target: Target, result: Result, accepted: int) -> None:
    gateway = target.gateway
    if result.lost:
        verdict.wrong.append(f"{result.lost} honest pushes got no 200: {result.text[-600:]}")
    recorded = metric(gateway, "pushpit_pushes_accepted_total") - accepted
    if recorded < len(result.times):
        verdict.wrong.append(f"{recorded} pushes were recorded, but {len(result.times)} were answered 200")
    if verdict.row.keeps:
        wanted = min(len(result.times), WARM)
        match = {"app": APP, "outcome": "accepted"}
        _, said = call(gateway, "POST", "/expect", {"match": match, "atLeast": wanted, "within": "0s"})
        if not said.get("met"):
            verdict.wrong.append(f"only {said.get('count')} of {wanted} honest pushes are listed")


def settle(gateway: Gateway, bound: int, patience: float) -> int:
    """Waits until memory is below the bound, and returns what it is at last."""
    until(lambda: gateway.resident_bytes <= bound, patience, interval=0.1)
    return gateway.resident_bytes


def refuses(gateway: Gateway) -> bool:
    """Whether it accepts no connection any more."""
    try:
        socket.create_connection((gateway.at().host, gateway.at().port), 0.05).close()
    except ConnectionRefusedError:
        return True
    except OSError:
        pass
    return False


def stop(gateway: Gateway, verdict: Verdict) -> str:
    """Sends SIGTERM. Measures until it accepts no connection any more, and until it has ended."""
    begun = time.monotonic()
    gateway.process.send_signal(signal.SIGTERM)
    until(lambda: refuses(gateway), 10, interval=0.001)
    refused = (time.monotonic() - begun) * 1000
    try:
        gateway.process.wait(10)
    except subprocess.TimeoutExpired:
        verdict.wrong.append("SIGTERM did not end it within 10 s")
        gateway.process.kill()
    ended = (time.monotonic() - begun) * 1000
    verdict.bound("SIGTERM acted after", refused, STOPS_WITHIN)
    verdict.bound("after SIGTERM it ended in", ended, DRAIN + STOPS_WITHIN)
    return f"SIGTERM {refused:.0f}, ended {ended:.0f} ms"
