// Tabs, with the keys that people expect: arrows, Home and End.

import { h, replace } from "./dom.js";

let numbers = 0;

/**
 * @param tabs `[{ id, label, open }]`; `open()` returns the element of the panel, or a promise of it
 * @param chosen the id of the first tab
 * @param onChoose called with the id of each tab that the person chooses
 */
export function tabs({ label, tabs: rows, chosen, onChoose }) {
  const prefix = `tabs${++numbers}`;
  const panel = h("div", { role: "tabpanel", id: `${prefix}-panel`, class: "panel", tabindex: "0" });
  const buttons = rows.map((row, index) =>
    h("button", {
      role: "tab", type: "button", id: `${prefix}-${row.id}`, "aria-controls": panel.id,
      on: { click: () => choose(index), keydown: (event) => move(event, index) },
    }, row.label));

  async function choose(index, isFirst = false) {
    buttons.forEach((button, other) => {
      button.setAttribute("aria-selected", String(other === index));
      button.tabIndex = other === index ? 0 : -1;
    });
    panel.setAttribute("aria-labelledby", buttons[index].id);
    if (!isFirst) onChoose?.(rows[index].id);
    const element = await rows[index].open();
    if (buttons[index].getAttribute("aria-selected") === "true") replace(panel, element);
  }

  function move(event, index) {
    const last = rows.length - 1;
    const next = { ArrowRight: index === last ? 0 : index + 1, ArrowLeft: index === 0 ? last : index - 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    buttons[next].focus();
    choose(next);
  }

  choose(Math.max(0, rows.findIndex((row) => row.id === chosen)), true);
  return { bar: h("div", { class: "tabs", role: "tablist", "aria-label": label }, buttons), panel };
}
