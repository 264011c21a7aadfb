"""The console as a whole: accessibility, colours, narrow windows, the token, a proxy's path, hostile texts, the first paint."""
from __future__ import annotations

import importlib.util
import json
import threading
from pathlib import Path
from typing import Any

from browsers import Chromium
from console.console_case import ConsoleCase, browsers
from console.dev_server import serve
from console.page import Page

# Ready when this is in the page.
VIEWS = {
    "#/": ".push-row", "#/pushes/{push}": ".pane h1", "#/devices": "h1", "#/devices/ann": "h1", "#/compose": "h1",
    "#/faults": "h1", "#/tracking": "h1", "#/inspect": "h1", "#/rules": "h1", "#/start": "h1",
}
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
HOSTILE = [
    "<script>window.hacked = 1</script>", "<img src=x onerror='window.hacked = 1'>", "javascript:window.hacked=1",
    "\u202egnp.exe\u202c \u2066x", "\u0000\u0007", "a" * 3000, "'\"><svg onload=window.hacked=1>", "{{base}}", "%s%n",
]


def axe() -> str:
    """The source of axe-core, which comes inside a package."""
    spec = importlib.util.find_spec("axe_playwright_python")
    assert spec is not None and spec.submodule_search_locations
    return (Path(spec.submodule_search_locations[0]) / "axe.min.js").read_text()


class Accessibility(ConsoleCase):
    def setUp(self) -> None:
        super().setUp()
        ann = self.device("ios", id="ann", name="Ann's iPhone", extension={"script": "firebase"})
        self.fcm({"notification": {"title": "Breakfast", "body": "Rolls are ready"}}, ann)
        self.push = self.apns(ann, {"aps": {"alert": "typo", "badge": "1"}})["id"]

    def each_view(self) -> Any:
        for address, ready in VIEWS.items():
            self.page.open(address.format(push=self.push))
            self.page.wait(f"document.querySelector('#main {ready}')")
            yield address

    def violations(self) -> list[str]:
        self.page.run(axe() + "; undefined")
        found = json.loads(self.page.run(
            f"axe.run(document, {{runOnly: {json.dumps(TAGS)}, resultTypes: ['violations']}}).then(r => JSON.stringify(r.violations"
            ".map(v => `${v.id}: ${v.help}: ${v.nodes.map(n => n.html.slice(0, 200)).slice(0, 3).join(' | ')}`)))"))
        return list(found)

    def test_axe_finds_nothing_in_any_view_light_or_dark(self) -> None:
        self.addCleanup(self.page.dark, False)
        found = {}
        for is_dark in (False, True):
            self.page.dark(is_dark)
            for address in self.each_view():
                if violations := self.violations():
                    found[f"{address} {'dark' if is_dark else 'light'}"] = violations
        self.assertEqual(found, {})

    def test_no_view_is_wider_than_a_phone(self) -> None:
        self.addCleanup(self.page.resize, 1400, 900)
        for width in (390, 360):
            self.page.resize(width, 844)
            for address in self.each_view():
                self.assertLessEqual(self.page.run("document.documentElement.scrollWidth"), width, f"{address} at {width} px")

    def test_every_link_and_button_has_a_name(self) -> None:
        self.addCleanup(self.page.resize, 1400, 900)
        for width in (1400, 900):
            self.page.resize(width, 900)
            for address in self.each_view():
                # A text that is not shown is no name.
                nameless = self.page.run(
                    "[...document.querySelectorAll('a, button')].filter(e => e.getClientRects().length && "
                    "!(e.innerText.trim() || e.getAttribute('aria-label') || e.title)).map(e => e.outerHTML).join('\\n')")
                self.assertEqual(nameless, "", f"{address} at {width} px")


