"""What a client's file says at its top: `name: value` lines, and a row for each scenario.

A row is `scenario | what the client returns or raises | requests that arrive`. In both expectations, `90..99` stands for
any number between the two, and ` or ` separates alternatives: the second number belongs to the second result. A scenario
with the result `-` is not run; its last column says why.
"""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

MOST_LINES = 70
MOST_SHOWN = 300
COMMENT = re.compile(r"#!.*|<\?php|\"\"\"|(?:#|//) ?")
FIELD = re.compile(r"([a-z]+): (.*)")
RANGE = re.compile(r"(\d+)\.\.(\d+)")


@dataclass(frozen=True)
class Expectation:
    result: str
    # How many requests arrive, or why the scenario is not run.
    requests: str

    @property
    def is_run(self) -> bool:
        return self.result != "-"


@dataclass
class Client:
    path: Path
    # "client" and "package" are required. "version" is a command that prints the version, "group" names the requirements,
    # "patience" is how many seconds a batch may take, "width" is how many pushes of a batch it sends at a time if it does not
    # get all of them at once, "set" says what to set without `pushpit exec`, "proxy" says why a
    # proxy does not serve the client, and "unaffected" names scenarios that make no difference to it.
    fields: dict[str, str] = field(default_factory=dict)
    traps: list[str] = field(default_factory=list)
    expectations: dict[str, Expectation] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.fields["client"]

    def is_affected(self, scenario: str) -> bool:
        return scenario not in self.fields.get("unaffected", "").split(", ")

    @property
    def service(self) -> str:
        return self.path.parent.name


def read(path: Path) -> Client:
    client = Client(path)
    last = ""
    for line in path.read_text().splitlines()[:MOST_LINES]:
        mark = COMMENT.match(line)
        text = line[mark.end() if mark else 0:].rstrip().removesuffix('"""')
        if " | " in text:
            scenario, result, requests = (part.strip() for part in text.split("|"))
            client.expectations[scenario] = Expectation(result, requests)
        elif found := FIELD.fullmatch(text):
            last = found[1]
            if last == "trap":
                client.traps.append(found[2])
            else:
                client.fields[last] = found[2]
        elif text.startswith("  ") and last == "trap":
            client.traps[-1] += " " + text.strip()
        elif text.startswith("  ") and last:
            client.fields[last] += " " + text.strip()
        elif client.expectations:
            break
    if missing := {"client", "package"} - client.fields.keys():
        raise ValueError(f"{path}: the comment at the top has no {' and no '.join(sorted(missing))}")
    return client


def difference(expected: Expectation, result: str, requests: str) -> str:
    """What is not as expected; nothing if all is."""
    results, numbers = expected.result.split(" or "), expected.requests.split(" or ")
    pairs = zip(results, numbers, strict=True) if len(numbers) > 1 else ((one, numbers[0]) for one in results)
    if any(matches(one, result) and matches(number, requests) for one, number in pairs):
        return ""
    return f"expected '{expected.result}' and {expected.requests} requests, got '{result[:MOST_SHOWN]}' and {requests}"


def matches(expected: str, got: str) -> bool:
    parts = RANGE.split(expected)
    found = re.fullmatch(r"(\d+)".join(re.escape(text) for text in parts[::3]), got)
    bounds = zip(parts[1::3], parts[2::3])
    return found is not None and all(
        int(low) <= int(number) <= int(high) for number, (low, high) in zip(found.groups(), bounds))
