"""A trap of firebase-admin that the README names."""
from __future__ import annotations

import asyncio

import firebase_admin  # type: ignore[import-untyped]
import pytest
from firebase_admin import messaging

from pushpit import PushApp


# The client that could not be closed.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore:coroutine:RuntimeWarning")
def test_an_app_is_deleted_outside_the_event_loop(push_app: PushApp) -> None:
    async def use() -> None:
        one, other = (firebase_admin.initialize_app(name=f"{push_app.id}-{number}") for number in range(2))
        for app in (one, other):
            messaging._get_messaging_service(app)
        with pytest.raises(RuntimeError, match="asyncio.run"):
            firebase_admin.delete_app(one)
        await asyncio.to_thread(firebase_admin.delete_app, other)

    asyncio.run(use())


def test_an_app_that_has_sent_asynchronously_is_deleted_while_its_loop_runs(push_app: PushApp) -> None:
    fid = push_app.device("android").fid

    async def use(app: firebase_admin.App) -> None:
        await messaging.send_each_async([messaging.Message(fid=fid, data={"a": "b"})], app=app)

    async def use_and_delete(app: firebase_admin.App) -> None:
        await use(app)
        await asyncio.to_thread(firebase_admin.delete_app, app)

    asyncio.run(use_and_delete(firebase_admin.initialize_app(name=f"{push_app.id}-deleted")))
