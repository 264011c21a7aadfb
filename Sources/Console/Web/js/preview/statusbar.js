// The line at the top of a phone: the time, and marks for what keeps pushes away.

import { h, svg } from "../core/dom.js";

const clock = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });

/** The time as phones write it: without AM and PM. */
export const clockText = (time) => clock.formatToParts(new Date(time ?? Date.now())).filter(({ type }) => type !== "dayPeriod").map(({ value }) => value).join("").trim();

/** A mark is shown if its test is true of the state. Paths on a grid of 24. */
const MARKS = [
  { name: "Focus", platforms: ["ios"], isOn: (state) => state.focus, path: "M20 14A8 8 0 1 1 10 4a7 7 0 0 0 10 10z", solid: true },
  { name: "Do Not Disturb", platforms: ["android"], isOn: (state) => state.focus, path: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12h8" },
  { name: "Doze", platforms: ["android"], isOn: (state) => state.doze, path: "M4 5h7l-7 8h7M13 11h7l-7 8h7" },
  { name: "Force-stopped", platforms: ["android"], isOn: (state) => state.forceStopped, path: "M8 3h8l5 5v8l-5 5H8l-5-5V8zM12 8v5M12 16v.01" },
  { name: "Not unlocked since the start", platforms: ["android"], isOn: (state) => state.directBoot, path: "M12 4v8M7 6.500a8 8 0 1 0 10 0" },
  {
    name: "Notifications are not allowed", platforms: ["ios", "android", "web"],
    isOn: (state) => state.permission === "denied" || state.permission === "notDetermined",
    path: "M6 17V11a6 6 0 0 1 9-5M18 10v7M4 17h16M10 20h4M4 4l16 16",
  },
  { name: "Background App Refresh is off", platforms: ["ios"], isOn: (state) => state.backgroundRefresh === false, path: "M19 12a7 7 0 0 1-12 5M5 12a7 7 0 0 1 12-5M17 3v4h-4M4 4l16 16" },
];

function mark({ name, path, solid }) {
  return h("span", { class: "phone-mark", role: "img", "aria-label": name, title: name },
    svg("svg", { width: 16, height: 16, viewBox: "0 0 24 24", fill: solid ? "currentColor" : "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round" },
      svg("path", { d: path })));
}

function network(isOnline) {
  if (!isOnline) {
    return h("span", { class: "phone-mark", role: "img", "aria-label": "Offline", title: "Offline" },
      svg("svg", { width: 17, height: 17, viewBox: "0 0 24 24", fill: "currentColor" }, svg("path", { d: "M21 16v-2l-8-5V3.500a1.500 1.500 0 0 0-3 0V9l-8 5v2l8-2.500V19l-2 1.500V22l3.500-1 3.500 1v-1.500L13 19v-5.500z" })));
  }
  return h("span", { class: "phone-mark", "aria-hidden": "true" },
    svg("svg", { width: 18, height: 13, viewBox: "0 0 18 13", fill: "currentColor" },
      [0, 1, 2, 3].map((bar) => svg("rect", { x: bar * 4.7, y: 9 - bar * 3, width: 3.200, height: 4 + bar * 3, rx: 1 }))));
}

function battery(isSaving) {
  return h("span", { class: `phone-mark phone-battery ${isSaving ? "saving" : ""}`, ...(isSaving ? { role: "img", "aria-label": "Low Power Mode", title: "Low Power Mode" } : { "aria-hidden": "true" }) },
    h("span", { class: "level" }));
}

export function statusBar({ platform, state = {}, time }) {
  if (platform === "web") return null;
  const marks = MARKS.filter((row) => row.platforms.includes(platform) && row.isOn(state)).map(mark);
  return [
    h("span", { class: "phone-clock" }, state.locked && platform === "ios" ? "" : clockText(time)),
    h("span", { class: "phone-marks" }, marks, network(state.online !== false), battery(platform === "ios" && state.lowPower)),
  ];
}

/** The marks of a browser window, for its address bar. */
export function browserMarks(state = {}) {
  return [MARKS.filter((row) => row.platforms.includes("web") && row.isOn(state)).map(mark), state.online === false && network(false)];
}
