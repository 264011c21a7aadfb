// Keys that work everywhere, outside of fields.

import { h } from "./dom.js";
import { go } from "./router.js";
import { toggle } from "./theme.js";

const KEYS = [
  ["/", "search the inbox", () => focusSearch()],
  ["i", "inbox", () => go([])],
  ["d", "devices", () => go(["devices"])],
  ["c", "compose", () => go(["compose"])],
  ["f", "faults and clock", () => go(["faults"])],
  ["t", "tracking", () => go(["tracking"])],
  ["r", "rules", () => go(["rules"])],
  ["l", "light or dark", () => toggle()],
  ["?", "this list", () => help()],
];

function focusSearch() {
  const field = document.querySelector(".filters input");
  if (field) return field.focus();
  go([]);
  setTimeout(() => document.querySelector(".filters input")?.focus(), 200);
}

export function help() {
  const rows = [["↑ ↓ or k j", "the push above or below"], ["Esc", "close the push"], ...KEYS];
  const dialog = h("dialog", { "aria-label": "Keys", on: { close: () => dialog.remove() } },
    h("form", { method: "dialog", class: "stack" },
      h("h2", {}, "Keys"),
      h("table", {}, rows.map(([key, meaning]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, meaning)))),
      h("button", { class: "primary" }, "Close")));
  document.body.append(dialog);
  dialog.showModal();
}

/** Keys that go through the list of pushes, wherever the focus is. */
const STEPS = ["ArrowDown", "ArrowUp", "j", "k"];

function step(event) {
  const list = document.querySelector(".rows");
  if (!list || event.target.closest?.("[role='tab'], [role='tabpanel'], button, summary")) return;
  event.preventDefault();
  list.focus({ preventScroll: true });
  list.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, cancelable: true }));
}

const isField = (element) => element.closest?.("input, textarea, select, [contenteditable], dialog");

export function startKeys() {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isField(event.target)) return;
    if (event.key === "Escape") return document.querySelector(".inbox.reading button[aria-label='Close']")?.click();
    if (STEPS.includes(event.key)) return step(event);
    const row = KEYS.find(([key]) => key === event.key);
    if (!row) return;
    event.preventDefault();
    row[2]();
  });
}
