// The faults that are set, with their counters.

import { h, foreign, replace } from "../../core/dom.js";
import { remove } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { icon } from "../../core/icons.js";
import { attempt, copyButton, notice } from "../../core/notice.js";
import { conditionWords, effectWords, wireNames } from "../../model/faults.js";

const STATES = { active: ["active", "good"], usedUp: ["used up", ""], expired: ["expired", ""] };
/** More faults than these are only counted: nobody reads a thousand. */
const MOST = 200;
/** What the gateway adds to what was sent. */
const ADDED = new Set(["id", "state", "seen", "fired", "scenario"]);

/** A gateway that was started again gives its first fault the same id, but another seed. */
const keyOf = ({ id, seed }) => `${id} ${seed}`;

export class ActiveFaults {
  constructor(onChange) {
    this.onChange = onChange;
    this.meanings = new Map();
    this.rows = new Map();
    this.list = h("ul", { class: "stack" });
    this.empty = h("p", { class: "muted" }, "No faults are set. Requests get their normal answers.");
    this.more = h("p", { class: "muted small" });
    this.total = h("span", { class: "badge" });
    this.all = h("button", { type: "button", class: "danger", on: { click: () => this.removeAll() } }, icon("trash", 16), "Remove all");
    this.element = h("section", { class: "card stack", "aria-labelledby": "active-title" },
      h("div", { class: "spread" }, h("div", { class: "row" }, h("h2", { id: "active-title" }, "Active faults"), this.total), this.all),
      this.empty, this.list, this.more);
  }

  /** What the faults with names do, from their rules. */
  setRules(rules) {
    for (const rule of rules) if (rule.id.startsWith("fault.")) this.meanings.set(rule.id.slice("fault.".length), rule.checks);
    this.rows.clear();
    if (this.faults) this.show(this.faults);
  }

  show(faults) {
    this.faults = faults;
    this.total.textContent = count(faults.length);
    this.all.hidden = faults.length === 0;
    this.empty.hidden = faults.length > 0;
    this.more.textContent = faults.length > MOST ? `${plural(faults.length - MOST, "older fault")} not shown.` : "";
    const shown = faults.slice(-MOST).reverse();
    const known = new Set(shown.map(keyOf));
    for (const key of this.rows.keys()) if (!known.has(key)) this.rows.delete(key);
    const elements = shown.map((fault) => {
      const key = keyOf(fault);
      if (!this.rows.has(key)) this.rows.set(key, this.row(fault));
      const { element, draw } = this.rows.get(key);
      draw(fault);
      return element;
    });
    // A list that is as before keeps its elements, and so the focus.
    if (elements.length !== this.list.children.length || elements.some((element, index) => this.list.children[index] !== element)) replace(this.list, elements);
  }

  row(fault) {
    const state = h("span");
    const fired = h("b", { class: "number" });
    const seen = h("b", { class: "number" });
    const words = effectWords(fault.effect);
    const sent = JSON.stringify(Object.fromEntries(Object.entries(fault).filter(([name]) => !ADDED.has(name))), null, 2);
    const element = h("li", { class: "fault" },
      h("div", { class: "spread" },
        h("div", { class: "row" }, h("b", {}, foreign(words, { limit: 200 })), state, fault.scenario && h("span", { class: "badge accent" }, fault.scenario)),
        h("div", { class: "row" },
          h("span", { class: "small muted nowrap" }, "hit ", fired, " of ", seen, " requests"),
          h("button", { type: "button", class: "quiet icon", "aria-label": `Remove fault ${fault.id}`, title: "Remove", on: { click: () => this.remove(fault) } }, icon("close", 16)))),
      wireNames(fault.effect).map((name) => this.meanings.has(name) && h("p", { class: "small" }, this.meanings.get(name))),
      h("p", { class: "small muted" }, foreign(conditionWords(fault).join(" · ") || "every request", { limit: 400 })),
      h("details", {}, h("summary", { class: "small muted" }, `${fault.id} as JSON`),
        h("pre", { class: "code" }, sent), copyButton("Copy", sent)));
    return { element, draw: (now) => {
      const [text, kind] = STATES[now.state] ?? [now.state, ""];
      replace(state, h("span", { class: `badge ${kind}` }, text));
      fired.textContent = count(now.fired);
      seen.textContent = count(now.seen);
    } };
  }

  remove(fault) {
    return attempt(async () => {
      const at = [...this.list.children].indexOf(this.rows.get(keyOf(fault))?.element);
      await remove(`/faults/${encodeURIComponent(fault.id)}`);
      notice("The fault is removed.");
      await this.onChange();
      const next = this.list.children[Math.min(at, this.list.children.length - 1)];
      (next?.querySelector("button.icon") ?? this.element.closest(".faults")?.querySelector("select"))?.focus();
    });
  }

  removeAll() {
    return attempt(async () => {
      await remove("/faults");
      notice("All faults are removed.");
      await this.onChange();
    });
  }
}
