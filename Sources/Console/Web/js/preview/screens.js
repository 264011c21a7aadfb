// What lies behind the notifications: the lock screen, the home screen, the app, or a browser's page.

import { h, foreign } from "../core/dom.js";
import { appIcon, nameOf } from "./parts.js";
import { browserMarks, clockText } from "./statusbar.js";

const day = new Intl.DateTimeFormat(undefined, { weekday: "long", month: "long", day: "numeric" });
const OTHER_APPS = 7;

const isRunning = ({ state = {} }) => state.app !== "terminated" && state.app !== "forceQuit";

/** Whether the app fills the screen. */
export const showsApp = ({ platform, state = {}, installed }) => platform !== "web" && !state.locked && state.app === "foreground" && installed !== false;

export function background(options) {
  if (options.platform === "web") return browser(options);
  if (options.state?.locked) return lockScreen(options);
  return showsApp(options) ? appScreen(options) : homeScreen(options);
}

function lockScreen({ time, state }) {
  return h("div", { class: "phone-lock" },
    h("span", { class: "phone-day" }, day.format(new Date(time ?? Date.now()))),
    h("span", { class: "phone-time" }, clockText(time)),
    state.directBoot && h("span", { class: "phone-hint" }, "Not unlocked since the phone was switched on"));
}

/** What a person reads below the icon of an app that is not in front. */
const PHASES = { terminated: "not running", forceQuit: "force-quit", suspended: "suspended" };
const phaseOf = (platform, { app }) => (platform === "android" && app === "forceQuit" ? "swiped away" : PHASES[app]);

/** The app's icon on the home screen, with its badge. */
export function homeIcon({ platform, app, appName, badge, installed, state = {} }) {
  return h("span", { class: `phone-app ${installed === false ? "gone" : ""}` },
    h("span", { class: "phone-icon" }, appIcon(app, { appName }),
      badge > 0 && h("span", { class: "phone-badge", role: "img", "aria-label": `badge ${badge}` }, badge > 9999 ? "9999+" : String(badge))),
    foreign(appName || nameOf(app), { class: "phone-label", limit: 40 }),
    (installed === false || PHASES[state.app]) && h("span", { class: "phone-phase" }, installed === false ? "removed" : phaseOf(platform, state)));
}

function homeScreen(options) {
  return h("div", { class: "phone-home" },
    h("div", { class: "phone-apps" }, homeIcon(options), Array.from({ length: OTHER_APPS }, other)),
    h("div", { class: "phone-dock", "aria-hidden": "true" }, Array.from({ length: 4 }, other)));
}

const other = () => h("i", { "aria-hidden": "true" });

function appScreen({ app, appName }) {
  const lines = Array.from({ length: 5 }, () => h("span", { class: "phone-row" }, h("span", { class: "phone-other" }), h("span", { class: "phone-line" }), h("span", { class: "phone-line short" })));
  return h("div", { class: "phone-front" },
    h("div", { class: "phone-front-head" }, appIcon(app, { appName }), h("span", {}, foreign(appName || nameOf(app), { limit: 40, class: "phone-front-name" }), h("span", { class: "phone-front-hint" }, "in the foreground"))),
    h("div", { "aria-hidden": "true", class: "phone-rows" }, lines));
}

function browser(options) {
  const { app, state = {}, time } = options;
  const page = isRunning(options)
    ? [h("span", { class: "phone-front-name" }, foreign(nameOf(app), { limit: 80 })),
      h("span", { class: "phone-front-hint" }, state.app === "foreground" ? "the page is visible" : "the page is in a tab behind another"),
      h("div", { "aria-hidden": "true", class: "phone-rows" }, Array.from({ length: 6 }, () => h("span", { class: "phone-line" })))]
    : h("span", { class: "phone-hint" }, "The browser is closed");
  return h("div", { class: `phone-browser ${isRunning(options) ? "" : "closed"}` },
    h("div", { class: "phone-tabs", "aria-hidden": "true" }, h("i"), h("i"), h("i"), h("span", { class: "phone-tab" }, foreign(nameOf(app), { limit: 40 })), h("span", { class: "phone-tab-time" }, clockText(time))),
    h("div", { class: "phone-address" }, h("span", { class: "phone-url" }, foreign(app ?? "", { limit: 80 })), browserMarks(state)),
    h("div", { class: "phone-page" }, page));
}
