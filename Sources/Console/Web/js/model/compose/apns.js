// Apple's push types, and the fields of the form for each of them, as in Apple's Push Notifications Console.

/** For each value of apns-push-type: what its topic ends in, the device's token for it, and what its form has. */
export const TYPES = {
  alert: { suffix: "", token: "apns", groups: ["alert", "delivery", "extension", "localised", "custom"], priority: "10", about: "Shows an alert, plays a sound or sets the badge." },
  background: { suffix: "", token: "apns", groups: ["wake", "custom"], priority: "5", about: "Wakes the app for a moment. Shows nothing." },
  liveactivity: { suffix: ".push-type.liveactivity", token: "liveActivity", groups: ["activity", "activityAlert"], priority: "10", about: "Starts, changes or ends a Live Activity." },
  voip: { suffix: ".voip", token: "voip", groups: ["custom"], priority: "10", about: "An incoming call. The app has to report it to CallKit." },
  pushtotalk: { suffix: ".voip-ptt", token: "ptt", groups: ["custom"], priority: "10", about: "Someone is talking in a Push to Talk channel." },
  location: { suffix: ".location-query", token: "location", groups: ["custom"], priority: "5", about: "Asks the location extension where the device is." },
  complication: { suffix: ".complication", token: "complication", groups: ["custom"], priority: "10", about: "Updates a complication on Apple Watch." },
  fileprovider: { suffix: ".pushkit.fileprovider", token: "fileprovider", groups: ["files"], priority: "5", about: "Tells a File Provider that files have changed." },
  widgets: { suffix: ".push-type.widgets", token: "widgets", groups: ["changed"], priority: "5", about: "Tells widgets to reload their timelines." },
  controls: { suffix: ".push-type.controls", token: "controls", groups: ["changed"], priority: "5", about: "Tells controls to reload their state." },
  mdm: { suffix: "", token: "apns", groups: ["mdm"], priority: "10", about: "Tells a managed device to ask its server for commands." },
};

const aps = (label, key, type = "text", more = {}) => ({ id: key, label, key, type, paths: [["aps", key]], ...more });
const alert = (label, key, type = "text", more = {}) => ({ id: `alert-${key}`, label, key, type, paths: [["aps", "alert", key]], ...more });

const LEVELS = ["passive", "active", "time-sensitive", "critical"];
const ALERT = [alert("Title", "title", "text", { wide: true }), alert("Subtitle", "subtitle"), alert("Text", "body", "area", { wide: true })];
const SOUND = aps("Sound", "sound", "text", { hint: "default, or a file in the app's bundle", suggestions: ["default"] });

