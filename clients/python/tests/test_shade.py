"""The shade is complete when a test reads it, and an empty one explains itself."""
from __future__ import annotations

from typing import Any

import pytest

from pushpit import PushApp


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
    assert "refused: 400 INVALID_ARGUMENT\n    " in str(empty.value)


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
