// One push and its three reports.

import { h, foreign } from "../../core/dom.js";
import { time } from "../../core/format.js";
import { icon } from "../../core/icons.js";
import { href } from "../../core/router.js";
import { ACTIONS, FLAGS, reports, ruleIn } from "../../model/tracking.js";

const STATES = { reported: ["reported", "good"], missing: ["not reported", "bad"], open: ["not yet", ""] };

const label = (id, name) => [h("span", {}, name), h("span", { class: "small muted" }, `action ${id}`)];

/** What the three reports mean. */
export const legend = () => h("div", { class: "stack" },
  h("p", { class: "small muted" }, "An app tells Adobe Campaign what became of a push. Each report is an action, and Adobe gives the actions numbers."),
  h("dl", { class: "legend" }, ACTIONS.map(({ id, name, meaning }) =>
    h("div", {}, h("dt", {}, label(id, name)), h("dd", { class: "muted" }, meaning)))));

export function pushCard(tracked, message, hits) {
  return h("article", { class: "card tracked", "data-push": tracked.push },
    h("div", { class: "spread" },
      h("a", { class: "row head", href: href(["pushes", tracked.push]) },
        message && icon(message.provider === "apns" ? "ios" : "android", 16),
        h("span", { class: "mono muted" }, tracked.push),
        h("b", {}, message ? foreign(message.summary.title || message.summary.body || "empty push", { limit: 120 }) : "deleted push")),
      message && h("span", { class: "small muted" }, foreign(message.app, { limit: 80 }), " · ", foreign(message.target, { limit: 60 }), " · ", time(message.time))),
    reportList(tracked, hits, message?.provider));
}

/** The three reports of a push, and why some are missing. */
export function reportList(tracked, hits, provider) {
  const rule = ruleIn(tracked.why);
  return [h("ol", { class: "reports" }, reports(tracked, hits, provider).map((report) => reportCell(report))),
    tracked.why && h("p", { class: "why" }, h("b", {}, "Why nothing was reported so far: "), sentence(tracked.why),
      rule && [" ", h("a", { href: href(["rules", rule]) }, "What this rule means")])];
}

const sentence = (text) => text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");

function reportCell(report) {
  const { name } = ACTIONS.find(({ id }) => id === report.id);
  const [words, kind] = STATES[report.state];
  const flags = [...new Set(report.hits.flatMap((hit) => hit.flags))];
  return h("li", { class: `report ${report.state}`, "data-action": report.id, "data-state": report.state },
    h("div", { class: "row" }, label(report.id, name),
      h("span", { class: `badge ${kind}` }, report.count > 1 ? `${words} ${report.count} times` : words)),
    report.hits.length > 0 && h("p", { class: "small muted" }, time(report.hits[0].time), report.by && ` ${report.by}`),
    report.text && h("p", { class: "small muted" }, report.text),
    flags.map((flag) => h("p", { class: "small flag" }, FLAGS[flag] ?? flag)));
}
