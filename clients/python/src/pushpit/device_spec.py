"""What a test says about a new device, and about the state of one."""
from __future__ import annotations

from typing import Any, Mapping, Sequence, TypedDict


class State(TypedDict, total=False):
    """The state of a device: docs/devices.md."""

    app: str
    online: bool
    locked: bool
    permission: str
    focus: bool
    doze: bool
    low_power: bool
    background_refresh: bool
    force_stopped: bool
    direct_boot: bool
    locale: str


class Spec(TypedDict, total=False):
    """A new device, with the names of docs/devices.md in snake_case, also within its members: {"image_key": "image_url"}."""

    id: str
    name: str
    project: str
    environment: str
    locale: str
    os_version: str
    state: Mapping[str, Any]
    tracking: Mapping[str, Any]
    extension: Mapping[str, Any]
    subscription: Mapping[str, Any]
    categories: Sequence[Mapping[str, Any]]
    channels: Sequence[Mapping[str, Any]]
    texts: Mapping[str, Mapping[str, str]]
    app_config: Mapping[str, Any]
    background_budget: int
    reports_calls: bool
    tokens: Mapping[str, Any]
