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
  duplicate: "It repeats an earlier report.",
  unknownId: "No push has these ids.",
  openWithoutClick: "An open (1) came without a click (2) before it.",
  link: "A click on a tracked link.",
  noId: "The report has no id.",
};

/**
 * Reasons that are only about the arrival: a person may still tap the notification. The first row that begins a reason
 * counts; the actions in it may still come.
 */
const STILL_POSSIBLE = [
  ["the push has not reached the app", ["7", "2", "1"]], ["the push is held", ["7", "2", "1"]],
  ["the app was force-quit", ["2", "1"]], ["Background App Refresh is off", ["2", "1"]],
  ["the app was not in the foreground", ["2", "1"]], ["Firebase's code showed", ["2", "1"]],
];

const NOT_RUN = "The app's code did not run when the push arrived.";
const NOT_RUN_ON_IOS = `${NOT_RUN} On iOS an impression is reported only in the foreground, or in the background with content-available.`;
const NOT_ACTED = "The person has not acted on the notification yet.";

/** What an action that nobody has reported means: its state and a reason, given what else was reported. */
function absent(id, { reported, expected, why }, provider) {
  const has = (action) => reported.includes(action);
  if (expected.includes(id)) return ["missing", "The simulated app reported it, but no hit came."];
  if (why) {
    const possible = STILL_POSSIBLE.find(([beginning]) => why.startsWith(beginning))?.[1] ?? [];
    return possible.includes(id) ? ["open", id === "7" ? "" : NOT_ACTED] : ["missing", ""];
  }
  if (id === "7") return reported.length ? ["missing", provider === "apns" ? NOT_RUN_ON_IOS : NOT_RUN] : ["open", "The app has not reported it yet."];
  if (id === "2" && has("1")) return ["missing", "The app reported an open without a click."];
  if (id === "1" && has("2")) return ["missing", "The notification was dismissed, or the app has not opened since."];
  return ["open", NOT_ACTED];
}

/**
 * The three reports of a push: `state` is `reported`, `missing` (it will not come, or should have come) or `open` (it may
 * still come), with a reason in `text` unless `why` is the reason.
 */
export function reports(tracked, hits, provider) {
  return ACTIONS.map(({ id }) => {
    const mine = hits.filter((hit) => hit.action === id);
    const count = tracked.reported.filter((action) => action === id).length;
    if (count === 0) {
      const [state, text] = absent(id, tracked, provider);
      return { id, state, count, by: "", hits: mine, text };
    }
    const simulated = tracked.expected.filter((action) => action === id).length;
    const by = simulated === 0 ? "by a real app" : simulated < count ? "by simulated and real apps" : "";
    return { id, state: "reported", count, by, hits: mine, text: "" };
  });
}

/** The id of the rule that stands in brackets at the end of a reason. */
export function ruleIn(why) {
  return /\(([a-z][a-z0-9-]*\.[A-Za-z0-9.-]+)\)$/.exec(why ?? "")?.[1] ?? null;
}
