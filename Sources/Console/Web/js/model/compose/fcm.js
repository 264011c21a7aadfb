// The form for a message to FCM: the fields of Firebase's composer, and what can be set for one platform only.

import { set } from "../json/edit.js";

export const TARGETS = { token: "Device", topic: "Topic", condition: "Condition", fid: "Installation id" };

function maker(...outer) {
  return (label, path, type = "text", more = {}) => {
    const full = [...outer, ...path.split("/")];
    return { id: full.join("-"), label, key: full.at(-1), type, paths: [full], ...more };
  };
}

const common = maker("message");
const android = maker("message", "android");
const apple = maker("message", "apns");
const web = maker("message", "webpush");
const aps = maker("message", "apns", "payload", "aps");

const PRIORITIES = ["NORMAL", "HIGH"];
const VISIBILITIES = ["PRIVATE", "PUBLIC", "SECRET"];

export const GROUPS = [
  { title: "Notification", fields: [
    common("Title", "notification/title", "text", { wide: true }), common("Text", "notification/body", "area", { wide: true }),
    common("Image", "notification/image", "url", { wide: true }),
  ] },
  { title: "Data", map: { path: ["message", "data"], onlyTexts: true } },
  { title: "Delivery", fields: [
    android("Priority", "priority", "select", { options: PRIORITIES }), android("Time to live", "ttl", "text", { hint: "Such as 3600s", suggestions: ["0s", "3600s", "86400s", "2419200s"] }),
    android("Collapse key", "collapse_key"), common("Analytics label", "fcm_options/analytics_label"),
    { id: "sound", label: "Sound", key: "sound", type: "text", writesAll: true, suggestions: ["default"], hint: "On Android and iPhones",
      paths: [["message", "android", "notification", "sound"], ["message", "apns", "payload", "aps", "sound"]] },
    aps("Badge on iPhones", "badge", "number"),
  ] },
  { title: "Android", isOptional: true, fields: [
    android("Channel", "notification/channel_id"), android("Tag", "notification/tag", "text", { hint: "Replaces one with the same tag" }),
    android("Title", "notification/title"), android("Text", "notification/body"), android("Icon", "notification/icon"),
    android("Color", "notification/color", "text", { hint: "#rrggbb" }), android("Click action", "notification/click_action"),
    android("Image", "notification/image", "url"), android("Visibility", "notification/visibility", "select", { options: VISIBILITIES }),
    android("Package", "restricted_package_name"), android("Also before the first unlock", "direct_boot_ok", "flag", { on: true }),
  ] },
  { title: "iPhone", isOptional: true, fields: [
    apple("Priority", "headers/apns-priority", "select", { options: ["10", "5", "1"] }), apple("Push type", "headers/apns-push-type", "select", { options: ["alert", "background"] }),
    apple("Collapse id", "headers/apns-collapse-id"), apple("Expiration", "headers/apns-expiration", "text", { hint: "Unix time in seconds" }),
    aps("Title", "alert/title"), aps("Text", "alert/body"), aps("Subtitle", "alert/subtitle"), aps("Category", "category"), aps("Thread", "thread-id"),
    aps("Interruption level", "interruption-level", "select", { options: ["passive", "active", "time-sensitive", "critical"] }),
    apple("Image", "fcm_options/image", "url"), apple("Live Activity token", "live_activity_token"),
    aps("The extension may change it", "mutable-content", "flag", { on: 1 }), aps("Wake the app", "content-available", "flag", { on: 1 }),
  ] },
  { title: "Browser", isOptional: true, fields: [
    web("Title", "notification/title"), web("Text", "notification/body"), web("Icon", "notification/icon", "url"), web("Link", "fcm_options/link", "url"),
    web("TTL", "headers/TTL", "text", { hint: "Seconds" }), web("Urgency", "headers/Urgency", "select", { options: ["very-low", "low", "normal", "high"] }),
  ] },
];

/** All fields, for completion without the gateway's schema. */
export const allFields = () => [
  ...GROUPS.flatMap((group) => group.fields ?? []),
  ...Object.entries(TARGETS).map(([key, label]) => common(label, key)),
  { label: "Checks the message without sending it", paths: [["validate_only"]], type: "flag", on: true },
];

/** `{kind, value}` of the message's target; of several the first. */
export function targetOf(message) {
  for (const [key, value] of Object.entries(message ?? {})) {
    if (Object.hasOwn(TARGETS, key) && typeof value === "string") return { kind: key, value };
  }
  return { kind: "token", value: "" };
}

/** Places that Google's sentences name, such as `Unknown name "x" at 'message.android'`, as paths. */
export function placesIn(answer) {
  const places = [];
  for (const line of String(answer ?? "").split("\n")) {
    const at = /\bat '([^']*)'/.exec(line)?.[1];
    const name = /Unknown name "([^"]*)"/.exec(line)?.[1];
    if (at === undefined && name === undefined) continue;
    const path = (at ?? "").replace(/\[(\d+)\](\.value)?/g, ".$1").split(".").filter(Boolean);
    places.push({ path: name === undefined ? path : [...path, name], text: line });
  }
  return places;
}

/** A request as a dry run: the same text with validate_only. */
export const asDryRun = (text) => set(text, ["validate_only"], true);
