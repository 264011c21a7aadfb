// Which of Adobe's reports came for a push, and what a missing one means. Pure: no elements, no calls.

/** In the order in which they come. What they mean: docs/evidence/device.md, K7 and K8. */
export const ACTIONS = [
  { id: "7", name: "Impression", meaning: "The push reached the app's code." },
  { id: "2", name: "Click", meaning: "The person tapped or dismissed the notification." },
  { id: "1", name: "Open", meaning: "The person tapped the notification, and the app opened." },
];

const OTHERS = { 3: "button 1", 4: "button 2", 5: "button X" };

/** What the action of a hit is, in words. */
export function actionName(action) {
  return ACTIONS.find(({ id }) => id === action)?.name ?? OTHERS[action] ?? `link ${action}`;
}

export const FLAGS = {
  duplicate: "The same report came before.",
  unknownId: "No push has these ids.",
  openWithoutClick: "An opening (1) came without a click (2) before it.",
  link: "A click on a tracked link.",
  noId: "The report lacks an id.",
};

/** Why a report is missing although others came. */
function missing(id, reported, provider) {
  const has = (action) => reported.includes(action);
  if (id === "7") {
    return provider === "apns"
      ? "The app's code did not run when the push arrived. On iOS an impression is reported only in the foreground, or in the background with content-available."
      : "The app's code did not run when the push arrived.";
  }
  if (id === "1" && has("2")) return "The notification was dismissed, or the app has not opened since.";
  if (id === "2" && has("1")) return "The app reported an opening without a click.";
  return "The person has not acted on the notification yet.";
}

/**
 * The three reports of a push: `state` is `reported`, `missing` (it will not come, or should have come) or `open` (it may
 * still come), with the reason in `text`.
 */
export function reports({ reported, expected, why }, hits, provider) {
  return ACTIONS.map(({ id }) => {
    const mine = hits.filter((hit) => hit.action === id);
    const count = reported.filter((action) => action === id).length;
    if (count > 0) {
      const simulated = expected.filter((action) => action === id).length;
      const by = simulated === 0 ? "by a real app" : simulated < count ? "by simulated and real apps" : "";
      return { id, state: "reported", count, by, hits: mine, text: "" };
    }
    if (expected.includes(id)) return { id, state: "missing", count, hits: mine, text: "The simulated app reported it, but no hit came." };
    if (why) return { id, state: "missing", count, hits: mine, text: why };
    if (reported.length === 0) return { id, state: "open", count, hits: mine, text: id === "7" ? "The app has not reported it yet." : "The person has not acted on the notification yet." };
    const text = missing(id, reported, provider);
    return { id, state: text.includes("not acted") ? "open" : "missing", count, hits: mine, text };
  });
}

/** The id of the rule that stands in brackets at the end of a reason. */
export function ruleIn(why) {
  return /\(([a-z][a-z0-9-]*\.[A-Za-z0-9.-]+)\)$/.exec(why ?? "")?.[1] ?? null;
}
