"""Faults of the connection: answers that end in the middle, small windows, expired certificates."""
from __future__ import annotations

import ssl
from typing import Any

import httpx

from control import call, move_clock, set_fault
from gateway import PATIENCE, TOPIC
from h2_client import BODY, Client, Code, FrameType, Setting, frames, push
from test_faults import Faults

DAY = "24h"
# Effects that cut an answer, how much of a refusal's body arrives, and the code of the reset.
REFUSAL = b'{"reason":"BadDeviceToken"}'
CUTS: list[tuple[Any, bytes, int]] = [
    ({"resetAfterHeaders": "CANCEL"}, b"", Code.CANCEL), ({"resetAfterHeaders": "NO_ERROR"}, b"", Code.NO_ERROR), ({"truncate": 0}, b"", Code.INTERNAL_ERROR),
    ({"truncate": 1}, REFUSAL[:1], Code.INTERNAL_ERROR), ({"truncate": 26}, REFUSAL[:26], Code.INTERNAL_ERROR), ({"truncate": 27}, REFUSAL, Code.INTERNAL_ERROR),
    ({"truncate": 1 << 20}, REFUSAL, Code.INTERNAL_ERROR), ([{"delay": "1m"}, {"truncate": 9}], REFUSAL[:9], Code.INTERNAL_ERROR),
]


class Cut(Faults):
    def test_an_answer_is_cut_in_the_middle(self) -> None:
        client = self.client()
        for number, (effect, left, code) in enumerate(CUTS):
            with self.subTest(effect):
                set_fault(self.gateway, effect, times=1)
                client.send(push(stream := 1 + 4 * number, token="bad"))
                client.ping()
                move_clock(self.gateway, advance="1m")
                answer = client.answer(stream)
                self.assertEqual((answer.status, answer.body, answer.reset), (400, left, code))
                self.assertEqual(answer.kinds, [FrameType.HEADERS, *([FrameType.DATA] if left else []), FrameType.RST_STREAM])
                self.assertFalse(any(frame.ends_stream for frame in answer.frames))
                self.assertEqual(self.ask(client, stream + 2, token="bad").body, REFUSAL, "the connection is well")

    def test_a_push_with_a_cut_answer_is_delivered(self) -> None:
        for effect in ({"resetAfterHeaders": "CANCEL"}, {"truncate": 3}):
            set_fault(self.gateway, effect, times=1)
            client = self.client()
            answer = self.ask(client, 1)
            self.assertEqual((answer.status, answer.kinds), (200, [FrameType.HEADERS, FrameType.RST_STREAM]))
            self.assertEqual(client.frames[-1].stream, 1)
            message = call(self.gateway, "GET", "/messages?limit=1")[1]["messages"][0]
            self.assertEqual((message["status"], message["outcome"]), (200, "accepted"))
            shown = call(self.gateway, "GET", f"/devices/{message['devices'][0]}/shade")[1]["shade"]
            self.assertEqual(shown[0]["push"], message["id"])
            with httpx.Client(http2=True, verify=self.gateway.context(), timeout=PATIENCE) as sender:
                set_fault(self.gateway, effect, times=1)
                with self.assertRaises(httpx.RemoteProtocolError):
                    sender.post(self.gateway.at().url("/v1/projects/demo/messages:send"), json={"message": {"topic": "t"}}, headers={"authorization": "Bearer x"})