@browsers
class Shell(ConsoleCase):
    def test_tab_reaches_the_content_and_letters_open_views(self) -> None:
        self.page.open()
        self.page.press("Tab")
        self.page.wait("document.activeElement.classList.contains('skip')")
        self.page.press("d")
        self.page.wait("location.hash === '#/devices'")
        self.page.press("r")
        self.page.wait("location.hash === '#/rules'")
        self.page.press("?")
        self.page.wait("document.querySelector('dialog[open]')")
        self.page.press("Escape")
        self.page.wait("!document.querySelector('dialog[open]')")
        self.page.press("/")
        self.page.wait("document.activeElement.name === 'search'")

    def test_shortcuts_of_one_character_can_be_turned_off(self) -> None:
        """WCAG 2.1.4."""
        self.addCleanup(self.page.run, "localStorage.clear()")
        self.page.open()
        self.page.press("?")
        self.page.click("dialog input[type=checkbox]")
        self.page.press("Escape")
        self.page.wait("!document.querySelector('dialog')")
        self.page.open()
        self.apns(self.device("ios", id="ann"), {"aps": {"alert": "one"}})
        self.page.wait_text("one", ".push-row")
        self.page.press("d", "r", "/", "?", "j", "x")
        # Keys arrive in order: when the arrow has worked, the others have not.
        self.page.press("ArrowDown")
        self.page.wait("/^#\\/pushes\\/p/.test(location.hash)")
        self.assertEqual(self.page.count("dialog, .push-row[aria-checked=true], .filters input:focus"), 0)
        # The list of shortcuts is still in reach, and turns them on again.
        self.page.click("#status button[aria-label='Keyboard shortcuts']")
        self.page.click("dialog input[type=checkbox]")
        self.page.click("dialog button", "Close")
        self.page.press("d")
        self.page.wait("location.hash === '#/devices'")

    def test_the_bar_of_a_narrow_window_has_a_menu_for_the_rest(self) -> None:
        self.addCleanup(self.page.resize, 1400, 900)
        self.page.resize(390, 844)
        self.page.open()
        self.page.wait("document.querySelector('#nav a')")
        self.assertTrue(self.page.run("(e => e.scrollWidth <= e.clientWidth && e.getBoundingClientRect().right <= innerWidth)(document.querySelector('#nav'))"))
        reachable = "[...document.querySelectorAll('#nav a')].filter(a => a.getClientRects().length).map(a => a.innerText.trim().split('\\n')[0]).join()"
        self.assertEqual(self.page.run(reachable), "Inbox,Devices,Compose,Faults")
        self.page.click(".more-button")
        self.page.wait(f"{reachable} === 'Inbox,Devices,Compose,Faults,Tracking,Inspect,Rules,Get started'")
        self.page.press("Escape")
        self.page.wait(f"{reachable} === 'Inbox,Devices,Compose,Faults'")
        self.page.click(".more-button")
        self.page.click("#nav a", "Rules")
        self.page.wait(f"location.hash === '#/rules' && {reachable} === 'Inbox,Devices,Compose,Faults'")

    def test_long_names_in_the_rail_keep_their_ends(self) -> None:
        for end in ("bakery", "butcher"):
            self.device("ios", app=f"com.example.a-very-long-company-name.{end}")
        self.page.open()
        self.page.wait("document.querySelectorAll('#nav .sub').length === 2")
        cut = """[...document.querySelectorAll('#nav .sub .clip')].map(box => {
            const all = box.getBoundingClientRect(), text = box.firstChild.getBoundingClientRect();
            return text.left < all.left && text.right <= all.right + 1; }).join()"""
        self.assertEqual(self.page.run(cut), "true,true", "only the beginning is cut")
        self.assertIn("com.example.a-very-long-company-name.bakery", self.page.run("[...document.querySelectorAll('#nav .sub')].map(a => a.title).join()"))

    def test_the_person_may_choose_the_colours(self) -> None:
        self.page.open()
        before = self.page.run("document.documentElement.dataset.theme")
        self.page.press("l")
        self.page.wait(f"document.documentElement.dataset.theme !== '{before}'")
        self.page.open("#/rules")
        self.assertNotEqual(self.page.run("document.documentElement.dataset.theme"), before)
        self.page.press("l")
        self.page.wait(f"document.documentElement.dataset.theme === '{before}'")

    def test_hostile_texts_are_shown_as_texts(self) -> None:
        phone = self.device("android")
        for text in HOSTILE:
            self.fcm({"notification": {"title": text, "body": text}, "data": {"k": text}}, phone)
        self.page.open()
        self.page.wait(f"document.querySelectorAll('.push-row:not([hidden])').length >= {len(HOSTILE)}")
        for push in self.api("GET", "/messages")["messages"]:
            self.page.go(f"#/pushes/{push['id']}")
            self.page.wait(f"document.querySelector('.pane')?.innerText.split(/\\s+/).includes('{push['id']}')")
        self.assertEqual(self.page.run("String(window.hacked)"), "undefined")
        self.assertEqual(self.page.count("#main script"), 0)
        self.assertIn("<script>", self.page.text(".rows"))


