// The gateway's rules by id: what each checks, and what to do.

import { all } from "../core/api.js";
import { h, replace } from "../core/dom.js";
import { href } from "../core/router.js";
import { explained } from "./rules.js";
import { PAGE, inConsole } from "./words.js";

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
    if (rule) link.title = `${rule.checks}\n${inConsole(rule.remedy)}`;
  });
  return link;
}

/** What to do, with a link to the page of the device if one is meant. */
export function remedyText(remedy, device) {
  const [before, ...after] = inConsole(remedy ?? "").split(PAGE);
  return after.length === 0 || !device ? [before, ...after].join(PAGE)
    : [before, h("a", { href: href(["devices", device]) }, PAGE), after.join(PAGE)];
}

/** A sentence with what a rule says, filled in when the rules are there. `device` is the one that the rule was about. */
export function ruleText(id, { device, ...options } = {}) {
  const element = h("span", { class: "rule-text" });
  rulebook().then((rules) => {
    const rule = rules.get(id);
    if (rule) replace(element, remedyText(explained(rule, options), device));
  });
  return element;
}
