"""`pushpit expect` in a shell: its output and its exit codes."""
from __future__ import annotations

import unittest
from typing import ClassVar

from api_case import Apple
from gateway import Gateway, program

MET, NOT_MET, USAGE, UNAVAILABLE, FORBIDDEN = 0, 1, 64, 69, 77
TITLED = {"aps": {"alert": {"title": "Hello", "body": "there"}, "badge": 3}}


class Command(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())
        with Apple(cls.gateway) as apple:
            apple.push(("apns-priority", "5"), body=TITLED)
            apple.push(("apns-priority", "7"), body=TITLED)

    def test_each_verdict_has_its_output_and_exit_code(self) -> None:
        rows: list[tuple[list[str], int, str]] = [
            ([], MET, "met, 2 found: p1 p2"),
            (["app=com.example.app", "outcome=accepted"], MET, "met, 1 found: p1"),
            (["/aps/alert/title=Hello", "/aps/badge=3", "header:apns-priority=5"], MET, "met, 1 found: p1"),
            (["--count", "2", "--within", "0s"], MET, "met, 2"),
            (["--count", "1", "--within", "0s"], NOT_MET, "not met, 2 found"),
            (["--never", "--within", "0s", "app=nobody"], MET, "met, 0 found"),
            (["--at-most", "1", "--within", "0s"], NOT_MET, "not met, 2 found"),
            (["--at-least", "3", "--within", "0s"], NOT_MET, "not met, 2 found"),
            (["app=other", "--within", "0s"], NOT_MET, 'app is "com.example.app", not "other"'),
            (["/aps/sound=x", "--within", "0s"], NOT_MET, '/aps/sound is absent, not "x"'),
            (["app^=com.example.", "/aps/alert/title~=^Hel+o$"], MET, "met, 2 found: p1 p2"),
            (["/aps/alert/title~=^el", "--within", "0s"], NOT_MET, '/aps/alert/title is "Hello", not {"regex":"^el"}'),
            (["event=accepted", "--count", "1"], MET, "met, 1 found: p1"),
            (["event~=opened|dismissed", "--within", "0s"], NOT_MET, "p1, event "),
            (["app=com.example.app", "then", "event=presented", "event:device^=d"], MET, "met, 2 found: p1"),
            (["app=a", "then", "app=b", "--within", "0s"], NOT_MET, "Number 1 of the sequence of 2 is missing"),
            (["text~=("], USAGE, "'(' cannot be used: character 1: the group has no ')'"), (["event=shown"], USAGE, "'kind' is \"shown\""),
            (["app=a", "then"], USAGE, "'then' must stand between two filters"),
            (["colour=red"], USAGE, "'colour' is not a filter: use one of provider, app"),
            (["headers=x"], USAGE, "'headers' is not a filter"), (["bodyText=x"], USAGE, "'bodyText' is not a filter"),
            (["app=a", "app=b"], USAGE, "'app' is given twice"), (["app"], USAGE, "'app' is not a filter: write NAME=VALUE"),
            (["outcome=maybe"], USAGE, "'outcome' must be one of accepted, refused"), (["status=x"], USAGE, "'status' must be"),
            (["/aps~2=x"], USAGE, "not a JSON pointer"), (["--count", "1", "--never"], USAGE, "use only one of"),
            (["--within", "soon"], USAGE, "must be a duration"), (["--url", "nowhere"], USAGE, "does not begin with http://"),
        ]
        for arguments, code, words in rows:
            with self.subTest(arguments):
                url = [] if "--url" in arguments else ["--url", self.gateway.at().url("", scheme="http").replace("localhost", "127.0.0.1")]
                done = program("expect", *arguments, *url)
                self.assertEqual(done.returncode, code, done.stdout + done.stderr)
                self.assertIn(words, done.stdout if code == MET else done.stderr)

    def test_without_a_gateway_and_without_its_token(self) -> None:
        done = program("expect", "--url", "http://127.0.0.1:9", "--within", "0s")
        self.assertEqual((done.returncode, ", which --url names; start a gateway there with 'pushpit'" in done.stderr), (UNAVAILABLE, True))
        with Gateway("--api-token", "secret") as guarded:
            url = f"http://127.0.0.1:{guarded.at().port}"
            for token, code in (([], FORBIDDEN), (["--api-token", "wrong"], FORBIDDEN), (["--api-token", "secret"], MET)):
                done = program("expect", "--never", "--within", "0s", "--url", url, *token)
                self.assertEqual(done.returncode, code, done.stderr)

    def test_the_verdict_as_json(self) -> None:
        done = program("expect", "app=other", "--json", "--within", "0s", "--url", f"http://127.0.0.1:{self.gateway.at().port}")
        self.assertEqual((done.returncode, done.stderr), (NOT_MET, ""))
        self.assertIn('"met":false', done.stdout)
