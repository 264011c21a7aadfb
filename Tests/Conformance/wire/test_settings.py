"""SETTINGS by role, and how the stream limit of a connection with provider tokens changes."""
from __future__ import annotations

import unittest
from typing import ClassVar

from gateway import Gateway
from h2_client import Client, FrameType, Setting, frames, push

ROLES = ["--listen", "any=127.0.0.1:0", "--listen", "apns=127.0.0.1:0", "--listen", "fcm=127.0.0.1:0"]
# The role, whether the client has a certificate, and how many streams it is offered first.
OFFERS = [
    ("any", False, 1000), ("any", True, 1000), ("fcm", False, 100), ("fcm", True, 100),
    ("apns", False, 1), ("apns", True, 1000),
]


def five(streams: int) -> list[tuple[int, int]]:
    """The content of every SETTINGS frame of the gateway, in order."""
    return [
        (Setting.HEADER_TABLE_SIZE, 4096), (Setting.MAX_CONCURRENT_STREAMS, streams),
        (Setting.INITIAL_WINDOW_SIZE, 65_535), (Setting.MAX_FRAME_SIZE, 16_384), (Setting.MAX_HEADER_LIST_SIZE, 8_000),
    ]


def settings_of(client: Client) -> list[frames.Frame]:
    return [frame for frame in client.frames if frame.kind == FrameType.SETTINGS and not frame.is_ack]


class SettingsOfRoles(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway(*ROLES))

    def client(self, role: str, certificate: bool = False) -> Client:
        return self.enterContext(Client(self.gateway.tls("h2", role=role, certificate=certificate)))

    def test_the_first_frame_has_the_five_values_of_the_role(self) -> None:
        for role, certificate, streams in OFFERS:
            with self.subTest(role=role, certificate=certificate):
                first = self.client(role, certificate).start()
                self.assertEqual((first.kind, first.flags, first.stream), (FrameType.SETTINGS, 0, 0))
                self.assertEqual(list(first.settings.items()), five(streams))
                self.assertEqual(len(first.payload), 30)

    def test_the_server_sends_settings_first(self) -> None:
        for role in ("any", "apns", "fcm"):
            with self.subTest(role=role):
                client = self.client(role)
                client.wait(lambda: bool(client.frames))
                self.assertEqual(client.frames[0].kind, FrameType.SETTINGS)

    def test_the_limit_of_a_token_connection_rises_before_the_first_accepted_answer(self) -> None:
        client = self.client("apns")
        client.start()
        client.send(push(1))
        self.assertEqual(client.answer(1).status, 200)
        self.assertEqual(client.limits, [1, 1000])
        raised = client.frames.index(settings_of(client)[1])
        self.assertLess(raised, client.frames.index(client.answers[1].frames[0]))

    def test_a_refusal_lowers_the_limit_and_the_next_accepted_push_raises_it(self) -> None:
        client = self.client("apns")
        client.start()
        # stream, whether the push is accepted, and the limits announced up to its answer
        steps = [
            (1, False, [1]), (3, True, [1, 1000]), (5, True, [1, 1000]), (7, False, [1, 1000, 1]),
            (9, False, [1, 1000, 1]), (11, True, [1, 1000, 1, 1000]),
        ]
        for stream, is_good, limits in steps:
            client.send(push(stream, bearer=is_good))
            self.assertEqual(client.answer(stream).status, 200 if is_good else 403)
            client.ping()
            client.acknowledge()
            self.assertEqual(client.limits, limits, f"after stream {stream}")

    def test_every_settings_frame_has_all_five_values(self) -> None:
        client = self.client("apns")
        client.start()
        for stream in (1, 3, 5):
            client.send(push(stream, bearer=stream != 3))
            client.answer(stream)
        client.ping()
        found = [list(frame.settings.items()) for frame in settings_of(client)]
        self.assertEqual(found, [five(1), five(1000), five(1), five(1000)])

    def test_the_limit_is_constant_with_a_certificate_or_in_another_role(self) -> None:
        for role, certificate, streams in OFFERS:
            if (role, certificate) == ("apns", False):
                continue
            with self.subTest(role=role, certificate=certificate):
                client = self.client(role, certificate)
                client.start()
                client.send(push(1))
                self.assertEqual(client.answer(1).status, 200)
                client.ping()
                self.assertEqual(client.limits, [streams])


class ChosenLimits(unittest.TestCase):
    def test_the_limits_can_be_configured(self) -> None:
        with Gateway("--first-streams", "3", "--streams", "7", "--listen", "apns=127.0.0.1:0") as gateway:
            with Client(gateway.tls("h2", role="apns")) as client:
                client.start()
                client.send(push(1))
                self.assertEqual(client.answer(1).status, 200)
                self.assertEqual(client.limits, [3, 7])

    def test_the_drop_can_be_switched_off(self) -> None:
        with Gateway("--stream-drop", "off", "--listen", "apns=127.0.0.1:0") as gateway:
            with Client(gateway.tls("h2", role="apns")) as client:
                client.start()
                for stream in (1, 3):
                    client.send(push(stream, bearer=stream == 1))
                    client.answer(stream)
                client.ping()
                self.assertEqual(client.limits, [1, 1000])
