// Keys that work everywhere, outside of fields. Those that are a single character can be switched off, because software
// that types what a person says would press them by accident (WCAG 2.1.4).

import { h } from "./dom.js";
import { go } from "./router.js";
import { toggle } from "./theme.js";

const STORE = "pushpit.keys";
const KEYS = [
  ["/", "Search the inbox", () => focusSearch()],
  ["i", "Inbox", () => go([])],
  ["d", "Devices", () => go(["devices"])],
  ["c", "Compose", () => go(["compose"])],
  ["f", "Faults and clock", () => go(["faults"])],
  ["t", "Tracking", () => go(["tracking"])],
  ["r", "Rules", () => go(["rules"])],
  ["l", "Light or dark theme", () => toggle()],
  ["?", "Show this list", () => help()],
];
const IN_LIST = [
  ["↑ ↓ or k j", "Go to the push above or below"], ["x or Space", "Select the push, or clear its selection"],
  ["Shift + ↑ ↓", "Select the pushes on the way"], ["Delete", "Delete the selected pushes"], ["Esc", "Clear the selection, or close the push"],
];

/** Whether single characters are shortcuts. */
export const hasLetters = () => localStorage.getItem(STORE) !== "off";

function setLetters(isOn) {
  if (isOn) localStorage.removeItem(STORE);
  else localStorage.setItem(STORE, "off");
}

function focusSearch() {
  const field = document.querySelector(".filters input");
  if (field) return field.focus();
  go([]);
  setTimeout(() => document.querySelector(".filters input")?.focus(), 200);
}

export function help() {
  const table = (rows) => h("table", {}, rows.map(([key, meaning]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, meaning))));
  const box = h("input", { type: "checkbox", on: { change: () => setLetters(box.checked) } });
  box.checked = hasLetters();
  const dialog = h("dialog", { class: "keys", "aria-label": "Keyboard shortcuts", on: { close: () => dialog.remove() } },
    h("form", { method: "dialog", class: "stack" },
      h("h2", {}, "Keyboard shortcuts"), table(KEYS), h("h3", {}, "In the list of pushes"), table(IN_LIST),
      h("label", { class: "check" }, box, "Use keys with a single character as shortcuts"),
      h("p", { class: "muted small" }, "Turn this off if you control the computer by voice. The arrow keys, Space, Delete and Esc keep working."),
      h("button", { class: "primary", autofocus: true }, "Close")));
  document.body.append(dialog);
  dialog.showModal();
}

/** Keys that work on the list of pushes, wherever the focus is. */
const TO_LIST = ["ArrowDown", "ArrowUp", "Delete", "j", "k", "x"];

function pass(event) {
  const list = document.querySelector(".rows");
  if (!list || event.target.closest?.("[role='tab'], [role='tabpanel'], button, summary")) return;
  event.preventDefault();
  list.focus({ preventScroll: true });
  list.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, shiftKey: event.shiftKey, cancelable: true }));
}

const isField = (element) => element.closest?.("input, textarea, select, [contenteditable], dialog");

export function startKeys() {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isField(event.target)) return;
    if (event.key === "Escape") return document.querySelector(".inbox.reading button[aria-label='Close']")?.click();
    if (event.key.length === 1 && !hasLetters()) return;
    if (TO_LIST.includes(event.key)) return pass(event);
    const row = KEYS.find(([key]) => key === event.key);
    if (!row) return;
    event.preventDefault();
    row[2]();
  });
}
