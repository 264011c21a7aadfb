// Notifications of an iPhone: on the lock screen, as a banner, and expanded by a long press.

import { h } from "../core/dom.js";
import { plural } from "../core/format.js";
import { pictureBox } from "./picture.js";
import { actionButtons, ago, appIcon, card, dismissButton, line, nameOf, touchable } from "./parts.js";

const MARKS = { "time-sensitive": "Time Sensitive", critical: "Critical" };
const MOST_ACTIONS = 4;

export function iosCard(entry, options) {
  const { app, appName, expanded, level, stacked = 0, picture, onOpen, onUnfold, now } = options;
  const name = appName || nameOf(app);
  // Without a title, iOS shows the app's name in its place.
  const title = entry.title || name;
  const texts = h("span", { class: "n-texts" },
    MARKS[level] && h("span", { class: `n-mark ${level}` }, MARKS[level]),
    h("span", { class: "n-head" }, line(title, "n-title", 200), ago(entry.time, now, { suffix: " ago" })),
    line(entry.subtitle, "n-subtitle", 200),
    line(entry.body, "n-body", expanded ? 2000 : 400),
    stacked > 0 && h("span", { class: "n-more" }, plural(stacked, "more notification")));
  const main = touchable(stacked > 0 ? onUnfold : onOpen, { class: "n-main", "aria-expanded": stacked > 0 && onUnfold && "false" },
    appIcon(app, { appName }), texts,
    entry.image && !expanded && pictureBox(picture, "n-thumbnail"));
  const element = card("ios", entry, { surface: "lockScreen", ...options },
    h("span", { class: "n-sheet" },
      expanded && entry.image && pictureBox(picture, "n-big"),
      main, dismissButton(options)),
    expanded && actionButtons(entry, options, MOST_ACTIONS));
  if (stacked > 0) element.classList.add("stacked");
  return element;
}
