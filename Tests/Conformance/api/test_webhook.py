"""Events that are posted to a real web server."""
from __future__ import annotations

import json
import signal
import threading
import unittest

from control import call
from gateway import PATIENCE, Gateway, program
from web_server import Page, Request, WebServer

OK = Page(b"", type=None)


def events(server: WebServer) -> list[dict[str, object]]:
    return [event for request in server.requests for event in json.loads(request.body)["events"]]


class Webhook(unittest.TestCase):
    def test_all_events_arrive_once_and_in_order(self) -> None:
        """While a request is on its way, events gather for the next one."""
        arrived, go_on = threading.Event(), threading.Event()

        def hook(_: Request) -> Page:
            arrived.set()
            go_on.wait(PATIENCE)
            return OK

        with WebServer() as server:
            server.pages["/hook"] = hook
            with Gateway("--webhook", server.url("/hook?key=1")) as gateway:
                call(gateway, "POST", "/devices", {"platform": "ios", "app": "a"})
                self.assertTrue(arrived.wait(PATIENCE))
                call(gateway, "POST", "/devices", {"platform": "ios", "app": "a", "count": 250})
                go_on.set()
                gateway.process.send_signal(signal.SIGTERM)
                # The end waits until everything was posted.
                self.assertEqual(gateway.process.wait(PATIENCE), 0)
            found = events(server)
            self.assertEqual([event["seq"] for event in found], list(range(1, 252)))
            self.assertEqual({event["kind"] for event in found}, {"registered"})
            self.assertEqual(len(server.requests), 4)
            self.assertEqual(server.requests[0].fields["content-type"], "application/json")
            self.assertEqual(server.requests[0].path, "/hook?key=1")

    def test_a_failed_request_is_repeated(self) -> None:
        statuses = [503, 200, 400, 200]
        with WebServer() as server:
            server.pages["/"] = lambda _: Page(b"", statuses.pop(0), None)
            with Gateway("--webhook", server.url("/")) as gateway:
                for _ in range(3):
                    before = len(server.requests)
                    call(gateway, "POST", "/devices", {"platform": "ios", "app": "a"})
                    gateway.wait_for_log("cannot post events")
                    if before == 0:
                        while statuses[:1] == [200] and len(server.requests) < 2:
                            call(gateway, "GET", "/stats")
                gateway.wait_for_log("events dropped")
                self.assertRegex(gateway.log, r'warning events dropped because="the answer has the status 400" events=\d droppedSoFar=\d')
                gateway.process.send_signal(signal.SIGTERM)
                self.assertEqual(gateway.process.wait(PATIENCE), 0)
            seen = [json.loads(request.body) for request in server.requests]
            self.assertEqual(seen[0], seen[1])

    def test_another_signal_or_the_drain_time_ends_the_wait(self) -> None:
        with WebServer() as server:
            server.pages["/"] = server.hang
            with Gateway("--webhook", server.url("/"), "--drain-timeout", "60s") as gateway:
                call(gateway, "POST", "/devices", {"platform": "ios", "app": "a"})
                gateway.process.send_signal(signal.SIGTERM)
                gateway.wait_for_log("sending the last events and reports")
                gateway.process.send_signal(signal.SIGTERM)
                self.assertEqual(gateway.process.wait(PATIENCE), 0)
            with Gateway("--webhook", server.url("/"), "--drain-timeout", "100ms") as gateway:
                call(gateway, "POST", "/devices", {"platform": "ios", "app": "a"})
                gateway.process.send_signal(signal.SIGTERM)
                self.assertEqual(gateway.process.wait(PATIENCE), 0)

    def test_events_that_the_log_has_forgotten_are_counted(self) -> None:
        with WebServer() as server:
            go_on = threading.Event()

            def hook(_: Request) -> Page:
                go_on.wait(PATIENCE)
                return OK

            server.pages["/"] = hook
            with Gateway("--webhook", server.url("/"), "--keep-messages", "2") as gateway:
                call(gateway, "POST", "/devices", {"platform": "ios", "app": "a"})
                call(gateway, "POST", "/devices", {"platform": "ios", "app": "a", "count": 20})
                go_on.set()
                gateway.wait_for_log('events dropped because="the log had no more room for them"')
                gateway.process.send_signal(signal.SIGTERM)
                gateway.process.wait(PATIENCE)
            missed = [event["count"] for event in events(server) if event["kind"] == "missed"]
            seen = [event for event in events(server) if event["kind"] != "missed"]
            self.assertEqual(sum(missed) + len(seen), 21)  # type: ignore[arg-type]

    def test_it_is_never_the_gateway_itself(self) -> None:
        with Gateway("--listen", "127.0.0.1:0") as gateway:
            address = gateway.at()
        with Gateway("--listen", f"127.0.0.1:{address.port}", "--webhook", f"http://localhost:{address.port}/token") as gateway:
            call(gateway, "POST", "/devices", {"platform": "ios", "app": "a"})
            gateway.wait_for_log('events dropped because="the URL\'s host is this gateway, which sends nothing to itself"')

    def test_exec_ends_when_all_events_were_posted(self) -> None:
        with WebServer() as server:
            server.pages["/"] = OK
            script = 'curl -s "$PUSHPIT_URL/api/v1/devices" -d \'{"platform":"ios","app":"a","count":150}\' >/dev/null'
            # Several times, because the end must not meet a thread that still makes keys.
            for _ in range(5):
                server.requests.clear()
                done = program("exec", "--via", "proxy", "--webhook", server.url("/"), "sh", "-c", script)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual([event["seq"] for event in events(server)], list(range(1, 151)))

    def test_a_url_that_cannot_be_used_is_refused(self) -> None:
        for option, value, words in (
            ("--webhook", "localhost:80", "must be an http or https URL like http://localhost:8080/events"),
            ("--webhook", "ftp://u:secret@a.test/", "'ftp://…@a.test/' must be an http or https URL"),
            ("--postback", "http://a.test/?x", "must end before the query, like http://localhost:8080"),
            ("--fetch-media", "yes", "must be one of off, loopback, on"),
        ):
            done = program("serve", "--listen", "127.0.0.1:0", option, value)
            self.assertEqual(done.returncode, 64)
            self.assertIn(words, done.stderr)
            self.assertNotIn("secret", done.stderr)
