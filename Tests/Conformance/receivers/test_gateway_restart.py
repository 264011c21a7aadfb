"""Real receivers go on after a gateway with --data was stopped or killed and started again, without a new subscription.

What was answered before `kill -9` is saved, and with it everything that came before it.
"""
from __future__ import annotations

import unittest
from typing import Any

from browsers import Chromium, Firefox
from gateway_case import SENT_WHILE_AWAY, WAITED, SavedGateway
from python_programs import FCM_RECEIVER, FIREBASE_MESSAGING, PythonCase
from receiver_case import ReceiverCase
from receivers import ChromiumCase, FirefoxCase


class RestartedGateway(SavedGateway):
    """Subclasses know their receiver, and how to send to it."""

    receiver: Any

    def register(self) -> None:
        """Makes the receiver."""
        raise NotImplementedError

    def begin(self) -> None:
        """Makes a receiver that has got `Before`, and connects again at once."""
        raise NotImplementedError

    def push(self, text: str, ttl: int = 3600, topic: str | None = None) -> None:
        """Sends what is accepted."""
        raise NotImplementedError

    def expect(self, *texts: str) -> None:
        """Waits for these, and that nothing else has come since the last call."""
        raise NotImplementedError

    def end(self) -> None:
        """Ends the registration, and waits until senders are refused."""
        raise NotImplementedError

    def test_a_receiver_goes_on_after_the_gateway_was_stopped(self) -> None:
        self.check(is_killed=False)

    def test_a_receiver_goes_on_after_the_gateway_was_killed(self) -> None:
        self.check(is_killed=True)

    def test_a_registration_is_saved_when_the_receiver_knows_of_it(self) -> None:
        self.register()
        self.restart_the_gateway(is_killed=True)
        # For a token that is unknown, a push would make a device, but no receiver.
        self.assertIn("receiver", self.device(self.receiver) or {})
        self.push("After")

    def check(self, is_killed: bool) -> None:
        self.begin()
        device = self.device(self.receiver)["id"]
        self.relay.lose()
        self.push("Lost")
        self.relay.cut()
        self.wait_until(lambda: not self.is_online(self.receiver))
        for row in SENT_WHILE_AWAY:
            self.push(*row)
        self.restart_the_gateway(is_killed, lambda: self.api("/clock", "POST", advance="2m"))
        # What was received before does not come again.
        self.expect("Lost", *WAITED)
        self.assertEqual(self.device(self.receiver)["id"], device)
        self.push("After")
        self.expect("After")
        self.end()


class RestartedForBrowser(RestartedGateway, ReceiverCase):
    def register(self) -> None:
        self.receiver = self.subscribe()

    def begin(self) -> None:
        self.receiver = self.settle()
        self.texts = ["Before"]

    def push(self, text: str, ttl: int = 3600, topic: str | None = None) -> None:
        answer = self.send(self.receiver, text, ttl=ttl, headers={"Topic": topic} if topic else {})
        self.assertEqual(answer.status_code, 201)

    def expect(self, *texts: str) -> None:
        self.texts += texts
        self.wait_until_shown(*self.texts)

    def end(self) -> None:
        self.assertTrue(self.browser.run("unsubscribe()"))
        self.wait_until(lambda: self.send(self.receiver, "Late").status_code == 410)


@unittest.skipUnless(Chromium.path(), "needs chromium")
class ChromiumAndARestart(ChromiumCase, RestartedForBrowser):
    pass


@unittest.skipUnless(Firefox.path(), "needs firefox")
class FirefoxAndARestart(FirefoxCase, RestartedForBrowser):
    pass


class RestartedForPython(RestartedGateway, PythonCase):
    """The receiver also goes on with a topic."""

    app: str

    def register(self) -> None:
        self.program = self.start(self.app)
        self.receiver = self.program.next("token")

    def begin(self) -> None:
        self.register()
        self.api(f"/topics/news/devices/{self.device(self.receiver)['id']}", "PUT")
        self.wait_until(lambda: self.is_online(self.receiver))
        self.push("Before")
        self.expect("Before")

    def push(self, text: str, ttl: int = 3600, topic: str | None = None) -> None:
        self.send_text(self.receiver, text, ttl, topic)

    def expect(self, *texts: str) -> None:
        self.assertEqual(sorted(data["text"] for data in self.program.next_data(len(texts))), sorted(texts))

    def end(self) -> None:
        self.assertEqual(self.send(topic="news", data={"text": "News"}).status_code, 200)
        self.expect("News")
        self.api(f"/devices/{self.device(self.receiver)['id']}", "DELETE")
        self.assert_unregistered(self.receiver)


class FirebaseMessagingAndARestart(RestartedForPython):
    app = FIREBASE_MESSAGING


class FCMReceiverAndARestart(RestartedForPython):
    app = FCM_RECEIVER


# Classes without a receiver are no tests.
del RestartedGateway, RestartedForBrowser, RestartedForPython


if __name__ == "__main__":
    unittest.main()
