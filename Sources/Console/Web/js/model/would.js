// What a push says about its notification: read from the payload, for pushes that no device has shown.

import { choicesOf } from "./states.js";

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const object = (value) => (isObject(value) ? value : {});
const text = (value) => (typeof value === "string" ? value : "");
const first = (...values) => values.map(text).find(Boolean) ?? "";

/** A member of a message to FCM, which may be written as in proto files or in camel case. */
function member(value, name) {
  const given = object(value);
  return given[name] ?? given[name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())];
}

/** The FCM message; empty for a push to APNs. */
const messageOf = ({ provider, request }) => (provider === "fcm" ? object(object(request.body).message) : {});

/** The payload that an iPhone gets, as far as the sender wrote it. */
export function applePayload(message) {
  if (message.provider === "apns") return object(message.request.body);
  return object(object(messageOf(message).apns).payload);
}

export const apsOf = (message) => object(applePayload(message).aps);

function appleEntry(message) {
  const { notification: common, apns } = messageOf(message);
  const payload = applePayload(message);
  const aps = object(payload.aps);
  const alert = typeof aps.alert === "string" ? { body: aps.alert } : object(aps.alert);
  const { title, body, image } = object(common);
  return {
    title: first(alert.title, alert["title-loc-key"], title), subtitle: text(alert.subtitle),
    body: first(alert.body, alert["loc-key"], body),
    image: first(object(member(apns, "fcm_options")).image, object(payload.fcm_options).image, payload["media-attachment-url"], image),
    group: text(aps["thread-id"]), category: text(aps.category), actions: [],
  };
}

function androidEntry(message) {
  const { notification: common, android, data } = messageOf(message);
  const own = object(object(android).notification);
  const { title, body, image } = object(common);
  const isByApp = !common && !object(android).notification;
  const posted = isByApp ? object(data) : {};
  return {
    // Only an app shows what is in the data, and only if it reports to Adobe.
    isByApp, title: first(own.title, member(own, "title_loc_key"), title, posted.title), subtitle: "",
    body: first(own.body, member(own, "body_loc_key"), body, posted.body), image: first(own.image, image),
    group: text(member(own, "channel_id")), icon: text(own.icon), color: text(own.color), actions: [],
  };
}

function webEntry(message) {
  const { notification: common, webpush } = messageOf(message);
  const own = object(object(webpush).notification);
  const { title, body, image } = object(common);
  const actions = Array.isArray(own.actions) ? own.actions.map(object) : [];
  return {
    title: first(own.title, title), subtitle: "", body: first(own.body, body), image: first(own.image, image),
    icon: text(own.icon), actions: actions.map((action) => ({ id: text(action.action), title: text(action.title) })),
  };
}

const ENTRIES = { ios: appleEntry, android: androidEntry, web: webEntry };

/**
 * `[{platform, entry}]`: the notification on each platform that the push is for and that would show something.
 *
 * @param isTracked whether the app reports to Adobe. If so, it posts a notification from the data of a message.
 */
export function wouldShow(message, isTracked = true) {
  const fcm = messageOf(message);
  const blocks = [["ios", "apns"], ["android", "android"], ["web", "webpush"]];
  let platforms = message.provider === "apns" ? ["ios"] : blocks.map(([platform]) => platform);
  // Without a common notification, only the platforms with a block of their own show something.
  if (message.provider === "fcm" && !fcm.notification) {
    const named = blocks.filter(([, block]) => isObject(fcm[block])).map(([platform]) => platform);
    platforms = named.length ? named : ["android"];
  }
  return platforms
    .map((platform) => ({ platform, entry: { key: "", push: message.id, time: message.time, ...ENTRIES[platform](message) } }))
    .filter(({ entry }) => (entry.title || entry.body) && (isTracked || !entry.isByApp));
}

/** What Apple's part of the payload says beside texts: interruption level, sound, badge and so on. */
export function appleFacts(message) {
  const aps = apsOf(message);
  const sound = isObject(aps.sound) ? `${text(aps.sound.name) || "default"}${aps.sound.critical ? " (critical)" : ""}` : text(aps.sound);
  return {
    level: text(aps["interruption-level"]) || (object(aps.sound).critical ? "critical" : ""), sound, badge: aps.badge,
    thread: text(aps["thread-id"]), category: text(aps.category), relevance: aps["relevance-score"],
  };
}

/** The Live Activity event of a push, or null. */
export function activityOf(message) {
  const aps = apsOf(message);
  if (aps["content-state"] === undefined && aps.event === undefined) return null;
  const alert = typeof aps.alert === "string" ? { body: aps.alert } : object(aps.alert);
  return {
    event: text(aps.event) || "update", type: text(aps["attributes-type"]), attributes: object(aps.attributes), state: aps["content-state"],
    timestamp: aps.timestamp, stale: aps["stale-date"], dismissal: aps["dismissal-date"], alert: { title: text(alert.title), body: text(alert.body) },
  };
}

/** Why a device shows no notification now, whatever it says; null if it may show one. */
export function whyHidden({ platform, state, installed }) {
  if (installed === false) return "the app is removed";
  const permission = choicesOf(platform).find(({ name }) => name === "permission").options.find(([value]) => value === state.permission);
  if (["denied", "notDetermined"].includes(state.permission)) return `Notifications is set to “${permission[1]}”`;
  if (platform === "android" && state.forceStopped) return "the app is force-stopped";
  return state.online === false ? "it is offline, so the push waits" : null;
}

/** The gateway gets an image only after a push has named it. */
export const beforeSending = (picture) => (/no push names it/.test(picture.reason) ? { reason: "the image is fetched when you send" } : picture);
