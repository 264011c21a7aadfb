// Where to go from here.

import { h } from "../../core/dom.js";
import { hasToken } from "../../core/api.js";
import { icon } from "../../core/icons.js";

const STEPS = [
  ["devices", "#/devices", "Look at the phones", "Tap a notification, lock a phone, or turn its network off."],
  ["faults", "#/faults", "Make something fail", "Answer 503, lose a connection, or move the clock four weeks."],
  ["inspect", "#/inspect", "Check a key or a token", "Find out what it is, and why a service would refuse it."],
  ["rules", "#/rules", "Read the rules", "Every refusal and finding, with the remedy and the evidence."],
  ["tracking", "#/tracking", "Follow tracking", "See which Adobe reports came for each push."],
];

export function nextSteps() {
  return h("section", { class: "stack", "aria-labelledby": "next-title" },
    h("h2", { id: "next-title" }, "What next"),
    h("div", { class: "next" },
      STEPS.map(([name, address, label, text]) => h("a", { class: "card next-step", href: address }, icon(name, 20),
        h("span", {}, h("b", {}, label), h("span", { class: "small muted" }, text)))),
      h("a", { class: "card next-step", href: "docs", target: "_blank" }, icon("rules", 20),
        h("span", {}, h("b", {}, "Use the control API"), h("span", { class: "small muted" }, "Your tests can ask what arrived: POST /api/v1/expect.")))));
}

/** Senders need no token of the API. The test kits and pushpit's own commands do. */
export function tokenHelp() {
  if (!hasToken()) return null;
  return h("p", { class: "hint" }, "This gateway's API needs a token. Senders do not; ", h("code", {}, "pushpit exec"), " and the kits for Python, Node and Go read it from ",
    h("code", {}, "PUSHPIT_API_TOKEN"), ".");
}
