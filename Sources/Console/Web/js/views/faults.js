// Faults and the clock: what goes wrong on purpose, and what time it is.

import { h } from "../core/dom.js";
import { all, get } from "../core/api.js";
import { attempt } from "../core/notice.js";
import { refresher } from "../model/refresh.js";
import { ActiveFaults } from "./faults/active.js";
import { ClockPanel } from "./faults/clock.js";
import { credentialsPanel } from "./faults/credentials.js";
import { faultForm } from "./faults/form.js";
import { Scenarios } from "./faults/scenarios.js";

export const title = "Faults & clock";
/** No event tells that a fault was set, removed or has expired. */
const PAUSE = 3000;
const KINDS = new Set(["fault", "accepted", "refused", "clock"]);

export async function open() {
  const apps = h("datalist", { id: "fault-apps" });
  const clock = new ClockPanel();
  const changed = () => live.now();
  const active = new ActiveFaults(changed);
  const scenarios = new Scenarios(changed);

  async function read() {
    const [faults, known] = await Promise.all([all("/faults", "faults"), all("/scenarios", "scenarios"), clock.read()]);
    active.show(faults);
    scenarios.show(known, faults);
  }

  async function readNames() {
    const [rules, { devices }] = await Promise.all([all("/rules", "rules"), get("/devices?limit=1000")]);
    const names = [...new Set(devices.map((device) => device.app))].sort();
    apps.replaceChildren(...names.map((name) => h("option", { value: name })));
    active.setRules(rules);
    form.setRules(rules);
  }

  const form = faultForm(changed);
  const live = refresher(read, { concerns: (event) => KINDS.has(event.kind), every: PAUSE });
  await Promise.all([attempt(read), attempt(readNames)]);
  const element = h("div", { class: "scroll faults" }, h("div", { class: "page" },
    h("h1", {}, "Faults & clock"), apps,
    h("div", { class: "columns" },
      h("div", { class: "stack wide" }, active.element, scenarios.element),
      h("div", { class: "stack" }, clock.element, form.element, credentialsPanel()))));
  return {
    element,
    close() {
      live.close();
      clock.close();
    },
  };
}
