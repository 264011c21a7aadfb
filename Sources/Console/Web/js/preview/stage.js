// The upper part of a phone's or computer's screen, with a notification where the platform puts it.

import { h } from "../core/dom.js";
import { notificationCard } from "./card.js";
import { background, homeIcon } from "./screens.js";
import { clockText } from "./statusbar.js";

const day = new Intl.DateTimeFormat(undefined, { weekday: "long", month: "long", day: "numeric" });

/** The ways to look at a notification on each platform. The first is the default. */
export const LOOKS = {
  ios: [["lockScreen", "Lock screen"], ["banner", "Banner"], ["expanded", "Expanded"]],
  android: [["collapsed", "Collapsed"], ["expanded", "Expanded"], ["headsUp", "Heads-up"]],
  web: [["desktop", "Desktop"]],
};

/** Where each look draws the card, and its options. `app`: above the open app; `quiet`: nothing lies on the screen. */
const PLACES = {
  ios: { lockScreen: ["lock", {}], banner: ["home", { surface: "banner" }], expanded: ["dim", { expanded: true }], app: ["app", { surface: "banner" }], quiet: ["home", {}] },
  android: { collapsed: ["shade", {}], expanded: ["shade", { expanded: true }], headsUp: ["home", { surface: "headsUp", expanded: true }], app: ["app", {}], quiet: ["home", {}] },
  web: { desktop: ["desktop", { expanded: true }], app: ["app", {}], quiet: ["desktop", {}] },
};

/**
 * @param look a name of `LOOKS`, or `app` or `quiet`
 * @param entry the notification; null if there is none
 * @param options those of `notificationCard`, and `badge`; `instead`, an element in place of the card, such as a Live
 * Activity; `said`, a sentence about what can't be seen; `time`
 */
export function stage(platform, look, entry, options = {}) {
  const [place, more] = PLACES[platform]?.[look] ?? Object.values(PLACES[platform] ?? PLACES.ios)[0];
  const { instead, said, time = entry?.time } = options;
  return h("div", { class: `stage stage-${platform} place-${place}` },
    place === "app" && h("div", { class: "stage-front" }, background({ ...options, platform, time, state: { app: "foreground" } })),
    platform !== "web" && statusBar(platform, time),
    place === "lock" && lockClock(time),
    place === "shade" && h("div", { class: "stage-tiles", "aria-hidden": "true" }, h("i"), h("i"), h("i"), h("i")),
    h("div", { class: "stage-cards" }, instead ?? (entry && notificationCard(platform, entry, { ...options, ...more })), said && h("p", { class: "stage-said" }, said)),
    place === "home" && h("div", { class: "stage-apps" }, homeIcon(options), Array.from({ length: 15 }, () => h("i", { "aria-hidden": "true" }))));
}

function clockOf(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? new Date() : date;
}

function statusBar(platform, time) {
  return h("div", { class: "stage-bar", "aria-hidden": "true" },
    h("span", {}, clockText(clockOf(time))), platform === "ios" && h("b", { class: "stage-island" }), h("span", { class: "stage-signal" }, h("i"), h("i"), h("i"), h("b")));
}

function lockClock(time) {
  const date = clockOf(time);
  return h("div", { class: "stage-clock", "aria-hidden": "true" }, h("span", {}, day.format(date)), h("strong", {}, clockText(date)));
}
