"""Leads the pushes of this process to a gateway: its look-ups, its trust and its environment."""
from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Iterator
from unittest import mock

from .lookups import PUSH_HOSTS, proxy_exclusions, redirected
from .trust import trusted_contexts, trusting

if TYPE_CHECKING:
    from .._running import RunningGateway

# The names under which a gateway on this machine can be reached. The endpoints of simulated browsers have the first.
OWN_HOSTS = ("localhost", "127.0.0.1", "::1")


@contextmanager
def pushes_led_to(gateway: RunningGateway) -> Iterator[None]:
    """During the `with` block, pushes to Apple and Google reach the gateway."""
    authority = gateway.credentials.ca
    # The files of a gateway that was started here are removed even if this process is killed.
    folder = Path(gateway.directory or tempfile.gettempdir(), f"pushpit-{uuid.uuid4().hex}")
    variables = {
        **gateway.credentials.variables, **trusting(authority, folder), **proxy_exclusions(), "PUSHPIT_URL": gateway.url,
        **({"PUSHPIT_API_TOKEN": gateway.token} if gateway.token else {})}
    hosts = {*PUSH_HOSTS, *OWN_HOSTS, gateway.host}
    try:
        with mock.patch.dict(os.environ, variables), trusted_contexts(authority, hosts), redirected(
                gateway.host, gateway.port):
            yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)
