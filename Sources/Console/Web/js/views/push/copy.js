// "Copy as": the push as a command, a file, or source code.

import { h } from "../../core/dom.js";
import { get } from "../../core/api.js";
import { icon } from "../../core/icons.js";
import { attempt, copy } from "../../core/notice.js";

const APNS = "apns";
const FCM = "fcm";
/** The value of `as`, its label, and the provider if only its pushes can be written so. */
const FORMS = [
  ["curl", "curl command"], ["apns", ".apns file"], ["fcm", "FCM message (JSON)"],
  ["firebase-admin", "Python: firebase-admin", FCM], ["aioapns", "Python: aioapns", APNS], ["node", "Node.js: http2"],
  ["simctl", "simctl (Apple's simulator)"], ["adb", "adb (Android emulator)", FCM],
];

export function copyMenu(message) {
  const items = FORMS.filter(([, , provider]) => !provider || provider === message.provider).map(([as, label]) =>
    h("button", { type: "button", role: "menuitem", tabindex: "-1", class: "quiet", on: { click: () => {
      close(true);
      attempt(async () => copy(await text(message, as), `Copied as ${label}`));
    } } }, label));
  const menu = h("div", { role: "menu", class: "copy-menu", "aria-label": "Copy as", hidden: true }, items);
  const button = h("button", { type: "button", "aria-haspopup": "menu", "aria-expanded": "false", on: { click: () => (menu.hidden ? open() : close(true)) } },
    icon("copy", 15), "Copy as…");
  const element = h("div", { class: "menu-box" }, button, menu);

  function open() {
    menu.hidden = false;
    button.setAttribute("aria-expanded", "true");
    items[0].focus();
  }

  function close(focuses) {
    menu.hidden = true;
    button.setAttribute("aria-expanded", "false");
    if (focuses) button.focus();
  }

  element.addEventListener("keydown", (event) => {
    if (menu.hidden) return;
    const at = items.indexOf(document.activeElement);
    const next = { ArrowDown: (at + 1) % items.length, ArrowUp: (at + items.length - 1) % items.length, Home: 0, End: items.length - 1 }[event.key];
    if (next === undefined && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") close(true);
    else items[next].focus();
  });
  element.addEventListener("focusout", (event) => {
    if (!element.contains(event.relatedTarget)) close(false);
  });
  return element;
}

async function text(message, as) {
  const given = await get(`/messages/${encodeURIComponent(message.id)}/export?as=${as}`);
  return typeof given === "string" ? given : JSON.stringify(given, null, 2);
}
