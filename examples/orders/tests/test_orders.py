"""The service against Pushpit, with the fixture `push_app` and nothing else."""
from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from pushpit import Device, PushApp, answer

from orders.app import create_app
from orders.settings import Settings


class Shop:
    """The service, and how long it has waited before it sent a push again."""

    def __init__(self, client: TestClient, waits: list[float]) -> None:
        self.client = client
        self.waits = waits

    def register(self, phone: Device, customer: str = "ann") -> None:
        body = {"customer": customer, "platform": phone.platform, "token": phone.token}
        assert self.client.post("/phones", json=body).status_code == 201

    def order(self, item: str = "bread", image: str | None = None) -> None:
        body = {"customer": "ann", "item": item, "image": image}
        assert self.client.post("/orders", json=body).status_code == 202

    @property
    def tokens(self) -> list[str]:
        return [row["token"] for row in self.client.get("/phones/ann").json()]


@pytest.fixture
def shop(push_app: PushApp) -> Iterator[Shop]:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    settings = Settings(
        push_app.apns.key_text, push_app.apns.key_id, push_app.apns.team_id, push_app.apns.topic,
        push_app.fcm.service_account)
    with TestClient(create_app(settings, sleep)) as client:
        yield Shop(client, waits)


@pytest.fixture(params=["ios", "android"])
def phone(request: pytest.FixtureRequest, push_app: PushApp, shop: Shop) -> Device:
    # Our iPhone app shows images with Firebase's extension.
    phone = push_app.device(request.param, extension={"script": "firebase"})
    shop.register(phone)
    return phone


def test_an_order_is_announced_on_all_phones_of_the_customer(push_app: PushApp, shop: Shop) -> None:
    phones = [push_app.device("ios"), push_app.device("android")]
    for phone in phones:
        shop.register(phone)
    stranger = push_app.device("android")
    shop.register(stranger, customer="bob")
    shop.order("bread")
    push_app.expect(outcome="accepted", text="your bread", count=2)
    assert [[entry.title for entry in phone.shade] for phone in [*phones, stranger]] == [
        ["Your order is ready"], ["Your order is ready"], []]


def test_the_image_is_shown(push_app: PushApp, shop: Shop, phone: Device) -> None:
    image = push_app.media("bread.png", content_type="image/png", size=20_000)
    shop.order(image=image)
    assert phone.notification().image == image


def test_the_token_is_deleted_when_the_app_is_gone(push_app: PushApp, shop: Shop, phone: Device) -> None:
    shop.order()
    assert shop.tokens == [phone.token]
    phone.uninstall()
    shop.order()
    push_app.expect(status=410 if phone.platform == "ios" else 404, count=1)
    assert shop.tokens == []


def test_a_busy_service_gets_the_push_again_after_the_time_that_it_asks_for(
    push_app: PushApp, shop: Shop, phone: Device
) -> None:
    reason = "ServiceUnavailable" if phone.platform == "ios" else "UNAVAILABLE"
    push_app.fault(answer(503, reason, headers={"retry-after": "7"}), times=1)
    shop.order()
    push_app.expect(status=503, count=1)
    push_app.expect(outcome="accepted", count=1)
    assert shop.waits == [7]
    assert len(phone.shade) == 1


def test_the_service_gives_up_after_four_attempts(push_app: PushApp, shop: Shop, phone: Device) -> None:
    push_app.fault("503ServiceUnavailable")
    shop.order()
    push_app.expect(status=503, count=4)
    assert shop.waits == [0.5, 1, 2]
    assert shop.tokens == [phone.token]


def test_expired_credentials_are_renewed(push_app: PushApp, shop: Shop, phone: Device) -> None:
    shop.order("bread")
    push_app.expire_credentials()
    shop.order("milk")
    push_app.expect(outcome="accepted", count=2)
    assert "milk" in (phone.notification().body or "")


def test_many_phones_get_their_pushes_at_once(push_app: PushApp, shop: Shop) -> None:
    phones = [push_app.device(platform) for platform in ("ios", "android") for _ in range(25)]
    for phone in phones:
        shop.register(phone)
    shop.order()
    push_app.expect(outcome="accepted", count=50)
    push_app.expect(outcome="refused", never=True, within="0s")
    assert all(len(phone.shade) == 1 for phone in phones)
