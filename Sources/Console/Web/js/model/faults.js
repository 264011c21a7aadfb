// Faults in words, and from the fields of a form. Pure: no elements, no calls.

import { SERVICES } from "./summary.js";

const seconds = (value) => (typeof value === "string" ? value
  : value.uniform ? `${value.uniform[0]} to ${value.uniform[1]}` : `about ${value.median}`);

/** What each effect says. A name that is not here is shown as JSON, so that nothing is hidden. */
const EFFECTS = {
  answer: ({ status, reason, recorded }) => (recorded ? `answers Google's ${recorded}` : `answers ${[status, reason].filter(Boolean).join(" ")}`),
  wire: (name) => name,
  delay: (value) => `answers after ${seconds(value)}`,
  silence: () => "never answers",
  close: (way) => (way === "reset" ? "resets the connection" : "closes the connection"),
  blackHole: () => "the connection stays open but is dead",
  reset: (codes) => `resets the stream (${[codes].flat().join(", ")})`,
  goAway: ({ debug }) => `GOAWAY${debug ? `: ${debug}` : ""}`,
  deliver: (count) => (count === 0 ? "is not delivered" : count === 1 ? "is delivered anyway" : `is delivered ${count} times`),
  deliverAfter: (value) => `is delivered after ${seconds(value)}`,
  disconnect: () => "the browser's connection is cut",
  sticky: () => "and so do later requests of the connection",
  streamLimit: (limit) => `stream limit ${limit}`,
  acceptDelay: (value) => `new connections wait ${seconds(value)}`,
  connectionLimit: (limit) => `at most ${limit} connections`,
  tls: (way) => `TLS: ${way}`,
};

export function effectWords(effect) {
  return [effect].flat().flatMap((one) => Object.entries(one)).map(([name, value]) =>
    (EFFECTS[name] ? EFFECTS[name](value) : `${name} ${JSON.stringify(value)}`)).join("; ");
}

/** The names of faults that an effect uses; their rules say what they do. */
export const wireNames = (effect) => [effect].flat().map((one) => one.wire).filter(Boolean);

const ordinal = (n) => `${n}${{ one: "st", two: "nd", few: "rd" }[new Intl.PluralRules("en", { type: "ordinal" }).select(n)] ?? "th"}`;
const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/** Which requests a fault hits, and when: a list of short texts. */
export function conditionWords({ match = {}, nth, every, after, times, per, probability, idle, for: lasts }) {
  const of = per && per !== "gateway" ? ` of each ${per}` : "";
  return [
    ...Object.entries(match).map(([name, value]) => (name === "provider" ? SERVICES[value] ?? shown(value) : `${name} ${shown(value)}`)),
    nth && `only the ${ordinal(nth)} request${of}`,
    every && (every === 1 ? "every request" : `every ${ordinal(every)} request${of}`),
    after && `after ${after} requests${of}`,
    times && (times === 1 ? "once" : `${times} times`),
    probability !== undefined && `${Math.round(probability * 1000) / 10} % of requests`,
    idle && `connections that are idle for ${idle}`,
    lasts && `for ${lasts}`,
  ].filter(Boolean);
}

/**
 * Whether a fault may answer a request that is sent now: it is active, and nothing that is known of the request is against it.
 * @param request `provider`, `token`, `topic` and `apps`, the names that its app has; what is not known is left out
 */
export function mayHit({ state, match = {} }, request) {
  const fits = (name, values) => match[name] === undefined || values.length === 0 || values.includes(match[name]);
  return state === "active" && fits("provider", [request.provider]) && fits("app", (request.apps ?? []).filter(Boolean))
    && ["token", "topic"].every((name) => fits(name, [request[name]].filter(Boolean)));
}

/** Whether a rule is about a fault that somebody has set. */
export const isFault = (rule) => (rule ?? "").startsWith("fault.") && rule !== "fault.magic-token";

const filled = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== "" && value !== undefined && value !== null));
/** The number that a field has; other text stays as it is, so that the API says what is wrong with it. */
const number = (text) => (text === "" ? undefined : Number.isFinite(Number(text)) ? Number(text) : text);

const FROM_FIELDS = {
  answer: ({ status, reason }) => ({ answer: filled({ status: number(status), reason }) }),
  recorded: ({ recorded }) => ({ answer: { recorded } }),
  wire: ({ wire }) => ({ wire }),
  delay: ({ delay }) => ({ delay }),
  silence: () => ({ silence: true }),
  end: () => ({ close: "end" }),
  reset: () => ({ close: "reset" }),
  blackHole: () => ({ blackHole: true }),
};

/** The body of POST /faults for what stands in the form. */
export function faultFromFields(fields) {
  const { kind, deliver, when, count, probability, lasts } = fields;
  const effect = FROM_FIELDS[kind](fields);
  const match = filled({ provider: fields.provider, app: fields.app, token: fields.token, topic: fields.topic });
  return filled({
    effect: deliver ? [effect, { deliver: 1 }] : effect,
    match: Object.keys(match).length ? match : undefined,
    ...(when === "always" ? {} : { [when]: number(count) ?? 1 }),
    probability: number(probability),
    for: lasts,
  });
}
