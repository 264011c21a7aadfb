// The reports to Adobe Campaign for one push: which came, which should have, and why not.

import { h, foreign, replace } from "../../core/dom.js";
import { get, query } from "../../core/api.js";
import { time } from "../../core/format.js";
import { href } from "../../core/router.js";

const REPORTS = [
  ["7", "Impression", "The phone received or showed the push."],
  ["2", "Click", "The person tapped the notification."],
  ["1", "Open", "The app was opened from the notification."],
];
const FLAGS = {
  duplicate: "a repeat of an earlier report", unknownId: "no push has these ids", openWithoutClick: "an open without a click before it",
  link: "a link was followed", noId: "the report has no id",
};

export function reportsTab(record) {
  const element = h("div", { class: "stack" }, h("p", { class: "empty" }, "Loading…"));
  let turn = 0;
  async function draw() {
    const mine = ++turn;
    try {
      const { hits, pushes } = await get(`/tracking${query({ push: record.id, limit: 200 })}`);
      if (mine === turn) show(element, hits, pushes.find(({ push }) => push === record.id));
    } catch (problem) {
      if (mine === turn) replace(element, h("p", { class: "problem" }, problem.message));
    }
  }
  draw();
  return { element, update: draw };
}

function show(element, hits, push) {
  const { reported = [], expected = [], why } = push ?? {};
  replace(element,
    h("div", { class: "push-reports" }, REPORTS.map(([action, name, about]) => {
      const [look, word] = state(reported.includes(action), expected.includes(action));
      return h("section", { class: "card push-report", "aria-label": name },
        h("div", { class: "spread" }, h("h2", {}, h("span", { class: "mono" }, action), " ", name), h("span", { class: `badge ${look}` }, word)),
        h("p", { class: "muted" }, about));
    })),
    why ? h("p", {}, h("strong", {}, "Why nothing came: "), foreign(why, { limit: 600 }), ".")
      : !push && hits.length === 0 && h("p", {}, "This push is not tracked: no app that reports to Adobe Campaign got it."),
    hits.length > 0 && h("div", { class: "card table-box" }, h("table", {},
      h("thead", {}, h("tr", {}, ["Time", "Report", "Broadlog", "Delivery", "Person (mcId)", "Notes"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, hits.map(row)))),
    h("p", { class: "small" }, h("a", { href: href(["tracking"]) }, "All reports")));
}

function state(came, wanted) {
  if (came) return wanted ? ["good", "came"] : ["warn", "not expected"];
  return wanted ? ["bad", "missing"] : ["", "not expected"];
}

function row(hit) {
  const cell = (text) => h("td", { class: "mono" }, foreign(text ?? "", { limit: 80 }));
  return h("tr", {}, h("td", { class: "nowrap" }, time(hit.time)), cell(hit.action), cell(hit.broadlogId), cell(hit.deliveryId), cell(hit.mcId),
    h("td", {}, (hit.flags ?? []).map((flag) => h("span", { class: "badge warn", title: FLAGS[flag] ?? "" }, flag))));
}
