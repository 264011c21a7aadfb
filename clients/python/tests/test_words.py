"""Errors of the gateway use the names and calls of this package."""
from __future__ import annotations

from typing import Any

import pytest

from pushpit import CallRefused, Gateway, PushApp
from pushpit._names import refusal_here, remedy_here


def test_members_are_in_snake_case_and_values_stay() -> None:
    text = "'pushtype' is unknown. Did you mean 'pushType'? Use one of apnsId, bodyText."
    here = "'pushtype' is unknown. Did you mean 'push_type'? Use one of apns_id, body_text."
    assert refusal_here(text, "/match/pushtype") == refusal_here(text, code="badQuery", sent={"pushtype": ""}) == here
    # A value, or the name of an object.
    assert refusal_here(text, "/state/app") == refusal_here(text, "/match/pushtype", "notFound") == text
    assert refusal_here("'pushType' must be a string; it is {\"pushType\":1}.", "/match/pushType") == (
        "'push_type' must be a string; it is {\"pushType\":1}.")
    assert refusal_here("'app' must be one of suspended, forceQuit.", "/state/app").endswith("suspended, forceQuit.")
    assert refusal_here("'wire' is \"x\". Did you mean 'goawayIdle'?") == "The fault is \"x\". Did you mean 'goawayIdle'?"


def test_remedies_name_calls_of_this_package(gateway: Gateway) -> None:
    assert remedy_here(None) is None
    rules = gateway.call("GET", "/rules?limit=1000")["rules"]
    remedies = {row["id"]: remedy_here(row["remedy"]) or "" for row in rules}
    assert not [text for text in remedies.values() if "PATCH /api" in text or "PUT /api" in text]
    assert remedies["fetch.skipped"] == (
        "Serve the file on this machine, add it to the media table (push_app.media(…), or 'media' in the file of --seed), or "
        "start the gateway with --fetch-media=on.")


def test_an_unknown_filter_is_answered_in_snake_case(push_app: PushApp) -> None:
    filters: Any = {"pushtype": "alert"}
    with pytest.raises(CallRefused, match=r"Did you mean 'push_type'\? Use one of .*apns_unique_id"):
        push_app.expect(**filters, within=0)
    with pytest.raises(CallRefused, match="Did you mean 'pushType'"):
        push_app.gateway.call("POST", "/expect", {"match": filters})


def test_members_of_an_extension_and_a_state_may_be_in_snake_case(push_app: PushApp, send: Any) -> None:
    extension = {"script": "firebase", "image_key": "image_url", "title_suffix": ""}
    phone = push_app.device("ios", state={"low_power": True}, extension=extension)
    bread = push_app.media("bread.png", content_type="image/png", size=20_000)
    payload = {"aps": {"alert": {"title": "Bread"}, "mutable-content": 1}, "image_url": bread}
    assert send(push_app, {"token": phone.fcm_token, "apns": {"payload": payload}}) == 200
    shown = phone.notification()
    assert (phone.state["lowPower"], shown.image, shown.title) == (True, bread, "Bread")


def test_a_mistyped_fault_is_guessed(push_app: PushApp) -> None:
    with pytest.raises(CallRefused, match=r"The fault is \"429TooManyRequest\"\. Did you mean '429TooManyRequests'\?"):
        push_app.fault("429TooManyRequest")


def test_an_empty_shade_tells_the_warnings_of_a_push(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("ios", state={"permission": "denied"})
    alert = {"aps": {"alert": {"titel": "Bread", "body": "Bread"}}}
    assert send(push_app, {"token": phone.fcm_token, "apns": {"payload": alert}}) == 200
    with pytest.raises(AssertionError, match="dropped: (.|\n)*warning: Did you mean 'title'"):
        phone.notification(within=0)


@pytest.mark.parametrize("filters, error", [
    ({"token": None}, "token= is None"), ({"event": {"kind": "presented", "device": None}}, "device= is None"),
])
def test_a_value_that_is_none_is_refused_because_every_push_would_match(
    push_app: PushApp, filters: dict[str, Any], error: str
) -> None:
    for call in (push_app.expect, push_app.messages):
        with pytest.raises(ValueError, match=error):
            call(**filters)


def test_a_device_is_no_token(push_app: PushApp) -> None:
    phone: Any = push_app.device("android")
    with pytest.raises(TypeError, match=r"token= takes a token, such as phone\.token"):
        push_app.expect(token=phone, within="0s")
