// What Pushpit has found in a push, with the rule that says so.

import { h, foreign } from "../../core/dom.js";
import { ruleLink, ruleText } from "../../model/rulebook.js";

const LOOKS = { error: ["bad", "Error"], warning: ["warn", "Warning"], note: ["note", "Note"] };

export function findingElement({ severity, message, rule }) {
  const [look, word] = LOOKS[severity] ?? LOOKS.note;
  return h("div", { class: `push-finding ${look}` },
    h("div", { class: "push-finding-head" }, h("span", { class: `badge ${look}` }, word), foreign(message, { limit: 1000 })),
    h("div", { class: "push-finding-foot" }, ruleLink(rule), ruleText(rule, { said: message })));
}

/** All findings of a place, or null. */
export function findingList(findings) {
  if (!findings?.length) return null;
  const list = h("div", { class: "push-findings" }, findings.map((finding) => findingElement(finding)));
  list.dataset.severity = ["error", "warning", "note"].find((severity) => findings.some((finding) => finding.severity === severity)) ?? "note";
  return list;
}
