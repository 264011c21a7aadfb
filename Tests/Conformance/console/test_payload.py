"""The payload of a push as it was sent: its numbers, its order, and what was kept of a body that is broken or too long."""
from __future__ import annotations

from api_case import Apple
from control import call

from console.console_case import browsers
from console.test_push import PushCase

SENT = '{"aps":{"alert":"a\u202eb"},"10":9007199254740993,"2":1.10,"inner":"[9007199254740993]"}'


@browsers
class Payload(PushCase):
    def send(self, body: str) -> dict:
        wanted = f'{{"provider":"apns","token":"{"ab" * 32}","headers":{{"apns-topic":"com.example.app"}},"body":{body}}}'
        status, said = call(self.gateway, "POST", "/messages", raw=wanted.encode())
        self.assertEqual(status, 201, said)
        return said

    def test_long_numbers_order_and_hidden_characters_are_shown_as_they_were_sent(self) -> None:
        push = self.send(SENT)
        self.show(push, "payload")
        self.page.wait_text("9007199254740993", ".tree .decoded")
        leaves = "[...document.querySelectorAll('.tree .leaf')].slice(0, 3).map(e => e.innerText.trim()).join()"
        self.assertEqual(self.page.run(leaves), r'alert: "a\u202eb",10: 9007199254740993,2: 1.10')
        self.page.run("navigator.clipboard.writeText = async text => { window.copied_ = text; }; undefined")
        self.page.click(".push-panel button", "Copy JSON")
        self.page.wait("window.copied_")
        copied = self.page.run("window.copied_")
        self.assertEqual("".join(copied.split()), SENT.replace("\u202e", r"\u202e"))
        self.page.open(f"#/compose?from={push['id']}")
        self.page.wait("document.querySelector('.source')?.value.includes('9007199254740993')")
        self.assertEqual(self.page.run("document.querySelector('.source').value"), copied)
        self.show(push, "request")
        self.page.wait_text(r"a\u202eb", ".raw")
        self.page.open("#/pushes?app=a%E2%80%AEb")
        self.page.wait_text(r"app: a\u202eb", ".chips")

    def test_a_body_that_was_cut_says_how_long_it_was(self) -> None:
        raw = b'{"aps":{"alert":"' + b"x" * 8_000 + b'"}}'
        with Apple(self.gateway) as apple:
            apple.push(("content-length", str(len(raw))), body=raw)
        (push,) = self.api("GET", "/messages")["messages"]
        self.show(push, "payload")
        self.page.wait_text("too long: only the first 4,096 bytes were kept", ".pane h1")
        self.page.wait_text("It has 8,020 bytes", ".push-panel .problem")
        self.page.wait_text("8,020 of 4,096 bytes", ".sizes")
        red = "(e => getComputedStyle(e).color)(document.querySelector('.push-panel .problem'))"
        self.assertEqual(self.page.run("getComputedStyle(document.querySelector('.size-row strong')).color"), self.page.run(red))
