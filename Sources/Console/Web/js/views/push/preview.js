// What phones show of a push, one after the other; or what it would look like, and why it is not shown.

import { h, foreign, replace } from "../../core/dom.js";
import { plural } from "../../core/format.js";
import { LOOKS, stage } from "../../preview/stage.js";
import { activityOf, wouldShow } from "../../model/would.js";
import { activitySection } from "./activity.js";
import { deviceSection } from "./device-preview.js";
import { reasonForNone } from "./deliveries.js";
import { findingElement } from "./findings.js";
import { pictureFor } from "./pictures.js";

const MOST = 6;
const PLATFORM = { ios: "iPhone", android: "Android", web: "Browser" };
/** What the person chose to look at, for this and all other pushes. */
const chosen = {};

export function previewTab(record) {
  const bar = h("div", { class: "row looks" });
  const body = h("div", { class: "stack" });
  const element = h("div", { class: "stack" }, bar, body);
  let drawn = "";

  function draw(again = false) {
    const shown = shownOn(record);
    // Most events change nothing that is seen here, so that a selection or an open image stays.
    const state = JSON.stringify([shown, [...record.devices.values()].slice(0, 50), record.message.outcome, record.isWorking]);
    if (!again && state === drawn) return;
    drawn = state;
    const activity = activityOf(record.message);
    const would = shown.length === 0 && !activity ? wouldShow(record.message) : [];
    const platforms = [...new Set([...shown, ...would].map(({ platform }) => platform))];
    const focused = document.activeElement?.dataset?.look;
    replace(bar, activity ? null : platforms.flatMap((platform) => lookButtons(platform, shown.length > 0, (look) => {
      chosen[platform] = look;
      draw(true);
    })));
    if (focused) bar.querySelector(`[data-look="${focused}"]`)?.focus();
    replace(body, activity ? activitySection(record, activity) : shown.length > 0 ? shownSections(record, shown) : notShown(record, would));
  }
  draw();
  return { element, update: () => draw() };
}

/** The notifications that devices have shown: the newest of each device. */
function shownOn(record) {
  const entries = new Map();
  for (const event of record.events) {
    if (event.kind === "presented" && event.device) entries.set(event.device, event);
  }
  return [...entries].map(([id, { data, why }]) => ({ id, platform: record.devices.get(id)?.platform ?? "ios", entry: data, why }));
}

function lookButtons(platform, shown, choose) {
  if (LOOKS[platform].length < 2) return [];
  const isOn = (look) => (chosen[platform] ?? "auto") === look;
  return [h("div", { class: "look-group", role: "group", "aria-label": `How ${PLATFORM[platform]} shows it` },
    h("span", { class: "muted small" }, PLATFORM[platform]),
    [["auto", shown ? "As shown" : "Automatic"], ...LOOKS[platform]].map(([look, label]) =>
      h("button", { type: "button", "aria-pressed": String(isOn(look)), "data-look": `${platform}-${look}`, on: { click: () => choose(look) } }, label)))];
}

/** Where the device has shown it, unless the person wants to see it elsewhere. */
function lookOf(platform, entry) {
  if (chosen[platform] && chosen[platform] !== "auto") return chosen[platform];
  if (platform === "ios") return entry.surfaces?.includes("banner") && !entry.surfaces.includes("lockScreen") ? "banner" : "lockScreen";
  if (platform === "android") return entry.image ? "expanded" : "collapsed";
  return "desktop";
}

function shownSections(record, shown) {
  const others = [...record.devices.values()].filter(({ device }) => !shown.some(({ id }) => id === device));
  const rest = shown.length - MOST;
  return [
    shown.slice(0, MOST).map((one) => deviceSection(record, one, lookOf(one.platform, one.entry))),
    rest > 0 && h("p", { class: "muted" }, `${plural(rest, "more device")} showed it too. The tab Devices has all of them.`),
    others.length > 0 && h("section", { class: "card stack", "aria-label": "Not shown" }, h("h2", {}, `Not shown on ${plural(others.length, "device")}`),
      h("ul", { class: "stack" }, others.slice(0, MOST).map(notShownOn))),
  ];
}

function notShownOn({ device, name, did, remedy }) {
  return h("li", {}, h("strong", {}, foreign(name || device, { limit: 80 })), ": ", foreign(did || "nothing is known yet", { limit: 400 }), ". ", remedy && h("span", { class: "muted" }, remedy));
}

function notShown(record, would) {
  const { message, devices } = record;
  const reasons = devices.size > 0 ? h("ul", { class: "stack" }, [...devices.values()].slice(0, MOST).map(notShownOn)) : h("p", {}, reasonForNone(message));
  const isFor = message.findings.filter(({ severity }) => severity !== "note").slice(0, 3);
  return [
    h("section", { class: "card stack unseen-why", "aria-label": "Why it is not shown" },
      h("h2", {}, record.isWorking ? "Nothing is shown yet" : "No device shows this push"), reasons,
      message.outcome === "refused" && h("p", {}, `The sender got ${message.status || "no answer"}${message.reason ? ` ${message.reason}` : ""}.`), isFor.map((finding) => findingElement(finding))),
    would.length === 0 && h("p", { class: "muted" }, "The payload has no title and no text, so a phone would show no notification."),
    would.map(({ platform, entry }) => h("section", { class: "would", "aria-label": `What it would look like: ${PLATFORM[platform]}` },
      h("p", { class: "would-mark" }, h("span", { class: "badge warn" }, "not shown"), ` ${PLATFORM[platform]}: this is what it would look like.`),
      stage(platform, lookOf(platform, entry), entry, { app: message.app, now: Date.parse(message.time), ...pictureFor(message, platform, entry) }))),
  ];
}
