"""What tests of APNs' clients share: a gateway with a port for any client and one for APNs."""
from __future__ import annotations

import unittest
from typing import ClassVar


from gateway import Gateway

BODY = {"aps": {"alert": "Hello"}}


class Clients(unittest.TestCase):
    gateway: ClassVar[Gateway]

    @classmethod
    def setUpClass(cls) -> None:
        cls.gateway = cls.enterClassContext(Gateway("--listen", "127.0.0.1:0", "--listen", "apns=127.0.0.1:0"))
