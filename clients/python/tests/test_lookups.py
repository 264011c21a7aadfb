"""Unmodified libraries reach the gateway, and nothing else changes."""
from __future__ import annotations

import asyncio
import errno
import os
import socket
import threading
import time

import aioapns
import httpx
import jwt
import pytest
import requests

from pushpit import PushApp
from pushpit._redirection.lookups import EXCLUSIONS, PLACEHOLDER, PUSH_HOSTS, proxy_exclusions


def provider_token(app: PushApp) -> str:
    return jwt.encode(
        {"iss": app.apns.team_id, "iat": int(time.time())}, app.apns.key_text, "ES256",
        headers={"kid": app.apns.key_id})


def test_httpx_reaches_apple_over_http2(push_app: PushApp) -> None:
    phone = push_app.device("ios")
    fields = {"authorization": f"bearer {provider_token(push_app)}", "apns-topic": push_app.apns.topic}
    url = f"https://api.push.apple.com/3/device/{phone.token}"

    async def send_async() -> httpx.Response:
        async with httpx.AsyncClient(http2=True) as client:
            return await client.post(url, headers=fields, json={"aps": {"alert": "Async"}})

    with httpx.Client(http2=True) as client:
        answers = [client.post(url, headers=fields, json={"aps": {"alert": "Hello"}}), asyncio.run(send_async())]
    assert [(answer.status_code, answer.http_version) for answer in answers] == [(200, "HTTP/2")] * 2
    assert [entry.body for entry in phone.shade] == ["Async", "Hello"]
    push_app.expect(provider="apns", headers={"apns-topic": push_app.id}, count=2)


def test_aioapns_reaches_apple(push_app: PushApp) -> None:
    phone = push_app.device("ios")

    async def send() -> bool:
        apns = push_app.apns
        client = aioapns.APNs(key=apns.key_text, key_id=apns.key_id, team_id=apns.team_id, topic=apns.topic)
        request = aioapns.NotificationRequest(phone.token, {"aps": {"alert": "Hello"}})
        answer = await client.send_notification(request)
        client.pool.close()
        while client.pool.connections:
            await asyncio.sleep(0.001)
        return bool(answer.is_successful)

    assert asyncio.run(send())
    push_app.expect(device=phone, body={"/aps/alert": "Hello"}, count=1)


def test_requests_reaches_google_although_a_proxy_is_set(push_app: PushApp, monkeypatch: pytest.MonkeyPatch) -> None:
    assert proxy_exclusions() == {}
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "localhost")
    variables = proxy_exclusions()
    assert variables == {name: ",".join(["localhost", *PUSH_HOSTS]) for name in EXCLUSIONS}
    for name in variables:
        monkeypatch.setenv(name, variables[name])
    phone = push_app.device("android")
    answer = requests.post(
        f"https://fcm.googleapis.com/v1/projects/{push_app.project}/messages:send",
        headers={"authorization": "Bearer x"}, json={"message": {"token": phone.token, "data": {"a": "b"}}})
    assert answer.status_code == 200


def test_hosts_that_pushpit_does_not_imitate_are_not_reached_either(push_app: PushApp) -> None:
    answer = requests.post("https://sts.googleapis.com/v1/token", json={})
    assert (answer.status_code, "Pushpit" in answer.text) == (403, True)


def test_credentials_expire_for_this_sender_alone(push_app: PushApp) -> None:
    phone = push_app.device("ios")
    url = f"https://api.push.apple.com/3/device/{phone.token}"
    fields = {"authorization": f"bearer {provider_token(push_app)}", "apns-topic": push_app.apns.topic}
    common = push_app.gateway.credentials.apns
    others = jwt.encode(
        {"iss": common.team_id, "iat": int(time.time())}, common.key_text, "ES256", headers={"kid": common.key_id})
    with httpx.Client(http2=True) as client:
        def send(token: str) -> int:
            return client.post(
                url, headers={**fields, "authorization": f"bearer {token}"}, json={"aps": {"alert": "x"}}).status_code

        mine = provider_token(push_app)
        assert send(mine) == 200
    with httpx.Client(http2=True) as client:
        assert send(others) == 200
        push_app.expire_credentials()
        assert send(others) == 200
    with httpx.Client(http2=True) as client:
        assert send(mine) == 403


def test_other_connections_stay_as_they_are(push_app: PushApp) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        accepted = threading.Thread(target=lambda: server.accept()[0].close())
        accepted.start()
        with socket.create_connection(server.getsockname()) as client:
            assert client.getpeername() == server.getsockname()
        accepted.join()
    assert socket.getaddrinfo("localhost", 80, socket.AF_INET)[0][4] == ("127.0.0.1", 80)
    for name in ("API.push.apple.com.", b"api.push.apple.com"):
        assert socket.getaddrinfo(name, 443)[0][4][0] == PLACEHOLDER


@pytest.mark.parametrize(("port", "leads_to_the_gateway"), [
    (443, True), (2197, True), (5228, True), (2195, False), (2198, False), (8443, False)])
def test_only_the_ports_of_the_real_services_lead_to_the_gateway(
    push_app: PushApp, port: int, leads_to_the_gateway: bool
) -> None:
    with socket.socket() as client:
        assert client.connect_ex((PLACEHOLDER, port)) == (0 if leads_to_the_gateway else errno.ECONNREFUSED)
    with socket.socket() as client:
        if leads_to_the_gateway:
            client.connect((PLACEHOLDER, port))
            assert client.getpeername()[1] == push_app.gateway.port
        else:
            with pytest.raises(httpx.ConnectError):
                httpx.get(f"https://api.push.apple.com:{port}/")


def test_everything_is_as_before_after_the_block(push_app: PushApp) -> None:
    before = socket.getaddrinfo, socket.socket.connect, dict(os.environ)
    with push_app.gateway.redirect():
        assert socket.getaddrinfo is not before[0]
        assert os.environ["SSL_CERT_FILE"]
    assert (socket.getaddrinfo, socket.socket.connect, dict(os.environ)) == before
