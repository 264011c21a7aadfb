"""Runs the 146 situations of h2spec (and its strict one) against a server: `python3 run.py --host H --port P`."""
from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass

import cases_generic
import cases_hpack
import cases_http2
import frames
from connection import Connection, End, HandshakeFailed, Target
from expect import Case, Failure, Skipped
from header_block import status_of

CASES = [*cases_generic.CASES, *cases_http2.CASES, *cases_hpack.CASES]


@dataclass(frozen=True)
class Result:
    id: str
    text: str
    outcome: str  # passed, failed, skipped
    strict: bool
    seconds: float
    expected: str = ""
    actual: str = ""


def run_case(case: Case, target: Target) -> Result:
    begun = time.monotonic()

    def result(outcome: str, expected: str = "", actual: str = "") -> Result:
        return Result(case.id, case.text, outcome, case.strict, round(time.monotonic() - begun, 3), expected, actual)

    try:
        connection = Connection(target)
    except OSError as error:
        return result("failed", "a connection", str(error))
    try:
        case.run(connection)
        return result("passed")
    except Failure as failure:
        return result("failed", failure.expected, failure.actual)
    except Skipped as skipped:
        return result("skipped", "something to run the case on", str(skipped))
    except (HandshakeFailed, OSError) as error:
        return result("failed", "SETTINGS and SETTINGS ACK", str(error))
    finally:
        connection.close()


def plain_get(target: Target) -> str:
    """Sends one complete GET on a new connection and returns its status, or why it has no status."""
    try:
        connection = Connection(target)
    except OSError as error:
        return f"no answer: {error}"
    try:
        connection.handshake()
        connection.send(frames.headers(1, target.block()))
        status = "unknown"
        while not isinstance(event := connection.next_event(), End):
            if event.kind == frames.FrameType.HEADERS:
                status = str(status_of(event.payload) or "unknown")
            if event.ends_stream:
                return status
        return f"no answer: {event.value}"
    except HandshakeFailed as error:
        return f"no answer: {error}"
    finally:
        connection.close()


def arguments(description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--tls", action="store_true", help="TLS with ALPN h2; any certificate is taken")
    parser.add_argument("--path", default="/", help="what to GET and POST (default: /)")
    parser.add_argument("--only", default="", metavar="PREFIX", help="only ids that begin with this")
    parser.add_argument("--timeout", type=float, default=2.0, help="seconds without an event (default: 2)")
    parser.add_argument("--json", action="store_true", help="print every result as one JSON array")
    return parser


def selected(id: str, prefix: str) -> bool:
    """`http2/5.1` selects its own cases and its subsections, and not http2/5.10."""
    return not prefix or id == prefix or any(id.startswith(prefix.rstrip("/") + end) for end in "/.")


def report(results: list[Result], health: str, as_json: bool) -> int:
    bad = [result for result in results if result.outcome != "passed"]
    if as_json:
        print(json.dumps([asdict(result) for result in results], indent=1))
    for result in [] if as_json else bad:
        strict = " (strict)" if result.strict else ""
        print(f"{result.outcome} {result.id}{strict}: {result.text}")
        print(f"    expected: {result.expected}\n    actual:   {result.actual}")
    out = sys.stderr if as_json else sys.stdout
    print(f"plain GET afterwards: {health}", file=out)
    print(f"{len(results) - len(bad)} passed, {len(bad)} failed", file=out)
    return 1 if bad or not results or health.startswith("no answer") else 0


def main() -> int:
    parser = arguments(__doc__ or "")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--no-strict", action="store_true", help="leave out what h2spec runs with --strict only")
    options = parser.parse_args()
    target = Target(options.host, options.port, options.tls, options.path, options.timeout)
    chosen = [case for case in CASES if selected(case.id, options.only) and not (case.strict and options.no_strict)]
    with ThreadPoolExecutor(options.threads) as pool:
        results = list(pool.map(lambda case: run_case(case, target), chosen))
    return report(results, plain_get(target), options.json)


if __name__ == "__main__":
    sys.exit(main())
