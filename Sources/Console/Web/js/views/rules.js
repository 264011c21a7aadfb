// Every rule: what it checks, what to do, and how it is known.

import { h, replace } from "../core/dom.js";
import { all, query as search } from "../core/api.js";
import { plural } from "../core/format.js";
import { go } from "../core/router.js";
import { notice } from "../core/notice.js";
import { EFFECTS, EVIDENCE, SERVICES, matches } from "../model/rules.js";
import { ruleCard } from "./rules/card.js";

export const title = "Rules";
const PAUSE = 150;
const PORTION = 50;
const FILTERS = ["text", "service", "effect", "evidence"];

export async function open(parameters) {
  return new Rules(await all("/rules", "rules"), parameters);
}

class Rules {
  constructor(rules, parameters) {
    this.cards = new Map(rules.map((rule) => [rule.id, { rule, element: ruleCard(rule) }]));
    this.field = h("input", { type: "search", placeholder: "Search ids and texts", "aria-label": "Search rules", autocomplete: "off", spellcheck: "false" });
    this.field.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.set("text", this.field.value.trim()), PAUSE);
    });
    this.choices = [["service", "Service", SERVICES], ["effect", "Effect", EFFECTS], ["evidence", "Evidence", EVIDENCE]].map((row) => this.choice(...row));
    this.count = h("p", { class: "muted", role: "status" });
    this.list = h("div", { class: "stack" });
    this.none = h("p", { class: "empty" }, h("span", {}, "No rule matches."), h("button", { type: "button", on: { click: () => go(["rules"]) } }, "Show all rules"));
    this.element = h("div", { class: "scroll rules" },
      h("div", { class: "page" },
        h("h1", {}, title),
        h("p", { class: "muted" }, "A gateway has one of two profiles. With service, it accepts what Apple and Google accept. With strict, the default, it also refuses pushes that Apple accepts but a phone can't use."),
        h("div", { class: "rule-filters", role: "search" }, this.field, this.choices.map(({ element }) => element)),
        this.count, this.none, this.list));
    this.update(parameters);
    this.fill();
  }

  /** Shows the cards in portions, because the layout of all of them is a long task. */
  async fill() {
    const elements = [...this.cards.values()].map(({ element }) => element);
    while (elements.length && !this.isClosed) {
      this.list.append(...elements.splice(0, PORTION));
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }
    this.isFilled = true;
    if (this.id) this.show(this.id);
  }

  choice(name, label, rows) {
    const buttons = rows.map(({ id, label: text, meaning }) =>
      h("button", { type: "button", "data-value": id, title: meaning, on: { click: () => this.set(name, this.filters[name] === id ? "" : id) } }, text));
    const element = h("div", { class: "chips", role: "group", "aria-label": label }, h("span", { class: "small muted" }, label), buttons);
    return { name, element, buttons };
  }

  set(name, value) {
    go(["rules"], search({ ...this.filters, [name]: value }).slice(1), { replaces: true });
  }

  update({ id, query }) {
    this.filters = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ""]));
    if (document.activeElement !== this.field) this.field.value = this.filters.text;
    for (const { name, buttons } of this.choices) {
      for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.value === this.filters[name]));
    }
    let shown = 0;
    for (const [name, { rule, element }] of this.cards) {
      element.hidden = name !== id && !matches(rule, this.filters);
      if (!element.hidden) shown++;
      element.classList.toggle("marked", name === id);
      element.toggleAttribute("aria-current", name === id);
    }
    this.none.hidden = shown > 0;
    replace(this.count, shown === this.cards.size ? plural(shown, "rule") : `${shown} of ${plural(this.cards.size, "rule")}`);
    this.id = id;
    if (id && this.isFilled) this.show(id);
  }

  show(id) {
    const card = this.cards.get(id);
    if (!card) return notice(`There is no rule '${id}'. Search for a part of its name.`, "bad");
    card.element.scrollIntoView({ block: "center" });
    card.element.focus({ preventScroll: true });
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
  }
}
