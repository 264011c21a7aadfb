// Events of a device in words.

/** The word for each kind, and how its badge looks. */
export const KINDS = {
  accepted: ["accepted"], refused: ["refused", "bad"], stored: ["waiting", "note"], delivered: ["delivered"], dropped: ["dropped", "warn"],
  collapsed: ["replaced while waiting", "warn"], callback: ["app’s code"], extension: ["extension"], attachment: ["file"], presented: ["shown", "good"],
  suppressed: ["not shown", "warn"], replaced: ["replaced"], removed: ["removed"], badge: ["badge"], opened: ["opened", "accent"],
  dismissed: ["dismissed", "accent"], action: ["action", "accent"], tracking: ["tracking", "note"], registered: ["made"], unregistered: ["gone", "warn"],
  state: ["state"], token: ["token"], subscribed: ["subscribed"], unsubscribed: ["unsubscribed"], fault: ["fault", "warn"], clock: ["clock"],
};

const WORDS = {
  accepted: (data) => data.outcome,
  refused: (data) => [data.status, data.reason].filter(Boolean).join(" "),
  stored: (data) => data.outcome,
  delivered: (data) => data.outcome,
  dropped: (data) => data.outcome,
  collapsed: (data) => data.by && `by ${data.by}`,
  callback: (data) => data.name,
  extension: (data) => [data.script, data.phase].filter(Boolean).join(" "),
  attachment: (data) => [data.outcome, data.url, data.message].filter(Boolean).join(" · "),
  presented: (data) => [data.title || data.body || data.activity || data.call || data.sound, (data.surfaces ?? []).join(", ")].filter(Boolean).join(" · "),
  replaced: (data) => data.by && `by ${data.by}`,
  removed: (data) => data.activity ?? (data.count !== undefined ? `${data.count} notifications` : ""),
  badge: (data) => String(data.badge ?? ""),
  opened: (data) => data.notification,
  dismissed: (data) => data.notification,
  action: (data) => [data.actionId, data.text && `“${data.text}”`].filter(Boolean).join(" "),
  tracking: (data) => [`report ${data.action}`, data.broadlogId].filter(Boolean).join(" · "),
  state: (data) => Object.entries(data).map(([name, value]) => `${name}: ${value}`).join(", "),
  token: (data) => [data.kind ?? data.provider, data.cause].filter(Boolean).join(" · "),
  subscribed: (data) => data.topic ?? data.channel,
  unsubscribed: (data) => data.topic ?? data.channel,
};

/** What an event says besides its kind; may be empty. */
export function aboutEvent({ kind, data = {} }) {
  const said = WORDS[kind]?.(data);
  return typeof said === "string" ? said : "";
}

/** The FCM topics that a device is subscribed to, as far as these events (in order) tell. */
export function topicsOf(events) {
  const topics = new Set();
  for (const { kind, why, data } of events) {
    if (kind === "subscribed" && data.topic) topics.add(data.topic);
    else if (kind === "unsubscribed" && data.topic) topics.delete(data.topic);
    else if (kind === "unregistered" || (kind === "token" && why === undefined && data.cause === "install")) topics.clear();
  }
  return [...topics].sort();
}
