// What is being composed: one draft for APNs and one for FCM. Nothing here changes a draft; each function makes a new one.

import { convert, isLegacy } from "../legacy.js";
import { find, parse, valueOf } from "../json/parse.js";
import { set } from "../json/edit.js";
import { printed } from "../json/print.js";
import { bodyOf } from "../sizes.js";
import { appOf, startingPayload, tokenFor, topicFor, TYPES } from "./apns.js";
import { asDryRun, TARGETS, targetOf } from "./fcm.js";

export const pretty = (value) => JSON.stringify(value, null, 2);
const now = () => Math.floor(Date.now() / 1000);
const SIMULATOR_KEY = "Simulator Target Bundle";

const STARTING_MESSAGE = { message: { token: "", notification: { title: "Breakfast is ready", body: "The bread is out of the oven." } } };

export function emptyDraft() {
  return {
    provider: "apns",
    apns: { device: "", token: "", environment: "production", headers: { "apns-topic": "com.example.app", "apns-push-type": "alert", "apns-priority": "10" }, text: startingPayload("alert", now()) },
    fcm: { device: "", project: "", text: pretty(STARTING_MESSAGE) },
  };
}

/** The draft of the chosen service, changed. */
export const withPart = (draft, changes) => ({ ...draft, [draft.provider]: { ...draft[draft.provider], ...changes } });

/** Another text. The updates of a Live Activity go to another token than its start. */
export function withText(draft, text, device) {
  const event = eventOf(text);
  const isMoved = draft.provider === "apns" && device && pushTypeOf(draft) === "liveactivity" && event !== eventOf(draft.apns.text);
  return withPart(draft, isMoved ? { text, token: tokenFor(device, "liveactivity", event) } : { text });
}

/** A header that is empty is not sent. */
export function withHeader(draft, name, value) {
  const headers = { ...draft.apns.headers, [name]: value };
  if (value === "") delete headers[name];
  return { ...draft, apns: { ...draft.apns, headers } };
}

export const pushTypeOf = (draft) => draft.apns.headers["apns-push-type"] ?? "alert";

function eventOf(text) {
  return valueOf(text, find(parse(text).root, ["aps", "event"]));
}

/** Changes the push type, and with it topic, token and priority. The payload changes only if nobody has edited it. */
export function withPushType(draft, type, device) {
  const before = pushTypeOf(draft);
  const { headers, text, token } = draft.apns;
  const isUntouched = text.replace(/"timestamp": \d+/, "") === startingPayload(before, 0).replace(/"timestamp": \d+/, "");
  const payload = isUntouched ? startingPayload(type, now()) : text;
  const isUsual = (headers["apns-priority"] ?? "10") === TYPES[before]?.priority;
  return {
    ...draft,
    apns: {
      ...draft.apns, text: payload, token: device ? tokenFor(device, type, eventOf(payload)) : token,
      headers: {
        ...headers, "apns-topic": topicFor(device?.app ?? appOf(headers["apns-topic"] ?? ""), type), "apns-push-type": type,
        ...(isUsual ? { "apns-priority": TYPES[type].priority } : {}),
      },
    },
  };
}

/** The draft for a device: its token, and for APNs its topic and environment, for FCM its project. */
export function withDevice(draft, device) {
  if (draft.provider === "fcm") {
    const { token, project } = device.tokens.fcm ?? {};
    const text = setTarget(draft.fcm.text, "token", token ?? "");
    return withPart(draft, { device: device.id, text, project: project ?? draft.fcm.project });
  }
  const type = pushTypeOf(draft);
  const environment = device.tokens.apns?.environment ?? draft.apns.environment;
  const moved = withPart(draft, { device: device.id, environment, token: tokenFor(device, type, eventOf(draft.apns.text)) });
  return withHeader(moved, "apns-topic", topicFor(device.app, type));
}

/** A message has exactly one target. A draft keeps the member while it is empty, so that the form shows its kind. */
export function setTarget(text, kind, value) {
  let result = text;
  for (const other of Object.keys(TARGETS)) if (other !== kind) result = set(result, ["message", other], undefined);
  return set(result, ["message", kind], value);
}

/** The draft for a push that was sent before; `raw` is its request as it was received. */
export function fromMessage(message, raw) {
  const draft = emptyDraft();
  const { body, headers } = message.request;
  const text = printed(bodyOf(raw)) ?? (typeof body === "string" ? body : pretty(body));
  const device = message.devices.length === 1 ? message.devices[0] : "";
  if (message.provider === "fcm") return { ...draft, provider: "fcm", fcm: { device, project: message.project ?? "", text } };
  const kept = headers.filter(([name]) => /^apns-(topic|push-type|priority|expiration|collapse-id)$/.test(name));
  return { ...draft, apns: { device, token: message.target.token ?? "", environment: message.environment ?? "production", headers: Object.fromEntries(kept), text } };
}

