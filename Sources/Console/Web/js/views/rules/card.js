// One rule.

import { h } from "../../core/dom.js";
import { copyButton } from "../../core/notice.js";
import { href } from "../../core/router.js";
import { EVIDENCE, effectOf } from "../../model/rules.js";

const EFFECT_KINDS = { refusal: "bad", finding: "warn", event: "note", fault: "accent" };
const SEVERITIES = {
  refused: ["bad", "refused"], error: ["warn", "accepted, with an error finding"], warning: ["warn", "accepted, with a warning"],
  note: ["note", "accepted, with a note"], none: ["", "accepted"],
};
/** Pushes have the rule of their refusal and those of their findings. Of events and faults, only the event log knows. */
const HAS_PUSHES = new Set(["refusal", "finding"]);

const severity = (profile, value) => {
  const [kind, words] = SEVERITIES[value] ?? ["", value];
  return h("span", { class: `badge ${kind}`, title: `With --validation ${profile}` }, `${profile}: ${words}`);
};

export function ruleCard(rule) {
  const kind = effectOf(rule);
  const { meaning } = EVIDENCE.find(({ id }) => id === rule.evidence) ?? {};
  const address = href(["rules", rule.id]);
  return h("article", { class: "card rule", id: `rule-${rule.id}`, tabindex: "-1", "aria-label": rule.id },
    h("div", { class: "spread" },
      h("div", { class: "row" },
        h("h2", {}, h("a", { href: address }, rule.id)),
        h("span", { class: `badge ${EFFECT_KINDS[kind] ?? ""}` }, kind === "refusal" ? `refuses with ${rule.effect}` : kind)),
      h("div", { class: "row" },
        HAS_PUSHES.has(kind) && h("a", { class: "small", href: href(["pushes"], new URLSearchParams({ rule: rule.id })) }, "Pushes with this rule"),
        copyButton("Copy link", () => new URL(address, location.href).href, "Link copied"))),
    h("dl", { class: "facts" },
      h("dt", {}, kind === "refusal" || kind === "finding" ? "What is wrong" : "What happens"), h("dd", {}, rule.checks),
      h("dt", {}, "What to do"), h("dd", {}, rule.remedy)),
    h("div", { class: "row marks" },
      // Events and faults are no judgements.
      HAS_PUSHES.has(kind) && [severity("strict", rule.severity.strict), severity("service", rule.severity.service)],
      h("span", { class: "row" }, h("span", { class: "small muted" }, "evidence"),
        h("span", { class: "badge" }, rule.observed ? `${rule.evidence} ${rule.observed}` : rule.evidence), h("span", { class: "small muted" }, meaning))));
}
