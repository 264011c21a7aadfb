"""The shade is complete when a test reads it, and an empty one explains itself."""
from __future__ import annotations

import asyncio
from typing import Any

import pytest

from pushpit import ExpectationFailed, PushApp


def test_the_shade_waits_for_an_image(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")
    for delay in ("250ms", "0s"):
        url = push_app.media(f"bread-{delay}.png", content_type="image/png", size=20_000, delay=delay)
        send(push_app, {"token": phone.token, "notification": {"title": delay, "image": url}})
    assert sorted(entry.title or "" for entry in phone.shade) == ["0s", "250ms"]
    assert all(entry.image for entry in phone.shade)


def test_a_notification_is_waited_for(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("ios", extension={"script": "slow", "seconds": 1})
    send(push_app, {
        "token": phone.fcm_token, "notification": {"title": "Bread"}, "apns": {"payload": {"aps": {"mutable-content": 1}}}})
    assert phone.notification().title == "Bread"


def test_an_empty_shade_says_what_became_of_each_push(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")
    with pytest.raises(AssertionError, match="shows no notification. No push has been sent to its tokens."):
        phone.notification(within=0)
    phone.set_state(permission="denied")
    send(push_app, {"token": phone.token, "notification": {"title": "Bread"}})
    send(push_app, {"token": phone.token, "notification": {"titel": "Bread"}})
    with pytest.raises(AssertionError) as empty:
        phone.notification(within="10ms")
    assert "suppressed: the app may not post notifications\n    Set permission to authorized" in str(empty.value)
    assert "refused: 400 INVALID_ARGUMENT\n    error: " in str(empty.value)


def test_a_refusal_has_its_meaning_and_its_remedy(push_app: PushApp, send: Any) -> None:
    phone, other = push_app.device("android"), push_app.device("android", project="other")
    phone.uninstall()
    send(push_app, {"token": phone.token, "notification": {"title": "Bread"}})
    meaning = "error: The token or the installation is no longer registered.*\n    fix: Delete the token"
    with pytest.raises(AssertionError, match=f"refused: 404 UNREGISTERED\n    {meaning}"):
        phone.notification(within=0)
    with pytest.raises(ExpectationFailed, match=f"\n    {meaning}"):
        push_app.expect(token=phone.token, outcome="accepted", within=0)
    with pytest.raises(ExpectationFailed, match=r'got nothing \(The push reached no device.*find it with \'token\'\.\)'):
        push_app.expect(device=phone, status=404, app={"regex": ""}, within=0)
    send(push_app, {"token": other.token, "notification": {"title": "Bread"}})
    with pytest.raises(AssertionError, match="error: The token was made for the project 'other', .*\n    fix: Send in"):
        other.notification(within=0)


def test_a_notification_says_why_it_has_no_image(push_app: PushApp, send: Any) -> None:
    bread = push_app.media("bread.png", content_type="image/png", size=20_000)
    phone = push_app.device("ios", extension={"script": "firebase", "imageKey": "/own/image"})
    message = {"token": phone.fcm_token, "notification": {"title": "Bread", "image": bread}}
    send(push_app, {**message, "apns": {"payload": {"aps": {"mutable-content": 1}}}})
    shown = phone.notification()
    assert shown.image is None and shown.missing_image
    assert shown.missing_image.rule == "ios.image-ignored"
    assert shown.missing_image.reason == "the app's extension does not read the key that names it"
    assert "'imageKey'" in (shown.missing_image.remedy or "")
    send(push_app, {**message, "apns": {"payload": {"aps": {"mutable-content": 1}, "own": {"image": bread}}}})
    shown = phone.notification()
    assert shown.image == bread and shown.missing_image is None


def test_a_limit_ends_the_wait_for_an_image(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")
    url = push_app.media("late.png", content_type="image/png", size=20_000, delay="8s")
    send(push_app, {"token": phone.token, "notification": {"title": "Bread", "image": url}})
    with pytest.raises(AssertionError, match="the image is still loading|delivered"):
        phone.notification(within="50ms")


def test_an_installation_id_is_a_target_of_fcm(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("ios")
    assert send(push_app, {"fid": phone.fid, "notification": {"title": "Bread"}}) == 200
    assert phone.notification().title == "Bread"


def test_a_notification_can_be_waited_for_while_the_loop_runs(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")
    message = {"token": phone.token, "notification": {"title": "Bread"}}

    async def session() -> None:
        waiting = asyncio.ensure_future(phone.notification_async(within="20s"))
        await asyncio.to_thread(send, push_app, message)
        assert (await waiting).title == "Bread"
        assert [entry.title for entry in await phone.shade_async()] == ["Bread"]

    asyncio.run(session())


def test_an_empty_shade_names_the_other_call_if_the_wait_has_held_up_the_loop(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android", state={"permission": "denied"})

    async def blocked() -> str:
        with pytest.raises(AssertionError) as empty:
            phone.notification(within="10ms")
        return str(empty.value)

    assert "stood still, so asynchronous code could not send: use 'await phone.notification_async()'" in asyncio.run(blocked())
    send(push_app, {"token": phone.token, "notification": {"title": "Bread"}})
    assert "stood still" not in asyncio.run(blocked())

    async def not_blocked() -> str:
        with pytest.raises(AssertionError) as empty:
            await push_app.device("android").notification_async(within=0)
        return str(empty.value)

    assert asyncio.run(not_blocked()).endswith("No push has been sent to its tokens.")
