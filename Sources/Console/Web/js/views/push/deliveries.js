// The devices that a push was for, and what each did with it.

import { h, foreign, replace } from "../../core/dom.js";
import { count, plural } from "../../core/format.js";
import { icon } from "../../core/icons.js";
import { attempt } from "../../core/notice.js";
import { href } from "../../core/router.js";
import { VirtualList } from "../../core/virtual.js";
import { isDryRun } from "../../model/summary.js";
import { remedyText, ruleLink } from "../../model/rulebook.js";

const FEW = 50;
const ROW_HEIGHT = 40;

export function deliveriesTab(record) {
  const element = h("div", { class: "stack" });
  let list = null;

  function draw() {
    const rows = rowsOf(record);
    if (rows.length === 0) return replace(element, h("p", { class: "empty" }, reasonForNone(record.message)));
    if (rows.length <= FEW) return replace(element, h("ul", { class: "deliveries" }, rows.map(card)));
    if (!list) {
      list = new VirtualList({ height: ROW_HEIGHT, label: "Devices of this push", make: () => h("div", { class: "delivery-row", role: "option" }), fill });
      list.element.classList.add("delivery-rows");
      list.summary = h("div", { class: "spread" });
      replace(element, list.summary, list.element);
    }
    list.items = rows;
    list.update(rows.length);
    replace(list.summary, h("p", {}, summary(rows)), record.hasMore && h("button", { type: "button", on: { click: readAll } }, "Read the rest"));
  }

  function fill(row, index) {
    const { id, name, platform, did } = list.items[index] ?? {};
    if (id === undefined) return;
    replace(row, icon(platform ?? "devices", 16), h("a", { href: href(["devices", id]) }, foreign(name || id, { limit: 80 })),
      did ? h("span", { class: "clip" }, did) : h("span", { class: "muted" }, "not read yet"));
  }

  /** Reads all events of a message for many devices, page by page. */
  function readAll() {
    attempt(async () => {
      while (record.hasMore && element.isConnected) {
        await record.more();
        draw();
      }
    });
  }

  draw();
  return { element, update: draw, close: () => list?.close() };
}

/** Every device: those with events, and those that the message names beside them. */
function rowsOf({ message, devices }) {
  const ids = new Set([...devices.keys(), ...message.devices]);
  return [...ids].map((id) => ({ id, ...devices.get(id) }));
}

function summary(rows) {
  const words = new Map();
  for (const { did } of rows) {
    const word = (did ?? "not read yet").split(":")[0];
    words.set(word, (words.get(word) ?? 0) + 1);
  }
  return `${plural(rows.length, "device")}: ${[...words].map(([word, number]) => `${count(number)} ${word}`).join(", ")}.`;
}

export function reasonForNone(message) {
  if (message.outcome === "refused") return "No device got this push, because it was refused.";
  if (isDryRun(message)) return "FCM only validated this message. No device gets it.";
  if (message.target.topic !== undefined) return "No device is subscribed to this topic.";
  if (message.target.condition !== undefined) return "No device matches this condition.";
  if (message.target.channel !== undefined) return "No device is subscribed to this channel.";
  return "No device got this push.";
}

function card({ id, name, platform, did, remedy, missingImage }) {
  return h("li", { class: "card delivery" },
    h("div", { class: "row" }, icon(platform ?? "devices", 18),
      h("a", { href: href(["devices", id]) }, h("strong", {}, foreign(name || id, { limit: 80 }))), name && name !== id && foreign(id, { class: "muted", limit: 80 })),
    h("p", {}, foreign(did ?? "Nothing is known yet.", { limit: 500 })),
    remedy && h("p", { class: "muted" }, remedyText(remedy, id)),
    missingImage && h("p", {}, h("span", { class: "badge warn" }, "no image"), " ", foreign(missingImage.reason, { limit: 500 }), ". ",
      h("span", { class: "muted" }, missingImage.remedy ?? ""), " ", ruleLink(missingImage.rule)));
}
