"""All rows, in the order in which they run."""
from __future__ import annotations

import rows_autopush
import rows_bodies
import rows_connections
import rows_expect
import rows_fetching
import rows_frames
import rows_lists
import rows_receivers
import rows_registering
import rows_slow
import rows_sockets
import rows_state
import rows_web_apps
import rows_web_push
from row import Row

ROWS = [
    *rows_lists.ROWS, *rows_expect.ROWS, *rows_state.ROWS, *rows_frames.ROWS, *rows_sockets.ROWS, *rows_slow.ROWS,
    *rows_connections.ROWS, *rows_bodies.ROWS, *rows_fetching.ROWS, *rows_receivers.ROWS, *rows_autopush.ROWS,
    *rows_web_push.ROWS, *rows_web_apps.ROWS, *rows_registering.ROWS,
]


def named(names: list[str]) -> list[Row]:
    """The rows whose names begin with one of these; all rows without names."""
    return [row for row in ROWS if not names or any(row.name.startswith(name) for name in names)]
