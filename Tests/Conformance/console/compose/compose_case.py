"""What tests of Compose and Inspect do to the page."""
from __future__ import annotations

import json
from typing import Any

from console.console_case import ConsoleCase

SOURCE = "document.querySelector('.source')"


class ComposeCase(ConsoleCase):
    def field(self, label: str, *, group: str = "") -> str:
        """The field with this label, as JavaScript."""
        wanted, title = json.dumps(label), json.dumps(group)
        return (f"[...document.querySelectorAll('.compose-form label')].find(e => e.querySelector('span')?.textContent === {wanted}"
                f" && (!{title} || e.closest('.group').querySelector('h2').textContent === {title}))?.control")

    def type_in(self, label: str, value: str, *, group: str = "") -> None:
        field = self.field(label, group=group)
        self.page.wait(field)
        self.page.run(f"""(() => {{ const e = {field}; e.value = {json.dumps(value)};
            e.dispatchEvent(new Event(e.tagName === 'SELECT' ? 'change' : 'input', {{bubbles: true}})); }})()""")

    def wait_field(self, label: str, value: str, *, group: str = "") -> None:
        self.page.wait(f"{self.field(label, group=group)}?.value === {json.dumps(value)}")

    def value(self) -> Any:
        """The JSON in the editor."""
        return json.loads(self.page.run(f"{SOURCE}.value"))

    def write(self, value: Any) -> None:
        """Writes into the editor."""
        self.page.fill(".source", value if isinstance(value, str) else json.dumps(value, indent=2))

    def paste(self, text: str) -> None:
        """Does what the browser does at a paste: the event, the text, the input."""
        self.page.run(f"""(() => {{ const e = {SOURCE}; e.focus(); e.dispatchEvent(new ClipboardEvent('paste', {{bubbles: true}}));
            e.value = {json.dumps(text)}; e.dispatchEvent(new InputEvent('input', {{bubbles: true, inputType: 'insertFromPaste'}})); }})()""")

    def drop(self, selector: str, name: str, content: bytes) -> None:
        """Drops a file on an element."""
        self.page.wait(f"document.querySelector({json.dumps(selector)})")
        self.page.run(f"""(() => {{ const data = new DataTransfer(); data.items.add(new File([new Uint8Array({list(content)})], {json.dumps(name)}));
            document.querySelector({json.dumps(selector)}).dispatchEvent(new DragEvent('drop', {{bubbles: true, cancelable: true, dataTransfer: data}})); }})()""")

    def verdict(self, text: str) -> None:
        """Waits for a verdict."""
        self.page.wait_text(text, ".verdict")

    def sent(self) -> dict[str, Any]:
        """The newest message of the gateway, after the page has shown an answer."""
        self.page.wait("!document.querySelector('.answer').hidden")
        return self.api("GET", "/messages?limit=1")["messages"][0]
