"""What the tests of devices share: the wall, and the page of a phone."""
from __future__ import annotations

import json
from typing import Any

from console.console_case import ConsoleCase

NEWS = [{"id": "NEWS", "customDismissAction": True,
         "actions": [{"id": "LATER", "title": "Later"}, {"id": "REPLY", "title": "Reply", "text": True}]}]


class DevicesCase(ConsoleCase):
    def events(self, device: str, kind: str) -> list[dict[str, Any]]:
        path = f"/events?since=0&follow=false&device={device}&kind={kind}"
        status, text = self.raw(path)
        self.assertEqual(status, 200, text)
        return [json.loads(line) for line in text.splitlines() if line]

    def raw(self, path: str) -> tuple[int, str]:
        """What the page itself reads from the API, as text."""
        script = (f"fetch(new URL({json.dumps('api/v1' + path)}, document.baseURI), {{headers: {{accept: 'application/x-ndjson'}}}})"
                  ".then(async a => JSON.stringify([a.status, await a.text()]))")
        status, text = json.loads(self.page.run(script))
        return status, text

    def state(self, device: str) -> dict[str, Any]:
        return dict(self.api("GET", f"/devices/{device}")["state"])

    def wait_state(self, device: str, name: str, value: Any) -> None:
        """Waits until the gateway has this state: the page's click has been answered."""
        self.page.browser.wait_for(f"fetch(new URL('api/v1/devices/{device}', document.baseURI)).then(a => a.json())"
                                   f".then(d => d.state?.{name} === {json.dumps(value)})")

    def wait_event(self, device: str, kind: str) -> dict[str, Any]:
        self.page.browser.wait_for(f"fetch(new URL('api/v1/events?since=0&device={device}&kind={kind}', document.baseURI), "
                                   "{headers: {accept: 'application/json'}}).then(a => a.json()).then(p => p.events.length > 0)")
        return self.events(device, kind)[-1]

    def open_phone(self, platform: str = "ios", **more: Any) -> dict[str, Any]:
        device = self.device(platform, id="ann", name="Ann", **more)
        self.page.open("#/devices/ann")
        self.page.wait_text("Ann", ".phone-names h1")
        self.page.wait_text("live", "#status")
        return device

    def wait_card(self, text: str) -> None:
        self.page.wait_text(text, ".phone-list .n-card")

    def wait_no_card(self) -> None:
        self.page.wait("!document.querySelector('.phone-list .n-card')")
