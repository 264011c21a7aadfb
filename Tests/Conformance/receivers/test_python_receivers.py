"""Unmodified Python packages that receive like a web app of Firebase get their messages from the gateway."""
from __future__ import annotations

import unittest

from gateway_case import SENT_WHILE_AWAY, WAITED
from python_programs import APPS, FCM_RECEIVER, FIREBASE_MESSAGING, PythonCase

# Google's documents say 4,096 bytes, its service takes a few more.
DOCUMENTED, LARGEST = 4096, 4506
# The names that the packages give their apps.
NAMES = {FIREBASE_MESSAGING: "receiver.push.com", FCM_RECEIVER: "1:900000000000:web:a1b2c3"}


class PythonReceivers(PythonCase):
    def test_what_was_sent_while_it_was_away_comes_after_its_restart(self) -> None:
        for app in APPS:
            with self.subTest(app):
                program = self.start(app)
                token = program.next("token")
                self.assertRegex(token, r"^[\w-]{22}:APA91b[\w-]{134}$")
                name = self.send(token=token, notification={"title": "Häppy 🎉"}, data={"k": "v"}).json()["name"]
                message = program.next("message")
                self.assertEqual(message["notification"], {"title": "Häppy 🎉"})
                self.assertEqual((message["data"], message["from"]), ({"k": "v"}, "900000000000"))
                self.assertTrue(name.endswith(message["fcmMessageId"]))
                if app == FIREBASE_MESSAGING:  # The other one acknowledges nothing before its next login.
                    self.wait_until(lambda: self.has_acknowledged(token))
                self.stop(program, token)
                for row in SENT_WHILE_AWAY:
                    self.send_text(token, *row)
                self.api("/clock", "POST", advance="2m")
                again = self.start(app)
                self.assertEqual(again.next("token"), token)
                self.send_text(token, "Last")
                self.assertCountEqual(again.next_data(3), [{"text": text} for text in (*WAITED, "Last")])
                again.close()

    def test_the_largest_message(self) -> None:
        for app in APPS:
            with self.subTest(app):
                program = self.start(app)
                token = program.next("token")
                answer = self.send(token=token, data={"k": "x" * LARGEST})
                self.assertEqual((answer.status_code, answer.json()["error"]["status"]), (400, "INVALID_ARGUMENT"))
                for size in (DOCUMENTED, LARGEST):
                    data = {"k": "x" * (size - 1)}
                    self.assertEqual(self.send(token=token, data=data).status_code, 200)
                    self.assertEqual(program.next_data(1), [data])

    def test_what_a_cut_connection_loses_comes_again(self) -> None:
        for app in APPS:
            with self.subTest(app):
                program = self.start(app)
                token = program.next("token")
                self.wait_until(lambda: self.is_online(token))
                self.relay.lose()
                self.send_text(token, "Lost")
                self.relay.cut()
                self.wait_until(lambda: not self.is_online(token))
                self.send_text(token, "Away")
                self.relay.heal()
                self.assertEqual(program.next_data(2), [{"text": "Lost"}, {"text": "Away"}])
                program.close()

    def test_two_apps_get_each_their_own(self) -> None:
        programs = [self.start(app) for app in APPS]
        tokens = [program.next("token") for program in programs]
        for text in ("One", "Two"):
            for number, token in enumerate(tokens):
                self.send_text(token, f"{text} {number}")
        for number, program in enumerate(programs):
            self.assertEqual(program.next_data(2), [{"text": f"One {number}"}, {"text": f"Two {number}"}])

    def test_a_receiver_that_is_deleted_is_unregistered(self) -> None:
        for app in APPS:
            with self.subTest(app):
                token = self.start(app).next("token")
                device = self.device(token)
                self.assertEqual(device["app"], NAMES[app])
                self.api(f"/devices/{device['id']}", "DELETE")
                self.assert_unregistered(token)

    def test_fcm_receiver_gets_messages_to_its_token_and_to_a_topic_until_it_unsubscribes(self) -> None:
        program = self.start(FCM_RECEIVER)
        token = program.next("token")
        self.send(token=token, data={"to": "token"})
        self.assertEqual(program.next("message")["data"], {"to": "token"})
        self.send(topic="news", data={"to": "topic"})
        message = program.next("message")
        self.assertEqual((message["data"], message["from"]), ({"to": "topic"}, "/topics/news"))
        self.send(condition="'news' in topics", data={"to": "condition"})
        self.assertEqual(program.next_data(1), [{"to": "condition"}])
        program.ask("unsubscribe")
        self.send(topic="news", data={"to": "topic"})
        self.send(token=token, data={"to": "token"})
        self.assertEqual(program.next_data(1), [{"to": "token"}])


if __name__ == "__main__":
    unittest.main()
