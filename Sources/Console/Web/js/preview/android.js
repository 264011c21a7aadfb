// Notifications of an Android phone: collapsed and expanded in the shade, and heads-up.

import { h, foreign } from "../core/dom.js";
import { pictureBox } from "./picture.js";
import { actionButtons, ago, appIcon, card, colorOf, dismissButton, line, nameOf, touchable } from "./parts.js";

const MOST_ACTIONS = 3;

export function androidCard(entry, options) {
  const { app, appName, expanded, surface, picture, onOpen, now } = options;
  // A heads-up notification has its buttons, but not its large image.
  const isLarge = expanded && surface !== "headsUp";
  const color = colorOf(entry.color);
  const main = touchable(onOpen, { class: "n-main" },
    appIcon(app, { appName, className: "small", color }),
    h("span", { class: "n-texts" },
      h("span", { class: "n-head" },
        foreign(appName || nameOf(app), { class: "n-app", limit: 60 }), h("span", { "aria-hidden": "true" }, "·"), ago(entry.time, now)),
      line(entry.title, "n-title", 200), line(entry.body, "n-body", expanded ? 2000 : 200)),
    entry.image && !isLarge && pictureBox(picture, "n-thumbnail"));
  return card("android", entry, { surface: "shade", ...options },
    h("span", { class: "n-sheet" }, main, dismissButton(options)),
    isLarge && entry.image && pictureBox(picture, "n-big"),
    expanded && actionButtons(entry, options, MOST_ACTIONS));
}
