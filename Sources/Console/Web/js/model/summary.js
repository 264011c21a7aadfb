// What a push says, in a line: its title, text and image, wherever its sender has put them.

import { cutOf } from "./sizes.js";
import { wouldShow } from "./would.js";

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const object = (value) => (isObject(value) ? value : {});
const text = (value) => (typeof value === "string" ? value : "");

/** What an alert of Apple's says: it is a text, or has title, subtitle and body. */
function alertText(alert) {
  if (typeof alert === "string") return { title: "", subtitle: "", body: alert };
  const given = object(alert);
  return {
    title: text(given.title) || text(given["title-loc-key"]),
    subtitle: text(given.subtitle),
    body: text(given.body) || text(given["loc-key"]),
  };
}

function appleImage(payload) {
  return text(object(payload.fcm_options).image) || text(payload["media-attachment-url"]);
}

function ofApple(payload, pushType) {
  const aps = object(payload.aps);
  const said = alertText(aps.alert);
  const kind = aps.event !== undefined && aps["content-state"] !== undefined ? `Live Activity: ${text(aps.event) || "?"}`
    : pushType && pushType !== "alert" ? `${pushType} push`
    : aps["content-available"] ? "background push"
    : aps.badge !== undefined && aps.alert === undefined ? `badge ${aps.badge}` : "";
  return { ...said, image: appleImage(payload), kind };
}

function ofGoogle(message) {
  const common = object(message.notification);
  const android = object(object(message.android).notification);
  const apple = object(object(message.apns).payload);
  const alert = alertText(object(apple.aps).alert);
  const web = object(object(message.webpush).notification);
  const data = object(message.data);
  const first = (...values) => values.map(text).find(Boolean) ?? "";
  return {
    title: first(common.title, android.title, alert.title, web.title, data.title),
    subtitle: alert.subtitle,
    body: first(common.body, android.body, alert.body, web.body, data.body),
    image: first(common.image, android.image, object(object(message.apns).fcm_options).image, appleImage(apple), web.image),
    kind: Object.keys(data).length ? "data message" : "",
  };
}

/** What is wrong with a body that is no object; empty for an object. */
export function brokenBody(message) {
  const { body } = message.request;
  if (isObject(body)) return "";
  const cut = cutOf(message);
  if (cut) return `too long: ${cut.kept ? `only the first ${cut.kept.toLocaleString()} bytes were kept` : "it was not kept"}`;
  return body === "" ? "no body" : typeof body === "string" ? "not JSON" : "not an object";
}

/** What a person calls the service that a push was sent to. */
export const SERVICES = { apns: "APNs", fcm: "FCM", webpush: "Web push" };

/** `{title, subtitle, body, image, kind}`; texts, which may be empty. */
export function summaryOf(message) {
  const body = object(message.request.body);
  if (message.provider === "webpush") return ofWebPush(message);
  const said = message.provider === "fcm" ? ofGoogle(object(body.message)) : ofApple(body, message.pushType);
  if (!said.title && !said.body) said.title = said.kind || brokenBody(message) || "empty push";
  return said;
}

/** A web push: its text if the gateway could decrypt it, for a simulated browser; otherwise its size. */
function ofWebPush({ request: { body }, encryption }) {
  const nothing = { title: "Web push", subtitle: "", body: "", image: "", kind: "" };
  if (!encryption) return { ...nothing, body: body.bytes ? `${body.bytes.toLocaleString()} bytes, encrypted` : "without a body" };
  if (typeof body === "string") return { ...nothing, body };
  const said = { ...object(body), ...object(object(body).notification) };
  return { ...nothing, title: text(said.title) || nothing.title, body: text(said.body), image: text(said.image) || text(said.icon) };
}

const NOTHING = { "no body": "The request had no body", "not JSON": "The body is not JSON", "not an object": "The body is not an object" };

/** What the badge of a message says that FCM only validated. */
export const VALIDATED = "validated";

/** Whether FCM only validates this message. */
export function isDryRun({ provider, request }) {
  const body = object(request.body);
  return provider === "fcm" && [body.validate_only, body.validateOnly].includes(true);
}

/** Why no phone would show a push that has no title and no text. */
export function nothingToShow(message) {
  if (message.provider === "webpush") {
    return message.encryption ? "What is shown is the decision of the site's service worker."
      : "The text is encrypted for the browser. Only the browser can read and show it.";
  }
  if (cutOf(message)) return "The body was too long to be kept, so its title and text are not known.";
  if (wouldShow(message).length) return "The message has only data, so the app decides what to show. A simulated app posts a notification from it only if it reports to Adobe.";
  return `${NOTHING[brokenBody(message)] ?? "The payload has no title and no text"}, so a phone shows no notification.`;
}

/** Where a push went, in words: a device's id, a topic, or the beginning of a token. */
export function targetOf(message) {
  const { token, topic, condition, fid, channel } = message.target;
  if (topic !== undefined) return `topic ${topic}`;
  if (condition !== undefined) return condition;
  if (channel !== undefined) return `channel ${channel}`;
  if (message.devices.length === 1) return message.devices[0];
  return shortToken(token ?? fid ?? "");
}

export function shortToken(token) {
  return token.length > 20 ? `${token.slice(0, 10)}…${token.slice(-6)}` : token;
}

const ORDER = ["error", "warning", "note"];

/** The worst severity among findings, and how many findings there are, notes aside; null without any. */
export function worst(findings) {
  const severity = ORDER.find((each) => findings.some((finding) => finding.severity === each));
  if (!severity) return null;
  return { severity, count: findings.filter((finding) => finding.severity !== "note").length };
}
