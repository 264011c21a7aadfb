"""Unmodified senders through `pushpit exec`: run.py [--list] [--write-docs] [--broken] [--via WAY] [CLIENT…]

Each client plays each scenario; what it returns or raises, and how many requests arrive, must be what its file says.
Without names, docs/clients.md must say the same. The program is PUSHPIT_BINARY.
"""
from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import table
from header import Client, difference, read
from scenarios import OPTIONAL, SCENARIOS, play
from session import Ended, Session

HERE = Path(__file__).parent
SUFFIXES = {".py", ".mjs", ".sh", ".rb", ".php", ".java", ".go"}


def clients(names: list[str]) -> list[Client]:
    """The clients whose files, such as `apns/curl`, contain one of these names; all clients without names."""
    files = [path for folder in ("apns", "fcm") for path in (HERE / folder).iterdir() if path.suffix in SUFFIXES]
    chosen = [path for path in files if not names or any(name in path.relative_to(HERE).as_posix() for name in names)]
    return sorted(map(read, chosen), key=lambda client: (client.name.lower(), client.service))


def differences(client: Client, options: argparse.Namespace) -> list[str]:
    """What is not as the client's file says. With --broken, what is in spite of that."""
    missing = SCENARIOS.keys() - OPTIONAL[client.service] - client.expectations.keys()
    wrong = [f"its file does not mention '{name}'" for name in sorted(missing)]
    with Session(client, ["--via", options.via] if options.via else []) as session:
        for name, expected in client.expectations.items():
            if not expected.is_run or options.scenario not in (None, name):
                continue
            if options.broken and not client.is_affected(name):
                continue
            try:
                found = difference(expected, *play(session, name, options.broken))
            except AssertionError as error:
                found = str(error)
            if options.broken:
                found = "" if found else "met its expectation although it was broken on purpose"
            if found:
                wrong.append(f"{name}: {found}")
    return wrong


def say(text: str) -> None:
    """In one piece, because several threads print."""
    sys.stdout.write(text)
    sys.stdout.flush()


def check(client: Client, options: argparse.Namespace) -> bool:
    begun = time.monotonic()
    try:
        table.version(client)
        wrong = differences(client, options)
    except (Ended, OSError, LookupError) as error:
        wrong = [str(error)]
    ran = sum(expected.is_run for expected in client.expectations.values())
    title = f"{client.service}: {client.name}: {ran} scenarios in {time.monotonic() - begun:.1f} s"
    say("".join([f"{'FAIL' if wrong else 'ok  '} {title}\n", *(f"     {text}\n" for text in wrong)]))
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="CLIENT", help="parts of the names of files; all if none is given")
    parser.add_argument("--list", action="store_true", help="show the clients")
    parser.add_argument("--write-docs", action="store_true", help="write docs/clients.md")
    parser.add_argument("--broken", action="store_true", help="leave out what each scenario is about; it must fail")
    parser.add_argument("--via", help="passed to exec")
    parser.add_argument("--scenario", help="play only this one")
    parser.add_argument("--jobs", type=int, default=2, help="how many clients run at a time (2)")
    options = parser.parse_args()
    chosen = clients(options.names)
    if not chosen:
        parser.error(f"no client is named {' or '.join(options.names)}; --list shows the names")
    if options.list:
        for client in chosen:
            print(f"{client.path.relative_to(HERE)!s:30} {client.name}")
        return 0
    if options.via == "proxy":
        for client in (client for client in chosen if "proxy" in client.fields):
            print(f"not run: {client.service}: {client.name}: {client.fields['proxy']}")
        chosen = [client for client in chosen if "proxy" not in client.fields]
    if options.write_docs:
        table.write(clients([]))
    with ThreadPoolExecutor(options.jobs) as pool:
        # The slow ones first.
        queue = sorted(chosen, key=lambda client: "patience" not in client.fields)
        passed = list(pool.map(lambda client: check(client, options), queue))
    if not (options.names or options.scenario or options.broken or options.via):
        passed.append(table.check(chosen))
    print(f"{sum(passed)} passed, {len(passed) - sum(passed)} failed")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
