// The tokens of a device as a list.

const LABELS = {
  apns: "APNs token", voip: "VoIP token", ptt: "Push to Talk token", location: "Location token", complication: "Complication token",
  fileprovider: "File provider token", widgets: "Widgets token",
};

/** `[{id, label, token, facts, change}]`; `change` is what POST /devices/{id}/tokens takes besides `op`. */
export function tokensOf({ tokens, subscription }) {
  const rows = [];
  const { apns, fcm, liveActivity, ...others } = tokens;
  const apple = (kind, { token, environment, topic }) => rows.push({
    id: kind, label: LABELS[kind] ?? `${kind} token`, token, facts: [environment, topic && `topic ${topic}`].filter(Boolean),
    change: { provider: "apns", ...(kind === "apns" ? {} : { kind }) },
  });
  if (apns) apple("apns", apns);
  if (fcm) {
    rows.push({
      id: "fcm", label: "FCM token", token: fcm.token, change: { provider: "fcm" },
      facts: [fcm.project && `project ${fcm.project}`, `sender ${fcm.senderId}`, `installation ${fcm.fid}`].filter(Boolean),
    });
  }
  if (subscription) {
    const { endpoint, keys, pushService } = subscription;
    rows.push({
      id: "subscription", label: "Push subscription", change: null, token: JSON.stringify({ endpoint, keys }),
      facts: [`answers like the push service of ${{ google: "Google", mozilla: "Mozilla", apple: "Apple" }[pushService] ?? pushService}`, "for libraries of web push"],
    });
  }
  for (const [kind, value] of Object.entries(others)) if (value?.token) apple(kind, value);
  const facts = liveActivity?.topic ? [`topic ${liveActivity.topic}`] : [];
  if (liveActivity?.start) rows.push({ id: "liveActivity", label: "Token that starts Live Activities", token: liveActivity.start, facts, change: null });
  for (const [type, token] of Object.entries(liveActivity?.updates ?? {})) rows.push({ id: `liveActivity ${type}`, label: `Live Activity ${type}`, token, facts, change: null });
  return rows;
}
