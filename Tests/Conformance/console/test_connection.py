"""What the console reads while pushes arrive, and what it does when the gateway goes away."""
from __future__ import annotations

import signal

from gateway import Gateway

from console.console_case import ConsoleCase, browsers

READS = "performance.getEntriesByType('resource').filter(entry => /api\\/v1\\/devices\\?/.test(entry.name)).length"


@browsers
class Reads(ConsoleCase):
    def test_a_push_does_not_read_the_devices(self) -> None:
        phone = self.device("ios", id="ann")
        self.page.open()
        self.page.wait_text("live", "#status")
        self.page.wait_text("com.example.app", "#nav")
        # An inbox without pushes shows how to start, which reads the devices once.
        self.apns(phone, {"aps": {"alert": "0"}})
        self.page.wait("document.querySelector('#nav .count').innerText === '1'")
        before = self.page.run(READS)
        for number in range(1, 4):
            self.apns(phone, {"aps": {"alert": str(number)}})
            # The counts are read after the push, and nothing else.
            self.page.wait(f"document.querySelector('#nav .count').innerText === '{number + 1}'")
        self.assertEqual(self.page.run(READS), before)

    def test_new_devices_are_read_at_once_and_then_every_ten_seconds_at_most(self) -> None:
        self.page.open("#/rules")
        self.page.wait_text("live", "#status")
        self.page.wait(f"{READS} === 1")
        self.device("ios", id="one", app="com.example.one")
        self.page.wait_text("com.example.one", "#nav")
        self.assertEqual(self.page.run(READS), 2)
        for number in range(2):
            self.device("ios", id=f"more-{number}", app="com.example.more")
            self.page.wait(f"[...document.querySelectorAll('#nav .count')].some(count => count.innerText === '{number + 2}')")
        self.assertEqual(self.page.run(READS), 2)
        self.page.wait_text("com.example.more", "#nav")
        self.assertEqual(self.page.run(READS), 3)
        # A device that is deleted goes without a read.
        self.api("DELETE", "/devices/one")
        self.page.wait("!document.querySelector('#nav').innerText.includes('com.example.one')")
        self.assertEqual(self.page.run(READS), 3)


@browsers
class Lost(ConsoleCase):
    """The process of the gateway is killed, and another one listens on its port."""

    def test_the_page_says_that_the_gateway_is_gone_and_recovers(self) -> None:
        gateway = type(self).gateway
        self.apns(self.device("ios", id="ann"), {"aps": {"alert": "before the end"}})
        self.page.open()
        self.page.wait_text("before the end", ".push-row")
        self.page.wait_text("live", "#status")
        self.page.run("window.same_ = true; undefined")
        self.page.click(".push-row")
        self.page.wait_text("Send again", ".push-actions")
        gateway.process.send_signal(signal.SIGKILL)
        gateway.process.wait()
        self.page.wait_text("The gateway does not answer", ".lost")
        self.page.wait_text("not connected", "#status")
        self.page.click(".push-actions button", "Send again")
        self.page.wait_text("Not sent: the gateway does not answer.", "#notices")
        self.page.go("#/devices/ann")
        self.page.wait_text("The gateway does not answer.", "#main [role=alert]")
        self.page.go("#/")
        self.page.wait("document.querySelector('.rows')")
        address = gateway.at()
        # More happens in the new gateway than in the old one before the page notices it.
        again = type(self).enterClassContext(Gateway("--listen", f"{address.host}:{address.port}", certificates=gateway.certificates))
        type(self).gateway = again
        self.assertEqual(again.at().port, address.port)
        for number in range(3):
            self.apns(self.device("ios", id=f"ben-{number}", app="com.example.after"), {"aps": {"alert": f"after {number}"}})
        self.page.wait("!document.querySelector('.lost').getClientRects().length")
        self.page.wait_text("live", "#status")
        self.page.wait_text("3 pushes", ".info")
        self.page.wait_text("com.example.after", "#nav")
        self.assertNotIn("before the end", self.page.text(".rows"))
        self.apns(self.api("GET", "/devices/ben-0"), {"aps": {"alert": "live again"}})
        self.page.wait_text("live again", ".push-row")
        self.assertTrue(self.page.run("window.same_"), "the page was not loaded again")
