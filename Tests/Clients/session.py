"""One client's program, run by `pushpit exec`, and the control API of the gateway that it reaches."""
from __future__ import annotations

import http.client
import json
import os
import queue
import ssl
import subprocess
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from header import Client

TOP = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("PUSHPIT_BINARY") or str(TOP / ".build/release/pushpit")
BUILT = TOP / ".build/clients"
# Seconds until a program has started, and until it has sent one push or a batch.
START = 40.0
PATIENCE = float(os.environ.get("CLIENTS_PATIENCE", "8"))
BATCH_PATIENCE = 30
MARK = "= "


class Ended(Exception):
    """The program, or `exec`, has ended."""


class Late(Ended):
    """The program does not say what it has to say."""


def command(client: Client) -> list[str]:
    """How to run a client's file."""
    path = str(client.path)
    match client.path.suffix:
        case ".py": return [str(BUILT / client.fields.get("group", "main") / "bin/python"), "-P", "-B", path]
        case ".mjs": return ["node", path]
        case ".sh": return ["bash", path]
        case ".rb": return ["ruby", path]
        case ".php": return ["php", path]
        case ".java": return ["java", path]
        case ".go": return [str(BUILT / f"{client.service}-{client.path.stem}-go")]
        case suffix: raise ValueError(f"{path}: do not know how to run a {suffix} file")


class Session:
    """Runs during its `with` block."""

    def __init__(self, client: Client, options: list[str]) -> None:
        self.client = client
        self._command = [BINARY, "exec", *options, "--", *command(client)]
        self._log = tempfile.TemporaryFile()

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._end()
        self._log.close()

    def _start(self) -> None:
        self._is_stuck = False
        environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent / "shared"), "PYTHONUNBUFFERED": "1"}
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True, env=environment)
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, args=(self._process, self._lines), daemon=True).start()
        ready, url, authority, *token = self._next(START).split(" ")
        if ready != "ready":
            raise Ended(f"{self.client.name} said '{ready}' instead of 'ready'; {self.log}")
        self._url, self._token = urlsplit(url), "".join(token)
        self._context = ssl.create_default_context(cafile=authority)

    @staticmethod
    def _read(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
        """Passes the program's lines on, and None at the end. Lines without the mark are a library's."""
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(MARK):
                lines.put(line.removeprefix(MARK).rstrip("\n"))
        lines.put(None)

    def _end(self) -> None:
        process = self._process
        assert process.stdin is not None
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass
        for end in (lambda: None, process.terminate, process.kill):
            end()
            try:
                process.wait(2)
                break
            except subprocess.TimeoutExpired:
                continue
        process.wait()

    def prepare(self) -> None:
        """Forgets everything. A program that does not end is replaced by a new one."""
        if self._is_stuck:
            self._end()
            self._start()
        else:
            self.ask("POST", "/reset", {})

    def _next(self, seconds: float) -> str:
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            raise Late(f"{self.client.name} said nothing for {seconds:.0f} s; {self.log}") from None
        if line is None:
            raise Ended(f"{self.client.name} has ended with status {self._process.wait(5)}; {self.log}")
        return line

    @property
    def log(self) -> str:
        """The last lines on standard error."""
        self._log.seek(0)
        return b"\n".join(self._log.read().splitlines()[-8:]).decode(errors="replace")

    def _order(self, *words: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(" ".join(words) + "\n")
        self._process.stdin.flush()

    def send(self, tokens: list[str], size: int) -> list[str]:
        """What the client made of a push to each token, in their order."""
        self._order("send", str(size), *tokens)
        patience = PATIENCE if len(tokens) == 1 else float(self.client.fields.get("patience", BATCH_PATIENCE))
        try:
            return [self._next(patience) for _ in tokens]
        except Late:
            self._is_stuck = True
            return [f"no end within {patience:.0f} s"] * len(tokens)

    def renew(self) -> None:
        """Makes a new client object."""
        self._order("new")

    def use_topic(self, topic: str, token: str) -> str:
        self._order("topic", topic, token)
        return self._next(PATIENCE)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """A call of the control API."""
        host, port = str(self._url.hostname), self._url.port
        connection = (
            http.client.HTTPSConnection(host, port, timeout=10, context=self._context)
            if self._url.scheme == "https" else http.client.HTTPConnection(host, port, timeout=10))
        try:
            fields = {"authorization": f"Bearer {self._token}"} if self._token else {}
            connection.request(method, f"/api/v1{path}", None if body is None else json.dumps(body), fields)
            answer = connection.getresponse()
            text = answer.read()
            if answer.status >= 300:
                raise AssertionError(f"{method} {path}: {answer.status} {text!r}")
            return json.loads(text) if text else None
        finally:
            connection.close()

    def messages(self) -> list[Any]:
        found, cursor = [], ""
        while True:
            page = self.ask("GET", f"/messages?limit=1000{cursor}")
            found += page["messages"]
            if page["next"] is None:
                return found
            cursor = f"&cursor={page['next']}"
