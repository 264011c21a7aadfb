"""One gateway for all tests of a class. After each test it must still serve others, as the same process."""
from __future__ import annotations

import unittest
from typing import ClassVar

from gateway import Gateway
from malformed import is_live
from receiver_client import Caller, ReceiverID, Sender


class BadInputCase(unittest.TestCase):
    gateway: ClassVar[Gateway]
    sender: ClassVar[Sender]
    known: ClassVar[ReceiverID]
    """A client that has checked in."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway())
        cls.sender = Sender()
        with Caller(cls.gateway) as caller:
            cls.known = caller.check_in()

    def setUp(self) -> None:
        self.caller = self.enterContext(Caller(self.gateway))

    def tearDown(self) -> None:
        self.assertTrue(is_live(self.gateway))
        self.assertIsNone(self.gateway.process.poll())
