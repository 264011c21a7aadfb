// One phone on the wall.

import { h, foreign, replace } from "../../core/dom.js";
import { appLabel, count } from "../../core/format.js";
import { icon } from "../../core/icons.js";
import { href } from "../../core/router.js";
import { platformName } from "../../model/states.js";
import { notificationCard, stackCard } from "../../preview/card.js";
import { pictureOf } from "../../preview/picture.js";
import { Phone } from "../../preview/phone.js";

const keyOf = ({ size, entries: [{ push, key, time }] }) => `${push} ${key} ${time} ${size}`;

/**
 * A tile can show another device of the same platform later.
 * @param onMenu `onMenu(id, button)` opens the switches of the device
 */
export function tile(row, { clock, onMenu }) {
  const phone = new Phone({ ...looksOf(row, clock), size: "wall" });
  const link = h("a", { class: "tile-name" });
  const facts = h("p", { class: "tile-facts" });
  const menu = h("button", { type: "button", class: "quiet icon tile-menu", "aria-haspopup": "dialog", on: { click: () => onMenu(id, menu) } }, icon("more"));
  const element = h("li", { class: "tile" }, phone.element, h("div", { class: "tile-caption" }, h("div", { class: "tile-names" }, link, facts), menu));
  let id = null;
  let known = null;
  let shown = "";

  function update(next) {
    const before = id === next.id ? known : null;
    const keys = next.stacks.map(keyOf);
    const isChanged = keys.join() !== (known ?? []).join() || (before === null && keys.length > 0);
    phone.update({ ...looksOf(next, clock), ...(isChanged ? { children: cardsOf(next, clock, before) } : {}) });
    known = keys;
    id = next.id;
    const looks = JSON.stringify([id, next.name, next.app, next.state.online, next.installed, next.connected, next.entries, next.badge]);
    if (looks === shown) return;
    shown = looks;
    menu.setAttribute("aria-label", `Switches of ${next.name || next.id}`);
    replace(link, foreign(next.name || next.id, { limit: 60 }));
    link.href = href(["devices", id]);
    link.title = id;
    replace(facts,
      h("span", { class: `dot ${next.state.online ? "on" : "off"}`, role: "img", "aria-label": next.state.online ? "online" : "offline", title: next.state.online ? "Online" : "Offline" }),
      h("span", { class: "visually-hidden" }, platformName(next.platform)),
      next.installed ? appLabel(next.app, { title: next.app }) : h("span", { class: "badge warn" }, "app removed"),
      next.connected && h("span", { class: "badge accent", title: "A client is connected to the device's socket" }, "socket"),
      next.entries > 1 && h("span", { class: "badge", title: "Notifications on the phone" }, count(next.entries)));
  }

  return { element, update };
}

function looksOf({ platform, state, app, badge, installed }, clock) {
  return { platform, state, time: clock.now, app, badge, installed };
}

/** Cards that were not there before slide in. */
function cardsOf(row, clock, known) {
  return row.stacks.map((stack) => {
    const { entries, size } = stack;
    const [entry] = entries;
    const options = { app: row.app, expanded: false, now: clock.now, surface: row.state.locked ? "lockScreen" : "list", picture: entry.image ? pictureOf(entry.image) : null };
    const card = size > 1 ? stackCard(row.platform, entries, size, options) : notificationCard(row.platform, entry, options);
    if (known && !known.includes(keyOf(stack))) card.classList.add("arriving");
    return card;
  });
}
