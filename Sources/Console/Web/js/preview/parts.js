// Pieces that the cards of all platforms have in common.

import { h, foreign } from "../core/dom.js";
import { exactTime } from "../core/format.js";

/** The last part of a bundle id or package with a capital letter; the host of an origin. */
export function nameOf(app = "") {
  const host = /^https?:\/\/([^/]+)/.exec(app)?.[1];
  if (host) return host;
  const last = app.split(".").filter(Boolean).at(-1) ?? "";
  return last ? last[0].toUpperCase() + last.slice(1) : "App";
}

function hueOf(text) {
  let hash = 7;
  for (const character of text.slice(0, 200)) hash = (hash * 31 + character.codePointAt(0)) % 3600;
  return hash % 360;
}

/** The app's icon: its first letter on a colour that depends on its id. */
export function appIcon(app, { appName, className = "", color } = {}) {
  const name = appName || nameOf(app);
  const element = h("span", { class: `app-icon ${className}`, "aria-hidden": "true" }, [...name][0]?.toUpperCase() ?? "?");
  if (color) element.style.background = color;
  else element.style.setProperty("--hue", hueOf(app || name));
  return element;
}

/** A colour of a push, if it is one: #rgb, #rrggbb or #aarrggbb as Android writes it. */
export function colorOf(text) {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.exec(text ?? "")?.[1];
  return digits ? `#${digits.length === 8 ? digits.slice(2) : digits}` : null;
}

const UNITS = [[86_400_000, "d"], [3_600_000, "h"], [60_000, "m"]];

/** How long ago something was, as phones write it: now, 5m, 2h. */
export function ago(time, now = Date.now(), { suffix = "" } = {}) {
  const passed = now - Date.parse(time);
  const unit = UNITS.find(([length]) => passed >= length);
  const text = unit ? `${Math.floor(passed / unit[0])}${unit[1]}${suffix}` : "now";
  return h("time", { class: "n-time", datetime: time, title: exactTime(time ?? "") }, text);
}

export function line(text, className, limit = 300) {
  return text ? foreign(text, { class: className, limit }) : null;
}

/** What a person touches: a button if something happens, and otherwise only a box. */
export function touchable(onTouch, properties, ...children) {
  if (!onTouch) return h("span", properties, ...children);
  return h("button", { ...properties, type: "button", on: { click: onTouch } }, ...children);
}

/** The buttons of a notification; at most as many as the platform shows. */
export function actionButtons(entry, { onAction }, most) {
  const actions = (entry.actions ?? []).slice(0, most);
  if (actions.length === 0) return null;
  return h("span", { class: "n-actions" }, actions.map(({ id, title }) =>
    touchable(onAction && (() => onAction(id)), { class: "n-action" }, foreign(title || id, { limit: 60 }))));
}

export function dismissButton({ onDismiss }) {
  return onDismiss && h("button", { type: "button", class: "n-dismiss", "aria-label": "Dismiss", title: "Dismiss", on: { click: onDismiss } }, "×");
}

/** The box of a card, with what a screen reader says for it. */
export function card(platform, entry, { app, appName, surface, expanded, onOpen, stacked }, ...children) {
  const name = appName || nameOf(app);
  // The image and the space around the texts open it too. A keyboard has the button for that.
  const click = (event) => event.target.closest("button, a, input") || onOpen();
  return h("article", {
    on: onOpen ? { click } : {},
    class: `n-card n-${platform} ${expanded ? "expanded" : ""} ${onOpen ? "live" : ""}`, "data-surface": surface, "data-key": entry.key,
    "aria-label": `Notification of ${name}: ${(entry.title || entry.body || "").slice(0, 120)}${stacked > 0 ? `, and ${stacked} more` : ""}`,
  }, children);
}
