"""Texts of the gateway, with the names and calls of this package instead of those of the control API."""
from __future__ import annotations

import re

_REMEDIES = (
    (re.compile(r"'state' on the device socket, or PATCH /api/v1/devices/ID"), "phone.set_state(…)"),
    (re.compile(r"'launch' on the device socket, or POST /api/v1/devices/ID/act"), "phone.launch()"),
    (re.compile(r"PUT /api/v1/media"), "push_app.media(…)"),
    (re.compile(r"with DELETE /api/v1/faults"), "with its remove()"),
)
_SUGGESTIONS = re.compile(r"(?:Did you mean|Use one of) [^.?]*[.?]")
_HUMP = re.compile(r"(?<=[a-z])[A-Z]")
# A fault that was given by its name alone.
_WIRE = re.compile(r"^'wire' is ")


def remedy_here(remedy: str | None) -> str | None:
    for call, here in _REMEDIES:
        remedy = remedy and call.sub(here, remedy)
    return remedy


def refusal_here(text: str) -> str:
    """Members that the text suggests are in snake_case, except in lists of values."""
    if _WIRE.match(text):
        return _WIRE.sub("The fault is ", text)
    return _SUGGESTIONS.sub(lambda found: _HUMP.sub(lambda letter: f"_{letter[0].lower()}", found[0]), text)
