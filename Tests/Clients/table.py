"""docs/clients.md: what the clients' files expect, as tables, with the versions that are installed."""
from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from importlib.metadata import distributions
from os.path import realpath

from header import Client, Expectation
from scenarios import BATCH, CROWD, RECENT_REASONS, SCENARIOS
from session import BUILT, TOP

PAGE = TOP / "docs/clients.md"
BATCHES = {"GOAWAY": BATCH, "concurrent": CROWD}
# What the names in the revisions of Debian's packages are, and what the page says of other packages.
DEBIAN_REVISION = {"b", "bpo", "deb", "dfsg", "nmu", "u"}
OTHER = "not Debian's"
SERVICES = {"apns": "APNs", "fcm": "FCM"}
# How many requests a scenario takes if nothing is repeated, and how the page explains the scenario.
EXPLAINED = {
    "accepted": ("1", "A push to a token that is new to the gateway."),
    "bad token": ("1", "A push to a token that is malformed."),
    "unregistered": ("1", "A push to a device whose app was uninstalled."),
    "expired": ("3", "After an accepted push, the credentials are expired over the control API. The table has the outcomes "
                "of the next two pushes. If both fail, another one goes through a new client object."),
    "too large": ("1", "A push with a text of 6,000 characters. pyapns-client3 shortens such an alert, so its text is custom data."),
    "quota": ("1", "A push while every request gets 429 with `Retry-After: 1`."),
    "unavailable": ("1", "A push while one request gets 503. A client that repeats it succeeds."),
    "GOAWAY": (str(BATCH + 1), f"One push, and then {BATCH} at once. The fiftieth of them and all newer ones on its connection get a GOAWAY "
               "instead of an answer."),
    "concurrent": (str(CROWD + 1), f"One push, and then {CROWD} at once."),
    "unknown reason": ("2", "For APNs: two pushes that get answers of Apple's that many clients do not know, "
                       f"{' and '.join('{status} {reason}'.format_map(answer) for answer in RECENT_REASONS)}."),
    "first SETTINGS": ("2", "For APNs: two pushes of a new client, while the first SETTINGS of each connection allow no stream. The first "
                       "push is `ok` if the client opens a stream before it has read them. The table also has the number of "
                       "connections that the client opened."),
    "topics": ("1", "A device subscribes to a topic, a message is sent to the topic, and the device unsubscribes. "
               "For clients that manage topics."),
}
INTRODUCTION = """\
# Clients, and what they make of each answer

This page is generated: `Tests/Clients/run.sh --write-docs` writes it, and `Tests/Clients/run.sh` fails if it is out of date. \
Each client is installed by its usual package manager and runs unmodified under `pushpit exec`, which alone redirects it to \
the gateway. Its own host names, ports, trust and proxy settings stay as they are.

## The scenarios
| scenario | what happens |
|---|---|
"""
RESULTS = """
`ok` means that the client reported success, and the gateway's list of messages has the push. Everything else is what the \
client returned or raised: an exception is shown by its class, a status by its number. If the number of requests differs \
from what the scenario takes without repetition, it follows in parentheses. If a batch was sent in parts, the parentheses \
also say how many pushes were in flight at a time, no matter whether the test or the client set that limit. \
`1 shown` means that the device shows one notification. `unclear` stands for a push of a batch that ended with an error, if \
the error does not say which pushes failed.
"""


def version(client: Client) -> str:
    """The version that is installed. LookupError if the client is not installed."""
    source, name = client.fields["package"].split(":")
    if source == "pypi":
        packages = BUILT / client.fields.get("group", "main") / "lib"
        paths = map(str, packages.glob("python*/site-packages"))
        found = next(iter(distributions(name=name, path=list(paths))), None)
        if found is None:
            raise LookupError(f"the Python package {name} is not installed")
        return found.version
    done = subprocess.run(client.fields["version"], shell=True, capture_output=True, text=True)
    number = re.search(r"\d+\.[\d.]+", done.stdout)
    if done.returncode != 0 or not number:
        raise LookupError(f"is not installed: apt-get install {name}")
    return f"{number[0]} ({'Debian' if is_from_debian(client.fields['version'].split()[0]) else OTHER})"


