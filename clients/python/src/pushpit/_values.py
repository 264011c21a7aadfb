"""Durations and times as the control API writes them."""
from __future__ import annotations

import re
import time
from datetime import datetime, timedelta, timezone
from typing import Union

Duration = Union[str, float, timedelta]


def monotonic() -> float:
    """Seconds that also pass in a test that freezes `time.monotonic`, as freezegun does."""
    return time.clock_gettime(time.CLOCK_MONOTONIC)


_DURATION = re.compile(r"(\d{1,9})(ms|s|m|h)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6})\d*)?Z")


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
