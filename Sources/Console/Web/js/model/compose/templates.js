// Drafts to begin with. A link such as #/compose?template=activity opens one.

import { startingPayload, topicFor, TYPES } from "./apns.js";
import { emptyDraft, pretty } from "./draft.js";

const IMAGE = "https://example.com/bread.png";
const TEXTS = { title: "Breakfast is ready", body: "The bread is out of the oven." };
const ADOBE_IDS = { _mId: "h138a", _dId: "56c4" };

function apns(type, payload) {
  const draft = emptyDraft();
  const headers = { "apns-topic": topicFor("com.example.app", type), "apns-push-type": type, "apns-priority": TYPES[type].priority };
  return { ...draft, apns: { ...draft.apns, headers, text: typeof payload === "string" ? payload : pretty(payload) } };
}

function fcm(message) {
  const draft = emptyDraft();
  return { ...draft, provider: "fcm", fcm: { ...draft.fcm, text: pretty({ message }) } };
}

function adobeApple(ids) {
  return apns("alert", {
    aps: { alert: TEXTS, badge: 1, sound: "default", category: "NEW_MESSAGE_CATEGORY", "mutable-content": 1, "content-available": 1 },
    "media-attachment-url": IMAGE, uri: "https://example.com/menu", custom_field1: "custom_value1", ...ids,
  });
}

function adobeAndroid(ids) {
  return fcm({
    token: "", android: { priority: "HIGH", collapse_key: "1476005" },
    data: { ...TEXTS, badge: "1", sound: "default", category: "news", "media-attachment-url": IMAGE, uri: "https://example.com/menu", ...ids },
  });
}

/** `platforms` are the kinds of devices that a draft is for; the first device of them is chosen. */
export const TEMPLATES = [
  { name: "alert", label: "iPhone: alert", platforms: ["ios"], make: () => apns("alert", startingPayload("alert")) },
  { name: "silent", label: "iPhone: silent, wakes the app", platforms: ["ios"], make: () => apns("background", { aps: { "content-available": 1 }, reason: "refresh" }) },
  { name: "image", label: "iPhone: image, with a service extension", platforms: ["ios"], make: () => apns("alert", { aps: { alert: TEXTS, sound: "default", "mutable-content": 1 }, fcm_options: { image: IMAGE } }) },
  { name: "activity", label: "iPhone: Live Activity, start", platforms: ["ios"], make: () => apns("liveactivity", startingPayload("liveactivity", Math.floor(Date.now() / 1000))) },
  { name: "adobe-ios", label: "Adobe Campaign: iPhone, with tracking", platforms: ["ios"], make: () => adobeApple(ADOBE_IDS) },
  { name: "adobe-ios-untracked", label: "Adobe Campaign: iPhone, without tracking", platforms: ["ios"], make: () => adobeApple({}) },
  { name: "fcm", label: "FCM: notification to a device", platforms: ["android", "web", "ios"], make: () => fcm({ token: "", notification: TEXTS, data: { order: "7" } }) },
  { name: "fcm-data", label: "FCM: data only", platforms: ["android", "web"], make: () => fcm({ token: "", data: { order: "7", state: "ready" }, android: { priority: "HIGH" } }) },
  { name: "fcm-image", label: "FCM: image for all platforms", platforms: ["android", "web", "ios"], make: () => fcm({
    token: "", notification: { ...TEXTS, image: IMAGE }, apns: { payload: { aps: { "mutable-content": 1 } }, fcm_options: { image: IMAGE } },
  }) },
  { name: "topic", label: "FCM: topic", platforms: [], make: () => fcm({ topic: "news", notification: TEXTS }) },
  { name: "condition", label: "FCM: condition", platforms: [], make: () => fcm({ condition: "'news' in topics && !('bread' in topics)", notification: TEXTS }) },
  { name: "adobe-android", label: "Adobe Campaign: Android, with tracking", platforms: ["android"], make: () => adobeAndroid(ADOBE_IDS) },
  { name: "adobe-android-untracked", label: "Adobe Campaign: Android, without tracking", platforms: ["android"], make: () => adobeAndroid({}) },
];
