"""Requests that go wrong on purpose: docs/faults.md."""
from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Mapping, Sequence, TypedDict, Union

from ._names import camel_keys
from ._values import Duration, duration_text
from .errors import hides_frames

if TYPE_CHECKING:
    from ._api import Api

__tracebackhide__ = hides_frames

# The name of a fault such as "503Shutdown", an effect such as {"deliver_after": "5s"}, or several of both.
Effect = Union[str, Mapping[str, Any], Sequence[Union[str, Mapping[str, Any]]]]


class When(TypedDict, total=False):
    """Which of the matching requests a fault hits, and for how long."""

    times: int
    nth: int
    every: int
    after: int
    per: str
    probability: float
    seed: int
    # How long the fault lasts, by the gateway's clock.
    lasts: Duration
    idle: Duration


def answer(
    status: int, reason: str | None = None, *, headers: Mapping[str, str] | None = None, body: str | None = None,
    content_type: str | None = None,
) -> dict[str, Any]:
    """The effect that the gateway gives this answer: `answer(503, "ServiceUnavailable", headers={"retry-after": "2"})`."""
    return {"answer": camel_keys(
        {"status": status, "reason": reason, "headers": headers, "body": body, "content_type": content_type})}


class Fault:
    """Faults that are set. They end with the `with` block, or with `remove()`."""

    def __init__(self, api: Api, ids: Sequence[str]) -> None:
        self._api = api
        self.ids = list(ids)
        self._last: list[dict[str, Any]] | None = None

    @property
    def json(self) -> list[dict[str, Any]]:
        """What the gateway says about them, or what it said when they were removed."""
        if self._last is not None:
            return self._last
        return [row for row in self._api.pages("/faults", "faults") if row["id"] in self.ids]

    @property
    def fired(self) -> int:
        """How many requests they have hit."""
        return sum(row["fired"] for row in self.json)

    @property
    def seen(self) -> int:
        """How many requests matched."""
        return sum(row["seen"] for row in self.json)

    def remove(self) -> None:
        """Removes them. Faults that are already gone are ignored."""
        self._last = self.json
        for id in self.ids:
            self._api.call("DELETE", f"/faults/{id}", accepted=(404,))

    def __enter__(self) -> Fault:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()


def set_faults(api: Api, effect: Effect, matches: Sequence[Mapping[str, Any]], when: When) -> Fault:
    """A fault for each match."""
    spec: dict[str, Any] = {**when, "effect": _effect_json(effect)}
    for name, new_name in (("lasts", "for"), ("idle", "idle")):
        if spec.get(name) is not None:
            spec[new_name] = duration_text(spec.pop(name))
    specs = [camel_keys({**spec, "match": match or None}) for match in matches]
    return Fault(api, [api.call("POST", "/faults", row)["id"] for row in specs])


def _effect_json(effect: Effect) -> Any:
    if isinstance(effect, str):
        return {"wire": effect}
    return effect if isinstance(effect, Mapping) else [_effect_json(one) for one in effect]


def set_scenario(api: Api, name: str, app: str | None) -> Fault:
    """Sets a scenario. The result has only the faults that this call has set, because other tests may have set the same
    scenario before.
    """
    before = {row["id"] for row in api.pages("/faults", "faults")}
    made = api.call("POST", f"/scenarios/{name}", {"app": app} if app else None)
    return Fault(api, [id for id in made["set"] if id not in before])
