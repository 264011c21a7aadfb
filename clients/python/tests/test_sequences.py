"""Pushes that are expected one after the other, and what a failure says about their order."""
from __future__ import annotations

import asyncio
from typing import Any

import pytest

from pushpit import ExpectationFailed, PushApp


def send_all(push_app: PushApp, send: Any, *texts: tuple[str, str]) -> Any:
    """Sends notifications with these titles and bodies to a new phone."""
    phone = push_app.device("android")
    for title, body in texts:
        send(push_app, {"token": phone.token, "notification": {"title": title, "body": body}})
    return phone


def test_pushes_can_be_expected_one_after_the_other(push_app: PushApp, send: Any) -> None:
    send_all(push_app, send, ("One", "a"), ("Two", "b"), ("Three", "c"))
    found = push_app.expect_sequence({"text": "One"}, {"text": "Three"})
    assert [message.title for message in found] == ["One", "Three"]
    assert found == asyncio.run(push_app.expect_sequence_async({"text": "One"}, {"text": "Three"}))


def test_a_push_that_came_too_early_is_said_to_have(push_app: PushApp, send: Any) -> None:
    send_all(push_app, send, ("One", "a"), ("Two", "b"), ("Three", "c"))
    three, _, one = push_app.messages()
    with pytest.raises(ExpectationFailed, match="Number 2 of the sequence.*\nExpected: app=.* text=Three, then .*=One") as failed:
        push_app.expect_sequence({"text": "Three"}, {"text": "One"}, within=0)
    assert str(failed.value).splitlines()[2:] == [
        "Nearest:", f"  {one}", f"    came too early, before what number 1 of the sequence matched: {three}"]


def test_pushes_with_the_same_title_show_their_bodies(push_app: PushApp, send: Any) -> None:
    send_all(push_app, send, ("Order", "baked"), ("Order", "sent"))
    with pytest.raises(ExpectationFailed) as failed:
        push_app.expect_sequence({"text": "sent"}, {"text": "baked"}, within=0)
    *_, miss, why = str(failed.value).splitlines()
    assert 'FCM push "Order" (body "baked") of' in miss
    assert "too early" in why and 'FCM push "Order" (body "sent") of' in why
    with pytest.raises(ExpectationFailed, match=r'push "Order" \(body "baked"\) of .*\n.* push "Order" \(body "sent"\) of'):
        push_app.expect(count=1, within=0)


def test_an_event_that_came_too_early_and_one_that_it_came_before(push_app: PushApp, send: Any) -> None:
    phone = send_all(push_app, send, ("One", "a"), ("Two", "b"))
    phone.open()
    opened, presented = ({"event": {"kind": kind, "device": phone}} for kind in ("opened", "presented"))
    with pytest.raises(ExpectationFailed) as failed:
        push_app.expect_sequence(opened, presented, within=0)  # type: ignore[arg-type]
    why = f"    came too early, before what number 1 of the sequence matched: event opened of {phone.id}, {push_app.messages()[0]}"
    assert why in str(failed.value).splitlines()


def test_the_pushes_of_earlier_tests_do_not_come_too_early(push_app: PushApp, send: Any) -> None:
    message = {"topic": "news", "notification": {"title": "One"}}
    send(push_app, message)
    later = PushApp(push_app._identity, push_app.id)
    send(push_app, {**message, "notification": {"title": "Two"}})
    with pytest.raises(ExpectationFailed) as failed:
        later.expect_sequence({"text": "Two"}, {"text": "One"}, within=0)
    assert "    came before this test began" in str(failed.value) and "too early" not in str(failed.value)


def test_a_wait_for_a_sequence_that_holds_up_the_loop_names_the_other_call(push_app: PushApp, send: Any) -> None:
    async def blocked() -> str:
        with pytest.raises(ExpectationFailed) as failed:
            push_app.expect_sequence({"text": "One"}, {"text": "Three"}, within=0)
        return str(failed.value)

    assert "'await push_app.expect_sequence_async(…)'" in asyncio.run(blocked())
    send_all(push_app, send, ("Three", "c"), ("One", "a"))
    # The sender has sent. The order is wrong.
    assert "stood still" not in asyncio.run(blocked())
