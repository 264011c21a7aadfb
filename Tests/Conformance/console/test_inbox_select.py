"""The inbox: read marks, selecting several pushes, and deleting them."""
from __future__ import annotations

import json

from console.console_case import ConsoleCase, browsers

ROWS = "[...document.querySelectorAll('.push-row:not([hidden])')].sort((a, b) => a.dataset.index - b.dataset.index)"


@browsers
class Selecting(ConsoleCase):
    def setUp(self) -> None:
        super().setUp()
        self.page.run("localStorage.clear()")
        phone = self.device("ios", id="ann")
        other = self.device("ios", id="ben", app="com.example.other")
        self.ids = [self.apns(other if number == 3 else phone, {"aps": {"alert": f"number {number}"}})["id"] for number in range(6)]
        self.open()

    def open(self, address: str = "#/", count: int = 6) -> None:
        self.page.open(address)
        self.page.wait(f"{ROWS}.length === {count}")

    def titles(self, condition: str = "true") -> list[int]:
        """The numbers of the rows for which this is true, from top to bottom."""
        return json.loads(self.page.run(f"JSON.stringify({ROWS}.filter(row => {condition}).map(row => Number(row.querySelector('.title').innerText.split(' ')[1])))"))

    def checked(self) -> list[int]:
        return self.titles("row.getAttribute('aria-checked') === 'true'")

    def unread(self) -> list[int]:
        return self.titles("row.classList.contains('unread')")

    def click_row(self, number: int, keys: str = "", part: str = ".title") -> None:
        init = json.dumps({"bubbles": True} | {key: True for key in keys.split()})
        self.page.run(f"{ROWS}[{number}].querySelector('{part}').dispatchEvent(new MouseEvent('click', {init})); undefined")

    def wait_checked(self, *numbers: int) -> None:
        self.page.wait(f"JSON.stringify({ROWS}.filter(row => row.getAttribute('aria-checked') === 'true').map(row => row.querySelector('.title').innerText)) === {json.dumps(json.dumps([f'number {each}' for each in numbers], separators=(',', ':')))}")

    def left(self) -> list[str]:
        return [message["id"] for message in self.api("GET", "/messages")["messages"]]

    def test_marks_shift_and_ctrl_select_and_the_selected_are_deleted(self) -> None:
        self.click_row(0, part=".mark")
        self.wait_checked(5)
        self.page.wait_text("1 selected", ".info")
        self.click_row(2, "shiftKey")
        self.wait_checked(5, 4, 3)
        self.click_row(4, "ctrlKey")
        self.click_row(1, "ctrlKey")
        self.wait_checked(5, 3, 1)
        self.assertEqual(self.page.run("location.hash"), "#/", "nothing was opened")
        self.page.click(".info button", "Delete")
        self.page.wait_text("Delete 3 pushes?", "dialog")
        self.page.click("dialog button", "Cancel")
        self.page.wait("!document.querySelector('dialog')")
        self.assertEqual(len(self.left()), 6)
        self.page.click(".info button", "Delete")
        self.page.click("dialog button", "Delete")
        self.page.wait(f"{ROWS}.length === 3")
        self.assertEqual(self.titles(), [4, 2, 0])
        self.assertEqual(self.left(), [self.ids[number] for number in (4, 2, 0)])
        self.page.wait("document.querySelector('#nav .count').innerText === '3'")
        self.assertEqual(self.checked(), [])

    def test_the_keyboard_selects_and_deletes(self) -> None:
        self.page.press("ArrowDown", "x")
        self.wait_checked(5)
        self.page.run("document.querySelector('.rows').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown', shiftKey: true, bubbles: true, cancelable: true})); undefined")
        self.wait_checked(5, 4)
        self.page.press(" ")
        self.wait_checked(5)
        self.page.press("Escape")
        self.wait_checked()
        self.page.press("x", "Delete")
        self.page.wait_text("Delete 1 push?", "dialog")
        self.page.click("dialog button", "Delete")
        # The push was open: its pane is closed.
        self.page.wait(f"{ROWS}.length === 5 && location.hash === '#/pushes'")
        self.assertEqual(self.left(), [self.ids[number] for number in (5, 3, 2, 1, 0)])

    def test_what_a_filter_hides_is_not_deleted(self) -> None:
        self.open("#/pushes?app=com.example.app", 5)
        # Its neighbours are selected, and the push between them belongs to another app.
        self.click_row(0, part=".mark")
        self.click_row(3, "shiftKey")
        self.wait_checked(5, 4, 2, 1)
        self.page.click(".info button", "Delete")
        self.page.click("dialog button", "Delete")
        self.page.wait(f"{ROWS}.length === 1")
        self.assertEqual(self.left(), [self.ids[3], self.ids[0]])
        self.page.click(".info button", "Delete all")
        self.page.wait_text("match the filters", "dialog")
        # What arrives while the question is open stays.
        late = self.apns(self.api("GET", "/devices/ann"), {"aps": {"alert": "number 6"}})["id"]
        self.page.wait(f"{ROWS}.length === 2")
        self.page.click("dialog button", "Delete")
        self.page.wait(f"{ROWS}.length === 1")
        self.assertEqual(self.left(), [late, self.ids[3]])

    def test_a_push_that_was_opened_is_read_and_stays_so(self) -> None:
        self.assertEqual(self.unread(), [5, 4, 3, 2, 1, 0])
        self.page.wait_text("6 pushes, 6 unread", ".info")
        self.click_row(2)
        self.page.wait_text("6 pushes, 5 unread", ".info")
        self.open()
        self.assertEqual(self.unread(), [5, 4, 2, 1, 0])
        self.click_row(0, part=".mark")
        self.page.click(".info button", "Mark read")
        self.page.wait_text("6 pushes, 4 unread", ".info")
        self.page.click(".info button", "Mark all read")
        self.page.wait(f"{ROWS}.every(row => !row.classList.contains('unread'))")
        self.apns(self.api("GET", "/devices/ann"), {"aps": {"alert": "number 6"}})
        self.page.wait_text("7 pushes, 1 unread", ".info")
        self.assertEqual(self.unread(), [6])

    def test_no_two_elements_have_one_id_and_the_list_names_only_rows_that_are_there(self) -> None:
        for number in range(6, 60):
            self.fcm({"topic": "news", "notification": {"title": f"number {number}"}})
        self.page.wait_text("60 pushes", ".info")
        active = "document.querySelector('.rows').getAttribute('aria-activedescendant')"
        self.page.press("ArrowDown")
        self.page.wait(f"document.getElementById({active})?.getAttribute('aria-selected') === 'true'")
        for top in ("1e6", "0", "1e6", "300", "0"):
            self.page.run(f"document.querySelector('.rows').scrollTop = {top}; undefined")
            self.page.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))")
            ids = json.loads(self.page.run("JSON.stringify([...document.querySelectorAll('.push-row[id]')].map(row => row.id))"))
            self.assertEqual(len(ids), len(set(ids)))
            self.assertEqual(self.page.count(".push-row[hidden][id]"), 0)
            self.assertTrue(self.page.run(f"{active} === null || document.getElementById({active}) !== null"), top)
            self.assertEqual(self.page.run(f"{active} === null"), top == "1e6", top)
