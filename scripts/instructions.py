"""Counts the instructions that the gateway spends on a push, with callgrind.

Wall-clock figures swing by tens of percent on a shared machine. Instruction counts do not, so they decide whether a
change makes the gateway slower. Counting begins after a warm-up: the log is full and all devices are known. The load
generator sends 100 pushes at once, waits for their answers and sends the next, so that each run is alike."""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Self

import instructions_socket
import instructions_topic
from bench_servers import BINARY, bearer, cpu_seconds, free_port, provider_token, start_gateway, stop
from load import Load
from load_requests import LOADS, Plan

# The log keeps 40,000 events, and a push to a device without a socket makes three. So the log is full after the warm-up,
# and each further push makes the gateway forget an old one.
WARM_UP = 16_000
LARGEST_COUNT = 13_000


class Callgrind:
    """A gateway under callgrind, which counts only during `count`."""

    def __init__(self, binary: Path, directory: Path, name: str) -> None:
        self.port = free_port()
        self.profile = directory / f"callgrind.{name}"
        # With fixed addresses and hash seeds, two runs differ as little as possible.
        under = ("setarch", "-R", "valgrind", "-q", "--tool=callgrind", "--instr-atstart=no",
                 f"--callgrind-out-file={self.profile}")
        self.process = start_gateway(binary, directory, self.port, under=under)
        self.dumps = 0

    def start_control(self, command: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            ["callgrind_control", command, str(self.process.pid)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def finish_control(self, control: subprocess.Popen[str]) -> None:
        said = control.communicate(timeout=600)[0]
        if control.returncode or "OK" not in said:
            raise SystemExit(f"callgrind_control failed: {said}")

    def count(self, work: Callable[[], object], meanwhile: Callable[[], object] = lambda: None) -> int:
        """The instructions that the gateway executes while `work` runs. `meanwhile` runs every 0.1 s until counting has
        stopped, which takes a quarter of a second."""
        self.finish_control(self.start_control("--instr=on"))
        work()
        control = self.start_control("--instr=off")
        while control.poll() is None:
            meanwhile()
            time.sleep(0.1)
        self.finish_control(control)
        self.finish_control(self.start_control("--dump"))
        self.dumps += 1
        dump = self.profile.with_name(f"{self.profile.name}.{self.dumps}")
        return int(re.search(r"^totals: (\d+)", dump.read_text(), re.M).group(1))

    def wait_until_done(self, meanwhile: Callable[[], object]) -> None:
        """Returns when the gateway does nothing but `meanwhile`, which runs a few times a second."""
        used = cpu_seconds(self.process.pid)
        for _ in range(2400):
            meanwhile()
            time.sleep(0.25)
            before, used = used, cpu_seconds(self.process.pid)
            if used - before < 0.03:
                return
        raise SystemExit("the gateway has been busy for ten minutes")

    def update_index(self) -> None:
        """Requests a list of messages: the gateway brings its index up to date before it answers."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/messages?limit=1", timeout=600) as answer:
            answer.read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        stop(self.process)


def per_push(gateway: Callgrind, directory: Path, plan: Plan, pushes: int) -> tuple[float, float]:
    """Instructions for a push, and for adding it to the index of messages, which the gateway does when it is idle."""
    certs = directory / "certs"
    is_apns = plan.provider == "apns"
    authorization = f"bearer {provider_token(certs)}" if is_apns else f"Bearer {bearer(certs, gateway.port)}"
    viewer = instructions_socket.watch(gateway.port, plan) if plan.has_socket else None
    load = Load(gateway.port, plan, authorization, connections=1, lockstep=True)
    load.run(WARM_UP)
    gateway.update_index()
    sent = pushes

    def one_more() -> None:
        # After half a second without pushes the gateway would update its index, which would be counted too.
        nonlocal sent
        load.run(1)
        sent += 1

    counted = gateway.count(lambda: load.run(pushes), one_more)
    index = gateway.count(gateway.update_index)
    load.close()
    if viewer:
        viewer.check(WARM_UP + sent)
    return counted / sent, index / sent


def without_debug_information(binary: Path, directory: Path) -> Path:
    """A copy. Valgrind 3.19 can't read the debug information of a program with C that clang has compiled."""
    copy = directory / "pushpit"
    subprocess.run(["strip", "--strip-debug", "-o", copy, binary], check=True)
    return copy


def measure(binary: Path, directory: Path, options: argparse.Namespace) -> dict[str, float]:
    """Instructions by load. Each load has a separate gateway."""
    report: dict[str, float] = {}

    def note(row: str, value: float) -> None:
        report[row] = value
        print(f"{row}: {value:,.0f}", file=sys.stderr, flush=True)

    for name in options.loads:
        # If token and body are the same in all pushes, repeats change nothing.
        for repeats in options.repeats if LOADS[name].differing_bodies else [0]:
            plan = replace(LOADS[name], repeats=repeats)
            row = f"{name} {repeats}" if plan.differing_bodies else name
            with Callgrind(binary, directory, row.replace(" ", "-")) as gateway:
                push, index = per_push(gateway, directory, plan, options.pushes)
            note(row, push)
            note(f"{row}, index", index)
    if options.topics:
        for kind in instructions_topic.KINDS:
            with Callgrind(binary, directory, f"topic-{kind}") as gateway:
                message, index = instructions_topic.measure(gateway, directory, kind, options.devices)
            note(f"topic {kind}", message)
            note(f"topic {kind}, index", index)
    return report


def mixed_ratio(report: dict[str, float], after: str = "") -> float | None:
    """The cost of a message to a topic with devices of all platforms, divided by the mean cost of messages to topics
    with devices of one platform. All topics have the same number of devices."""
    if "topic mixed" not in report:
        return None
    shares = [report[f"topic {platform}{after}"] for platform in instructions_topic.PLATFORMS]
    return report[f"topic mixed{after}"] / (sum(shares) / len(shares))


def show(report: dict[str, float], other: dict[str, float] | None) -> None:
    """A table; numbers after the names of loads are the percentage of repeats."""
    for row, value in report.items():
        unit = "a message" if row.startswith("topic") else "a push"
        compared = f"  before {other[row]:13,.0f}  ratio {value / other[row]:.4f}" if other else ""
        print(f"{row:20} {value:13,.0f} instructions {unit}{compared}")
    if ratio := mixed_ratio(report):
        compared = f"  before {mixed_ratio(other):.3f}" if other else ""
        print(f"A message to a mixed topic costs {ratio:.3f} times the mean of topics with one platform.{compared}")


def main() -> None:
    parser = argparse.ArgumentParser("scripts/instructions", description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=Path, default=BINARY, help="the gateway (default: .build/release/pushpit)")
    parser.add_argument("--compare", type=Path, metavar="BINARY", help="an older build, measured as well")
    parser.add_argument("--loads", type=lambda text: [name for name in text.split(",") if name], default=list(LOADS),
                        help=f"some of {','.join(LOADS)}, or empty for none (default: all)")
    parser.add_argument("--repeats", type=lambda text: [int(part) for part in text.split(",")], default=[0],
                        metavar="PERCENT,…", help="how many pushes repeat the previous one (default: 0)")
    parser.add_argument("--pushes", type=int, default=10_000, help="pushes to count for each load (default: 10000)")
    parser.add_argument("--topics", action="store_true", help="measure messages to topics as well")
    parser.add_argument("--devices", type=int, default=10_000, help="devices in each topic (default: 10000)")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the profiles, for callgrind_annotate")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    options = parser.parse_args()
    if unknown := set(options.loads) - set(LOADS):
        parser.error(f"unknown load {', '.join(sorted(unknown))}; there are {', '.join(LOADS)}")
    if not 100 <= options.pushes <= LARGEST_COUNT:
        parser.error(
            f"--pushes takes 100 to {LARGEST_COUNT}: with more pushes, the log forgets some before they are added to the "
            "index, so the work of adding them would not be counted")
    reports = []
    for binary in [options.binary, *([options.compare] if options.compare else [])]:
        with tempfile.TemporaryDirectory() as where:
            reports.append(measure(without_debug_information(binary.resolve(strict=True), Path(where)), Path(where), options))
            if options.keep:
                target = options.keep / ("before" if len(reports) == 2 else "now")
                target.mkdir(parents=True, exist_ok=True)
                # The last file of each run is written at its end and contains no counts.
                for profile in Path(where).glob("callgrind.*.[0-9]*"):
                    shutil.copy(profile, target)
    report, other = reports[0], reports[1] if options.compare else None
    if options.json:
        print(json.dumps({"now": report, "before": other, "mixedRatio": mixed_ratio(report)}))
    else:
        show(report, other)


if __name__ == "__main__":
    main()
