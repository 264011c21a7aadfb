"""The scenarios of APNs frame by frame, for all apps and for one."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from control import call
from gateway import TOPIC, Gateway
from h2_client import BODY, Client, Code, FrameType, frames, push
from test_faults import CERTIFICATE, SHUTDOWN, Faults, goaway

OTHER = "com.example.other"


def set_scenario(gateway: Gateway, name: str, **body: Any) -> dict[str, Any]:
    status, said = call(gateway, "POST", f"/scenarios/{name}", body or None)
    if status != 201:
        raise AssertionError(f"{name}: {status} {said}")
    return said


class OfAPNs(Faults):
    def with_scenario(self, name: str) -> Iterator[None]:
        """Runs the body with the scenario set for all apps and then for one app, and checks that another app is not affected."""
        for body in ({}, {"app": OTHER}):
            set_scenario(self.gateway, name, **body)
            yield
            if body:
                self.assert_unaffected(TOPIC)
            self.assertEqual(call(self.gateway, "DELETE", f"/scenarios/{name}"), (204, None))
            self.assert_unaffected(OTHER)

    def assert_unaffected(self, topic: str) -> None:
        client = self.client()
        tokens = ["bad", "dead0410", *(f"{'ab'[topic == OTHER]}{number:063}" for number in range(100))]
        statuses = [self.ask(client, 1 + 2 * number, token=token, topic=topic).status for number, token in enumerate(tokens)]
        self.assertEqual((statuses, client.limits), ([400, 410] + [200] * 100, [1000]))
        client.ping()

    def pushes(self, client: Client, count: int, first: int = 1) -> list[int]:
        return [self.ask(client, stream, topic=OTHER).status for stream in range(first, first + 2 * count, 2)]

    def test_shutdown(self) -> None:
        for _ in self.with_scenario("apns-shutdown"):
            client = self.client()
            self.assertEqual(self.pushes(client, 99), [200] * 99)
            client.send(push(199, topic=OTHER), push(201, topic=OTHER))
            said = [goaway(frame) for frame in self.end(client) if frame.kind == FrameType.GOAWAY]
            self.assertEqual((said, {199, 201} & {*client.answers}), ([(Code.NO_ERROR, 197, SHUTDOWN)], set()))
            self.assertEqual(self.pushes(self.client(), 1), [200], "sent again on another connection")

    def test_bad_certificate_environment(self) -> None:
        for _ in self.with_scenario("apns-bad-certificate-environment"):
            client = self.client()
            client.send(push(1, topic=OTHER))
            said = [goaway(frame) for frame in self.end(client) if frame.kind == FrameType.GOAWAY]
            self.assertEqual((said, client.answers), ([(Code.NO_ERROR, 0, CERTIFICATE), (Code.NO_ERROR, 0, b"")], {}))

    def test_token_update_storm(self) -> None:
        for _ in self.with_scenario("apns-token-update-storm"):
            clients = [self.client() for _ in range(2)]
            for client in clients:
                self.assertEqual(self.pushes(client, 6), [200] * 2 + [429] * 4)
                self.assertEqual(client.answers[11].body, b'{"reason":"TooManyProviderTokenUpdates"}')
        self.assertEqual([self.pushes(client, 1, first=13) for client in clients], [[200]] * 2, "what is removed sticks to nothing")

    def test_stream_limit_drop(self) -> None:
        for _ in self.with_scenario("apns-stream-limit-drop"):
            for token, status in (("bad", 400), ("dead0410", 410)):
                client = self.client()
                self.assertEqual(self.pushes(client, 1), [200])
                self.assertEqual(self.ask(client, 3, token=token, topic=OTHER).status, status)
                kinds = [(frame.kind, frame.stream) for frame in client.frames if not frame.is_ack]
                self.assertLess(kinds.index((FrameType.SETTINGS, 0), 2), kinds.index((FrameType.HEADERS, 3)), "before the answer")
                client.acknowledge()
                body = frames.data(5, BODY)
                client.send(push(5, topic=OTHER)[:-len(body)], push(7, topic=OTHER))
                self.assertEqual(client.answer(7).reset, Code.REFUSED_STREAM, "one at a time")
                client.send(body)
                self.assertEqual((client.answer(5).status, client.limits), (200, [1000, 1, 1000]))

    def test_black_hole(self) -> None:
        for _ in self.with_scenario("apns-black-hole"):
            client = self.client()
            self.assertEqual(self.pushes(client, 2), [200] * 2)
            count = len(client.frames)
            client.send(push(5, topic=OTHER))
            self.assertEqual(self.pushes(self.client(), 2), [200] * 2, "others are served")
            client.send(frames.ping(b"12345678"), push(7, topic=OTHER))
            client.socket.settimeout(0.3)
            self.assertRaises(TimeoutError, client.socket.recv, 1)
            self.assertEqual(len(client.frames), count)
