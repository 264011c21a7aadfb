"""What --pushpit-report notes while the tests run."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Mapping

if TYPE_CHECKING:
    from .errors import ExpectationFailed
    from .gateway import Gateway
    from .messages import Message


class Recorder:
    """The pushes and expectations of the test that runs now."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway
        self._since = gateway.newest_event
        self._messages: dict[str, Message] = {}
        self._expectations: list[dict[str, Any]] = []

    def note(
        self, request: Mapping[str, Any], answer: Mapping[str, Any], failure: ExpectationFailed | None,
        matched: Iterable[Message],
    ) -> None:
        """Notes an expectation as `pushpit exec --report` writes it, with the text of a failure."""
        self._expectations.append({
            "met": failure is None, "expectation": dict(request),
            **({"why": failure.why, "text": str(failure)} if failure else {}), "nearest": answer.get("nearest", [])})
        self.add(matched)

    def add(self, messages: Iterable[Message]) -> None:
        self._messages.update({message.id: message for message in messages if message.seq > self._since})

    def collect(self) -> None:
        """Notes all new pushes, unless some of them may be those of others."""
        if not self._gateway.is_shared:
            self.add(self._gateway.messages(since=self._since))

    def take(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """The pushes, oldest first, and the expectations since the last call."""
        messages = sorted(self._messages.values(), key=lambda message: message.seq)
        taken = [message.json for message in messages], self._expectations
        self._since = messages[-1].seq if messages else self._since
        self._messages, self._expectations = {}, []
        return taken
