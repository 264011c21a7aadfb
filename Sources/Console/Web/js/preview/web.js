// Notifications of a website, as Chrome draws them on a desktop.

import { h, foreign } from "../core/dom.js";
import { pictureBox } from "./picture.js";
import { actionButtons, ago, appIcon, card, dismissButton, line, nameOf, touchable } from "./parts.js";

const MOST_ACTIONS = 2;

export function webCard(entry, options) {
  const { app, appName, expanded = true, picture, iconPicture, onOpen, now } = options;
  const main = touchable(onOpen, { class: "n-main" },
    h("span", { class: "n-texts" },
      line(entry.title || nameOf(app), "n-title", 200), line(entry.body, "n-body", expanded ? 1000 : 300)),
    iconPicture ? pictureBox(iconPicture, "n-icon") : appIcon(app, { appName }));
  return card("web", entry, { surface: "desktop", ...options },
    h("span", { class: "n-site" }, h("span", { class: "n-browser", "aria-hidden": "true" }), "Browser", h("span", { "aria-hidden": "true" }, "·"),
      foreign(nameOf(app), { limit: 80, class: "n-origin" }), h("span", { "aria-hidden": "true" }, "·"), ago(entry.time, now), dismissButton(options)),
    main,
    expanded && entry.image && pictureBox(picture, "n-big"),
    expanded && actionButtons(entry, options, MOST_ACTIONS));
}
