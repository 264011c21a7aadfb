from __future__ import annotations

import asyncio
import json
import re
from types import SimpleNamespace
from typing import Any

import pytest

from pushpit import CallRefused, ExpectationFailed, PushApp


def hello(token: str, title: str = "Hello") -> dict[str, Any]:
    return {"token": token, "notification": {"title": title}}


def test_expect_returns_the_pushes_that_match(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")
    assert send(push_app, hello(phone.token)) == 200
    [message] = push_app.expect(
        device=phone, outcome="accepted", body={"/message/notification/title": "Hello"}, count=1)
    assert (message.provider, message.status, message.app, message.project) == (
        "fcm", 200, push_app.id, push_app.project)
    assert message.devices == [phone.id]
    assert message.body == {"message": hello(phone.token)}
    assert message.headers["content-type"] == "application/json"
    assert push_app.messages() == [message]
    assert push_app.messages(body={"/message/notification/title": "Bye"}) == []


def test_a_failure_shows_the_nearest_push_and_where_it_differs(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")
    send(push_app, hello(phone.token, "Helo"))
    with pytest.raises(AssertionError) as failure:
        push_app.expect(device=phone, body={"/message/notification/title": "Hello"}, within="0s")
    assert str(failure.value).splitlines() == [
        "0 pushes match, but at least 1 was expected.",
        f"Expected: app={push_app.id} device={phone.id} /message/notification/title=\"Hello\" (within 0s)",
        "Nearest:",
        f"  {push_app.messages()[0]}",
        "    /message/notification/title: expected \"Hello\", got \"Helo\"",
    ]
    assert isinstance(failure.value, ExpectationFailed)
    assert failure.value.nearest


def test_a_failure_shows_what_was_found_about_the_nearest_push(push_app: PushApp, send: Any) -> None:
    assert send(push_app, hello("short")) == 400
    with pytest.raises(ExpectationFailed, match="error: .*token"):
        push_app.expect(outcome="accepted", within="0s")


def test_texts_may_be_patterns(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")
    phone.subscribe("news")
    send(push_app, {"topic": "news", "notification": {"title": "7"}})
    send(push_app, hello(phone.token, "7"))
    push_app.expect(topic=re.compile("^n"), app={"prefix": push_app.project[:8]}, count=1)
    push_app.expect(token={"prefix": phone.token[:5]}, body_text={"/message/notification/title": "7"}, count=1)
    push_app.expect(event={"kind": {"prefix": "present"}, "data_text": {"/title": {"regex": "^7$"}}}, count=2)


def test_a_failure_names_filters_and_amounts_as_tests_write_them(push_app: PushApp, send: Any) -> None:
    send(push_app, hello(push_app.device("android").token))
    with pytest.raises(ExpectationFailed) as failed:
        push_app.expect(push_type="alert", apns_id="x", at_least=2, event={"kind": "opened", "data_text": {}}, within=0)
    lines = str(failed.value).splitlines()
    assert lines[1].endswith('push_type=alert apns_id=x event={"kind": "opened", "data_text": {}} (at_least 2, within 0ms)')
    assert "    push_type: expected \"alert\", got nothing" in lines


def test_a_failure_with_too_many_pushes_lists_them(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")
    for _ in range(2):
        send(push_app, hello(phone.token))
    newest, oldest = push_app.messages()
    with pytest.raises(
            ExpectationFailed, match=f"2 pushes match.*\n.*\nPushes that match:\n  {oldest.id}: .*\n  {newest.id}: FCM "
                                     "push \"Hello\" of .*, accepted: 200$"):
        push_app.expect(count=1, within="0s")


def test_a_failure_without_any_push_says_what_to_check() -> None:
    from pushpit import Gateway
    with Gateway(options=["--log-level", "error"]) as gateway, pytest.raises(ExpectationFailed) as failure:
        gateway.expect(within="0s")
    assert "No push has reached the gateway" in str(failure.value)
    assert "any push (within 0s)" in str(failure.value)


def test_a_push_of_another_app_is_a_near_miss(push_app: PushApp, send: Any) -> None:
    phone = push_app.gateway.device("android", "com.example.stranger", project="strange")
    send(SimpleNamespace(project="strange"), hello(phone.token))
    with pytest.raises(
        ExpectationFailed, match=f'app: expected "{push_app.id}", got .*com.example.stranger'
    ):
        push_app.expect(text="Hello", within=0)
    push_app.expect(app="com.example.stranger", count=1)
    push_app.gateway.reset("strange")
    push_app.gateway.reset("com.example.stranger")


def test_what_phones_did_can_be_expected(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")
    send(push_app, hello(phone.token))
    push_app.expect(event={"kind": "presented", "device": phone, "data": {"/title": re.compile("^Hel")}}, count=1)
    with pytest.raises(ExpectationFailed, match=f"Expected: app={push_app.id} event=.*\nNearest:\n  event presented of"):
        push_app.expect(event={"kind": "opened"}, within=0)
    phone.open()
    push_app.expect(event={"kind": "opened"}, text="Hello", count=1)


def test_texts_can_be_patterns(push_app: PushApp, send: Any) -> None:
    send(push_app, hello(push_app.device("android").token, "Hello Ann"))
    push_app.expect(body={"/message/notification/title": re.compile("^Hello [A-Z]")})
    push_app.expect(body={"/message/notification/title": {"prefix": "Hello"}})
    with pytest.raises(ExpectationFailed, match='title: expected {"regex": "Bob"}, got "Hello Ann"'):
        push_app.expect(body={"/message/notification/title": re.compile("Bob")}, within=0)
    with pytest.raises(ValueError, match="has flags"):
        push_app.expect(text=re.compile("hello", re.IGNORECASE))


def test_never_is_met_without_a_push_and_fails_with_one(push_app: PushApp, send: Any) -> None:
    push_app.expect(never=True, within=0)
    send(push_app, hello(push_app.device("android").token))
    with pytest.raises(ExpectationFailed):
        push_app.expect(never=True, within=0.01)


def test_an_unknown_filter_is_refused_instead_of_matching_everything(push_app: PushApp) -> None:
    with pytest.raises(CallRefused, match="'titel' is unknown"):
        push_app.expect(titel="Hello")  # type: ignore[call-arg]


def test_header_fields_and_texts_match(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")
    send(push_app, {**hello(phone.token), "data": {"order": "7"}})
    push_app.expect(headers={"content-type": "application/json"}, body_text={"/message/data/order": "7"}, text="hello")
    with pytest.raises(ExpectationFailed, match="content-type"):
        push_app.expect(headers={"content-type": "text/plain"}, within=0)


def test_expect_async_waits_without_holding_up_the_sender(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")

    async def send_later() -> None:
        expected = asyncio.ensure_future(push_app.expect_async(device=phone, count=1, within="20s"))
        await asyncio.get_running_loop().run_in_executor(None, send, push_app, hello(phone.token))
        assert len(await expected) == 1

    asyncio.run(send_later())


def test_a_wait_that_holds_up_the_loop_is_named_unless_the_push_has_come(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")

    async def expect() -> str:
        with pytest.raises(ExpectationFailed) as failed:
            push_app.expect(device=phone, text="Lunch", within=0)
        return str(failed.value)

    assert "stood still" in asyncio.run(expect())
    send(push_app, hello(phone.token))
    assert "stood still" not in asyncio.run(expect())
    assert "stood still" in asyncio.run(expect_other(push_app))


async def expect_other(push_app: PushApp) -> str:
    with pytest.raises(ExpectationFailed) as failed:
        push_app.expect(device=push_app.device("android"), within=0)
    return str(failed.value)


def test_pushes_to_topics_belong_to_the_project(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")
    phone.subscribe("news")
    assert {"name": "news", "project": push_app.project, "devices": 1} in push_app.gateway.topics()
    send(push_app, {"topic": "news", "notification": {"title": "Breakfast"}})
    push_app.expect(topic="news", device=phone, count=1)
    push_app.expect(count=1)
    phone.unsubscribe("news")
    send(push_app, {"topic": "news", "notification": {"title": "Lunch"}})
    assert [entry.title for entry in phone.shade] == ["Breakfast"]


def test_time_and_event_numbers_limit_what_counts(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")
    send(push_app, hello(phone.token))
    [first] = push_app.messages()
    assert push_app.messages(since=first.time) == [first]
    assert push_app.messages(since=first.seq) == []
    assert push_app.messages(until=first.seq) == [first]
    assert push_app.messages(until=first.seq - 1) == []


def test_a_message_prints_as_one_line_and_has_all_members(push_app: PushApp, send: Any) -> None:
    send(push_app, hello("short"))
    [message] = push_app.messages()
    assert str(message) == f"{message.id}: FCM push \"Hello\" of {push_app.project} to token short, refused: 400 INVALID_ARGUMENT"
    assert json.loads(json.dumps(message.json))["request"]["method"] == "POST"


def test_a_refused_push_is_not_looked_for_at_a_device(push_app: PushApp) -> None:
    phone = push_app.device("android")
    with pytest.raises(ValueError, match=r"a refused push reaches no device.* token=phone\.token"):
        push_app.expect(device=phone, outcome="refused", never=True)
    with pytest.raises(ValueError, match="a refused push reaches no device"):
        push_app.messages(device=phone, outcome="refused")
    with pytest.raises(ValueError, match="a refused push reaches no device"):
        push_app.expect_sequence({}, {"device": phone.id, "outcome": "refused"})


def test_a_failure_names_expect_async_if_it_has_blocked_an_event_loop(push_app: PushApp) -> None:
    async def blocked() -> None:
        with pytest.raises(ExpectationFailed, match=r"'await push_app\.expect_async"):
            push_app.expect(within=0)

    asyncio.run(blocked())
    with pytest.raises(ExpectationFailed) as plain:
        push_app.expect(within=0)
    assert "expect_async" not in str(plain.value)


def test_a_failure_says_what_a_phone_did_instead(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android", state={"permission": "denied"})
    send(push_app, hello(phone.token))
    pattern = "\n    suppressed: the app may not post.*\n    Set permission to authorized"
    with pytest.raises(ExpectationFailed, match=pattern) as failure:
        push_app.expect(device=phone, event={"kind": "presented"}, within=0)
    assert str(failure.value).count("may not post") == 1


def test_a_failure_shows_the_pushes_of_this_app_and_texts_without_tokens(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")
    send(push_app, {**hello(phone.token), "data": {"long": "x" * 1000}})
    other = push_app.gateway.device("android", app="com.example.other", project="other")
    send(SimpleNamespace(project="other"), hello(other.token))
    with pytest.raises(ExpectationFailed) as failure:
        push_app.expect(text="lunch", within=0)
    lines = str(failure.value).splitlines()
    assert len(lines) == 5 and "com.example.other" not in str(failure.value)
    assert lines[4].startswith('    text: expected "lunch", got ["Hello", "xxx') and lines[4].endswith("x…")
    push_app.gateway.reset("com.example.other")


def test_a_title_in_a_line_is_short_and_has_no_line_break(push_app: PushApp, send: Any) -> None:
    send(push_app, hello(push_app.device("android").token, "a\n" + "b" * 99))
    assert 'push "a\\n' + "b" * 38 + '…" of' in str(push_app.messages()[0])
