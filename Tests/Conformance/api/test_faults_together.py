"""Several faults at once, and faults with `--data`."""
from __future__ import annotations

import tempfile
import unittest

from control import call, set_fault
from gateway import Gateway
from h2_client import Client, push
import test_fault_times
import test_faults
from fcm_faults import Provider, request


class CutOverHTTP1(test_faults.Faults):
    def test_over_http_1_the_connection_is_reset_after_the_given_number_of_bytes(self) -> None:
        for effect, count in (({"resetAfterHeaders": "CANCEL"}, 0), ({"truncate": 0}, 0), ({"truncate": 5}, 5), ({"truncate": 40}, 40)):
            with self.subTest(effect):
                set_fault(self.gateway, effect, times=1)
                with Provider(self.gateway.at().connect()) as connection:
                    connection.send(request())
                    with self.assertRaises(ConnectionResetError):
                        connection.read_to_end()
                    head, _, rest = connection.buffer.partition(b"\r\n\r\n")
                    self.assertIn(b"200 OK", head)
                    body = rest.partition(b"\r\n")[2] if b"transfer-encoding: chunked" in head else rest
                    self.assertEqual(len(body), count, rest)

    def test_the_answer_of_a_fault_can_be_cut(self) -> None:
        for effects in ([{"answer": {"status": 503, "reason": "Shutdown"}}, {"truncate": 5}], [{"truncate": 5}, {"answer": {"status": 503, "reason": "Shutdown"}}]):
            set_fault(self.gateway, effects, times=1)
            answer = self.ask(self.client(), 1)
            self.assertEqual((answer.status, answer.body, answer.reset is not None), (503, b'{"rea', True))


class Sticky(test_fault_times.Times):
    def test_each_connection_with_a_sticky_fault_has_its_own_random_delays(self) -> None:
        set_fault(self.gateway, [{"delay": test_fault_times.UNIFORM}, {"sticky": True}], seed=1)
        streams = [self.push() for _ in range(40)]
        self.client.ping()
        self.advance(2000)
        self.assertTrue(0 < len([stream for stream in streams if stream in self.client.answers]) < 40)


class SavedData(unittest.TestCase):
    def test_a_push_that_a_fault_accepts_is_on_the_disk_before_its_answer(self) -> None:
        lost = 0
        for _ in range(5):
            with tempfile.TemporaryDirectory() as directory:
                with Gateway("--auth", "off", "--data", directory) as gateway, Client(gateway.at().connect()) as client:
                    client.start()
                    client.send(push(1, bearer=False))
                    client.answer(1)
                    set_fault(gateway, {"window": 65_535})
                    client.send(push(3, bearer=False))
                    client.answer(3)
                    gateway.process.kill()
                    gateway.process.wait()
                with Gateway("--auth", "off", "--data", directory) as gateway:
                    lost += 2 - len(call(gateway, "GET", "/messages")[1]["messages"])
        self.assertEqual(lost, 0)
