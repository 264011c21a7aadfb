"""Pushes that are answered now and delivered later, in real time."""
from __future__ import annotations

from control import move_clock, set_fault
from device_client import IPHONE, Phone, with_phones
from test_fault_times import Times


class LatePushes(Times):
    def test_late_pushes_arrive_by_themselves(self) -> None:
        """In real time, and after a frozen clock is resumed."""
        async def body(phone: Phone) -> None:
            token = (await phone.ask(type="hello", device=IPHONE, wants=["push"]))["device"]["tokens"]["apns"]["token"]
            set_fault(self.gateway, {"deliverAfter": "100ms"})
            for is_frozen in (True, False):
                self.assertEqual(self.status(token, tag=is_frozen), 200)
                if is_frozen:
                    self.assertEqual(await phone.ask(type="ping"), {"type": "pong"})
                    move_clock(self.gateway, resume=True)
                self.assertEqual((await phone.receive())["payload"]["tag"], is_frozen)
        with_phones(self.gateway, body)
