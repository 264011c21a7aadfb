"""Pushes that are answered now and delivered later: at their time, in another order, to what the device is by then."""
from __future__ import annotations

import unittest
from datetime import datetime
from typing import Any

from control import call, move_clock, set_fault
from device_client import IPHONE, Phone, with_phones
from h2_client import Client
from test_fault_times import HIT, SPREAD, Times
from test_fcm_devices import fcm, hello
from test_transit import Provider


class Late(Times):
    async def tags(self, phone: Phone) -> list[Any]:
        """What has come, up to a push of now."""
        found = []
        while (tag := (await phone.receive())["payload"].get("tag")) != "end":
            found.append(tag)
        return found

    def ends(self, token: str) -> None:
        call(self.gateway, "DELETE", "/faults")
        self.assertEqual(self.status(token, tag="end"), 200)

    def test_pushes_arrive_later_than_they_are_answered(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = await phone.ask(type="hello", device=IPHONE, wants=["push", "event"])
            token, device = welcome["device"]["tokens"]["apns"]["token"], welcome["device"]["id"]
            sent = call(self.gateway, "GET", "/clock")[1]["now"]
            set_fault(self.gateway, {"deliverAfter": "1h"})
            self.assertEqual(self.status(token, tag="late"), 200)
            for step in (1, 3_599_998):
                self.advance(step)
                self.assertEqual(call(self.gateway, "GET", f"/devices/{device}/shade")[1]["shade"], [])
                self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
            self.advance(1)
            frame, event = await phone.receive(), await phone.receive()
            now = call(self.gateway, "GET", "/clock")[1]["now"]
            self.assertEqual((frame["payload"]["tag"], event["kind"], event["why"], event["time"]), ("late", "delivered", "apns.delivered", now))
            message = call(self.gateway, "GET", "/messages?limit=1")[1]["messages"][0]
            self.assertEqual((message["time"], message["id"], message["outcome"]), (sent, frame["id"], "accepted"))
            self.assertEqual(len(call(self.gateway, "GET", f"/devices/{device}/shade")[1]["shade"]), 1)
        with_phones(self.gateway, body)

    def test_they_come_by_themselves(self) -> None:
        """In real time, and when a clock that stood still goes on."""
        async def body(phone: Phone) -> None:
            token = (await phone.ask(type="hello", device=IPHONE, wants=["push"]))["device"]["tokens"]["apns"]["token"]
            set_fault(self.gateway, {"deliverAfter": "100ms"})
            for is_frozen in (True, False):
                self.assertEqual(self.status(token, tag=is_frozen), 200)
                if is_frozen:
                    self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
                    move_clock(self.gateway, resume=True)
                self.assertEqual((await phone.receive())["payload"]["tag"], is_frozen)
        with_phones(self.gateway, body)

    def test_drawn_delays_put_them_out_of_order(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = await phone.ask(type="hello", device=IPHONE, wants=["push"])
            token, orders = welcome["device"]["tokens"]["apns"]["token"], []
            for seed in (1, 1, 2):
                set_fault(self.gateway, {"deliverAfter": SPREAD}, seed=seed)
                self.assertEqual([self.status(token, tag=number) for number in range(20)], [200] * 20)
                self.advance(5000)
                self.ends(token)
                half = await self.tags(phone)
                self.advance(5000)
                self.ends(token)
                orders.append((half, await self.tags(phone)))
            (first, second), again, other = orders
            self.assertEqual((sorted(first + second), again), ([*range(20)], (first, second)))
            self.assertTrue(first and second and first + second != sorted(first + second) and other != again)
        with_phones(self.gateway, body)

    def test_messages_of_googles_too(self) -> None:
        """To a token, to a topic; with an error beside it, and twice."""
        async def body(phone: Phone) -> None:
            token = fcm(await phone.ask(**hello(wants=["push"])))["token"]
            await phone.ask(type="topic", op="subscribe", name="t")
            for target in ({"token": token}, {"topic": "t"}):
                for effects, status, times in (([], 200, 1), ([HIT], 503, 1), ([{"deliver": 2}], 200, 2), ([{"deliver": 0}], 200, 0)):
                    set_fault(self.gateway, [{"deliverAfter": "5s"}, *effects], times=1)
                    self.assertEqual(self.post(**target, data={"tag": "late"}).status_code, status)
                    self.assertEqual(self.post(**target, data={"tag": "at once"}).status_code, 200)
                    self.assertEqual((await phone.receive())["payload"]["data"], {"tag": "at once"})
                    self.advance(4999)
                    self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
                    self.advance(1)
                    for _ in range(times):
                        self.assertEqual((await phone.receive())["payload"]["data"], {"tag": "late"})
                    self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
        with_phones(self.gateway, body)

    def test_broadcasts_too(self) -> None:
        async def body(phone: Phone) -> None:
            await phone.ask(type="hello", device=IPHONE, wants=["push"])
            provider = Provider(self.enterContext(Client(self.gateway.at().connect())))
            channel = provider.channel(0)
            self.assertEqual((await phone.ask(type="channel", op="subscribe", id=channel))["type"], "ok")
            set_fault(self.gateway, {"deliverAfter": "1m"}, times=1)
            self.assertEqual([provider.broadcast(channel, number, "0") for number in (1, 2)], [200, 200])
            self.assertEqual((await phone.receive())["payload"]["aps"]["content-state"], {"n": 2})
            self.advance(60_000)
            self.assertEqual((await phone.receive())["payload"]["aps"]["content-state"], {"n": 1})
        with_phones(self.gateway, body)

    def test_what_is_so_by_then_counts(self) -> None:
        async def body(phone: Phone) -> None:
            welcome = await phone.ask(type="hello", device=IPHONE, wants=["event"])
            token, device = welcome["device"]["tokens"]["apns"]["token"], welcome["device"]["id"]
            for seconds, state, whys in [(60, {}, ["apns.delivered"]), (2, {}, ["apns.discarded-expired"]), (60, {"online": False}, ["apns.stored-offline"]),
                                         (60, {"online": True}, ["apns.delivered-from-storage", "apns.delivered"])]:
                with self.subTest(seconds=seconds, state=state):
                    set_fault(self.gateway, {"deliverAfter": "5s"}, times=1)
                    now = datetime.fromisoformat(call(self.gateway, "GET", "/clock")[1]["now"]).timestamp()
                    self.assertEqual(self.status(token, ("apns-expiration", str(int(now) + seconds))), 200)
                    if state:
                        call(self.gateway, "PATCH", f"/devices/{device}", {"state": state})
                        self.assertEqual((await phone.receive())["kind"], "state")
                    self.advance(5000)
                    self.assertEqual([(await phone.receive())["why"] for _ in whys], whys)
        with_phones(self.gateway, body)

    def test_who_has_gone_by_then_gets_nothing(self) -> None:
        """Nor does who has come in the place of another."""
        for number in range(3):
            old = call(self.gateway, "POST", "/devices", IPHONE | {"id": f"old{number}"})[1]["devices"][0]
            set_fault(self.gateway, {"deliverAfter": "5s"}, times=1)
            self.assertEqual(self.status(old["tokens"]["apns"]["token"], tag="late"), 200)
            if number < 2:
                self.assertEqual(call(self.gateway, "DELETE", f"/devices/old{number}")[0], 204)
            else:
                call(self.gateway, "POST", "/reset", {})
            new = call(self.gateway, "POST", "/devices", IPHONE | {"id": f"new{number}"})[1]["devices"][0]
            self.advance(5000)
            self.assertEqual(call(self.gateway, "GET", f"/devices/{new['id']}/shade")[1]["shade"], [])
            self.assertEqual(self.status(new["tokens"]["apns"]["token"]), 200)
