// Failures that users of the real services have reported, each with a switch.

import { h, replace } from "../../core/dom.js";
import { post, remove } from "../../core/api.js";
import { attempt, notice } from "../../core/notice.js";
import { plural } from "../../core/format.js";

const PROVIDERS = [["apns", "APNs"], ["fcm", "FCM"], ["", "Both services"]];

function providerOf(scenario) {
  const found = new Set(scenario.faults.map((fault) => fault.match?.provider ?? ""));
  return found.size === 1 ? [...found][0] : "";
}

/** A reference such as jchambers/pushy#567, as a link to the report. */
function source(reference) {
  const found = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(reference);
  if (!found) return h("span", { class: "muted small" }, reference);
  return h("a", { class: "small", href: `https://github.com/${found[1]}/issues/${found[2]}`, target: "_blank", rel: "noreferrer" }, reference);
}

export class Scenarios {
  constructor(onChange) {
    this.onChange = onChange;
    this.rows = new Map();
    this.search = h("input", { type: "search", placeholder: "Search scenarios", "aria-label": "Search scenarios", on: { input: () => this.filter() } });
    this.app = h("input", { list: "fault-apps", placeholder: "for all apps", "aria-label": "Only for this app or project", autocomplete: "off", spellcheck: "false" });
    this.list = h("div", { class: "stack" });
    this.none = h("p", { class: "empty", hidden: true }, "No scenario contains these words.");
    this.element = h("section", { class: "card stack scenarios", "aria-labelledby": "scenarios-title" },
      h("h2", { id: "scenarios-title" }, "Scenarios"),
      h("p", { class: "muted small" }, "Failures that users of the real services have reported. Enter an app to make a scenario fail only for that app."),
      h("div", { class: "row grow" }, this.search, this.app), this.list, this.none);
  }

  show(scenarios, faults) {
    if (this.rows.size !== scenarios.length) this.build(scenarios);
    for (const scenario of scenarios) {
      const { toggle, state } = this.rows.get(scenario.name);
      toggle.setAttribute("aria-checked", String(scenario.set.length > 0));
      const set = faults.filter((fault) => scenario.set.includes(fault.id));
      const apps = [...new Set(set.map((fault) => fault.match?.app ?? ""))];
      const fired = set.reduce((sum, fault) => sum + fault.fired, 0);
      state.textContent = set.length === 0 ? ""
        : `On for ${apps.map((app) => app || "all apps").join(", ")}. It has hit ${plural(fired, "request")}.`;
    }
  }

  build(scenarios) {
    this.rows.clear();
    replace(this.list, PROVIDERS.map(([provider, label]) => {
      const mine = scenarios.filter((scenario) => providerOf(scenario) === provider);
      return mine.length > 0 && h("div", { class: "group" }, h("h3", { class: "muted" }, label), mine.map((scenario) => this.row(scenario)));
    }));
    this.filter();
  }

  row(scenario) {
    const { name, meaning } = scenario;
    const toggle = h("button", { type: "button", role: "switch", class: "switch", "aria-checked": "false", "aria-label": name, "aria-describedby": `meaning-${name}` });
    toggle.addEventListener("click", () => attempt(() => this.toggle(name, toggle)));
    const state = h("p", { class: "small on" });
    const element = h("div", { class: "scenario" }, toggle, h("div", {},
      h("div", { class: "spread" }, h("code", {}, name), source(scenario.source)),
      h("p", { id: `meaning-${name}` }, meaning), state));
    this.rows.set(name, { element, toggle, state, text: `${name} ${meaning} ${scenario.source}`.toLowerCase() });
    return element;
  }

  async toggle(name, button) {
    const isOn = button.getAttribute("aria-checked") === "true";
    const app = this.app.value.trim();
    button.disabled = true;
    try {
      if (isOn) await remove(`/scenarios/${name}`);
      else await post(`/scenarios/${name}`, app ? { app } : undefined);
      notice(isOn ? `${name} is off.` : `${name} is on for ${app || "all apps"}.`);
    } finally {
      button.disabled = false;
      button.focus({ preventScroll: true });
    }
    await this.onChange();
  }

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { element, text } of this.rows.values()) {
      element.hidden = !words.every((word) => text.includes(word));
      if (!element.hidden) count++;
    }
    for (const group of this.list.children) group.hidden = [...group.querySelectorAll(".scenario")].every((row) => row.hidden);
    this.none.hidden = count > 0 || this.rows.size === 0;
  }
}
