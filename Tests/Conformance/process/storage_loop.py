"""Kills during pushes: after the restart every push that was answered 200 exists exactly once."""
from __future__ import annotations

import random
import signal
import tempfile
import threading
import uuid
from collections import Counter
from pathlib import Path

from control import call
from gateway import PATIENCE, Gateway
from h2_client import Client, push

# Pushes at once on one connection, and the longest time of one run in seconds.
BATCH = 50
LONGEST = 0.15


def push_until_killed(gateway: Gateway, accepted: list[str], token: str) -> None:
    """Each push has a different id. The ids of pushes that are answered 200 are recorded."""
    stream = 1
    try:
        with Client(gateway.at().connect()) as client:
            client.start()
            while True:
                ids = [str(uuid.uuid4()) for _ in range(BATCH)]
                streams = range(stream, stream + 2 * BATCH, 2)
                client.send(*(push(number, ("apns-id", name), token=token) for number, name in zip(streams, ids, strict=True)))
                for number, name in zip(streams, ids, strict=True):
                    if client.answer(number).status == 200:
                        accepted.append(name)
                client.frames.clear()
                client.answers.clear()
                stream = streams.stop
    except (EOFError, OSError):
        pass


def kept_ids(gateway: Gateway) -> Counter[str]:
    """How often each push is listed, by the id that its sender gave it."""
    found: Counter[str] = Counter()
    cursor = ""
    while True:
        status, page = call(gateway, "GET", f"/messages?limit=1000{cursor}")
        if status != 200:
            raise AssertionError(f"{status}: {page}")
        for message in page["messages"]:
            found.update(value for name, value in message["request"]["headers"] if name == "apns-id")
        if page["next"] is None:
            return found
        cursor = f"&cursor={page['next']}"


def crash_with_pushes(times: int, seed: int = 1) -> int:
    """Returns how many pushes were accepted in all."""
    chance = random.Random(seed)
    accepted: list[str] = []
    with tempfile.TemporaryDirectory(prefix="pushpit-data-") as place:
        certificates = Path(place) / "certs"
        options = ["--data", place, "--log-level", "error", "--keep-messages", "200000", "--keep-mib", "1024"]
        for run in range(times + 1):
            with Gateway(*options, certificates=certificates) as gateway:
                if run % 10 == 0 or run == times:
                    check_result(kept_ids(gateway), accepted, run)
                if run == times:
                    return len(accepted)
                tokens = [f"{number:02x}" * 32 for number in range(3)]
                pushers = [threading.Thread(target=push_until_killed, args=(gateway, accepted, token)) for token in tokens]
                for pusher in pushers:
                    pusher.start()
                killer = threading.Event()
                killer.wait(chance.uniform(0, LONGEST))
                gateway.process.send_signal(signal.SIGKILL)
                gateway.process.wait(PATIENCE)
                for pusher in pushers:
                    pusher.join(PATIENCE)
    return len(accepted)


def check_result(kept: Counter[str], accepted: list[str], run: int) -> None:
    if lost := [name for name in accepted if kept[name] == 0]:
        raise AssertionError(f"{len(lost)} of {len(accepted)} accepted pushes are lost after {run} kills, {lost[0]} the first")
    if doubled := [name for name, count in kept.items() if count > 1]:
        raise AssertionError(f"{len(doubled)} pushes are there twice after {run} kills, {doubled[0]} the first")
