"""POST /expect with a real HTTP/2 client: two calls wait on one connection, and a push meets both."""
from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import httpx

from api_case import APICase
from gateway import PATIENCE


class Waiting(APICase):
    def test_two_calls_wait_on_one_connection(self) -> None:
        with httpx.Client(http1=False, http2=True, verify=self.gateway.context(), base_url=self.gateway.at().url("/api/v1"), timeout=PATIENCE) as client, ThreadPoolExecutor() as threads:
            late = [threads.submit(client.post, "/expect", json={"within": "60s"} | demand) for demand in ({"count": 1}, {"never": True})]
            self.until(lambda: self.stat("waiting") == 2)
            self.apple.push()
            self.assertEqual([(answer.http_version, answer.status_code, answer.json()["count"]) for answer in (each.result() for each in late)], [("HTTP/2", 200, 1), ("HTTP/2", 417, 1)])
