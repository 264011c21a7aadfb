from __future__ import annotations

import time
import urllib.error
import urllib.request
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from pushpit import CallRefused, Gateway, PushApp, SharedGateway, answer
from pushpit._values import duration_seconds, duration_text, parsed_time, time_text


def sends(push_app: PushApp, send: Any, count: int = 1) -> list[int]:
    phone = push_app.device("android")
    return [send(push_app, {"token": phone.token, "notification": {"title": "Hello"}}) for _ in range(count)]


def test_a_fault_hits_this_app_until_its_block_ends(push_app: PushApp, send: Any) -> None:
    other = PushApp(replace(push_app._identity, credentials=push_app.gateway.credentials), f"{push_app.id}.other")
    with push_app.fault(answer(503, "UNAVAILABLE", headers={"retry-after": "2"})) as fault:
        assert sends(push_app, send) == [503]
        assert sends(other, send) == [200]
        assert (fault.seen, fault.fired) == (1, 1)
    assert sends(push_app, send) == [200]
    assert (fault.seen, fault.fired) == (1, 1)
    other.close()


def test_a_fault_can_be_named_and_limited(push_app: PushApp, send: Any) -> None:
    push_app.fault("503ServiceUnavailable", times=2, lasts=timedelta(hours=1), seed=7)
    assert sends(push_app, send, 3) == [503, 503, 200]
    rows = {row["match"]["provider"]: row for row in push_app.gateway.call("GET", "/faults")["faults"]}
    assert (rows["fcm"]["for"], rows["fcm"]["seed"], rows["fcm"]["state"]) == ("3600000ms", 7, "usedUp")
    assert rows["apns"]["state"] == "active"


@pytest.mark.filterwarnings("ignore::pushpit.UnusedFault")
def test_a_fault_hits_topics_too_and_can_be_limited_to_a_service(push_app: PushApp, send: Any) -> None:
    with push_app.fault({"answer": {"recorded": "topic-quota"}}, {"topic": "news"}) as fault:
        assert send(push_app, {"topic": "news", "data": {"a": "b"}}) == 429
        assert send(push_app, {"topic": "other", "data": {"a": "b"}}) == 200
        assert fault.fired == 1
    with push_app.fault("503Shutdown", {"provider": "apns"}):
        assert sends(push_app, send) == [200]
    with pytest.raises(CallRefused, match="titel"):
        push_app.fault("503Shutdown", {"titel": "Hello"})


def push_to(browser: Any) -> int:
    """Sends a web push without text to the endpoint of a simulated browser."""
    request = urllib.request.Request(browser.subscription["endpoint"], b"", {"ttl": "60"})
    try:
        with urllib.request.urlopen(request) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_a_fault_hits_web_pushes_of_this_app(push_app: PushApp) -> None:
    browser = push_app.device("web", subscription={"pushService": "mozilla"})
    with push_app.fault(answer(503)) as fault:
        assert (push_to(browser), fault.fired) == (503, 1)
    with push_app.fault(answer(429), {"provider": "webpush"}):
        assert push_to(browser) == 429
    assert push_to(browser) == 201
    assert [message.status for message in push_app.messages()] == [201, 429, 503]
    assert [message.status for message in push_app.messages(device=browser)] == [201]


def test_faults_devices_and_media_end_with_the_app(gateway: Gateway, push_app: PushApp) -> None:
    with PushApp(push_app._identity, "com.example.short") as app:
        app.fault("503Shutdown")
        app.device("ios")
        app.media("bread.png", size=100)
        assert gateway.call("GET", "/faults")["faults"] and gateway.call("GET", "/media")["media"]
    assert gateway.call("GET", "/faults")["faults"] == gateway.call("GET", "/media")["media"] == []
    assert gateway.devices(app="com.example.short") == []


def test_a_scenario_ends_without_ending_that_of_another_app(push_app: PushApp, send: Any) -> None:
    with push_app.gateway.scenario("fcm-503-but-delivered", app="com.example.other") as other:
        with push_app.scenario("fcm-503-but-delivered"):
            assert sends(push_app, send) == [503]
        assert sends(push_app, send) == [200]
        assert len(other.json) == 1


def test_the_clock_moves_without_waiting(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android", state={"online": False})
    send(push_app, {"token": phone.token, "notification": {"title": "Hello"}, "android": {"ttl": "60s"}})
    with push_app.clock.frozen() as clock:
        before = clock.now
        assert clock.is_frozen
        assert clock.advance("61s") - before == clock.now - before == timedelta(seconds=61)
        moment = datetime(2030, 1, 2, tzinfo=timezone.utc)
        assert clock.set(moment) == moment
    assert not clock.is_frozen
    assert phone.pending == []


def test_the_clock_is_right_after_a_test_that_moved_it(push_app: PushApp) -> None:
    with PushApp(push_app._identity, "com.example.late") as app:
        app.clock.freeze()
        app.clock.set("2030-01-01T00:00:00Z")
    clock = push_app.gateway.clock
    assert not clock.is_frozen
    assert abs(clock.now.timestamp() - time.time()) < 3600


def test_the_clock_of_a_shared_gateway_refuses(gateway: Gateway, push_app: PushApp) -> None:
    with Gateway(url=gateway.url) as shared:
        app = PushApp(replace(push_app._identity, gateway=shared), "com.example.other")
        with pytest.raises(SharedGateway, match="without exec and PUSHPIT_URL.*shared_clock moves it"):
            app.clock.freeze()


def test_durations_and_times_are_texts_seconds_or_values() -> None:
    assert [duration_text(value) for value in ("5s", 0.25, 5, timedelta(minutes=1))] == [
        "5s", "250ms", "5000ms", "60000ms"]
    assert [duration_seconds(value) for value in ("250ms", "2m", "1h", 3)] == [0.25, 120, 3600, 3]
    with pytest.raises(ValueError, match="'soon' is not a duration"):
        duration_seconds("soon")
    text = "2027-01-01T12:00:00.250Z"
    assert time_text(parsed_time(text)) == text
    assert parsed_time("2027-01-01T12:00:00Z").microsecond == 0
    with pytest.raises(ValueError, match="no time zone"):
        time_text(datetime(2027, 1, 1))
    with pytest.raises(ValueError, match="'today' is not a time"):
        parsed_time("today")
