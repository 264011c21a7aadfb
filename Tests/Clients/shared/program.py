"""What the programs of Python clients share: they read what to send, and print what their client made of it.

`send SIZE TOKEN…` sends a push to each token, with a text of that many more characters, and prints a line for each.
`new` makes a new client object, and `topic NAME TOKEN` subscribes a device, sends to the topic and unsubscribes it.
"""
from __future__ import annotations

import asyncio
import inspect
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

PROJECT = os.environ.get("PUSHPIT_FCM_PROJECT", "")
ACCOUNT = os.environ.get("GOOGLE_APPLICATION_CREDENTIALS", "")
KEY = os.environ.get("PUSHPIT_APNS_KEY", "")
KEY_ID = os.environ.get("PUSHPIT_APNS_KEY_ID", "")
TEAM_ID = os.environ.get("PUSHPIT_APNS_TEAM_ID", "")
TOPIC = os.environ.get("PUSHPIT_APNS_TOPIC", "")
SCOPES = ["https://www.googleapis.com/auth/firebase.messaging"]


def say(text: str) -> None:
    print(f"= {text}", flush=True)


def name_of(error: Exception) -> str:
    return type(error).__name__


def serve(
    make: Callable[[], Any], send: Callable[..., Any], send_all: Callable[..., Any] | None = None,
    use_topic: Callable[..., Any] | None = None, describe: Callable[[Any], str] = name_of,
) -> None:
    """`send(client, token, text)` returns None or a text, `send_all(client, tokens, text)` a list of texts and
    exceptions. All of them can be asynchronous. Without `send_all`, a batch is sent by as many threads or tasks."""
    with asyncio.Runner() as runner:
        def finish(value: Any) -> Any:
            return runner.run(value) if inspect.iscoroutine(value) else value

        def outcome(call: Callable[..., Any], *arguments: Any) -> Any:
            try:
                return finish(call(client, *arguments))
            except Exception as error:
                return error

        def show(result: Any) -> None:
            say(describe(result) if isinstance(result, Exception) else result or "ok")

        async def make_here() -> Any:
            """Some clients belong to the event loop in which they are made."""
            return make()

        client = runner.run(make_here())
        say(f"ready {os.environ['PUSHPIT_URL']} {os.environ['PUSHPIT_CA']} {os.environ.get('PUSHPIT_API_TOKEN', '')}".strip())
        for line in sys.stdin:
            order, *words = line.split()
            if order == "new":
                client = runner.run(make_here())
            elif order == "topic" and use_topic:
                show(outcome(use_topic, *words))
            elif len(words) == 2:
                show(outcome(send, words[1], text_of(words[0])))
            else:
                batch = send_all or (at_once(send) if inspect.iscoroutinefunction(send) else in_threads(send))
                results = outcome(batch, words[1:], text_of(words[0]))
                for result in results if isinstance(results, list) else [results] * len(words[1:]):
                    show(result)


def text_of(size: str) -> str:
    return "Hello" + "x" * int(size)


def at_once(send: Callable[..., Any], count: int = 500) -> Callable[..., Any]:
    async def send_all(client: Any, tokens: list[str], text: str) -> list[Any]:
        limit = asyncio.Semaphore(count)

        async def send_in_turn(token: str) -> Any:
            async with limit:
                return await send(client, token, text)
        return list(await asyncio.gather(*map(send_in_turn, tokens), return_exceptions=True))
    return send_all


def in_threads(send: Callable[..., Any], count: int = 500) -> Callable[..., Any]:
    def send_all(client: Any, tokens: list[str], text: str) -> list[Any]:
        def attempt(token: str) -> Any:
            try:
                return send(client, token, text)
            except Exception as error:
                return error
        with ThreadPoolExecutor(count) as pool:
            return list(pool.map(attempt, tokens))
    return send_all
