// What was done to a text that was pasted or opened, change by change.

import { foreign, h, replace } from "../../core/dom.js";

const HEADINGS = {
  legacy: ["This was a message for the legacy FCM API, which Google ended in 2024", "It was converted to FCM's HTTP v1 format, as Google's migration guide describes (documented)."],
  apns: ["This was a file for Xcode's simulator", ""],
};
const MOST = 200;

/** @param onUndo called if the person wants the text back as it was */
export function showChanges(element, { kind, changes }, onUndo) {
  const [title, about] = HEADINGS[kind];
  replace(element, h("section", { class: "card changes", "aria-label": "Changes" },
    h("div", { class: "spread" }, h("h2", {}, title), h("div", { class: "row" },
      h("button", { type: "button", class: "undo", on: { click: onUndo } }, "Undo"),
      h("button", { type: "button", on: { click: () => replace(element) } }, "Close"))),
    about && h("p", { class: "muted" }, about),
    h("ol", {}, changes.slice(0, MOST).map(({ from, to, text }) => h("li", {},
      h("div", { class: "row" }, foreign(from, { tag: "code", limit: 100 }), "→", to ? foreign(to, { tag: "code", limit: 200 }) : h("span", { class: "badge warn" }, "left out")),
      foreign(text, { tag: "p", class: "muted" })))),
    changes.length > MOST && h("p", { class: "muted" }, `and ${changes.length - MOST} more`)));
}

/** The text was edited since: the list is folded, and the text of before can't come back. */
export function outdateChanges(element) {
  const list = element.querySelector(".changes > ol");
  if (!list) return;
  element.querySelector(".changes h2").textContent = "What was converted, before your changes";
  for (const part of element.querySelectorAll(".changes > p, .undo")) part.remove();
  const details = h("details", {}, h("summary", { class: "muted" }, "Show"));
  list.replaceWith(details);
  details.append(list);
}

/** Offers to convert a message of the old API. @param onConvert called if the person wants that; null takes the offer away */
export function offerConversion(element, onConvert) {
  const offer = element.querySelector(".offer");
  if (!onConvert) return offer?.remove();
  if (offer) return undefined;
  return replace(element, h("section", { class: "card offer spread", "aria-label": "Old message" },
    h("p", {}, "This looks like a message for the legacy FCM API, which Google ended in 2024."),
    h("button", { type: "button", class: "primary", on: { click: onConvert } }, "Convert to v1")));
}
