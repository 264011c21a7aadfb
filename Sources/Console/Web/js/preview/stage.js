// The upper part of a phone's or computer's screen, with a notification where the platform puts it.

import { h } from "../core/dom.js";
import { notificationCard } from "./card.js";

const hour = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });
const day = new Intl.DateTimeFormat(undefined, { weekday: "long", month: "long", day: "numeric" });

/** The ways to look at a notification on each platform. The first is the default. */
export const LOOKS = {
  ios: [["lockScreen", "Lock screen"], ["banner", "Banner"], ["expanded", "Expanded"]],
  android: [["collapsed", "Collapsed"], ["expanded", "Expanded"], ["headsUp", "Heads-up"]],
  web: [["desktop", "Desktop"]],
};

const PLACES = {
  ios: { lockScreen: ["lock", {}], banner: ["home", { surface: "banner" }], expanded: ["dim", { expanded: true }] },
  android: { collapsed: ["shade", {}], expanded: ["shade", { expanded: true }], headsUp: ["home", { surface: "headsUp", expanded: true }] },
  web: { desktop: ["desktop", { expanded: true }] },
};

/**
 * @param look a name of `LOOKS`
 * @param options those of `notificationCard`
 * @param instead an element in place of the card, such as a Live Activity
 */
export function stage(platform, look, entry, options = {}, instead = null) {
  const [place, more] = PLACES[platform]?.[look] ?? Object.values(PLACES[platform] ?? PLACES.ios)[0];
  const card = instead ?? notificationCard(platform, entry, { ...options, ...more });
  return h("div", { class: `stage stage-${platform} place-${place}` },
    platform !== "web" && statusBar(platform, entry.time),
    place === "lock" && lockClock(entry.time),
    place === "shade" && h("div", { class: "stage-tiles", "aria-hidden": "true" }, h("i"), h("i"), h("i"), h("i")),
    h("div", { class: "stage-cards" }, card),
    place === "home" && h("div", { class: "stage-apps", "aria-hidden": "true" }, Array.from({ length: 16 }, () => h("i"))));
}

function clockOf(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? new Date() : date;
}

function statusBar(platform, time) {
  return h("div", { class: "stage-bar", "aria-hidden": "true" },
    h("span", {}, hour.format(clockOf(time))), platform === "ios" && h("b", { class: "stage-island" }), h("span", { class: "stage-signal" }, h("i"), h("i"), h("i"), h("b")));
}

function lockClock(time) {
  const date = clockOf(time);
  return h("div", { class: "stage-clock", "aria-hidden": "true" }, h("span", {}, day.format(date)), h("strong", {}, hour.format(date)));
}
