// A row of the list of pushes.

import { h, foreign, replace } from "../../core/dom.js";
import { appLabel, exactTime, plural, shortTime } from "../../core/format.js";
import { icon } from "../../core/icons.js";
import { SERVICES, VALIDATED } from "../../model/summary.js";

export const ROW_HEIGHT = 60;

export function makeRow() {
  return h("div", { class: "push-row", role: "option" });
}

/** @param state `badge` of what became of it, `platform` of its device if that is known, and whether it `isOpen`, `isRead`, `isSelected` and others can be selected (`isSelecting`) */
export function fillRow(element, row, { badge, platform, isOpen, isRead, isSelected, isSelecting }) {
  element.id = `row-${row.id}`;
  element.classList.toggle("unread", !isRead);
  element.setAttribute("aria-selected", String(isOpen));
  if (isSelecting) element.setAttribute("aria-checked", String(isSelected));
  else element.removeAttribute("aria-checked");
  const { title, body } = row.summary;
  replace(
    element,
    h("span", { class: "mark", title: `${SERVICES[row.provider]}. Click to select.` },
      icon(row.isForMany ? "many" : { apns: "ios", webpush: "web" }[row.provider] ?? platform ?? "send"), h("i", { class: "tick" })),
    h("span", { class: "first" },
      h("span", { class: "words" }, !isRead && h("span", { class: "visually-hidden" }, "Unread: "),
        foreign(title || body, { class: "title clip", limit: 120 }), title && foreign(body, { class: "text clip", limit: 160 })),
      h("time", { class: "time", datetime: row.time, title: exactTime(row.time) }, shortTime(row.time))),
    h("span", { class: "second" },
      h("span", { class: "words" }, row.app && [appLabel(row.app), h("span", { "aria-hidden": "true" }, "·")], foreign(row.target, { class: "clip", limit: 80 })),
      h("span", { class: "badges" },
      row.worst && row.worst.severity !== "note" && h("span", { class: `badge ${row.worst.severity === "error" ? "bad" : "warn"}` }, plural(row.worst.count, "finding")),
      row.outcome === "refused" ? h("span", { class: "badge bad" }, `${row.status} ${(row.provider !== "webpush" && row.reason) || ""}`.trim())
        : row.isDryRun ? h("span", { class: "badge note" }, VALIDATED)
        : badge && h("span", { class: `badge ${badge.kind}` }, badge.text))));
}
