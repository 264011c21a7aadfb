// Where a push goes, and what travels beside the JSON: for APNs the header fields, for FCM the target and the project.

import { post } from "../../core/api.js";
import { h } from "../../core/dom.js";
import { attempt } from "../../core/notice.js";
import { shortToken } from "../../model/summary.js";
import { TYPES } from "../../model/compose/apns.js";
import { pushTypeOf } from "../../model/compose/draft.js";
import { targetOf, TARGETS } from "../../model/compose/fcm.js";
import { control } from "./control.js";

const NAMES = { ios: "iPhone", android: "Android", web: "browser" };
const LATER = [["one hour", 3600], ["one day", 86400]];

const optionOf = (device) => [device.id, `${device.name || device.id} · ${device.app} · ${NAMES[device.platform] ?? device.platform}`];

/** The select of devices with a button that makes one more. */
function picker({ platforms, devices, onPick, appOf }) {
  const select = control({ label: "Device", type: "select", options: [], wide: true, empty: "Another token" }, onPick);
  const make = (platform) => h("button", { type: "button", class: "quiet", on: { click: () => attempt(async () => {
    const { devices: [device] } = await post("/devices", { platform, app: appOf() || "com.example.app" });
    onPick(device.id, device);
  }) } }, `+ ${NAMES[platform]}`);
  return {
    element: h("div", { class: "picker wide" }, select.element, platforms.map(make)),
    show(id) {
      select.setOptions(devices().filter((device) => platforms.includes(device.platform)).map(optionOf));
      select.show(id);
    },
  };
}

/** `handlers`: `onDevice(id, device)`, `onType`, `onHeader(name, value)`, `onPart(changes)`; `devices()` lists them. */
export function appleTarget({ devices, onDevice, onType, onHeader, onPart }) {
  let draft = null;
  const header = (label, name, type = "text", more = {}) => [name, control({ label, key: name, type, ...more }, (value) => onHeader(name, value))];
  const device = picker({ platforms: ["ios"], devices, onPick: onDevice, appOf: () => draft.apns.headers["apns-topic"] });
  const type = control({ label: "Push type", key: "apns-push-type", type: "select", empty: null, options: Object.keys(TYPES) }, onType);
  const about = h("p", { class: "muted small wide" });
  const token = control({ label: "Token", key: ":path", type: "text", isCode: true, wide: true, hint: "64 hex digits or more" }, (value) => onPart({ token: value.trim(), device: "" }));
  const environment = control({ label: "Environment", type: "select", empty: null, options: ["production", "sandbox"] }, (value) => onPart({ environment: value }));
  const now = Math.floor(Date.now() / 1000);
  const headers = [
    header("Topic", "apns-topic", "text", { wide: true, isCode: true }),
    header("Priority", "apns-priority", "select", { options: [["10", "10, at once"], ["5", "5, saves power"], ["1", "1, does not wake the device"]] }),
    header("Expiration", "apns-expiration", "text", { hint: "0, or a Unix time", suggestions: ["0", ...LATER.map(([, seconds]) => String(now + seconds))] }),
    header("Collapse id", "apns-collapse-id", "text", { hint: "Replaces one with the same id" }),
  ];
  const element = h("section", { class: "group" }, h("h2", {}, "Target"), h("div", { class: "fields" },
    type.element, environment.element, about, device.element, token.element, headers.map(([, row]) => row.element)));
  return { element, focus: token.focus, show(next) {
    draft = next;
    const kind = pushTypeOf(draft);
    device.show(draft.apns.device);
    type.show(kind);
    about.textContent = TYPES[kind]?.about ?? "";
    token.show(draft.apns.token);
    environment.show(draft.apns.environment);
    for (const [name, row] of headers) row.show(draft.apns.headers[name] ?? "");
  } };
}

/** `handlers`: `onDevice`, `onTarget(kind, value)`, `onPart`. */
export function googleTarget({ devices, onDevice, onTarget, onPart }) {
  let current = { kind: "token", value: "" };
  const kinds = Object.entries(TARGETS).map(([kind, label]) => [kind, h("button", { type: "button", on: { click: () => kind !== current.kind && onTarget(kind, "") } }, label)]);
  const device = picker({ platforms: ["android", "ios", "web"], devices, onPick: onDevice, appOf: () => "" });
  const value = control({ label: "Token", key: "token", type: "text", isCode: true, wide: true }, (input) => onTarget(current.kind, input));
  const project = control({ label: "Project", type: "text", hint: "The Firebase project", wide: true }, (input) => onPart({ project: input.trim() }));
  const labels = { token: ["Token", "A registration token"], topic: ["Topic", "news"], condition: ["Condition", "'news' in topics && 'sport' in topics"], fid: ["Installation id", "22 letters and digits"] };
  const element = h("section", { class: "group" }, h("h2", {}, "Target"),
    h("div", { class: "segments", role: "group", "aria-label": "Kind of target" }, kinds.map(([, button]) => button)),
    h("div", { class: "fields" }, device.element, value.element, project.element));
  return { element, focus: value.focus, show(draft, message) {
    if (message !== undefined) current = targetOf(message);
    for (const [kind, button] of kinds) button.setAttribute("aria-pressed", String(kind === current.kind));
    device.element.hidden = current.kind !== "token";
    device.show(draft.fcm.device);
    const [label, hint] = labels[current.kind];
    value.setLabel(label);
    const input = value.element.querySelector("input");
    input.placeholder = hint;
    value.element.querySelector(".key").textContent = current.kind;
    value.show(current.value);
    project.show(draft.fcm.project);
  } };
}

/** The request line and the fields that will be sent. */
export function requestText({ provider, apns, fcm }) {
  if (provider === "fcm") return `POST /v1/projects/${fcm.project || "PROJECT"}/messages:send`;
  const fields = Object.entries(apns.headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST /3/device/${apns.token ? shortToken(apns.token) : "TOKEN"}`, ...fields].join("\n");
}
