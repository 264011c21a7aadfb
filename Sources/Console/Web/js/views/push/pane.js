// One push: what a phone shows, and everything that is known about it.

import { h, foreign, replace } from "../../core/dom.js";
import { get } from "../../core/api.js";
import { time } from "../../core/format.js";
import { icon } from "../../core/icons.js";
import { summaryOf, targetOf } from "../../model/summary.js";

/** `{element, close}` of the push with this id. */
export function pushPane(id, { onClose }) {
  const element = h("article", { class: "push scroll" }, h("p", { class: "empty" }, "Loading…"));
  get(`/messages/${encodeURIComponent(id)}`).then(
    (message) => replace(element, head(message, onClose)),
    (problem) => replace(element, h("p", { class: "empty problem" }, problem.message)));
  return { element, close() {} };
}

function head(message, onClose) {
  const summary = summaryOf(message);
  return h("header", { class: "page" },
    h("div", { class: "spread" },
      h("h1", {}, foreign(summary.title || summary.body)),
      h("button", { type: "button", class: "quiet icon", "aria-label": "Close", on: { click: onClose } }, icon("close"))),
    h("p", { class: "muted" }, foreign(message.app), " · ", foreign(targetOf(message)), " · ", time(message.time)));
}
