// What the kinds of events mean, in plain words.

import { actionName } from "./tracking.js";

const SURFACES = {
  banner: "as a banner", lockScreen: "on the lock screen", statusBar: "in the status bar", list: "in the list", sound: "with a sound",
};

const joined = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

/** Where a notification appeared: "as a banner, in the list and with a sound". */
export const surfaceWords = (surfaces = []) => joined(surfaces.map((surface) => SURFACES[surface] ?? surface));

const KINDS = {
  accepted: (data) => `The gateway accepted the push${data.status ? ` (${data.status})` : ""}.`,
  refused: (data) => `The gateway refused the push${data.status ? `: ${data.status} ${data.reason ?? ""}`.trimEnd() : ""}.`,
  stored: (data) => `The push waits for the device${data.outcome ? ` (${data.outcome})` : ""}.`,
  delivered: (data) => `The push reached the device${data.storedFor ? ` after ${Math.round(data.storedFor / 1000)} s` : ""}${data.outcome ? ` (${data.outcome})` : ""}.`,
  dropped: (data) => `The push was dropped${data.outcome ? ` (${data.outcome})` : ""}${data.by ? `; ${data.by} took its place` : ""}.`,
  collapsed: (data) => `A newer push took its place while it waited${data.by ? `: ${data.by}` : ""}.`,
  callback: (data) => `The app's code ran: ${data.name ?? "?"}.`,
  extension: (data) => ({
    started: `The notification service extension started${data.script ? ` (script ${data.script})` : ""}.`,
    finished: "The extension finished.", original: "The extension failed, so the original notification is shown.",
  })[data.phase] ?? "The extension did something.",
  attachment: (data) => ({
    attached: "The file was attached to the notification.", shown: "The image was loaded and is shown.",
    failed: "The file could not be used.", skipped: "The file was not fetched.",
  })[data.outcome] ?? "The phone asked for a file.",
  presented: (data) => data.call ? "The phone rings: the app reported a call."
    : data.activity !== undefined ? `The Live Activity ${activityVerb(data.event)}.`
    : data.key === undefined ? `Only a sound was played: ${data.sound ?? "default"}.`
    : `The notification was shown ${surfaceWords(data.surfaces)}.`,
  suppressed: () => "Nothing was shown, or the app was not woken.",
  replaced: (data) => `A newer notification replaced it${data.by ? `: ${data.by}` : ""}.`,
  badge: (data) => `The badge is now ${data.badge}.`,
  opened: () => "The person opened the notification.",
  dismissed: () => "The person dismissed the notification.",
  action: (data) => `The person used the action ${data.actionId ?? ""}${data.text ? `: ${data.text}` : ""}.`,
  removed: () => "The notification was removed.",
  tracking: (data) => `The app reported ${data.action} (${actionName(data.action).toLowerCase()}) to Adobe Campaign.`,
  state: () => "The state of the device or the app changed.",
  token: (data) => `A token changed${data.cause ? ` (${data.cause})` : ""}.`,
  fault: () => "A fault hit the request.",
};

export function activityVerb(event) {
  return { start: "started", update: "changed", end: "ended" }[event] ?? "changed";
}

/** A sentence about an event. */
export function told(event) {
  return KINDS[event.kind]?.(event.data ?? {}) ?? event.kind;
}

/** What a device did, as the API says it, with this console's word for "presented". */
export const didWords = (did) => did.replace(/^presented\b/, "shown");

/** Where a person changes the state of a device. */
export const PAGE = "the device's page";

const STATES = [
  ["Set permission to authorized", "Set Notifications to Allowed"], ["Set backgroundRefresh to true", "Turn on Background App Refresh"],
  ["Set online to true", "Turn on Online"], ["Set online to false", "Turn off Online"], ["set lowPower and locked to false", "turn off Low Power Mode and Locked"],
];

/** A remedy of a rule for a person with this console: its switches instead of the calls of the API. */
export function inConsole(remedy) {
  const named = STATES.reduce((text, [call, words]) => text.replace(call, words), remedy);
  return named.replace(/ \('\w+' on the device socket, or [^)]*\)|: '\w+' on the device socket, or [^.]*(?=\.)/, ` on ${PAGE}`);
}
