// The rail: the views, the apps and devices as filters of the inbox, the connection and the clock.

import { h, foreign, replace } from "../core/dom.js";
import { get } from "../core/api.js";
import { connection } from "../core/events.js";
import { appLabel, count, exactTime, middle, plural, setClock, shortTime, today } from "../core/format.js";
import { icon } from "../core/icons.js";
import { help } from "../core/keys.js";
import { href } from "../core/router.js";
import { isDark, toggle } from "../core/theme.js";
import { Apps } from "../model/apps.js";
import { refresher } from "../model/refresh.js";

/** The first ones stand in the bar of a narrow window; the others are in its menu. */
const VIEWS = [
  ["inbox", "Inbox", []], ["devices", "Devices", ["devices"]], ["compose", "Compose", ["compose"]],
  ["faults", "Faults & clock", ["faults"]], ["tracking", "Tracking", ["tracking"]], ["inspect", "Inspect", ["inspect"]],
  ["rules", "Rules", ["rules"]], ["start", "Get started", ["start"]],
];
const IN_BAR = 4;
const PARENT = { phone: "devices" };
const MOST_APPS = 12;
const MOST_DEVICES = 8;
const LONGEST_DEVICE = 14;
const MOST_FAULTS = 1000;
const GAP = 1000;
/** Pushes can be deleted without an event, so the counts are read from time to time. */
const REREAD = 5000;

const more = h("div", { class: "more", id: "more-views" });
const moreButton = h("button", { type: "button", class: "quiet more-button", "aria-expanded": "false", "aria-controls": more.id, on: { click: () => openMore(!isMoreOpen()) } },
  icon("more"), h("span", {}, "More"));
const first = h("div", { class: "first-views" });
const lost = h("p", { class: "lost", role: "status", hidden: true });

let apps = null;
let address = { name: "inbox", query: new URLSearchParams() };
let newest = { stats: null, clock: null };

export function startRail() {
  document.getElementById("nav").append(first, moreButton, more);
  document.getElementById("app").before(lost);
  apps = new Apps(draw);
  document.addEventListener("pushpit:address", (event) => {
    address = event.detail;
    openMore(false);
    draw();
  });
  document.addEventListener("pushpit:theme", draw);
  document.addEventListener("pushpit:connection", () => {
    drawStatus();
    lost.hidden = !connection.isLost;
    lost.textContent = connection.isLost ? "The gateway does not answer. This page will catch up as soon as it is back." : "";
  });
  // The inbox has deleted some, and shows it already.
  document.addEventListener("pushpit:deleted", ({ detail }) => {
    if (newest.stats) newest.stats.messages -= detail;
    draw();
  });
  document.addEventListener("click", (event) => event.target.closest("#nav") || openMore(false));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isMoreOpen()) return;
    event.stopPropagation();
    openMore(false);
    moreButton.focus();
  });
  refresher(read, { gap: GAP, every: REREAD }).now();
}

/** Reads the counts and the clock. */
async function read() {
  if (document.hidden) return;
  const [stats, clock] = await Promise.all([get("/stats"), get("/clock")]);
  // Faults that are used up or have expired stay in the list.
  const faults = stats.faults > 0 ? (await get(`/faults?limit=${MOST_FAULTS}`)).faults.filter(({ state }) => state === "active").length : 0;
  // With fewer pushes than before, somebody has deleted some.
  const isFewer = newest.stats && stats.messages < newest.stats.messages;
  const before = today();
  setClock(clock);
  if (today() !== before) document.dispatchEvent(new CustomEvent("pushpit:day"));
  newest = { stats, faults, clock, offset: Date.parse(clock.now) - Date.now() };
  if (isFewer) document.dispatchEvent(new CustomEvent("pushpit:fewer"));
  draw();
}

const themeName = () => (isDark() ? "Light theme" : "Dark theme");
const themeIcon = () => icon(isDark() ? "sun" : "moon");
const isMoreOpen = () => moreButton.getAttribute("aria-expanded") === "true";

function openMore(isOpen) {
  moreButton.setAttribute("aria-expanded", String(isOpen));
  more.classList.toggle("open", isOpen);
}

function draw() {
  const focused = document.activeElement?.getAttribute?.("href");
  const links = VIEWS.map(link);
  replace(first, links.slice(0, IN_BAR));
  replace(more, links.slice(IN_BAR), h("div", { class: "narrow" },
    h("button", { type: "button", class: "quiet", on: { click: toggle } }, themeIcon(), themeName()),
    h("button", { type: "button", class: "quiet", on: { click: help } }, h("b", { "aria-hidden": "true" }, "?"), "Keyboard shortcuts")));
  moreButton.classList.toggle("current", VIEWS.slice(IN_BAR).some(([name]) => name === address.name));
  // The element that had the focus was replaced.
  if (focused) document.querySelector(`#nav a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  drawStatus();
}

function link([name, label, parts]) {
  const { stats, faults } = newest;
  const current = PARENT[address.name] ?? address.name;
  const [short, rest] = label.split(/(?= &)/);
  return [
    h("a", { href: href(parts), title: label, "aria-current": name === current ? "page" : null },
      icon(name), h("span", { class: "label" }, short, rest && h("span", { class: "wide" }, rest)),
      name === "inbox" && stats && h("span", { class: "count" }, count(stats.messages)),
      name === "faults" && faults > 0 && h("span", { class: "count on", title: `${plural(faults, "fault")} on`, "aria-label": `${plural(faults, "fault")} on` }, count(faults)),
      name === "devices" && stats && h("span", { class: "count" }, count(stats.devices))),
    name === "inbox" && filters(),
  ];
}

/** The apps, and the devices of the app that is selected. */
function filters() {
  const { query } = address;
  const chosen = address.name === "inbox" ? query.get("app") : null;
  const sub = (kind, title, query, isCurrent, ...children) =>
    h("a", { class: `sub ${kind}`, href: href(["pushes"], new URLSearchParams(query)), title, "aria-current": isCurrent ? "true" : null }, children);
  return apps.rows.slice(0, MOST_APPS).map(([app, devices]) => [
    sub("", app, { app }, chosen === app && !query.get("device"), appLabel(app)),
    chosen === app && devices.slice(0, MOST_DEVICES).map(({ id, name, platform }) =>
      sub("deep", name ? `${name} (${id})` : id, { app, device: id }, query.get("device") === id, icon(platform, 14), foreign(middle(name || id, LONGEST_DEVICE), { class: "clip" }))),
  ]);
}

function drawStatus() {
  const { clock, offset } = newest;
  const isMoved = clock && (clock.frozen || Math.abs(offset) > 5000);
  replace(
    document.getElementById("status"),
    isMoved && h("a", { class: "line", href: "#/faults", title: exactTime(clock.now) }, icon("clock", 14),
      h("span", { class: "label" }, `${clock.frozen ? "frozen at" : "clock"} ${shortTime(clock.now)}`)),
    h("span", { class: "line" }, h("span", { class: `dot ${connection.isOpen ? "on" : "off"}` }),
      h("span", { class: "label" }, connection.isOpen ? "live" : "not connected")),
    h("span", { class: "line" },
      h("button", { type: "button", class: "quiet icon", "aria-label": themeName(), on: { click: toggle } }, themeIcon()),
      h("button", { type: "button", class: "quiet icon", "aria-label": "Keyboard shortcuts", on: { click: help } }, "?")));
}
