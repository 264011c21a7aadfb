"""Calls of the control API, over http.client."""
from __future__ import annotations

import http.client
import json
import ssl
from typing import Any, Container, Iterator, Mapping
from urllib.parse import urlencode, urlsplit

from ._names import pointer_here, refusal_here
from .errors import CallRefused, PushpitError, hides_frames

__tracebackhide__ = hides_frames

PREFIX = "/api/v1"
PAGE = 1000


class Api:
    """The control API at a URL. Each call opens a connection, so threads can share it."""

    def __init__(self, url: str, token: str | None = None, authority: str | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise PushpitError(f"{url!r} is not the URL of a gateway: it must be like http://127.0.0.1:2197")
        self.url = f"{parts.scheme}://{parts.netloc}"
        self.host = parts.hostname
        self.port = parts.port or (443 if parts.scheme == "https" else 80)
        self.token = token
        self._rules: dict[str, dict[str, Any]] = {}
        self.context = ssl.create_default_context(cafile=authority) if parts.scheme == "https" else None

    @property
    def fields(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"} if self.token else {}

    def call(
        self, method: str, path: str, body: Any = None, *, query: Mapping[str, Any] | None = None,
        accepted: tuple[int, ...] = (), timeout: float = 30, is_raw: bool = False,
    ) -> Any:
        """The JSON of the answer. Raises CallRefused for 4xx and 5xx, except for the statuses in `accepted`.

        If the call is raw, its error has the names of the control API.
        """
        target = f"{PREFIX}{path}" + (f"?{urlencode(query)}" if query else "")
        sent = None if body is None else json.dumps(body).encode()
        status, text = self._request(method, target, sent, timeout)
        if status >= 400 and status not in accepted:
            raise _refusal(f"{method} {target}", status, text, is_raw, query or ())
        return json.loads(text) if text else None

    def lines(self, path: str, query: Mapping[str, Any]) -> list[Any]:
        """An answer with one JSON object per line."""
        target = f"{PREFIX}{path}?{urlencode(query)}"
        status, text = self._request("GET", target, None, 30, {"accept": "application/x-ndjson"})
        if status >= 400:
            raise _refusal(f"GET {target}", status, text)
        return [json.loads(line) for line in text.splitlines() if line]

    def pages(self, path: str, name: str, query: Mapping[str, Any] | None = None) -> Iterator[Any]:
        """The items of a list, page after page."""
        cursor: dict[str, Any] = {}
        while True:
            page = self.call("GET", path, query={"limit": PAGE, **(query or {}), **cursor})
            yield from page[name]
            if page["next"] is None:
                return
            cursor = {"cursor": page["next"]}

    def rule(self, name: str) -> dict[str, Any]:
        """What docs/rules.md has about a rule. Empty for an unknown one."""
        if not self._rules:
            self._rules = {row["id"]: row for row in self.pages("/rules", "rules")}
        return self._rules.get(name, {})

    def _request(
        self, method: str, target: str, body: bytes | None, timeout: float, fields: Mapping[str, str] | None = None,
    ) -> tuple[int, bytes]:
        connection = (
            http.client.HTTPSConnection(self.host, self.port, timeout=timeout, context=self.context)
            if self.context else http.client.HTTPConnection(self.host, self.port, timeout=timeout))
        try:
            connection.request(method, target, body, {**self.fields, **(fields or {})})
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise PushpitError(f"the gateway at {self.url} does not answer {method} {target}: {error}") from error
        finally:
            connection.close()


def _refusal(
    call: str, status: int, text: bytes, is_raw: bool = False, sent: Container[str] = (),
) -> CallRefused:
    try:
        said = json.loads(text)["error"]
        code, message, pointer = said["code"], said["message"], said.get("pointer") or ""
        if not is_raw:
            message, pointer = refusal_here(message, pointer, code, sent), pointer_here(pointer)
        if status == 401:
            message += " Here, set PUSHPIT_API_TOKEN to it."
        return CallRefused(call, status, code, message, pointer)
    except (ValueError, KeyError, TypeError):
        return CallRefused(call, status, "", text[:200].decode(errors="replace"))
