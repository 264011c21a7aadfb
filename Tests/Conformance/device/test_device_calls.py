"""A device that the control API deletes while sockets watch it."""
from __future__ import annotations

import unittest

from api_case import APICase, token_of
from device_client import IPHONE, Phone, with_phones


class Lives(APICase):
    def test_a_device_that_is_deleted_is_gone_with_what_waited(self) -> None:
        async def body(first: Phone, second: Phone) -> None:
            welcome = await first.ask(type="hello", device=IPHONE | {"id": "phone"}, wants=[])
            await second.ask(type="hello", device={"id": "phone"}, wants=[])
            self.assertTrue(self.ask("GET", "/devices/phone")["connected"])
            self.ask("PUT", "/topics/news/devices/phone", status=204)
            self.ask("PATCH", "/devices/phone", {"state": {"online": False}})
            self.apple.push(token=token_of(welcome["device"]))
            self.ask("DELETE", "/devices/phone", status=204)
            self.assertEqual([await first.closed(), await second.closed()], [4003, 4003])
            told = [(event["kind"], event.get("push"), event["why"]) for event in self.events("kind=dropped,unregistered")[-2:]]
            self.assertEqual(told, [("dropped", self.newest()["id"], "devices.deleted"), ("unregistered", None, "devices.deleted")])
            self.problem("DELETE", "/devices/phone", status=404)
            self.assertEqual(self.ask("GET", "/topics")["topics"], [])
            self.assertEqual(self.apple.push(token=token_of(welcome["device"])).status, 200, "by now it is a token that nobody knows")
            self.assertNotEqual(self.newest()["devices"], ["phone"])
        with_phones(self.gateway, body, count=2)
