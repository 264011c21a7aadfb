// The reports as they came, newest first.

import { h, foreign } from "../../core/dom.js";
import { plural, time } from "../../core/format.js";
import { href } from "../../core/router.js";
import { FLAGS, actionName } from "../../model/tracking.js";

const MOST = 200;

export function hitTable(hits) {
  const newest = hits.slice(-MOST).reverse();
  return h("section", { class: "card stack" },
    h("h2", { id: "hits-title" }, plural(hits.length, "hit")),
    newest.length === 0
      ? h("p", { class: "muted" }, "No app has reported anything yet.")
      : h("div", { class: "wide-table", tabindex: "0", role: "region", "aria-labelledby": "hits-title" }, h("table", {},
        h("thead", {}, h("tr", {}, ["Time", "Action", "Push", "_mId", "_dId", "mcId", "Notes"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, newest.map(row)))),
    hits.length > MOST && h("p", { class: "small muted" }, `The newest ${MOST} are shown. GET /api/v1/tracking has all of them.`));
}

function row({ time: when, action, push, broadlogId, deliveryId, mcId, flags }) {
  return h("tr", {},
    h("td", { class: "nowrap" }, time(when)),
    h("td", { class: "nowrap" }, foreign(actionName(action), { limit: 40 }), " ", h("span", { class: "muted" }, foreign(action, { limit: 20 }))),
    h("td", {}, push ? h("a", { href: href(["pushes", push]) }, push) : "none"),
    [broadlogId, deliveryId, mcId].map((id) => h("td", { class: "mono" }, foreign(id, { limit: 60 }))),
    h("td", {}, flags.map((flag) => h("div", {}, h("span", { class: "badge warn" }, flag), " ", h("span", { class: "small muted" }, FLAGS[flag] ?? "")))));
}
