// The head of a push: its title, target and outcome, and what can be done with it.

import { h, foreign, replace } from "../../core/dom.js";
import { post, remove, query } from "../../core/api.js";
import { plural, time } from "../../core/format.js";
import { icon } from "../../core/icons.js";
import { attempt, copy, notice } from "../../core/notice.js";
import { go, href, parse } from "../../core/router.js";
import { Outcomes } from "../../model/outcomes.js";
import { isFault } from "../../model/faults.js";
import { ruleLink, rulebook } from "../../model/rulebook.js";
import { isOnlyStrict } from "../../model/rules.js";
import { isDryRun, SERVICES, summaryOf, targetOf, VALIDATED, worst } from "../../model/summary.js";
import { faultNote } from "../compose/answer.js";
import { copyMenu } from "./copy.js";

export function head(record, { onClose }) {
  const facts = h("div", { class: "push-facts" });
  const title = h("h1");
  const note = h("div", { class: "push-note" });
  const element = h("header", { class: "push-head" });

  function build({ message } = record) {
    replace(element,
      h("div", { class: "push-title" }, title, h("button", { type: "button", class: "quiet icon", "aria-label": "Close", on: { click: onClose } }, icon("close"))),
      facts, note,
      h("div", { class: "row push-actions" },
        // Only its sender can sign a web push.
        message.provider !== "webpush" && [
          h("button", { type: "button", on: { click: () => sendAgain(message) } }, icon("send", 15), "Send again"),
          copyMenu(message),
          h("a", { class: "button", href: href(["compose"], new URLSearchParams({ from: message.id })), title: "Change it and send it as a new push" }, icon("compose", 15), "Edit"),
        ],
        h("button", { type: "button", class: "quiet", title: "Copy the address of this view", on: { click: () => copy(location.href, "Copied the link") } }, icon("link", 15), "Link"),
        h("button", { type: "button", class: "quiet danger", on: { click: () => deletePush(message, onClose) } }, icon("trash", 15), "Delete")));
  }

  return { element, update() {
    const { message } = record;
    if (!element.firstChild) build();
    if (!note.firstChild) explain(message, note);
    const summary = summaryOf(message);
    replace(title, foreign(summary.title || summary.body, { limit: 200 }));
    replace(facts, badges(record), h("p", { class: "muted push-where" },
      h("span", {}, SERVICES[message.provider]), dot(), message.app && [foreign(message.app, { limit: 120 }), dot()], target(message), dot(), time(message.time), dot(), h("span", { class: "mono" }, message.id)));
  } };
}

/** Why the answer is not that of the real service, if it is not. */
async function explain({ outcome, why, provider, reason }, note) {
  if (provider === "webpush" && reason) return replace(note, h("p", {}, "The service says: ", foreign(reason, { limit: 400 })));
  if (isFault(why)) return replace(note, faultNote());
  const rule = outcome === "refused" && (await rulebook()).get(why);
  if (rule && isOnlyStrict(rule)) {
    replace(note, h("p", {}, "Apple would accept this push. This gateway refuses it because its profile is strict. Start it with ",
      h("code", {}, "--validation service"), " to accept what Apple accepts."));
  }
}

const dot = () => h("span", { "aria-hidden": "true" }, "·");

function target(message) {
  const text = targetOf(message);
  const isDevice = message.devices.length === 1 && text === message.devices[0];
  return isDevice ? h("a", { href: href(["devices", text]) }, foreign(text, { limit: 80 })) : foreign(text, { limit: 200 });
}

function badges({ message, events }) {
  const found = worst(message.findings);
  const isRefused = message.outcome === "refused";
  const answer = `${isRefused ? "Refused" : "Accepted"}: ${message.status || "no answer"}${message.reason && message.provider !== "webpush" ? ` ${message.reason}` : ""}`;
  const outcomes = new Outcomes();
  events.forEach((event) => outcomes.add(event));
  const badge = outcomes.badge(message.id);
  return h("div", { class: "row" },
    h("span", { class: `badge ${isRefused ? "bad" : "good"}` }, answer),
    message.why && (isRefused || message.status !== 200) && ruleLink(message.why),
    isDryRun(message) ? h("span", { class: "badge note" }, VALIDATED) : badge && h("span", { class: `badge ${badge.kind}` }, badge.text),
    found && h("span", { class: `badge ${{ error: "bad", warning: "warn", note: "note" }[found.severity]}` }, plural(message.findings.length, "finding")));
}

async function sendAgain(message) {
  await attempt(async () => {
    const sent = await post(`/messages/${encodeURIComponent(message.id)}/send`);
    notice(`Sent again as ${sent.id}: ${sent.outcome}${sent.reason ? `, ${sent.status} ${sent.reason}` : ""}.`);
    go(["pushes", sent.id], parse().query);
  });
}

/** Asks, and deletes the push. No other message has the number of its event. */
function deletePush(message, onClose) {
  const dialog = h("dialog", { "aria-label": "Delete", on: { close: () => dialog.remove() } },
    h("form", { method: "dialog", class: "stack" },
      h("h2", {}, `Delete the push ${message.id}?`),
      h("p", {}, "Its events are deleted too. What devices show does not change."),
      h("div", { class: "row" },
        h("button", { class: "primary", on: { click: () => attempt(async () => {
          await remove(`/messages${query({ since: message.seq - 1, until: message.seq })}`);
          document.dispatchEvent(new CustomEvent("pushpit:missed"));
          onClose();
        }) } }, "Delete"),
        h("button", {}, "Cancel"))));
  document.body.append(dialog);
  dialog.showModal();
}
