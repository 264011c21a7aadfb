"""Files that `--data` cannot open or write, and a full disk."""
from __future__ import annotations

import json
import os
import resource
import select
import signal
import sqlite3
import tempfile
import unittest
from contextlib import closing
from pathlib import Path


from api_case import Apple, Google
from control import call
from gateway import PATIENCE, Gateway, program


TITLED = {"aps": {"alert": {"title": "Hello", "body": "there"}}}


class UnusableData(unittest.TestCase):
    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory(prefix="pushpit-data-")
        self.addCleanup(place.cleanup)
        self.data = Path(place.name)

    def test_a_foreign_file_is_refused_by_name(self) -> None:
        (self.data / "pushpit.db").write_bytes(b"This is no database. " * 100)
        done = program("--listen", "127.0.0.1:0", "--certs", str(self.data / "certs"), "--data", str(self.data))
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertRegex(done.stderr, r"pushpit: cannot .*pushpit\.db.*not a database.*--data")

    def test_a_broken_file_a_file_for_a_directory_and_a_newer_file_are_named(self) -> None:
        with Gateway("--data", str(self.data), certificates=self.data / "certs") as gateway, Apple(gateway) as apple:
            for _ in range(50):
                apple.push(body=TITLED)
        whole = (self.data / "pushpit.db").read_bytes()
        page = 16_384
        self.assertGreater(len(whole), 4 * page, "a gentle end leaves everything in one file")
        rows = [("broken", whole[:page] + os.urandom(len(whole) - page), "damaged|malformed|corrupt|Tree|integrity|database"),
                ("newer", whole, "newer Pushpit")]
        for name, content, words in rows:
            with self.subTest(name):
                place = self.data / name
                place.mkdir()
                (place / "pushpit.db").write_bytes(content)
                if name == "newer":
                    database = sqlite3.connect(place / "pushpit.db")
                    database.execute("PRAGMA user_version = 99")
                    database.close()
                done = program("--listen", "127.0.0.1:0", "--certs", str(self.data / "certs"), "--data", str(place))
                self.assertEqual(done.returncode, 74, done.stderr)
                self.assertRegex(done.stderr, words)
        (self.data / "file").write_bytes(b"")
        done = program("--listen", "127.0.0.1:0", "--certs", str(self.data / "certs"), "--data", str(self.data / "file/deep"))
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertIn("file/deep", done.stderr)

    def test_values_out_of_range_end_it_with_74_and_are_named(self) -> None:
        with Gateway("--data", str(self.data), certificates=self.data / "certs") as gateway, Apple(gateway) as apple:
            apple.push(body=TITLED)
        whole = (self.data / "pushpit.db").read_bytes()
        rows = [
            ("UPDATE numbers SET value = 9223372036854775807 WHERE name = 'seq'", "'seq' is 9223372036854775807"),
            ("UPDATE numbers SET value = 9223372036854775807 WHERE name = 'pushes'", "'pushes' is 9223372036854775807"),
            ("UPDATE numbers SET value = -1 WHERE name = 'hits'", "'hits' is -1"),
            ("UPDATE events SET last = 9223372036854775807", "the table events"),
            ("UPDATE events SET bytes = x'ffffffffffffffffff01'", "a damaged event"),
            ("UPDATE devices SET bytes = replace(bytes, 'ios', 'phone')", "the table devices"),
            ("PRAGMA user_version = -1", "version of its tables is -1"),
        ]
        for number, (sql, words) in enumerate(rows):
            with self.subTest(sql):
                place = self.data / str(number)
                place.mkdir()
                (place / "pushpit.db").write_bytes(whole)
                with closing(sqlite3.connect(place / "pushpit.db")) as database, database:
                    database.execute(sql)
                done = program("--listen", "127.0.0.1:0", "--certs", str(self.data / "certs"), "--data", str(place))
                self.assertEqual((done.returncode, done.stdout), (74, ""), done.stderr)
                self.assertRegex(done.stderr, r"\Apushpit: cannot read [^\n]+: the file is damaged: [^\n]+\n\Z")
                self.assertIn(str(place / "pushpit.db"), done.stderr)
                self.assertIn(words, done.stderr)
                self.assertIn("move the file away to start afresh", done.stderr)

    def test_two_gateways_do_not_share_a_file(self) -> None:
        with Gateway("--data", str(self.data), certificates=self.data / "certs"):
            done = program("--listen", "127.0.0.1:0", "--certs", str(self.data / "certs"), "--data", str(self.data))
            self.assertEqual(done.returncode, 74, done.stderr)
            self.assertIn("locked", done.stderr)

    def test_pushes_are_refused_while_the_disk_is_full(self) -> None:
        certificates = self.data / "certs"
        with Gateway("--data", str(self.data), certificates=certificates) as gateway, Apple(gateway) as apple:
            google = Google(gateway)
            self.assertEqual(apple.push(body=TITLED).status, 200)
            size = max(path.stat().st_size for path in self.data.iterdir() if path.is_file())
            resource.prlimit(gateway.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
            statuses = []
            while 503 not in statuses and len(statuses) < 5000:
                answer = apple.push(body={"aps": {"alert": "x" * 3000}})
                statuses.append(answer.status)
            self.assertEqual(statuses[-1], 503, "the disk was never full")
            self.assertEqual(json.loads(answer.body)["reason"], "ServiceUnavailable")
            refused = google.send("shop", topic="news")
            self.assertEqual((refused.status_code, refused.json()["error"]["status"]), (503, "UNAVAILABLE"))
            self.assertIn("cannot save the event log", gateway.log)
            accepted = statuses.count(200) + 1
            resource.prlimit(gateway.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            self.wait_for(apple)
            self.kill(gateway)
        with Gateway("--data", str(self.data), certificates=certificates) as gateway:
            kept = call(gateway, "POST", "/expect", {"match": {"outcome": "accepted"}, "atLeast": accepted + 1, "within": "0s"})
            self.assertEqual(kept[0], 200, kept)

    def wait_for(self, apple: Apple) -> None:
        """Waits until the gateway has tried the disk again, which takes some seconds."""
        for _ in range(200):
            if apple.push(body=TITLED).status == 200:
                return
            select.select([], [], [], 0.05)
        self.fail("pushes are refused although there is room again")

    def kill(self, gateway: Gateway) -> None:
        gateway.process.send_signal(signal.SIGKILL)
        gateway.process.wait(PATIENCE)
