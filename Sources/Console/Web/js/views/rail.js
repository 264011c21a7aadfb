// The rail: the views, the apps and devices as filters of the inbox, the connection and the clock.

import { h, foreign, replace } from "../core/dom.js";
import { get } from "../core/api.js";
import { connection, listen } from "../core/events.js";
import { count, exactTime, shortTime } from "../core/format.js";
import { icon } from "../core/icons.js";
import { help } from "../core/keys.js";
import { href } from "../core/router.js";
import { isDark, toggle } from "../core/theme.js";

const VIEWS = [
  ["inbox", "Inbox", []], ["devices", "Devices", ["devices"]], ["compose", "Compose", ["compose"]],
  ["faults", "Faults & clock", ["faults"]], ["tracking", "Tracking", ["tracking"]], ["inspect", "Inspect", ["inspect"]],
  ["rules", "Rules", ["rules"]], ["start", "Get started", ["start"]],
];
const PARENT = { phone: "devices" };
const MOST_APPS = 12;
const MOST_DEVICES = 8;
const PAUSE = 1000;
/** Pushes can be deleted without an event, so the counts are read from time to time. */
const REREAD = 5000;

let apps = new Map();
let address = { name: "inbox", query: new URLSearchParams() };
let newest = { stats: null, clock: null };
/** Apps and projects that got pushes, also those without a device. */
const pushed = new Set();

export function startRail() {
  draw();
  document.addEventListener("pushpit:address", (event) => {
    address = event.detail;
    draw();
  });
  for (const kind of ["connection", "theme"]) document.addEventListener(`pushpit:${kind}`, draw);
  document.addEventListener("pushpit:missed", read);
  let timer = null;
  listen((events) => {
    for (const { kind, app } of events) if (app && (kind === "accepted" || kind === "refused")) pushed.add(app);
    timer ??= setTimeout(() => {
      timer = null;
      read();
    }, PAUSE);
  });
  setInterval(() => document.hidden || read(), REREAD);
  read();
  get("/messages?limit=200").then(({ messages }) => {
    for (const { app } of messages) pushed.add(app);
    draw();
  }, () => {});
}

/** Reads the counts, the clock, and the first devices of each app. */
async function read() {
  try {
    const [stats, clock, devices] = await Promise.all([get("/stats"), get("/clock"), get("/devices?limit=500")]);
    // With fewer pushes than before, somebody has deleted some.
    const isFewer = newest.stats && stats.messages < newest.stats.messages;
    newest = { stats, clock, offset: Date.parse(clock.now) - Date.now() };
    if (isFewer) document.dispatchEvent(new CustomEvent("pushpit:fewer"));
    apps = new Map();
    for (const device of devices.devices) {
      if (!apps.has(device.app)) apps.set(device.app, []);
      apps.get(device.app).push(device);
    }
    for (const app of pushed) if (!apps.has(app)) apps.set(app, []);
    draw();
  } catch { /* The line about the connection says it. */ }
}

function draw() {
  const current = PARENT[address.name] ?? address.name;
  const focused = document.activeElement?.getAttribute?.("href");
  replace(document.getElementById("nav"), VIEWS.map(([name, label, parts]) => [
    h("a", { href: href(parts), "aria-current": name === current ? "page" : null },
      icon(name), h("span", { class: "label" }, label),
      name === "inbox" && newest.stats && h("span", { class: "count" }, count(newest.stats.messages)),
      name === "devices" && newest.stats && h("span", { class: "count" }, count(newest.stats.devices))),
    name === "inbox" && filters(),
  ]));
  // The element that had the focus was replaced.
  if (focused) document.querySelector(`#nav a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  drawStatus();
}

/** The apps, and the devices of the app that is selected. */
function filters() {
  const { query } = address;
  const isInbox = address.name === "inbox";
  const chosen = isInbox ? query.get("app") : null;
  return [...apps].slice(0, MOST_APPS).map(([app, devices]) => [
    h("a", { class: "sub", href: href(["pushes"], new URLSearchParams({ app })), title: app, "aria-current": chosen === app && !query.get("device") ? "true" : null },
      foreign(app.replace(/^https?:\/\//, ""), { class: "clip", limit: 80 })),
    chosen === app && devices.slice(0, MOST_DEVICES).map((device) =>
      h("a", { class: "sub deep", href: href(["pushes"], new URLSearchParams({ app, device: device.id })), title: device.id, "aria-current": query.get("device") === device.id ? "true" : null },
        icon(device.platform, 14), foreign(device.name || device.id, { class: "clip", limit: 60 }))),
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
      h("button", { type: "button", class: "quiet icon", "aria-label": isDark() ? "Light colours" : "Dark colours", on: { click: toggle } }, icon(isDark() ? "sun" : "moon")),
      h("button", { type: "button", class: "quiet icon", "aria-label": "Keys", on: { click: help } }, "?")));
}