def is_from_debian(program: str) -> bool:
    """Whether a package of Debian's own has this program: others put their names into the revision of a package."""
    if not shutil.which("dpkg-query"):
        return False

    def dpkg(*arguments: str) -> str:
        return subprocess.run(["dpkg-query", *arguments], capture_output=True, text=True).stdout

    package = dpkg("--search", realpath(shutil.which(program) or program)).split(": ")[0]
    version = dpkg("--show", "--showformat=${Version}", package) if package else ""
    names = re.findall("[a-z]+", version.rpartition("-")[2])
    return bool(version) and DEBIAN_REVISION.issuperset(names)


def cell(client: Client, scenario: str, expected: Expectation) -> str:
    if not expected.is_run:
        return f"not run: {expected.requests}"
    result = expected.result.replace("..", " to ")
    notes = []
    if scenario in BATCHES and (width := client.fields.get("width")):
        if not (width.isdecimal() and int(width) >= BATCHES[scenario]):
            notes.append(f"{width} at a time")
    # With alternatives, the number follows from the result.
    if expected.requests != EXPLAINED[scenario][0] and " or " not in expected.requests:
        notes.append(f"{expected.requests.replace('..', ' to ')} request{'' if expected.requests == '1' else 's'}")
    return f"{result} ({', '.join(notes)})" if notes else result


def proxy(client: Client) -> str:
    return f"no: {client.fields['proxy']}" if "proxy" in client.fields else "yes"


def titles(clients: list[Client]) -> list[tuple[str, Client]]:
    """The names of the clients, with the service if a client has a file for each."""
    counts = Counter(client.name for client in clients)
    return [
        (client.name if counts[client.name] == 1 else f"{client.name} ({SERVICES[client.service]})", client)
        for client in clients]


def page(clients: list[Client]) -> str:
    parts = [INTRODUCTION + "".join(f"| {name} | {EXPLAINED[name][1]} |\n" for name in SCENARIOS) + RESULTS]
    for service, title in SERVICES.items():
        rows = [client for client in clients if client.service == service]
        names = [name for name in SCENARIOS if any(name in row.expectations for row in rows)]
        parts.append(f"\n## {title}\n| client | version | {' | '.join(names)} |\n|{'---|' * (len(names) + 2)}\n")
        for row in rows:
            cells = [cell(row, name, row.expectations[name]) if name in row.expectations else "–" for name in names]
            parts.append(f"| {row.name} | {version(row)} | {' | '.join(cells)} |\n")
    parts.append("\n## Without `pushpit exec`, and with a proxy\nFor a gateway on its default port, with its credentials in `certs`.\n\n"
                 "| client | what to set | does `--via proxy` serve it? |\n|---|---|---|\n")
    parts += [f"| {name} | {row.fields['set']} | {proxy(row)} |\n" for name, row in titles(clients)]
    parts.append("\n## Traps\n")
    parts += ["\n".join([f"### {name}", *(f"- {trap}" for trap in row.traps)]) + "\n\n" for name, row in titles(clients)]
    return "".join(parts).rstrip() + "\n"


def write(clients: list[Client]) -> None:
    PAGE.write_text(page(clients))


def without_versions(text: str) -> str:
    """Patch levels, and all versions of the system's packages, may differ."""
    text = re.sub(rf"\| [\d.]+ \((Debian|{OTHER})\) \|", "| system |", text)
    return re.sub(r"\| (\d+\.\d+)[.\w]* \|", r"| \1 |", text)


def check(clients: list[Client]) -> bool:
    """Whether the page says what the clients' files say."""
    committed = PAGE.read_text() if PAGE.exists() else ""
    is_same = without_versions(committed) == without_versions(page(clients))
    print("ok   docs/clients.md" if is_same else "FAIL docs/clients.md is out of date: write it with --write-docs", flush=True)
    return is_same