/**
 * What a pasted or opened text is: `{draft, changes, kind}`. `kind` is `apns`, `fcm` or `legacy`; `changes` says what was
 * done to the text. Null if it is none of these, or already of the draft's own form. `isOld` if the person says so.
 */
export function adopt(draft, text, isOld = false) {
  const value = valueOf(text, parse(text).root);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  if (isOld || isLegacy(value)) {
    const { request, changes } = convert(value, true);
    return { kind: "legacy", changes, draft: { ...draft, provider: "fcm", fcm: { ...draft.fcm, device: "", text: pretty(request) } } };
  }
  if (typeof value.message === "object") return { kind: "fcm", changes: [], draft: { ...draft, provider: "fcm", fcm: { ...draft.fcm, device: "", text } } };
  if (!("aps" in value) && !(SIMULATOR_KEY in value)) return null;
  const bundle = value[SIMULATOR_KEY];
  const apns = { ...draft.apns, text: set(text, [SIMULATOR_KEY], undefined) };
  const next = { ...draft, provider: "apns", apns };
  if (typeof bundle !== "string") return { kind: "apns", changes: [], draft: next };
  const changes = [{ from: SIMULATOR_KEY, to: "apns-topic", text: "Xcode's simulator reads the bundle id from the payload. APNs wants it as the topic." }];
  return { kind: "apns", changes, draft: withHeader({ ...next, apns: { ...apns, device: "" } }, "apns-topic", topicFor(bundle, pushTypeOf(draft))) };
}

/** `[path, body]` of the call that checks the draft. The text goes as it is written: doubled names and long numbers stay. */
export function checkCall({ provider, apns, fcm }) {
  if (provider === "fcm") return ["/check/fcm", fcm.text];
  const headers = apns.token ? { ":path": `/3/device/${apns.token}`, ...apns.headers } : apns.headers;
  return ["/check/apns", withBody({ headers }, apns.text)];
}

/** JSON of an object, with a text of JSON as its member `body`. */
const withBody = (value, text) => `${JSON.stringify(value).slice(0, -1)},"body":${text}}`;

/** The body of POST /messages. */
export function sendBody({ provider, apns, fcm }, { isDryRun = false } = {}) {
  if (provider === "apns") {
    const { token, headers, environment, text } = apns;
    return withBody({ provider, token, headers, environment }, text);
  }
  return withBody({ provider, project: fcm.project }, isDryRun ? asDryRun(fcm.text) : fcm.text);
}

/** What is known of the draft's message before it is sent, with the members of a message. */
export function asMessage({ provider, apns, fcm }, body, device) {
  const app = device?.app ?? (provider === "apns" ? appOf(apns.headers["apns-topic"] ?? "") : fcm.project);
  return { provider, app, request: { body } };
}

/** The chosen device, if the draft still goes to it and not to a topic or another token. */
export function deviceOf(draft, chosen) {
  if (!chosen || draft.provider === "apns") return chosen;
  const { token, fid } = chosen.tokens.fcm ?? {};
  return [token, fid].includes(targetOf(fcmMessage(draft.fcm.text)).value) ? chosen : null;
}

/** Whether the draft says where the push goes. */
export function hasTarget({ provider, apns, fcm }) {
  if (provider === "apns") return apns.token !== "";
  return targetOf(fcmMessage(fcm.text)).value !== "";
}

const EMPTY = {
  token: "The token is empty. Choose a device.", topic: "The topic is empty. Enter its name, such as news.",
  condition: "The condition is empty. Enter one, such as 'news' in topics.", fid: "The installation id is empty. Enter one.",
};

const fcmMessage = (text) => valueOf(text, find(parse(text).root, ["message"]));

/** `{kind, text}`, what is missing, for a message to FCM with an empty target; null otherwise. */
export function emptyTarget({ provider, fcm }) {
  if (provider !== "fcm") return null;
  const message = fcmMessage(fcm.text);
  const { kind } = targetOf(message);
  return message?.[kind] === "" ? { kind, text: EMPTY[kind] } : null;
}

/** Whether a device can get pushes from this service. */
export const isReachable = (device, provider) => Boolean(device?.tokens[provider]?.token);

/** What is known of the request before it is sent, for `mayHit` of model/faults.js. */
export function requestOf({ provider, apns, fcm }, device) {
  if (provider === "apns") return { provider, token: apns.token, apps: [device?.app, appOf(apns.headers["apns-topic"] ?? "")] };
  const { kind, value } = targetOf(fcmMessage(fcm.text));
  return { provider, apps: kind === "token" && !device ? [] : [device?.app, fcm.project], [kind]: value };
}
