// What a person does with the app and the phone as a whole.

import { h } from "../../core/dom.js";

const ACTS = [
  { kind: "launch", label: "Open the app", isFor: (device) => device.installed },
  { kind: "forceQuit", label: "Force-quit", isFor: (device) => device.installed },
  { kind: "clearAll", label: "Clear all", isFor: () => true },
  { kind: "uninstall", label: "Remove the app", isFor: (device) => device.installed },
  { kind: "install", label: "Install the app", isFor: (device) => !device.installed },
];
/** Android calls it otherwise; there, "force-stop" is something else. A site is not installed, and a browser is closed. */
const LABELS = { android: { forceQuit: "Swipe away" }, web: { launch: "Open the page", forceQuit: "Close the browser", uninstall: "Remove the site", install: "Visit the site again" } };

export function actionBar({ onAct, onDelete }) {
  const buttons = ACTS.map((act) => ({ ...act, button: h("button", { type: "button", "data-act": act.kind, on: { click: () => onAct({ kind: act.kind }) } }, act.label) }));
  const element = h("div", { class: "row acts", role: "group", "aria-label": "What the person does" },
    buttons.map(({ button }) => button),
    h("button", { type: "button", class: "quiet danger", on: { click: onDelete } }, "Delete the device"));
  function update(device) {
    for (const { kind, label, isFor, button } of buttons) {
      button.hidden = !isFor(device);
      button.textContent = LABELS[device.platform]?.[kind] ?? label;
      if (kind === "clearAll") button.disabled = device.shade.length === 0;
    }
  }
  return { element, update };
}
