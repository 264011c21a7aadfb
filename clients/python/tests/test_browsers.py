"""Simulated browsers, and pushes to their endpoints at the gateway itself."""
from __future__ import annotations

import time
import urllib.error
import urllib.request
from typing import Any

import pytest

from pushpit import PushApp, PushpitError

from test_plugin import no_gateway_in_the_environment
from web_pushes import KEY, encoded, point, webpush

# This fixture applies to every test here, too.
__all__ = ["no_gateway_in_the_environment"]

# A page that asks for a declarative push, which Safari shows by itself.
DECLARATIVE = '{"web_push": 8030, "notification": {"title": "Hello", "navigate": "https://shop.example/"}}'


def test_a_push_to_a_browser_is_decrypted(push_app: PushApp) -> None:
    browser = push_app.device("web", subscription={"push_service": "mozilla"})
    assert webpush(browser.subscription, '{"title": "Hello"}') == 201
    [push] = push_app.expect(device=browser, count=1)
    assert push.body == {"title": "Hello"}


def test_a_plain_web_push_shows_nothing_and_the_failure_comes_at_once(push_app: PushApp) -> None:
    browser = push_app.device("web")
    webpush(browser.subscription, "Hello")
    start = time.monotonic()
    with pytest.raises(AssertionError) as empty:
        browser.notification(within="30s")
    assert time.monotonic() - start < 10
    lines = str(empty.value).splitlines()
    assert lines[0] == f"{browser!r} shows no notification. Pushes to it, newest first:"
    assert lines[2:] == [
        "    push called",
        "    What a page shows for it is up to its service worker, which a simulated browser does not run.",
        "    Check what was sent: push_app.expect(device=…)[0].body is the decrypted text."]
    with pytest.raises(AssertionError, match=r"shows no notification to open\. (.|\n)*push_app\.expect\(device=…\)"):
        browser.open()


def test_a_notification_of_firebase_or_a_declarative_one_is_waited_for(push_app: PushApp, send: Any) -> None:
    browser = push_app.device("web")
    webpush(browser.subscription, "Hello")
    assert send(push_app, {"token": browser.fcm_token, "notification": {"title": "Bread"}}) == 200
    assert browser.notification().title == "Bread"
    safari = push_app.device("web", subscription={"push_service": "apple"})
    webpush(safari.subscription, DECLARATIVE)
    assert safari.notification().title == "Hello"


def test_a_push_that_no_one_can_decrypt_here_has_no_text(push_app: PushApp) -> None:
    keys = {"p256dh": encoded(point(KEY.public_key())), "auth": encoded(b"0123456789abcdef")}
    browser = push_app.device("web", subscription={"keys": keys, "application_server_key": keys["p256dh"]})
    webpush(browser.subscription, "Hello")
    with pytest.raises(AssertionError, match="which a simulated browser does not run.$"):
        browser.notification()


def test_a_refused_web_push_is_told(push_app: PushApp) -> None:
    browser = push_app.device("web")
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(urllib.request.Request(browser.subscription["endpoint"], b"Hello", {"ttl": "60"}))
    with pytest.raises(AssertionError, match="refused: 401.*\n    error: .*\n    fix: Sign with the VAPID key"):
        browser.notification(within=0)


def test_a_subscription_that_has_ended_says_why(push_app: PushApp) -> None:
    browser, phone = push_app.device("web"), push_app.device("ios")
    subscription = browser.subscription
    browser.set_state(permission="denied")
    with pytest.raises(PushpitError, match="it has ended, because its permission is 'denied'. Take it before that, 'subs"):
        browser.subscription
    with pytest.raises(urllib.error.HTTPError, match="410"):
        webpush(subscription, "Hello")
    with pytest.raises(PushpitError, match="only devices of the platform 'web' have one"):
        phone.subscription


def test_a_client_made_before_the_gateway_trusts_the_address_of_the_gateway(pytester: pytest.Pytester) -> None:
    """aiohttp makes its TLS context when it is imported."""
    pytester.makepyfile('''
import asyncio, aiohttp

def test_endpoint(push_app):
    async def get(url):
        async with aiohttp.ClientSession() as session, session.get(url) as answer:
            return answer.status

    endpoint = push_app.device("web").subscription["endpoint"]
    for url in (endpoint, endpoint.replace("localhost", "127.0.0.1")):
        assert asyncio.run(get(url)) in range(400, 500)
''')
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
