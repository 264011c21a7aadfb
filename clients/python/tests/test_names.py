"""Names of devices and faults may be in snake_case at every depth. Names that belong to the user stay as they are."""
from __future__ import annotations

import json
import urllib.request
from typing import Any, Iterator

import pytest

from pushpit import CallRefused, Gateway, PushApp
from pushpit._names import camel, camel_keys, snake

USERS_NAME = "a_Name of_theUser"


@pytest.fixture(scope="module")
def schemas(gateway: Gateway) -> dict[str, Any]:
    with urllib.request.urlopen(f"{gateway.url}/openapi.json") as answer:
        found: dict[str, Any] = json.load(answer)["components"]["schemas"]
    return found


def parts(schemas: dict[str, Any], schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The schemas that a value may have."""
    if "$ref" in schema:
        yield from parts(schemas, schemas[schema["$ref"].rpartition("/")[2]])
    for one in schema.get("anyOf", []):
        yield from parts(schemas, one)
    yield schema


def sample(schemas: dict[str, Any], schema: dict[str, Any], is_here: bool) -> Any:
    """A value with every member of the schema, with names in snake_case if it is for a call here. Texts stand for values."""
    members: dict[str, Any] = {}
    for part in parts(schemas, schema):
        if part.get("type") == "array" and "properties" in str(part["items"]):
            return [sample(schemas, part["items"], is_here)]
        for name, inner in part.get("properties", {}).items():
            members[snake(name) if is_here else name] = sample(schemas, inner, is_here)
        if isinstance(part.get("additionalProperties"), dict):
            members[USERS_NAME] = sample(schemas, part["additionalProperties"], False)
    return members or "fooBar some_text"


@pytest.mark.parametrize(("name", "some"), [
    ("DeviceSpec", "allows_http"), ("Effect", "first_stream_limit"), ("StatePatch", "low_power"), ("FaultSpec", "effect")])
def test_every_name_that_the_api_describes_is_converted(schemas: dict[str, Any], name: str, some: str) -> None:
    here, wire = (sample(schemas, schemas[name], is_here) for is_here in (True, False))
    assert some in str(here) and len(str(wire)) > 100
    if name != "StatePatch":
        assert USERS_NAME in str(here)
    assert camel_keys(here) == wire
    assert camel_keys(wire) == wire


def test_every_name_of_the_api_can_be_written_in_snake_case(schemas: dict[str, Any]) -> None:
    names = {name for schema in schemas.values() for name in names_in(schema)}
    assert {"allowsHTTP", "apnsUniqueId", "atLeast", "customDismissAction"} & names
    assert {name: camel(snake(name)) for name in names if camel(snake(name)) != name} == {}


def names_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        # Google's own names are in snake_case.
        yield from (name for name in value.get("properties", {}) if "_" not in name)
        for inner in value.values():
            yield from names_in(inner)


def test_an_effect_is_an_effect_whether_in_a_list_or_alone() -> None:
    assert camel_keys({"effect": [{"go_away": {"keep_open": True}}, {"deliver_after": "1s"}]}) == {
        "effect": [{"goAway": {"keepOpen": True}}, {"deliverAfter": "1s"}]}


@pytest.mark.parametrize("spec", [
    {"subscription": {"push_service": "apple", "keys": {}}}, {"app_config": {"will_present": [], "allows_http": True}},
    {"app_config": {"default_channel": "news", "click_actions": ["OPEN"], "allowsHTTP": True}},
    {"categories": [{"id": "NEWS", "custom_dismiss_action": True, "actions": [{"id": "LATER", "text": True}]}]},
    {"tokens": {"live_activity": {"start": "ab" * 32}}}, {"tokens": {"liveActivity": {"start": "cd" * 32}}},
    {"texts": {"en": {"some_text": "Hello", "someText": "Bye"}}}])
def test_the_gateway_knows_the_names_of_a_device(push_app: PushApp, spec: Any) -> None:
    browser_or_phone = "web" if "subscription" in spec else "ios"
    assert push_app.device(browser_or_phone, **spec).id


@pytest.mark.filterwarnings("ignore::pushpit.UnusedFault")
def test_the_gateway_knows_the_names_of_effects_and_keeps_those_of_the_user(push_app: PushApp) -> None:
    effects: Any = [
        "503Shutdown", {"go_away": {"keep_open": True}}, {"deliver_after": "1s"}, {"reset_after_headers": "CANCEL"},
        {"answer": {"status": 503, "content_type": "text/html", "body": "x", "headers": {"x-own-field": "1"}}}]
    match = {"provider": "apns", "push_type": "alert", "body": {"/own_key": {"in_here": 1}}, "headers": {"x-own": "1"}}
    fault = push_app.fault(effects, match)
    assert fault.json[0]["match"] == {
        "app": push_app.id, "provider": "apns", "pushType": "alert", "body": {"/own_key": {"in_here": 1}},
        "headers": {"x-own": "1"}}
    assert "x-own-field" in str(fault.json[0]["effect"])


@pytest.mark.parametrize(("spec", "message"), [
    ({"subscription": {"push_srvice": "apple"}},
     r"'push_srvice' is unknown\. Did you mean 'push_service'\? .*expiration_time.* \(at /subscription/push_srvice\)$"),
    ({"app_config": {"allows_htp": True}}, r"'allows_htp' is unknown\. Did you mean 'allows_http'\? .*default_channel"),
    ({"app_config": {"allowsHTPP": True}}, "Did you mean 'allows_http'"),
    ({"extension": {"script": "firebase", "image_key": 5}}, r"'image_key' must be a string.*\(at /extension/image_key\)$"),
    ({"state": {"app": "forcequit"}}, r"'app' must be one of .*, forceQuit"),
    ({"channels": [{"id": "x", "importance": "hihgFoo"}]}, "'hihgFoo' is unknown"),
    ({"os_verson": "1"}, r"'os_verson' is unknown\. .*os_version.* \(at /os_verson\)$")])
def test_a_refused_device_is_answered_with_names_that_can_be_written(
    push_app: PushApp, spec: Any, message: str
) -> None:
    with pytest.raises(CallRefused, match=message):
        push_app.device("web" if "subscription" in spec else "ios", **spec)


@pytest.mark.parametrize(("effect", "when", "message"), [
    ({"go_awy": {}}, {}, r"'go_awy' is not an effect\. Did you mean {\"go_away\":…}\? .*reset_after_headers.*first_stream"),
    ({"answer": {"status": 503, "content_type": "text/html"}}, {}, r"'content_type' requires 'body'.*/answer/content_type\)$"),
    ({"tls": "alrt"}, {}, "'tls' is \"alrt\". Did you mean 'alert'"),
    (["goawayIdel"], {}, "The fault is \"goawayIdel\". Did you mean 'goawayIdle'"),
    ({"delay": "1s", "deliver_after": "1s"}, {}, r"use a list: \[{\"delay\":…},{\"deliver_after\":…}\]"),
    ("503Shutdown", {"lasts": "soon"}, r"'lasts' must be a duration.*\(at /lasts\)$"),
    ("503Shutdown", {"last": "5s"}, "Use one of .*seed, lasts")])
def test_a_refused_fault_is_answered_with_names_that_can_be_written(
    push_app: PushApp, effect: Any, when: Any, message: str
) -> None:
    with pytest.raises(CallRefused, match=message):
        push_app.fault(effect, **when)


def test_a_refused_amount_and_a_refused_message_of_the_socket_have_these_names_too(push_app: PushApp) -> None:
    with pytest.raises(CallRefused, match="Send at most one of count, at_least, at_most and never"):
        push_app.expect(count=1, at_least=2)
    with pytest.raises(CallRefused, match=r"'low_powr' is unknown\. Did you mean 'low_power'.*\(at /state/low_powr\)$"):
        push_app.device("ios").set_state(low_powr=True)  # type: ignore[call-arg]
