// What one device shows of a push, with the facts that a picture can't show.

import { h, foreign } from "../../core/dom.js";
import { icon } from "../../core/icons.js";
import { href } from "../../core/router.js";
import { ruleLink } from "../../model/rulebook.js";
import { surfaceWords } from "../../model/words.js";
import { saidOf } from "../../model/seen.js";
import { appleFacts, wouldShow } from "../../model/would.js";
import { stage } from "../../preview/stage.js";
import { pictureFor } from "./pictures.js";

/** @param seen a device of `seenOn`, with its platform */
export function deviceSection(record, seen, look) {
  const { id, platform, entry } = seen;
  const { message } = record;
  const device = record.devices.get(id) ?? { device: id, did: "" };
  const missing = device.missingImage;
  const facts = platform === "ios" ? appleFacts(message) : {};
  // A phone without the image shows none; the place of it says why.
  const drawn = entry && missing && !entry.image ? { ...entry, image: wouldShow(message).find((would) => would.platform === platform)?.entry.image } : entry;
  const said = ["app", "quiet"].includes(look) ? saidOf(seen, platform) : null;
  const options = { app: seen.app ?? message.app, level: facts.level, badge: seen.badge ?? 0, said, time: entry?.time ?? message.time, now: Date.parse(entry?.time),
    ...(drawn && pictureFor(message, platform, drawn, missing)) };
  return h("section", { class: "shown", "aria-label": `On ${device.name || id}` },
    stage(platform, look, said ? null : drawn, options),
    h("div", { class: "shown-facts" },
      h("h2", {}, icon(platform, 18), h("a", { href: href(["devices", id]) }, foreign(device.name || id, { limit: 80 }))),
      h("dl", { class: "push-values" }, rows({ ...seen, entry: entry ?? {}, device, facts }).filter(Boolean).map(([name, ...value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))))));
}

const text = (value) => foreign(String(value), { limit: 200 });

function rows({ platform, entry, why, device, facts, badge, callbacks, isInFront, isReplaced, acts }) {
  const missing = device.missingImage;
  return [
    ["result", text(device.did)],
    isInFront && [platform === "web" ? "page" : "app", platform === "web" ? "visible" : "in the foreground"],
    entry.key && ["shown", entry.surfaces?.length ? surfaceWords(entry.surfaces) : entry.sound ? "only a sound" : "", " ", why && ruleLink(why)],
    missing && ["image", h("span", { class: "badge warn" }, "none"), " ", text(missing.reason), ". ", h("span", { class: "muted" }, missing.remedy ?? ""), " ", ruleLink(missing.rule)],
    badge !== null && ["badge", h("span", { class: "app-badge" }, String(badge))],
    (entry.sound || facts.sound) && ["sound", entry.sound ? text(entry.sound) : h("span", { class: "muted" }, "not played")],
    facts.level && ["interruption level", text(facts.level)],
    entry.group && [platform === "android" ? "channel" : "thread", text(entry.group)],
    entry.category && ["category", text(entry.category)],
    entry.actions?.length > 0 && ["actions", entry.actions.map(({ title, id: action }) => h("span", { class: "badge" }, foreign(title || action, { limit: 60 })))],
    entry.key && !/^n\d+$/.test(entry.key) && [platform === "ios" ? "collapse id" : "tag", text(entry.key)],
    entry.icon && ["small icon", text(entry.icon)], entry.color && ["color", text(entry.color)],
    callbacks.length > 0 && ["the app's code", h("span", { class: "mono" }, callbacks.join(", "))],
    isReplaced && ["later", "a newer notification replaced it"],
    acts.length > 0 && ["the person", acts.join(", ")],
  ];
}
