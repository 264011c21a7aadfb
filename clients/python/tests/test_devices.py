from __future__ import annotations

import asyncio
from typing import Any, Awaitable, Callable

import pytest

from pushpit import Device, NoFrame, PushApp, PushpitError, SocketClosed


def hello(device: Device, title: str = "Hello") -> dict[str, Any]:
    return {"token": device.fcm_token, "notification": {"title": title, "body": "Bread"}, "data": {"order": "7"}}


def run(session: Callable[[], Awaitable[None]]) -> None:
    async def all() -> None:
        await session()

    asyncio.run(all())


def test_a_phone_shows_a_push_and_a_person_opens_it(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")
    send(push_app, hello(phone))
    [entry] = phone.shade
    assert (entry.title, entry.body, entry.image) == ("Hello", "Bread", None)
    phone.open()
    assert phone.shade == []
    assert [event.kind for event in phone.events("presented", "opened")] == ["presented", "opened"]
    with pytest.raises(AssertionError, match="shows no notification to open. Pushes to it"):
        phone.open()


def test_a_notification_can_be_dismissed_and_its_buttons_tapped(push_app: PushApp, send: Any) -> None:
    phone = push_app.device(
        "ios", categories=[{"id": "NEWS", "actions": [{"id": "LATER", "title": "Later"}]}])
    alert = {"aps": {"alert": "Hello", "category": "NEWS"}}
    for _ in range(2):
        send(push_app, {"token": phone.fcm_token, "apns": {"payload": alert}})
    assert [action.title for action in phone.shade[0].actions] == ["Later"]
    phone.tap_action("LATER")
    phone.dismiss()
    assert phone.shade == []
    assert [event.data.get("actionId") for event in phone.events("action", "dismissed")] == ["LATER", None]


def test_pushes_wait_while_a_phone_is_offline(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android", state={"online": False})
    send(push_app, hello(phone))
    assert (len(phone.pending), phone.shade) == (1, [])
    phone.set_state(online=True, background_refresh=False)
    assert len(phone.shade) == 1
    assert (phone.state["online"], phone.state["backgroundRefresh"]) == (True, False)


def test_tokens_end_with_the_app_and_with_a_rotation(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")
    old = phone.token
    phone.rotate_token()
    assert phone.token != old
    assert send(push_app, {"token": old, "notification": {"title": "Hello"}}) == 404
    assert send(push_app, hello(phone)) == 200
    token = phone.token
    phone.uninstall()
    assert send(push_app, {"token": token, "notification": {"title": "Hello"}}) == 404


def test_each_platform_has_its_tokens(push_app: PushApp) -> None:
    iphone, browser = push_app.device("ios", app_config={"allowsHTTP": True}), push_app.device("web")
    assert iphone.token == iphone.apns_token == iphone.tokens["apns"]["token"]
    assert iphone.tokens["voip"]["topic"] == f"{push_app.id}.voip"
    assert browser.token == browser.fcm_token
    assert browser.app == f"https://{push_app.id}"
    assert set(browser.subscription["keys"]) == {"p256dh", "auth"}
    with pytest.raises(PushpitError, match="has no push subscription: only devices of the platform 'web' have one"):
        iphone.subscription
    with pytest.raises(TypeError, match=f"the app of a test's devices is its own, https://{push_app.id}"):
        push_app.device("web", app="https://shop.example")  # type: ignore[call-arg]
    with pytest.raises(PushpitError, match="has no token of the kind 'apns'; it has fcm"):
        browser.apns_token


def test_media_decide_whether_a_phone_shows_an_image(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")
    for url in (push_app.media("bread.png", content_type="image/png", size=20_000),
                push_app.media("lost.png", status=404)):
        send(push_app, {"token": phone.token, "notification": {"title": "Bread", "image": url}})
    assert [entry.image for entry in phone.shade] == [None, f"https://{push_app.id}.example/bread.png"]


def test_the_socket_has_pushes_and_events_in_order(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")

    async def session() -> None:
        async with phone as watched:
            assert watched is phone and phone.welcome["device"]["id"] == phone.id
            send(push_app, hello(phone))
            # Earlier frames stay for the next calls.
            shown = await phone.next_event("presented")
            push = await phone.next_push()
            assert push["payload"]["data"] == {"order": "7"}
            assert shown["push"] == push["id"]
            await phone.request("act", notification=shown["data"]["key"], kind="open")
            with pytest.raises(TypeError, match='request\\("topic", op="subscribe", name="news"\\), not {}'):
                await phone.request({})  # type: ignore[arg-type]
            assert (await phone.request("topic", op="subscribe", name="news"))["type"] == "ok"
            assert (await phone.next_event("opened"))["why"] == "person.opened"

    run(session)
    assert not phone.json["connected"]


def test_if_a_frame_does_not_come_the_failure_lists_the_frames_that_came(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")

    async def session() -> None:
        async with phone:
            send(push_app, hello(phone))
            await phone.next_event("presented")
            with pytest.raises(NoFrame, match="did not get an event of the kind opened within 10ms.*it got: push p"):
                await phone.next_event("opened", timeout="10ms")

    run(session)


def test_iteration_ends_when_the_gateway_closes_the_socket(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")

    async def session() -> None:
        async with phone:
            send(push_app, hello(phone))
            await phone.next_event("presented")
            phone.delete()
            kinds = [frame["type"] async for frame in phone]
            assert kinds[0] == "push"
            with pytest.raises(SocketClosed, match="4003"):
                await phone.next_push()
            with pytest.raises(SocketClosed):
                await phone.request("ping")

    run(session)


def test_pushes_that_were_not_acknowledged_come_again(push_app: PushApp, send: Any) -> None:
    phone = push_app.device("android")

    async def session() -> None:
        async with phone.connect(manual_ack=True, wants=["push", "raw"]):
            send(push_app, hello(phone))
            first = await phone.next_push()
            assert first["attempt"] == 1 and first["raw"]
        async with phone.connect(manual_ack=True):
            again = await phone.next_push()
            assert (again["id"], again["attempt"]) == (first["id"], 2)
            await phone.request("ack", ids=[again["id"]])
        async with phone.connect(manual_ack=True):
            with pytest.raises(NoFrame):
                await phone.next_push("10ms")

    run(session)


def test_a_refused_message_names_the_member(push_app: PushApp) -> None:
    phone = push_app.device("android")

    async def session() -> None:
        async with phone:
            with pytest.raises(PushpitError, match=r"act was refused.*\(at /notification\)"):
                await phone.request("act", kind="open", notification="n9")
        with pytest.raises(PushpitError, match="use 'async with'"):
            await phone.next_push()

    run(session)


def test_a_device_that_was_deleted_can_not_be_watched(push_app: PushApp) -> None:
    phone = push_app.device("android")
    phone.delete()

    async def session() -> None:
        async with phone:
            raise AssertionError("it was opened")

    with pytest.raises((PushpitError, SocketClosed), match="unknown|4001"):
        run(session)
