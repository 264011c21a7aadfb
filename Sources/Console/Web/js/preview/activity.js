// A Live Activity. The app draws it, so its values are shown in a neutral form: its state as names and values.

import { h, foreign } from "../core/dom.js";
import { ago, appIcon, line, nameOf } from "./parts.js";

const MOST_VALUES = 12;

/** @param activity `{event, type, state, attributes, alert}` of model/would.js */
export function activityCard(activity, { app, appName, time, now } = {}) {
  return h("article", { class: "n-card n-ios n-activity", "aria-label": `Live Activity ${activity.type} of ${appName || nameOf(app)}` },
    h("span", { class: "n-sheet" },
      h("span", { class: "n-head" }, appIcon(app, { appName, className: "small" }),
        foreign(activity.type || appName || nameOf(app), { class: "n-title grow", limit: 60 }), ago(time, now)),
      (activity.alert.title || activity.alert.body) && h("span", { class: "n-texts" }, line(activity.alert.title, "n-title"), line(activity.alert.body, "n-body")),
      values(activity.state)));
}

/** Names and values of a state; a nested value is written as JSON. */
export function values(state) {
  if (typeof state !== "object" || state === null) return state === undefined ? null : foreign(state, { class: "mono", limit: 300 });
  const pairs = Object.entries(state);
  return h("dl", { class: "n-values" },
    pairs.slice(0, MOST_VALUES).map(([name, value]) =>
      h("div", {}, foreign(name, { tag: "dt", limit: 60 }), foreign(typeof value === "string" ? value : JSON.stringify(value), { tag: "dd", limit: 120 }))),
    pairs.length > MOST_VALUES && h("div", {}, h("dt", {}, `${pairs.length - MOST_VALUES} more`), h("dd")));
}