class DarkSystem(ConsoleCase):
    def test_the_colours_follow_the_system(self) -> None:
        self.addCleanup(self.page.dark, False)
        self.page.open()
        for is_dark in (True, False):
            self.page.dark(is_dark)
            self.page.wait(f"document.documentElement.dataset.theme === '{'dark' if is_dark else 'light'}'")

    def test_the_first_paint_takes_less_than_300_ms(self) -> None:
        times = []
        for _ in range(5):
            self.page.open()
            self.page.wait("performance.getEntriesByName('first-contentful-paint').length")
            times.append(self.page.run("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        self.assertLess(min(times), 300, f"{times}")


@browsers
class Watch(ConsoleCase):
    """The tests themselves: a problem counts, whichever document had it."""

    def test_problems_of_earlier_documents_count(self) -> None:
        self.page.open()
        self.page.run("void setTimeout(() => { throw new Error('of the first document') }, 0)")
        self.page.wait("watched_.problems.length")
        self.page.run("void Promise.reject(new Error('a promise')); undefined")
        self.page.run("void document.body.append(Object.assign(new Image(), {src: 'http://127.0.0.2:1/x.png'}))")
        self.page.wait("watched_.problems.some(text => text.includes('127.0.0.2'))")
        self.page.open("#/rules")
        self.page.reload()
        found = self.page.problems
        self.page.forget()
        self.assertTrue(any("of the first document" in text for text in found), found)
        self.assertTrue(any("a promise" in text for text in found), found)
        self.assertTrue(any("127.0.0.2" in text for text in found), found)


@browsers
class Token(ConsoleCase):
    arguments = ("--api-token", "open-sesame")

    def setUp(self) -> None:
        """There is nothing to clear, and no token to do it with."""

    def test_it_asks_once_and_keeps_the_token_for_the_session(self) -> None:
        self.page.open()
        self.page.wait_text("needs a token", "dialog")
        self.page.fill("dialog input", "wrong")
        self.page.click("dialog button")
        self.page.wait_text("did not accept", "dialog")
        self.page.fill("dialog input", "open-sesame")
        self.page.click("dialog button")
        self.page.wait_text("live", "#status")
        self.assertEqual(self.page.count("dialog"), 0)
        self.page.reload()
        self.page.wait_text("live", "#status")
        self.assertEqual(self.page.count("dialog"), 0)


@browsers
class BehindAProxy(ConsoleCase):
    @classmethod
    def address(cls) -> str:
        server = serve(cls.gateway.at().url("", scheme="http"), prefix="/tools/push/", built=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        cls.addClassCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}/tools/push/"

    def test_it_works_below_a_path(self) -> None:
        self.page.open()
        self.page.wait_text("live", "#status")
        self.apns(self.device("ios"), {"aps": {"alert": "through the proxy"}})
        self.page.wait_text("through the proxy", ".push-row")
        outside = self.page.run(
            "performance.getEntriesByType('resource').map(e => new URL(e.name).pathname).filter(p => !p.startsWith('/tools/push/')).join()")
        self.assertEqual(outside, "")
