// What a rule belongs to, and which rules match a filter. Pure: no elements, no calls.

/** Services, with the first parts of ids that belong to them. */
export const SERVICES = [
  { id: "apns", label: "APNs", prefixes: ["apns", "aps", "alert", "background", "live-activity", "payload"] },
  { id: "fcm", label: "FCM", prefixes: ["fcm", "iid", "oauth"] },
  { id: "ios", label: "iOS", prefixes: ["ios", "person"] },
  { id: "android", label: "Android", prefixes: ["android", "person"] },
  { id: "web", label: "Web", prefixes: ["web", "person"] },
  { id: "media", label: "Media", prefixes: ["media", "fetch"] },
  { id: "adobe", label: "Adobe", prefixes: ["adobe"] },
  { id: "fault", label: "Faults", prefixes: ["fault"] },
];
const KNOWN = new Set(SERVICES.flatMap(({ prefixes }) => prefixes));
/** Everything else: HTTP, the gateway itself, the control API. */
SERVICES.push({ id: "gateway", label: "Gateway", prefixes: [] });

export const EFFECTS = [
  { id: "refusal", label: "Refuses", meaning: "The request gets this status." },
  { id: "finding", label: "Finding", meaning: "A warning or note about an accepted push." },
  { id: "event", label: "Event", meaning: "Something that happened to a push or a phone." },
  { id: "fault", label: "Fault", meaning: "A failure that you have set up." },
];

export const EVIDENCE = [
  { id: "documented", label: "Documented", meaning: "The vendor's documentation says so." },
  { id: "observed", label: "Observed", meaning: "Seen in a real service, phone or client." },
  { id: "assumed", label: "Assumed", meaning: "There is no record. It follows from other facts." },
  { id: "ours", label: "Ours", meaning: "Pushpit decided this." },
];

export const effectOf = ({ effect }) => (/^\d/.test(effect) ? "refusal" : effect);

/** Whether a rule refuses only what Apple accepts. */
export const isOnlyStrict = ({ severity }) => severity.strict === "refused" && severity.service !== "refused";

/** What a rule says, with `remedy` unless that is false, and without the sentences that stand in `said` already. */
export function explained(rule, { remedy = true, said = "" } = {}) {
  const checks = rule.checks.split(/(?<=\.) /).filter((sentence) => !said.includes(sentence));
  return [...checks, remedy && rule.remedy !== "No action is needed." && rule.remedy].filter(Boolean).join(" ");
}

export function servicesOf({ id }) {
  const prefix = id.slice(0, id.indexOf("."));
  if (!KNOWN.has(prefix)) return ["gateway"];
  return SERVICES.filter(({ prefixes }) => prefixes.includes(prefix)).map((service) => service.id);
}

/** @param filters `{text, service, effect, evidence}`; what is empty matches everything */
export function matches(rule, { text = "", service, effect, evidence }) {
  if (service && !servicesOf(rule).includes(service)) return false;
  if (effect && effectOf(rule) !== effect) return false;
  if (evidence && rule.evidence !== evidence) return false;
  const whole = `${rule.id} ${rule.effect} ${rule.checks} ${rule.remedy}`.toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => whole.includes(word));
}
