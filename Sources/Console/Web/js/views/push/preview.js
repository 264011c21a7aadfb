// What phones show of a push, one after the other; or what it would look like, and why it is not shown.

import { h, foreign, replace } from "../../core/dom.js";
import { count, plural } from "../../core/format.js";
import { attempt } from "../../core/notice.js";
import { href } from "../../core/router.js";
import { LOOKS, stage } from "../../preview/stage.js";
import { seenOn } from "../../model/seen.js";
import { remedyText, ruleLink, ruleText } from "../../model/rulebook.js";
import { nothingToShow } from "../../model/summary.js";
import { activityOf, wouldShow } from "../../model/would.js";
import { activitySection } from "./activity.js";
import { deviceSection } from "./device-preview.js";
import { reasonForNone } from "./deliveries.js";
import { findingElement } from "./findings.js";
import { pictureFor } from "./pictures.js";

const FIRST = 6;
/** How many more phones each click draws. */
const STEP = 12;
const PLATFORM = { ios: "iPhone", android: "Android", web: "Browser" };
/** What the person chose to look at, for this and all other pushes. */
const chosen = {};

export function previewTab(record) {
  const bar = h("div", { class: "row looks" });
  const body = h("div", { class: "stack" });
  const element = h("div", { class: "stack" }, bar, body);
  let drawn = "";
  let limit = FIRST;
  /** The drawn phones by device: those that did nothing new are not drawn again. */
  const sections = new Map();

  function sectionOf(one) {
    const look = lookOf(one.platform, one);
    const looks = JSON.stringify([one, look, record.devices.get(one.id)]);
    if (sections.get(one.id)?.looks !== looks) sections.set(one.id, { looks, element: deviceSection(record, one, look) });
    return sections.get(one.id).element;
  }

  function draw(again = false) {
    const seen = seenOn(record.events).map((one) => ({ ...one, platform: record.devices.get(one.id)?.platform ?? "ios" }));
    // First the phones that show a notification.
    const all = [...seen.filter(({ entry }) => entry), ...seen.filter(({ entry }) => !entry)];
    const isShown = Boolean(all[0]?.entry);
    const first = all.slice(0, limit);
    // Most events change nothing that is seen here, so that a selection or an open image stays.
    const state = JSON.stringify([first, all.length, totalOf(record), [...record.devices.values()].slice(0, 50), record.message.outcome, record.isWorking]);
    if (!again && state === drawn) return;
    drawn = state;
    const activity = activityOf(record.message);
    const would = isShown || activity ? [] : wouldShow(record.message, isTracked(record)).filter(({ platform }) => all.length === 0 || all.some((one) => one.platform === platform));
    const platforms = [...new Set([...(isShown ? all : []), ...would].map(({ platform }) => platform))];
    const { look, more: hadMore } = document.activeElement?.dataset ?? {};
    replace(bar, activity ? null : platforms.flatMap((platform) => lookButtons(platform, all.length > 0, (chosenLook) => {
      chosen[platform] = chosenLook;
      draw(true);
    })));
    replace(body, activity ? activitySection(record, activity) : [
      !isShown && notShown(record, all, would),
      first.map(sectionOf),
      more(all.length),
      // What really happened is enough, unless the person asks for another look.
      would.filter(({ platform }) => all.length === 0 || isChosen(platform)).map((one) => wouldSection(record, one)),
      isShown && others(record, all),
    ]);
    if (look) bar.querySelector(`[data-look="${look}"]`)?.focus();
    if (hadMore) body.querySelector("[data-more]")?.focus();
  }

  /** How many phones are drawn, and the button for more. */
  function more(known) {
    if (known <= limit && !record.hasMore) return null;
    return h("p", { class: "row", role: "status" }, h("button", { type: "button", "data-more": "1", on: { click: () => attempt(async () => {
      limit += STEP;
      if (known < limit) await record.more();
      draw(true);
    }) } }, "Show more"), h("span", { class: "muted" }, `${count(Math.min(limit, known))} of ${plural(totalOf(record), "device")}`));
  }

  draw();
  return { element, update: () => draw() };
}

