// The gateway's rules by id: what each checks, and what to do.

import { all } from "../core/api.js";
import { h } from "../core/dom.js";
import { href } from "../core/router.js";
import { explained } from "./rules.js";

let reading = null;

/** A promise of all rules in a `Map`; empty if they can't be read. */
export function rulebook() {
  reading ??= all("/rules", "rules").then((rules) => new Map(rules.map((rule) => [rule.id, rule])));
  return reading.catch(() => {
    reading = null;
    return new Map();
  });
}

/** A link to a rule; its meaning is shown on hover as soon as the rules are there. */
export function ruleLink(id) {
  const link = h("a", { class: "rule-link mono", href: href(["rules", id]) }, id);
  rulebook().then((rules) => {
    const rule = rules.get(id);
    if (rule) link.title = `${rule.checks}\n${rule.remedy}`;
  });
  return link;
}

/** A sentence with what a rule says, filled in when the rules are there. */
export function ruleText(id, options) {
  const element = h("span", { class: "rule-text" });
  rulebook().then((rules) => {
    const rule = rules.get(id);
    if (rule) element.textContent = explained(rule, options);
  });
  return element;
}
