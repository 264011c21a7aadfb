"""The collector over HTTP, under the host name of a campaign server."""
from __future__ import annotations

import unittest

import httpx

from control import call
from gateway import PATIENCE, Gateway


class Collector(unittest.TestCase):
    def setUp(self) -> None:
        self.gateway = self.enterContext(Gateway("--allow-host", "campaign.example"))

    def hit(self, query: str, method: str = "GET") -> int:
        # The host name of a campaign server, which is not one of Pushpit's.
        return httpx.request(
            method, self.gateway.at().url(f"/r/?{query}", scheme="http"), headers={"host": "campaign.example"}, timeout=PATIENCE).status_code

    def test_hits_for_another_host_name_are_collected(self) -> None:
        self.assertEqual([self.hit("id=h1,2,7&mcId=E"), self.hit("id=h1%2C2%2C1&mcid=E", "POST"), self.hit("mcId=E")], [200, 200, 400])
        status, said = call(self.gateway, "GET", "/tracking")
        self.assertEqual((status, [hit["action"] for hit in said["hits"]]), (200, ["7", "1"]))
