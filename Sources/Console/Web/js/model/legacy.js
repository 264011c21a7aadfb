// Messages of the API that Google ended in 2024 (POST /fcm/send), converted to a request for messages:send. The sources
// are Google's migration guide and its reference of the old protocol (documented), the same as of `pushpit check`.

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const SHOWN = 60;

const lookUp = (table, key) => (Object.hasOwn(table, key) ? table[key] : undefined);
const unchanged = (value) => value;
const number = (value) => (/^-?\d+$/.test(String(value)) ? Number(value) : undefined);
const flag = (value) => (value === true || value === 1 || value === "true" ? 1 : undefined);
const seconds = (value) => (number(value) === undefined ? undefined : `${number(value)}s`);
const priority = (value) => lookUp({ high: "HIGH", 10: "HIGH", normal: "NORMAL", 5: "NORMAL" }, String(value).toLowerCase());
const bool = (value) => lookUp({ true: true, false: false }, String(value));

/** Some senders wrote a list as JSON in a string, as Google's reference showed it. */
function list(value) {
  if (Array.isArray(value)) return value;
  try {
    const inner = JSON.parse(value);
    return Array.isArray(inner) ? inner : undefined;
  } catch {
    return undefined;
  }
}

const ANDROID = "message.android";
const APS = "message.apns.payload.aps";
const GONE = "has no equivalent in v1 and is left out.";

/** A key that Google also sent to iPhones, under Apple's name. */
const localized = (name, appleName, change) => [[name], [`${ANDROID}.notification.${name}`, `${APS}.alert.${appleName}`], change];

/** Each member: its names, where it goes, how its value is converted, and what a person should know about it. */
const ROOT = [
  [["condition"], ["message.condition"], unchanged],
  [["collapse_key", "collapseKey"], [`${ANDROID}.collapse_key`], unchanged, "For iPhones, set 'apns.headers.apns-collapse-id' too."],
  [["priority"], [`${ANDROID}.priority`], priority, "For iPhones, 'apns.headers.apns-priority' is 10 (at once) or 5."],
  [["time_to_live", "timeToLive"], [`${ANDROID}.ttl`], seconds, "It is a duration in seconds with an 's' now. For iPhones, 'apns.headers.apns-expiration' is a time; for browsers there is 'webpush.headers.TTL'."],
  [["restricted_package_name", "restrictedPackageName"], [`${ANDROID}.restricted_package_name`], unchanged],
  [["content_available", "contentAvailable"], [`${APS}.content-available`], flag, "True becomes 1, as Apple's key requires."],
  [["mutable_content", "mutableContent"], [`${APS}.mutable-content`], flag, "True becomes 1, as Apple's key requires."],
  [["dry_run", "dryRun"], ["validate_only"], bool, "It goes next to 'message'."],
];
const NOTIFICATION = [
  [["title"], ["message.notification.title"], unchanged],
  [["body"], ["message.notification.body"], unchanged],
  [["image"], ["message.notification.image"], unchanged],
  [["sound"], [`${ANDROID}.notification.sound`, `${APS}.sound`], unchanged],
  [["badge"], [`${APS}.badge`], number],
  [["subtitle"], [`${APS}.alert.subtitle`], unchanged],
  [["android_channel_id"], [`${ANDROID}.notification.channel_id`], unchanged],
  localized("body_loc_key", "loc-key", unchanged),
  localized("body_loc_args", "loc-args", list),
  localized("title_loc_key", "title-loc-key", unchanged),
  localized("title_loc_args", "title-loc-args", list),
  [["click_action"], [`${ANDROID}.notification.click_action`], unchanged, "For iPhones, this was the category: set 'apns.payload.aps.category' if the app has one. For browsers, set 'webpush.fcm_options.link'."],
  ...["icon", "tag", "color"].map((name) => [[name], [`${ANDROID}.notification.${name}`], unchanged]),
];
/** Members that v1 has no place for, with what to do instead. */
const REMOVED = {
  delay_while_idle: "It has had no effect since 2016.",
  notification_key: "Send to the notification key as a token instead.",
  android_channel_id: "It belongs in 'notification', where it becomes 'message.android.notification.channel_id'.",
  message_id: "It was for XMPP, which ended in 2024.",
  delivery_receipt_requested: "It was for XMPP, which ended in 2024.",
};
/** A member at the root that only a message of the old API has. */
const DISTINCTIVE = new Set(["to", "registration_ids", ...ROOT.flatMap(([names]) => names)]);
DISTINCTIVE.delete("condition");

