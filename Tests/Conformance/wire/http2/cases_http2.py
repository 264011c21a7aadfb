"""h2spec's `http2` group: 94 cases and one strict one, in the order of the sections."""
from __future__ import annotations

import cases_http2_flow
import cases_http2_frames
import cases_http2_messages
import cases_http2_streams
from expect import Case

CASES: list[Case] = [
    *cases_http2_streams.CASES,
    *cases_http2_frames.CASES,
    *cases_http2_flow.CASES,
    *cases_http2_messages.CASES,
]
