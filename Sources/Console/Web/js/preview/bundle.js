// Android's bundle of an app with many notifications, while it is folded: a line for each of the newest.

import { h } from "../core/dom.js";
import { ago, appIcon, dismissButton, line, nameOf, touchable } from "./parts.js";

const LINES = 3;

/** @param size how many notifications are in it; `entries` may be only the newest */
export function bundleCard(entries, size, options) {
  const { app, appName, onUnfold, now } = options;
  const name = appName || nameOf(app);
  return h("article", { class: "n-card n-android n-bundle", "aria-label": `${size} notifications of ${name}` },
    h("span", { class: "n-sheet" }, touchable(onUnfold, { class: "n-main", "aria-expanded": onUnfold && "false" },
      appIcon(app, { appName, className: "small" }),
      h("span", { class: "n-texts" },
        h("span", { class: "n-head" }, line(name, "n-app", 60), h("span", { "aria-hidden": "true" }, "·"), ago(entries[0].time, now), h("span", { class: "n-count" }, String(size))),
        entries.slice(0, LINES).map((entry) => h("span", { class: "n-line" }, line(entry.title, "n-title", 80), " ", line(entry.body, "n-quiet", 120))),
        size > LINES && h("span", { class: "n-more" }, `+${size - LINES}`))), dismissButton(options)));
}
