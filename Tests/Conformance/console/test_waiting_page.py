"""How many pushes wait for a phone can be seen without opening the tab that lists them."""
from __future__ import annotations

from console.console_case import ConsoleCase, browsers


@browsers
class Waiting(ConsoleCase):
    def test_the_tab_has_the_number_of_pushes_that_wait(self) -> None:
        phone = self.device("android", id="ann", state={"online": False})
        tab = "[...document.querySelectorAll('[role=tab]')].find(tab => tab.innerText.startsWith('Waiting'))"
        self.page.open("#/devices/ann")
        self.page.wait(f"{tab}?.innerText === 'Waiting'")
        for number in (1, 2):
            self.fcm({"data": {"number": str(number)}}, phone)
            self.page.wait(f"{tab}.innerText.split(/\\s+/).join(' ') === 'Waiting {number}'")
        self.api("PATCH", "/devices/ann", {"state": {"online": True}})
        self.page.wait(f"{tab}.innerText.trim() === 'Waiting'")
