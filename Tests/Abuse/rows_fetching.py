"""Web servers that phones fetch from: silent, endless, slow, leading elsewhere; and a webhook that never answers."""
from __future__ import annotations

import itertools
import json
import select
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

from control import call
from row import APP, Row, Target
from rows_bodies import GOOGLE, SEND, requests, same
from streams import block

PNG = b"\x89PNG\r\n\x1a\n" + bytes(2000)
# Each waits for at most 100 files.
PHONES = 50

# The kernel accepts connections to it, and no program answers.
SILENT = socket.create_server(("127.0.0.1", 0), backlog=4096)

Serve = Callable[[socket.socket], None]


def never(peer: socket.socket) -> None:
    """Waits until the gateway leaves."""
    while peer.recv(65_536):
        pass


def answered(head: str, body: bytes = b"", endless: bytes = b"", pause: float = 0) -> Serve:
    """Answers with these, and then with `endless` until the gateway leaves."""

    def serve(peer: socket.socket) -> None:
        peer.recv(65_536)
        peer.sendall(f"HTTP/1.1 {head}\r\n\r\n".encode() + body)
        while endless:
            peer.sendall(endless)
            if pause:
                select.select([], [], [], pause)

    return serve


class Server:
    """Serves each connection in a separate thread, during its `with` block."""

    def __init__(self, serve: Serve) -> None:
        self._serve = serve
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> Server:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _accept(self) -> None:
        try:
            while True:
                threading.Thread(target=self._answer, args=(self._listener.accept()[0],), daemon=True).start()
        except OSError:
            """The listener was closed."""

    def _answer(self, peer: socket.socket) -> None:
        with peer:
            try:
                self._serve(peer)
            except OSError:
                """The gateway has left."""


def fetching(serve: Serve) -> Callable[[Target], None]:
    """Messages to Android phones, each with another image."""

    def attack(target: Target) -> None:
        with Server(serve) as server:
            header = block("POST", SEND, *GOOGLE)

            def source(_: Target) -> Iterator[tuple[bytes, bytes]]:
                for number in itertools.count():
                    token = f"cAttack{number % PHONES:02}:APA91b" + "x" * 130
                    url = f"http://127.0.0.1:{server.port}/{number}.png"
                    yield header, json.dumps({"message": {"token": token, "notification": {"title": "x", "image": url}}}).encode()

            requests(source, 200, together=20)(target)

    return attack


def contents(serve: Serve) -> Callable[[Target], None]:
    """Calls for files that a push names, more than the gateway fetches at the same time."""

    def attack(target: Target) -> None:
        with Server(serve) as server:
            url = f"http://127.0.0.1:{server.port}/a.png"
            call(target.gateway, "POST", "/messages", {"provider": "apns", "headers": {"apns-topic": APP}, "body": {"aps": {}, "image": url}})
            header = block("GET", f"/api/v1/media/content?url={quote(url, safe='')}")
            requests(same(header, b""), together=50)(target)

    return attack


USUAL: Any = {"arguments": ("--fetch-media", "loopback"), "keeps": False}

ROWS = [
    Row("fetch-never", "a media server that never answers", fetching(never), **USUAL),
    Row("fetch-endless", "images that never end",
        fetching(answered("200 OK\r\nContent-Type: image/png", PNG, bytes(1 << 16))), **USUAL),
    Row("fetch-drip", "images that come byte by byte",
        fetching(answered("200 OK\r\nContent-Type: image/png", PNG, b"x", pause=0.05)), **USUAL),
    Row("fetch-redirect-loop", "a redirect that leads to itself",
        fetching(answered("302 Found\r\nLocation: /\r\nContent-Length: 0")), **USUAL),
    Row("fetch-redirected-away", "redirects to another machine",
        fetching(answered("302 Found\r\nLocation: https://10.1.2.3/a.png\r\nContent-Length: 0")), **USUAL),
    Row("fetch-own-urls", "pushes, each with another image",
        fetching(answered(f"200 OK\r\nContent-Type: image/png\r\nContent-Length: {len(PNG)}", PNG)), **USUAL),
    Row("content-never", "files for a page, from a media server that never answers", contents(never), **USUAL),
    Row("content-large", "files of 9 MB for a page",
        contents(answered(f"200 OK\r\nContent-Type: image/png\r\nContent-Length: {len(PNG) + 9_000_000}", PNG + bytes(9_000_000))),
        **USUAL),
    Row("webhook-never", "a webhook that never answers, while pushes make events", fetching(never), keeps=False,
        arguments=("--webhook", f"http://127.0.0.1:{SILENT.getsockname()[1]}/")),
]
