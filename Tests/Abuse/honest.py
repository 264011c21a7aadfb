"""The honest sender: h2load in its own process, at a steady rate, with the time of each answer."""
from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass

from gateway import TOKEN, Gateway
from h2_client import BEARER

APP = "com.example.honest"
CONNECTIONS = 4


@dataclass(frozen=True)
class Result:
    """Milliseconds of all answers, sorted, and the number of pushes without an answer of 200."""

    times: list[float]
    lost: int
    text: str

    def at(self, share: float) -> float:
        return self.times[min(int(len(self.times) * share), len(self.times) - 1)] if self.times else float("inf")

    def __str__(self) -> str:
        shown = " ".join(f"p{share * 100:g} {self.at(share):.1f}" for share in (0.5, 0.99, 0.999))
        return f"{shown} max {self.at(1):.1f} ms"


class Honest:
    """Sends `count` pushes, `rate` in a second; without a rate as fast as possible."""

    def __init__(self, gateway: Gateway, count: int, rate: int | None = None) -> None:
        self.count = count // CONNECTIONS * CONNECTIONS
        body = gateway.directory / "honest-body"
        body.write_text('{"aps":{"alert":"' + "h" * 179 + '"}}')
        self._log = gateway.directory / f"honest-{os.urandom(4).hex()}"
        pace = ["--rps", str(rate // CONNECTIONS)] if rate else []
        self.process = subprocess.Popen(
            ["h2load", "-n", str(self.count), "-c", str(CONNECTIONS), "-m", "100", "-d", str(body), *pace,
             "--log-file", str(self._log), "-H", ": ".join(BEARER), "-H", f"apns-topic: {APP}",
             gateway.at().url(f"/3/device/{TOKEN}")],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def result(self, timeout: float) -> Result:
        try:
            shown, _ = self.process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            shown, _ = self.process.communicate()
        return self._read(shown)

    def since(self, begun: float) -> Result:
        """The answers to pushes that were sent after that time, as far as h2load has written them down."""
        return self._read("", begun)

    def _read(self, shown: str, begun: float = 0) -> Result:
        times = []
        with open(self._log) as log:
            for line in log:
                fields = line.split("\t")
                if len(fields) > 2 and fields[1] == "200" and int(fields[0]) >= begun * 1e6:
                    times.append(int(fields[2]) / 1000)
        return Result(sorted(times), self.count - len(times), shown)