/** Every device that is known to be one of the push. */
const totalOf = ({ message, devices }) => new Set([...message.devices, ...devices.keys()]).size;

const isChosen = (platform) => Boolean(chosen[platform] && chosen[platform] !== "auto");

function lookButtons(platform, isReal, choose) {
  if (LOOKS[platform].length < 2) return [];
  const isOn = (look) => (chosen[platform] ?? "auto") === look;
  return [h("div", { class: "look-group", role: "group", "aria-label": `How ${PLATFORM[platform]} shows it` },
    h("span", { class: "muted small" }, PLATFORM[platform]),
    [["auto", isReal ? "As shown" : "Automatic"], ...LOOKS[platform]].map(([look, label]) =>
      h("button", { type: "button", "aria-pressed": String(isOn(look)), "data-look": `${platform}-${look}`, on: { click: () => choose(look) } }, label)))];
}

/** What the device has shown, unless the person wants to see something else. */
function lookOf(platform, { entry, isInFront }) {
  if (entry && isChosen(platform)) return chosen[platform];
  if (isInFront) return "app";
  if (!entry) return "quiet";
  if (platform === "ios") return entry.surfaces?.includes("banner") && !entry.surfaces.includes("lockScreen") ? "banner" : "lockScreen";
  if (platform === "android") return entry.image ? "expanded" : "collapsed";
  return "desktop";
}

/** Whether one of its devices has an app that reports to Adobe. */
const isTracked = ({ devices }) => [...devices.values()].some((device) => device.isTracking);

/** The devices that neither show it nor told their app. */
function restOf({ devices }, seen) {
  const known = new Set(seen.map(({ id }) => id));
  return [...devices.values()].filter(({ device }) => !known.has(device));
}

function others(record, seen) {
  const rest = restOf(record, seen);
  if (rest.length === 0) return null;
  return h("section", { class: "card stack", "aria-label": "Not shown" }, h("h2", {}, `Not shown on ${plural(rest.length, "device")}`), notShownList(rest));
}

function notShownList(devices) {
  return [h("ul", { class: "stack" }, devices.slice(0, FIRST).map(({ device, name, did, remedy }) =>
    h("li", {}, h("a", { href: href(["devices", device]) }, h("strong", {}, foreign(name || device, { limit: 80 }))), ": ", foreign(did || "nothing is known yet", { limit: 400 }), ". ", remedy && h("span", { class: "muted" }, remedyText(remedy, device))))),
  devices.length > FIRST && h("p", { class: "muted" }, `The Devices tab lists all ${count(devices.length)}.`)];
}

function notShown(record, seen, would) {
  const { message, devices } = record;
  const rest = restOf(record, seen);
  const isFor = message.findings.filter(({ severity }) => severity !== "note").slice(0, 3);
  const isRefused = message.outcome === "refused";
  const isTold = !message.why || isFor.some(({ rule }) => rule === message.why);
  return [
    (rest.length > 0 || devices.size === 0 || isFor.length > 0 || record.isWorking) && h("section", { class: "card stack unseen-why", "aria-label": "Why it is not shown" },
      h("h2", {}, record.isWorking ? "Nothing is shown yet" : "No device shows a notification"),
      devices.size > 0 ? notShownList(rest) : h("p", {}, reasonForNone(message)),
      isRefused && h("p", {}, `The sender got ${message.status || "no answer"}${message.reason ? ` ${message.reason}` : ""}.`),
      isRefused && !isTold && h("p", {}, ruleText(message.why), " ", ruleLink(message.why)),
      isFor.map((finding) => findingElement(finding))),
    would.length === 0 && wouldShow(message, isTracked(record)).length === 0 && h("p", { class: "muted" }, nothingToShow(message)),
  ];
}

function wouldSection({ message }, { platform, entry }) {
  return h("section", { class: "would", "aria-label": `What it would look like: ${PLATFORM[platform]}` },
    h("p", { class: "would-mark" }, h("span", { class: "badge warn" }, "not shown"), ` ${PLATFORM[platform]}: this is what it would look like.`),
    stage(platform, lookOf(platform, { entry }), entry, { app: message.app, now: Date.parse(message.time), ...pictureFor(message, platform, entry) }));
}