export function isLegacy(value) {
  return isObject(value) && !("message" in value) && !("aps" in value) && Object.keys(value).some((key) => DISTINCTIVE.has(key));
}

/** Whether it may be such a message: it has what such messages have, and nothing of the form that is used now. */
export function maybeLegacy(value) {
  if (isLegacy(value)) return true;
  const isOther = isObject(value) && ["message", "aps", "token", "topic", "fid", "condition", "validate_only"].some((name) => name in value);
  return isObject(value) && !isOther && (isObject(value.notification) || isObject(value.data));
}

/** A value as a sentence shows it. */
function shown(value) {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/**
 * `{request, changes}`: the body for messages:send, and for each member `{from, to, text}`: where it stood, where it
 * stands now (empty if it was left out), and a sentence. Null if the value is not a message of the old API,
 * unless the conversion is wanted anyway.
 */
export function convert(value, isWanted = isLegacy(value)) {
  if (!isWanted) return null;
  const conversion = new Conversion();
  for (const [key, content] of Object.entries(value)) if (content !== null) conversion.add(key, content);
  return { request: conversion.request, changes: conversion.changes };
}

class Conversion {
  request = { message: {} };
  changes = [];

  note(from, to, text) {
    this.changes.push({ from, to, text });
  }

  put(path, value) {
    const names = path.split(".");
    const last = names.pop();
    let object = this.request;
    for (const name of names) object = object[name] ??= {};
    object[last] = value;
  }

  add(key, value) {
    if (key === "to") return this.target(String(value));
    if (key === "registration_ids") return this.tokens(value);
    if (key === "data" && isObject(value)) return this.data(value);
    if (key === "notification" && isObject(value)) {
      for (const [name, inner] of Object.entries(value)) if (inner !== null) this.field(NOTIFICATION, name, inner, "notification.");
      return undefined;
    }
    return this.field(ROOT, key, value, "");
  }

  target(to) {
    const topic = to.startsWith("/topics/");
    this.put(topic ? "message.topic" : "message.token", topic ? to.slice("/topics/".length) : to);
    this.note("to", topic ? "message.topic" : "message.token", topic ? "A topic has its own field, and its name has no '/topics/' prefix." : "A registration token has its own field.");
  }

  tokens(value) {
    const all = Array.isArray(value) ? value : [value];
    this.put("message.token", String(all[0] ?? ""));
    this.note("registration_ids", "message.token", all.length > 1
      ? `A request has one target: send one for each of the ${all.length} tokens. Only the first was kept.`
      : "A request has one target. The token is kept.");
  }

  data(value) {
    const rows = [];
    this.note("data", "message.data", "Your app's data moves into 'message'.");
    for (const [key, content] of Object.entries(value)) {
      if (content === null) continue;
      rows.push([key, typeof content === "string" ? content : JSON.stringify(content)]);
      if (typeof content !== "string") this.note(`data.${key}`, `message.data.${key}`, `${shown(content)} becomes a string: all values in 'data' must be strings.`);
    }
    this.put("message.data", Object.fromEntries(rows));
  }

  field(table, key, value, outer) {
    const row = table.find(([names]) => names.includes(key));
    if (!row) return this.note(outer + key, "", `'${key}' ${GONE} ${(outer === "" && lookUp(REMOVED, key)) || ""}`.trim());
    const [names, destinations, change, about] = row;
    const changed = change(value);
    if (changed === undefined) return this.note(outer + key, "", `'${key}' has the value ${shown(value)}, which has no meaning there, so it is left out.`);
    for (const path of destinations) this.put(path, changed);
    const name = names[0] === key ? "" : `The documented name was '${names[0]}'.`;
    const moved = `${destinations.length > 1 ? "Android and iPhones each have their own field." : outer + key === destinations[0].replace("message.", "") ? "It moves into 'message'." : "It has a new place."}`;
    return this.note(outer + key, destinations.join(", "), [name, about ?? moved].filter(Boolean).join(" "));
  }
}
