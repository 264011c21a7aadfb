"""What APNs and FCM have in common: what a push says, what may come of it, and when to try again."""
from __future__ import annotations

import email.utils
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum, auto

import httpx2

Sleep = Callable[[float], Awaitable[None]]

ATTEMPTS = 4
LONGEST_WAIT = 60.0
RETRIED = {429, 500, 503}


@dataclass(frozen=True)
class Notice:
    """What the customer reads."""

    title: str
    body: str
    image: str | None = None


class Outcome(Enum):
    ACCEPTED = auto()
    # The app is no longer on the phone: its token has to be deleted.
    GONE = auto()
    FAILED = auto()


async def with_retries(send: Callable[[], Awaitable[httpx2.Response]], sleep: Sleep) -> httpx2.Response:
    """Sends again if the service is busy, after the time that it asks for."""
    for attempt in range(ATTEMPTS - 1):
        answer = await send()
        if answer.status_code not in RETRIED:
            return answer
        wait = retry_after(answer)
        await sleep(min(0.5 * 2**attempt if wait is None else wait, LONGEST_WAIT))
    return await send()


def retry_after(answer: httpx2.Response) -> float | None:
    """The seconds in Retry-After, which may also be a date (RFC 9110, section 10.2.3)."""
    text = answer.headers.get("retry-after", "")
    if text.isdigit():
        return float(text)
    try:
        return max(email.utils.parsedate_to_datetime(text).timestamp() - time.time(), 0)
    except ValueError:
        return None
