// The reports to Adobe Campaign for one push, as in the view of all reports.

import { h, replace } from "../../core/dom.js";
import { get, query } from "../../core/api.js";
import { href } from "../../core/router.js";
import { legend, reportList } from "../tracking/card.js";
import { hitTable } from "../tracking/hits.js";

export function reportsTab(record) {
  const element = h("div", { class: "stack tracking" }, h("p", { class: "empty" }, "Loading…"));
  let turn = 0;
  async function draw() {
    const mine = ++turn;
    try {
      const { hits, pushes } = await get(`/tracking${query({ push: record.id, limit: 200 })}`);
      if (mine === turn) show(element, hits, pushes.find(({ push }) => push === record.id), record.message.provider);
    } catch (problem) {
      if (mine === turn) replace(element, h("p", { class: "problem" }, problem.message));
    }
  }
  draw();
  return { element, update: draw };
}

function show(element, hits, tracked, provider) {
  replace(element, (tracked || hits.length > 0) && legend(),
    tracked ? h("section", { class: "card tracked", "aria-label": "Reports" }, reportList(tracked, hits, provider))
      : hits.length === 0 && h("p", {}, "This push is not tracked: no app that reports to Adobe Campaign got it."),
    hits.length > 0 && hitTable(hits),
    h("p", { class: "small" }, h("a", { href: href(["tracking"]) }, "All reports")));
}