class Windows(Faults):
    def test_a_window_of_zero_stops_a_sender(self) -> None:
        client = self.client()
        set_fault(self.gateway, {"window": 0}, times=1)
        self.assertEqual(self.ask(client, 1).status, 200, "the one that is hit was sent before")
        client.acknowledge()
        (settings,) = [frame.settings for frame in client.frames[1:] if frame.kind == FrameType.SETTINGS and not frame.is_ack]
        self.assertEqual((settings[Setting.INITIAL_WINDOW_SIZE], client.limits), (0, [1000, 1000]))
        client.send(push(3)[:-len(frames.data(3, BODY))])
        for _ in range(3):
            client.ping()
            move_clock(self.gateway, advance=DAY)
        self.assertEqual((client.stream_window(3), 3 in client.answers), (frames.DEFAULT_WINDOW, False), "no more room is given")
        client.send(frames.data(3, BODY))
        self.assertEqual(client.answer(3).reset, Code.FLOW_CONTROL_ERROR, "who sends all the same")

    def test_another_fault_opens_the_window(self) -> None:
        client = self.client()
        set_fault(self.gateway, {"window": 0}, times=1)
        self.ask(client, 1)
        client.acknowledge()
        client.send(push(3)[:-len(frames.data(3, BODY))])
        set_fault(self.gateway, {"window": 100}, times=1)
        self.ask(client, 5, body=b"")
        client.acknowledge()
        client.send(frames.data(3, BODY))
        self.assertEqual(client.answer(3).status, 200)

    def test_a_client_waits_for_the_window(self) -> None:
        url = self.gateway.at().url
        with httpx.Client(http2=True, verify=self.gateway.context(certificate=True), timeout=PATIENCE, headers={"apns-topic": TOPIC}) as client:
            set_fault(self.gateway, {"window": 0}, times=1)
            self.assertEqual(client.post(url(f"/3/device/{'ab' * 32}"), content=BODY).status_code, 200)
            with self.assertRaises(httpx.ReadTimeout):
                client.post(url(f"/3/device/{'ab' * 32}"), content=BODY, timeout=0.3)
            self.assertEqual(client.get(url("/livez")).status_code, 200, "what has no body goes")
            self.assertEqual(len(call(self.gateway, "GET", "/messages")[1]["messages"]), 1)

    def test_a_small_window_lets_a_body_through_in_pieces(self) -> None:
        client = self.client()
        set_fault(self.gateway, {"window": 5}, times=1)
        self.assertEqual(self.ask(client, 1).status, 200)
        client.acknowledge()
        client.send(push(3)[:-len(frames.data(3, BODY))])
        for start in range(0, len(BODY), 5):
            client.send(frames.data(3, BODY[start:start + 5], end=start + 5 == len(BODY)))
            client.ping()
        self.assertEqual(client.answer(3).status, 200)
        self.assertGreaterEqual(client.stream_window(3) - frames.DEFAULT_WINDOW, len(BODY) - 5)

    def test_http_1_has_no_windows(self) -> None:
        for effect in ({"window": 0}, [{"window": 0}, {"streamLimit": 0}]):
            set_fault(self.gateway, effect, times=1)
            with httpx.Client(base_url=self.gateway.at().url("", scheme="http"), headers={"authorization": "Bearer x"}) as client:
                self.assertEqual([client.post("/v1/projects/demo/messages:send", json={"message": {"topic": "t"}}).status_code for _ in range(2)], [200, 200])


class Handshakes(Faults):
    def test_an_expired_certificate(self) -> None:
        for protocol in ("h2", "http/1.1"):
            set_fault(self.gateway, {"tls": "expired"}, times=1)
            with self.assertRaisesRegex(ssl.SSLCertVerificationError, "certificate has expired") as caught:
                self.gateway.tls(protocol)
            self.assertEqual(caught.exception.verify_code, 10)
            with self.gateway.tls(protocol) as tls:
                self.assertEqual(tls.selected_alpn_protocol(), protocol)

    def test_the_expired_certificate_is_otherwise_valid(self) -> None:
        """If a client does not check the dates, the certificate is valid and pushes are accepted."""
        set_fault(self.gateway, {"tls": "expired"}, times=1)
        context = self.gateway.context("h2")
        context.verify_flags |= ssl.VerifyFlags(0x200000)  # X509_V_FLAG_NO_CHECK_TIME
        client = self.enterContext(Client(context.wrap_socket(self.gateway.at().connect(), server_hostname="localhost")))
        client.start()
        self.assertEqual(self.ask(client, 1).status, 200)