const GROUPS = {
  alert: { title: "Alert", fields: [ALERT[0], ALERT[2], ALERT[1], aps("Category", "category", "text", { hint: "Chooses the buttons" })] },
  delivery: {
    title: "Sound, badge and list",
    fields: [
      SOUND, aps("Badge", "badge", "number", { hint: "0 removes it" }), aps("Thread", "thread-id", "text", { hint: "Groups notifications" }),
      aps("Interruption level", "interruption-level", "select", { options: LEVELS }),
      aps("Relevance score", "relevance-score", "number", { hint: "0 to 1" }), aps("Target content id", "target-content-id"), aps("Filter criteria", "filter-criteria"),
    ],
  },
  extension: {
    title: "Image and service extension",
    fields: [
      { id: "image", label: "Image", key: "fcm_options.image", type: "url", wide: true, paths: [["fcm_options", "image"], ["media-attachment-url"]], hint: "The app's extension loads it" },
      aps("The extension may change it", "mutable-content", "flag", { on: 1 }), aps("Also wake the app", "content-available", "flag", { on: 1 }),
    ],
  },
  localised: {
    title: "Localized texts", isOptional: true,
    fields: [
      alert("Key of the title", "title-loc-key"), alert("Values in the title", "title-loc-args", "list", { hint: "One per line" }),
      alert("Key of the body", "loc-key"), alert("Values in the body", "loc-args", "list", { hint: "One per line" }),
    ],
  },
  wake: { title: "Background", fields: [aps("Wake the app", "content-available", "flag", { on: 1 })] },
  activity: {
    title: "Live Activity",
    fields: [
      aps("Event", "event", "select", { options: ["start", "update", "end"] }), aps("Timestamp", "timestamp", "number", { hint: "Unix time in seconds" }),
      aps("Attributes type", "attributes-type", "text", { hint: "Only for the start event" }), aps("Attributes", "attributes", "json", { wide: true, hint: "Only for the start event" }),
      aps("Content state", "content-state", "json", { wide: true }), aps("Stale date", "stale-date", "number"), aps("Dismissal date", "dismissal-date", "number"),
      aps("Relevance score", "relevance-score", "number"), aps("Channel", "input-push-channel"),
    ],
  },
  activityAlert: { title: "Alert", fields: [ALERT[0], ALERT[2], SOUND] },
  files: { title: "Files", fields: [
    { id: "container-identifier", label: "Container", key: "container-identifier", type: "text", paths: [["container-identifier"]], wide: true },
    { id: "domain", label: "Domain", key: "domain", type: "text", paths: [["domain"]] },
  ] },
  changed: { title: "Content", fields: [aps("The content has changed", "content-changed", "flag", { on: true })] },
  mdm: { title: "Device management", fields: [{ id: "mdm", label: "Push magic", key: "mdm", type: "text", paths: [["mdm"]], wide: true }] },
  custom: { title: "Custom data", map: { path: [], except: ["aps", "fcm_options", "media-attachment-url"], onlyTexts: false } },
};

const typeOf = (name) => TYPES[Object.hasOwn(TYPES, name ?? "") ? name : "alert"];

/** The groups of the form for a push type. */
export const groupsFor = (type) => typeOf(type).groups.map((name) => GROUPS[name]);

/** All fields, for completion without the gateway's schema. */
export const allFields = () => Object.values(GROUPS).flatMap((group) => group.fields ?? []);

/** A topic without the suffix of a push type, which is the app's bundle id. */
export function appOf(topic) {
  const suffix = Object.values(TYPES).map((row) => row.suffix).filter((ending) => ending && topic.endsWith(ending)).sort((a, b) => b.length - a.length)[0];
  return suffix ? topic.slice(0, -suffix.length) : topic;
}

export const topicFor = (app, type) => (app ? app + typeOf(type).suffix : "");

/** The token of a device for a push type; empty if it has none. A Live Activity that runs has another token. */
export function tokenFor(device, type, event = "start") {
  const tokens = device.tokens ?? {};
  const { token: kind } = typeOf(type);
  if (kind !== "liveActivity") return tokens[kind]?.token ?? "";
  const update = Object.values(tokens.liveActivity?.updates ?? {})[0];
  return (event !== "start" && update) || tokens.liveActivity?.start || "";
}

/** What a push of this type begins with. */
export function startingPayload(type, seconds) {
  const payloads = {
    alert: { aps: { alert: { title: "Breakfast is ready", body: "The bread is out of the oven." }, sound: "default" } },
    background: { aps: { "content-available": 1 } },
    liveactivity: { aps: {
      timestamp: seconds, event: "start", "attributes-type": "Trip", attributes: { flight: "PP 42" }, "content-state": { gate: "A1" },
      alert: { title: "Boarding", body: "Go to gate A1." },
    } },
    voip: { aps: {}, caller: "Ann" },
    pushtotalk: { aps: {}, activeSpeaker: "Ann" },
    location: { aps: {} },
    complication: { aps: {}, steps: 4200 },
    fileprovider: { "container-identifier": "NSFileProviderWorkingSetContainerItemIdentifier", domain: "documents" },
    widgets: { aps: { "content-changed": true } },
    controls: { aps: { "content-changed": true } },
    mdm: { mdm: "PUSH-MAGIC" },
  };
  return JSON.stringify(payloads[type] ?? payloads.alert, null, 2);
}
