// The states of a device that a person can switch, with the words for them. docs/devices.md has all of them.

const ALL = ["ios", "android", "web"];
const PHONES = ["ios", "android"];

/** Switches. `name` is the name in the API. */
export const SWITCHES = [
  { name: "online", label: "Online", platforms: ALL },
  { name: "locked", label: "Locked", platforms: PHONES },
  { name: "focus", label: "Focus", platforms: ["ios"] },
  { name: "focus", label: "Do Not Disturb", platforms: ["android"] },
  { name: "lowPower", label: "Low Power Mode", platforms: ["ios"] },
  { name: "backgroundRefresh", label: "Background App Refresh", platforms: ["ios"] },
  { name: "doze", label: "Doze", platforms: ["android"] },
  { name: "forceStopped", label: "App force-stopped", platforms: ["android"] },
  { name: "directBoot", label: "Not unlocked since it was switched on", platforms: ["android"] },
];

export const switchesOf = (platform) => SWITCHES.filter((row) => row.platforms.includes(platform));

const APP = {
  ios: [["foreground", "In the foreground"], ["background", "In the background"], ["suspended", "Suspended"], ["terminated", "Ended by the system"], ["forceQuit", "Force-quit by the user"]],
  android: [["foreground", "In the foreground"], ["background", "In the background"], ["terminated", "Ended by the system"], ["forceQuit", "Swiped away"]],
  web: [["foreground", "Page is visible"], ["background", "Page is hidden"], ["terminated", "Browser is closed"]],
};
const PERMISSION = [["authorized", "Allowed"], ["provisional", "Provisional (quiet)"], ["notDetermined", "Not asked yet"], ["denied", "Denied"]];

/** Choices: `[{name, label, options: [[value, label]]}]`. */
export function choicesOf(platform) {
  const permissions = platform === "ios" ? PERMISSION : PERMISSION.filter(([value]) => value !== "provisional");
  return [
    { name: "app", label: platform === "web" ? "Browser" : "App", options: APP[platform] },
    { name: "permission", label: "Notifications", options: permissions },
  ];
}

export const PLATFORMS = [["ios", "iPhone"], ["android", "Android"], ["web", "Browser"]];
export const platformName = (platform) => PLATFORMS.find(([value]) => value === platform)?.[1] ?? platform;
