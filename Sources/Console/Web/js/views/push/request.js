// The request as the sender made it, and the answer that it got.

import { h, foreign, replace } from "../../core/dom.js";
import { copyButton } from "../../core/notice.js";
import { visible } from "../../model/json/print.js";
import { placed } from "../../model/pointers.js";
import { ruleLink, ruleText } from "../../model/rulebook.js";
import { findingList } from "./findings.js";
import { rawOf } from "./payload.js";

const MOST_RAW = 100_000;

export function requestTab({ message }) {
  const { method, path, headers } = message.request;
  const { headers: found } = placed(message.findings, message.request.body);
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const missing = [...found].filter(([name]) => !names.has(name));
  const raw = h("pre", { class: "code wrap raw", tabindex: "0", "aria-label": "The raw request" }, "Loading…");
  let text = "";
  rawOf(message.id).then((given) => {
    text = given;
    replace(raw, foreign(visible(given), { limit: MOST_RAW }));
  }, (problem) => replace(raw, problem.message));
  return { element: h("div", { class: "stack" },
    h("section", { class: "card stack", "aria-label": "Request" },
      h("p", { class: "mono request-line" }, h("strong", {}, method), " ", foreign(visible(path), { limit: 600 })),
      h("table", { class: "headers" },
        h("caption", { class: "visually-hidden" }, "Header fields"),
        h("tbody", {},
          headers.map(([name, value]) => h("tr", { class: found.has(name.toLowerCase()) ? "marked" : null },
            h("th", { scope: "row", class: "mono" }, foreign(name, { limit: 120 })),
            h("td", { class: "mono" }, foreign(visible(value), { limit: 2000 }), findingList(found.get(name.toLowerCase()))))),
          missing.map(([name, findings]) => h("tr", { class: "marked" }, h("th", { scope: "row", class: "mono" }, name), h("td", {}, h("span", { class: "muted" }, "not sent"), findingList(findings))))))),
    h("section", { class: "card stack", "aria-label": "Answer" }, h("h2", {}, "Answer"), answer(message)),
    h("section", { class: "stack", "aria-label": "Raw request" },
      h("div", { class: "spread" }, h("h2", {}, "As it was received"), copyButton("Copy", () => text || rawOf(message.id), "Copied the request")), raw)) };
}

function answer(message) {
  const rows = [
    ["status", message.status === 0 ? "none: the sender got no answer" : String(message.status)], ["reason", message.reason],
    ["apns-id", message.apnsId], ["apns-unique-id", message.apnsUniqueId], ["name", message.name],
    ["environment", message.environment], ["project", message.project],
  ].filter(([, value]) => value);
  return h("table", {}, h("tbody", {}, rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "mono" }, foreign(value, { limit: 600 })))),
    message.why && h("tr", {}, h("th", { scope: "row" }, "rule"), h("td", {}, ruleLink(message.why), " ", ruleText(message.why)))));
}
