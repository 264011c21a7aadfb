"""Values as the control API writes them: durations, times, and names in camelCase; and its texts in words of this package."""
from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import Any, Mapping, Union

Duration = Union[str, float, timedelta]

_DURATION = re.compile(r"(\d{1,9})(ms|s|m|h)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6})\d*)?Z")

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


def duration_text(value: Duration) -> str:
    """The duration as the API takes it. A text such as "5s" is returned unchanged; a number is in seconds."""
    if isinstance(value, str):
        return value
    seconds = value.total_seconds() if isinstance(value, timedelta) else value
    return f"{round(seconds * 1000)}ms"


def duration_seconds(value: Duration) -> float:
    found = _DURATION.fullmatch(duration_text(value))
    if not found:
        raise ValueError(f"{value!r} is not a duration: write it like '250ms', '5s', '1m' or '1h', or as seconds")
    return int(found[1]) * _SECONDS[found[2]]


def parsed_time(text: str) -> datetime:
    found = _TIME.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not a time in UTC like '2027-01-01T00:00:00Z'")
    moment = datetime.strptime(found[1], "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc)
    return moment + timedelta(microseconds=int((found[2] or "0").ljust(6, "0")))


def time_text(value: str | datetime) -> str:
    if isinstance(value, str):
        return value
    if value.tzinfo is None:
        raise ValueError(f"{value} has no time zone: pass a datetime with one, such as datetime.now(timezone.utc)")
    return value.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def camel(name: str) -> str:
    """`push_type` becomes `pushType`, and `for_` becomes `for`."""
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(word.capitalize() for word in rest)


def camel_keys(values: Mapping[str, Any]) -> dict[str, Any]:
    """The members of one object for the API, without the ones that are None."""
    return {camel(name): value for name, value in values.items() if value is not None}


# The members of a device whose own members have fixed names.
NESTED = ("state", "tracking", "extension")


def device_json(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A new device for the API."""
    return camel_keys({
        name: camel_keys(value) if name in NESTED and isinstance(value, Mapping) else value
        for name, value in spec.items()})


def remedy_here(remedy: str | None) -> str | None:
    for call, here in _REMEDIES:
        remedy = remedy and call.sub(here, remedy)
    return remedy


def refusal_here(text: str) -> str:
    """Members that the text suggests are in snake_case, except in lists of values."""
    if _WIRE.match(text):
        return _WIRE.sub("The fault is ", text)
    return _SUGGESTIONS.sub(lambda found: _HUMP.sub(lambda letter: f"_{letter[0].lower()}", found[0]), text)
