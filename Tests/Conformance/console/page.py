"""The console in a real browser: what a person clicks, types and sees."""
from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from browsers import Browser, Chromium

# Runs in each document before its own scripts: collects what went wrong and where files came from. The name of the
# window keeps it, because the name is the only thing that stays when the page is loaded again.
WATCH = """
(() => {
  let kept = {};
  try { kept = JSON.parse(window.name); } catch { /* the first document */ }
  const { problems = [], origins = [] } = kept;
  const all = { problems, origins, keep() {
    for (const entry of performance.getEntriesByType('resource')) {
      const { origin } = new URL(entry.name);
      if (!origins.includes(origin)) origins.push(origin);
    }
    window.name = JSON.stringify({ problems, origins });
    return window.name;
  } };
  window.watched_ = all;
  performance.setResourceTimingBufferSize(100_000);
  const note = (kind, text) => { problems.push(`${kind}: ${text}`); all.keep(); };
  addEventListener('pagehide', () => all.keep());
  addEventListener('error', event => note('error', event.message || event.target?.src || event.target?.href), true);
  addEventListener('unhandledrejection', event => note('rejection', `${event.reason} ${event.reason?.stack}`));
  addEventListener('securitypolicyviolation', event => note('policy', `${event.violatedDirective} ${event.blockedURI}`));
  const error = console.error;
  console.error = (...values) => { note('console', values.join(' ')); error.apply(console, values); };
})()
"""
KEYS = {"Enter": ("\r", 13, "\ue007"), "Escape": ("", 27, "\ue00c"), "Tab": ("", 9, "\ue004"), " ": (" ", 32, " "),
        "ArrowDown": ("", 40, "\ue015"), "ArrowUp": ("", 38, "\ue013"), "ArrowLeft": ("", 37, "\ue012"),
        "ArrowRight": ("", 39, "\ue014"), "Home": ("", 36, "\ue011"), "Delete": ("", 46, "\ue017"), "End": ("", 35, "\ue010")}


class Page:
    def __init__(self, kind: type[Browser], url: str) -> None:
        self.url = url
        self.browser = kind(url)
        self.is_chromium = isinstance(self.browser, Chromium)
        if self.is_chromium:
            self.browser.ask("Page.enable")
            self.browser.ask("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        else:
            self.browser.ask("script.addPreloadScript", functionDeclaration=f"() => {{ {WATCH} }}")

        self.resize(1400, 900)
        # The first document was loaded before the script was there.
        self.reload()

    def reload(self) -> None:
        self.browser.run("window.old_ = true; void setTimeout(() => location.reload(), 0)")
        self.wait("!window.old_ && window.watched_")

    def open(self, address: str = "#/") -> None:
        """Loads the console anew at this address, as a link from elsewhere would."""
        self.browser.run(f"""history.replaceState(null, '', {json.dumps(self.url + address)}); sessionStorage.clear();
            window.old_ = true; void setTimeout(() => location.reload(), 0)""")
        self.wait("!window.old_ && document.querySelector('#main > .view')")

    def go(self, address: str) -> None:
        """Follows a link inside the console."""
        self.run(f"location.hash = {json.dumps(address)}; undefined")

    def run(self, script: str) -> Any:
        return self.browser.run(script)

    def wait(self, condition: str) -> None:
        self.browser.wait_for(f"!!({condition})")

    def wait_text(self, text: str, selector: str = "body") -> None:
        """Waits until the element shows this text."""
        self.wait(f"[...document.querySelectorAll({json.dumps(selector)})].some(e => e.innerText.includes({json.dumps(text)}))")

    def text(self, selector: str = "#main") -> str:
        return self.run(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def count(self, selector: str) -> int:
        return self.run(f"document.querySelectorAll({json.dumps(selector)}).length")

    def click(self, selector: str, text: str | None = None) -> None:
        """Clicks the first visible element that matches, with this text in it."""
        find = (f"[...document.querySelectorAll({json.dumps(selector)})].find(e => e.getClientRects().length && "
                f"({json.dumps(text)} === null || (e.innerText || e.getAttribute('aria-label') || '').includes({json.dumps(text)})))")
        self.wait(find)
        self.run(f"{find}.click(); undefined")

    def fill(self, selector: str, value: str) -> None:
        """Types into a field: sets its value and tells the page, as input does."""
        field = f"document.querySelector({json.dumps(selector)})"
        self.wait(field)
        self.run(f"""(() => {{ const e = {field}; e.focus(); e.value = {json.dumps(value)};
            e.dispatchEvent(new Event('input', {{bubbles: true}})); e.dispatchEvent(new Event('change', {{bubbles: true}})); }})()""")

    def press(self, *keys: str) -> None:
        """Real key presses, wherever the focus is."""
        for key in keys:
            text, code, webdriver = KEYS.get(key, (key, ord(key.upper()[0]), key))
            if self.is_chromium:
                down = {"type": "keyDown", "key": key, "windowsVirtualKeyCode": code} | ({"text": text} if text else {})
                self.browser.ask("Input.dispatchKeyEvent", **down)
                self.browser.ask("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)
            else:
                actions = [{"type": "keyDown", "value": webdriver}, {"type": "keyUp", "value": webdriver}]
                self.browser.ask("input.performActions", context=self.browser.context, actions=[{"type": "key", "id": "keys", "actions": actions}])

    def resize(self, width: int, height: int) -> None:
        if self.is_chromium:
            self.browser.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        else:
            self.browser.ask("browsingContext.setViewport", context=self.browser.context, viewport={"width": width, "height": height})

    def dark(self, is_dark: bool = True) -> None:
        """What the system prefers (Chromium only)."""
        scheme = "dark" if is_dark else "light"
        self.browser.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path: Path) -> None:
        if self.is_chromium:
            data = self.browser.ask("Page.captureScreenshot", format="png")["result"]["data"]
        else:
            data = self.browser.ask("browsingContext.captureScreenshot", context=self.browser.context)["result"]["data"]
        path.write_bytes(base64.b64decode(data))

    def forget(self) -> None:
        """Forgets the problems and origins of the documents so far."""
        self.run("(() => { watched_.problems.length = 0; watched_.origins.length = 0; watched_.keep(); })()")

    def _watched(self) -> dict[str, list[str]]:
        return json.loads(self.run("watched_.keep()"))

    @property
    def problems(self) -> list[str]:
        """Errors, rejected promises, violations of the policy, and what was written as an error, in all documents so far."""
        return self._watched()["problems"]

    @property
    def origins(self) -> list[str]:
        """The origins of everything that the documents so far have loaded."""
        return self._watched()["origins"]

    def close(self) -> None:
        self.browser.close()
