// What devices did with a push, as far as a person could see it. Pure: no elements, no calls.

/** The rules of an app that was on the screen when the push came. */
const IN_FRONT = new Set(["ios.foreground", "ios.foreground-silent", "android.foreground", "web.visible"]);
const ACTS = new Set(["opened", "dismissed", "action"]);
const isInFront = ({ why, data }) => IN_FRONT.has(why) || data?.state === "active";

/**
 * What each device did, if it showed something or told the app: `entry` is the newest notification, or null if there is
 * none; `isInFront` says whether the app was on the screen.
 */
export function seenOn(events) {
  const devices = new Map();
  for (const event of events) {
    const { device: id, kind, data = {}, why } = event;
    if (!id) continue;
    const seen = devices.get(id) ?? { id, entry: null, why: "", isInFront: false, callbacks: [], badge: null, sound: null, call: false, isReplaced: false, acts: [], app: event.app };
    if (isInFront(event)) seen.isInFront = true;
    if (kind === "callback" && !seen.callbacks.includes(data.name)) seen.callbacks.push(data.name);
    else if (kind === "badge") seen.badge = data.badge;
    else if (kind === "presented" && data.key !== undefined) Object.assign(seen, { entry: data, why });
    else if (kind === "presented") Object.assign(seen, { sound: data.sound ?? seen.sound, call: data.call !== undefined, why });
    else if (kind === "replaced") seen.isReplaced = true;
    else if (ACTS.has(kind)) seen.acts.push(kind);
    else if (kind !== "suppressed") continue;
    devices.set(id, seen);
  }
  return [...devices.values()].filter(({ entry, callbacks, badge, sound, call }) => entry || callbacks.length > 0 || badge !== null || sound || call);
}

/** A sentence about a screen that shows no notification; null if it shows one. */
export function saidOf({ entry, isInFront: inFront, callbacks, badge, sound, call }, platform) {
  if (!entry && callbacks.includes("ack")) return "The browser got the push. Only the browser knows what it has shown.";
  if (!entry && callbacks.includes("push")) return "The service worker got the push. What it shows is up to the site's code.";
  if (entry && !inFront) return null;
  if (entry) return entry.surfaces?.includes("banner") ? null : "No banner was shown. The notification is in Notification Center.";
  const told = [
    callbacks.length > 0 && TOLD[platform === "web" ? "web" : "app"][inFront ? 0 : 1],
    call && "The phone rang.",
    badge !== null && `The badge is now ${badge}.`,
    sound && "A sound was played.",
    !call && "No notification was shown.",
  ];
  return told.filter(Boolean).join(" ");
}

/** Who got the push: while it was on the screen, and otherwise. */
const TOLD = {
  app: ["The app was open and got the push.", "The app's code got the push."],
  web: ["The page was visible and got the push.", "The service worker got the push."],
};
