"""What waits while hours and weeks go by on the gateway's clock: pushes for who is away, messages held back, extensions."""
from __future__ import annotations

import unittest

from api_case import APICase, token_of
from control import call, move_clock
from device_client import IPHONE, Phone, with_phones
from gateway import Gateway
from h2_client import Client
from http1_client import Connection
from test_fcm_devices import fcm, hello
from test_simulated_day import HOURS, clock
from test_transit import Provider

OFFLINE, ONLINE = {"state": {"online": False}}, {"state": {"online": True}}
STORED, EXPIRED = "apns.delivered-from-storage", "apns.discarded-expired"
# Platform, hours that the push may wait, the hour in which the device is back; the last that is told of it, with FCM its outcome.
WAITS: list[tuple[str, int | None, int, str]] = [
    ("ios", None, 23, STORED), ("ios", 6, 5, STORED), ("ios", 6, 7, EXPIRED), ("ios", 24, 23, STORED), ("ios", 1, 24, EXPIRED), ("ios", 0, 1, EXPIRED),
    ("android", None, 24, "delayedDeviceOffline"), ("android", 6, 5, "delayedDeviceOffline"), ("android", 6, 7, "droppedTtlExpired"), ("android", 0, 1, "droppedTtlExpired"),
    ("android", 24, 23, "delayedDeviceOffline"), ("web", 6, 5, "delayedDeviceOffline"), ("web", 6, 7, "droppedTtlExpired"), ("web", None, 24, "delayedDeviceOffline"),
]
# Days offline, the time to live in days, and what becomes of the message.
WEEKS: list[tuple[int, int | None, str]] = [
    (27, None, "delayedDeviceOffline"), (29, None, "droppedTtlExpired"), (27, 28, "delayedDeviceOffline"), (29, 28, "droppedTtlExpired"), (13, 14, "delayedDeviceOffline"), (15, 14, "droppedTtlExpired")]


class Devices(APICase):
    arguments = ("--auth", "off")

    def setUp(self) -> None:
        super().setUp()
        move_clock(self.gateway, freeze=True)

    def away(self, platform: str, hours: int | None) -> str:
        """A device that is offline, and what is on its way to it."""
        device = self.device(platform, **OFFLINE)
        if platform == "ios":
            expires = 0 if hours == 0 else hours and clock(self.gateway) + 3600 * hours
            self.apple.push(*([] if expires is None else [("apns-expiration", str(expires))]), token=token_of(device))
        elif platform == "web":
            self.google.send(token=token_of(device, "fcm"), data={"k": "v"}, webpush={"headers": {} if hours is None else {"TTL": str(3600 * hours)}})
        else:
            self.google.send(token=token_of(device, "fcm"), data={"k": "v"}, android={} if hours is None else {"ttl": f"{3600 * hours}s"})
        return device["id"]

    def last(self, device: str) -> tuple[str, str]:
        """What was told last of the way to it: why, and the outcome."""
        told = [event for event in self.events("kind=stored,delivered,dropped") if event.get("device") == device][-1]
        return told["why"], told["data"].get("outcome", "")

    def test_what_waits_through_the_day(self) -> None:
        names = [self.away(platform, hours) for platform, hours, _, _ in WAITS]
        for hour in range(1, HOURS + 1):
            move_clock(self.gateway, advance="59m")
            for name, (_, _, back, _) in zip(names, WAITS, strict=True):
                if back == hour:
                    self.ask("PATCH", f"/devices/{name}", ONLINE)
            move_clock(self.gateway, advance="1m")
        for name, row in zip(names, WAITS, strict=True):
            with self.subTest(row):
                self.assertIn(row[-1], self.last(name))

    def test_four_weeks_are_what_a_message_waits_at_most(self) -> None:
        names = [self.away("android", days and days * 24) for _, days, _ in WEEKS]
        for day in range(1, 30):
            move_clock(self.gateway, advance=f"{HOURS}h")
            for name, (back, _, outcome) in zip(names, WEEKS, strict=True):
                if back == day:
                    self.ask("PATCH", f"/devices/{name}", ONLINE)
                    self.assertEqual(self.last(name)[1], outcome, (back, day))
        five = self.google.send(token=token_of(self.device("android"), "fcm"), android={"ttl": f"{5 * 7 * 86_400}s"})
        self.assertEqual(five.status_code, 400)

    def test_an_extension_has_its_thirty_seconds(self) -> None:
        for seconds, steps, why in [(20, [19, 1], "ios.extension"), (45, [29, 1], "ios.extension-timeout")]:
            phone = self.device(extension={"script": "slow", "seconds": seconds})
            self.apple.push(token=token_of(phone), body={"aps": {"alert": {"title": "T"}, "mutable-content": 1}})
            for step, count in zip(steps, (0, 1), strict=True):
                move_clock(self.gateway, advance=f"{step}s")
                self.assertEqual(len(self.ask("GET", f"/devices/{phone['id']}/shade")["shade"]), count, (seconds, step))
            told = [event for event in self.events("kind=extension,presented") if event["device"] == phone["id"]]
            self.assertEqual([event["why"] for event in told], ["ios.extension", why, "ios.shown"])


class HeldBack(unittest.TestCase):
    def test_messages_that_replace_each_other_go_every_three_minutes(self) -> None:
        with Gateway("--quotas", "real", "--auth", "off") as gateway:
            move_clock(gateway, freeze=True)

            async def body(phone: Phone) -> None:
                token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
                with Connection(gateway.at().connect()) as connection:
                    for number in range(22):
                        text = '{"message":{"token":"%s","data":{"n":"%d"},"android":{"collapse_key":"k"}}}' % (token, number)
                        connection.send(f"POST /v1/projects/demo/messages:send HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(text)}\r\n\r\n{text}")
                    self.assertEqual([(await phone.receive())["payload"]["data"]["n"] for _ in range(20)], [str(number) for number in range(20)])
                    for step in ("1m", "119s"):
                        self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
                        move_clock(gateway, advance=step)
                    move_clock(gateway, advance="1s")
                    self.assertEqual((await phone.receive())["payload"]["data"], {"n": "21"})
            with_phones(gateway, body)

    def test_the_newest_of_a_channel_waits_eight_hours(self) -> None:
        for hours, whys in ((7, [STORED]), (9, [EXPIRED])):
            with Gateway("--auth", "off") as gateway, Client(gateway.at().connect()) as client:
                provider = Provider(client)

                async def body(phone: Phone) -> None:
                    device = (await phone.ask(type="hello", device=IPHONE, wants=["event"]))["device"]["id"]
                    channel = provider.channel(1)
                    await phone.ask(type="channel", op="subscribe", id=channel)
                    self.assertEqual((await phone.receive())["kind"], "subscribed")
                    for patch, kind in ((OFFLINE, "state"), (None, "stored"), (ONLINE, "state")):
                        if patch is None:
                            self.assertEqual(provider.broadcast(channel, 1, str(clock(gateway) + HOURS * 3600)), 200)
                        else:
                            call(gateway, "PATCH", f"/devices/{device}", patch)
                        self.assertEqual((await phone.receive())["kind"], kind)
                        if patch is None:
                            move_clock(gateway, advance=f"{hours}h")
                    self.assertEqual([(await phone.receive())["why"] for _ in whys], whys)
                with_phones(gateway, body)
