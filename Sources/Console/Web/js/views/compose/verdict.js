// What the service says to the draft: one line that can always be seen, and the findings with their places.

import { foreign, h, replace } from "../../core/dom.js";
import { plural } from "../../core/format.js";
import { href } from "../../core/router.js";
import { placesIn } from "../../model/compose/fcm.js";
import { follow, place, tokens } from "../../model/json/parse.js";

const KINDS = { error: "bad", warning: "warn", note: "note" };

export const ruleLink = (rule) => rule && h("a", { href: href(["rules", rule]), class: "mono" }, rule);

/** The findings of a check with their offsets in the text; a place outside of the JSON has none. */
export function located(answer, text, root) {
  const at = (path) => (root ? follow(root, path).from : null);
  const rows = answer.findings.map((finding) => ({
    ...finding, offset: finding.path.startsWith("/") ? at(tokens(finding.path)) : null,
  }));
  // Google's sentences name places, which are no findings.
  for (const { path, text: message } of placesIn(answer.answer)) rows.push({ rule: answer.rule, severity: "error", path: `/${path.join("/")}`, message, offset: at(path) });
  const isSaid = rows.some((row) => row.rule === answer.rule);
  if (answer.outcome === "refused" && !isSaid) rows.unshift({ rule: answer.rule, severity: "error", path: "", message: answer.message, offset: null });
  const order = Object.keys(KINDS);
  rows.sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
  return rows.map((row) => ({ ...row, line: row.offset === null ? null : place(text, row.offset).line }));
}

/** The bar: whether it would be accepted, the status, the reason, whether a fault may answer, and how many findings there are. */
export function showVerdict(element, { answer, error, open, rows, mayFail }) {
  if (open) return replace(element, h("span", { class: "badge warn" }, "Not checked"), h("span", { class: "clip" }, open));
  if (error) return replace(element, h("span", { class: "badge bad" }, "Not JSON"), h("span", { class: "clip" }, error));
  if (!answer) return replace(element, h("span", { class: "badge" }, "Checking…"));
  const isGood = answer.outcome === "accepted";
  const counts = Object.keys(KINDS).map((severity) => [severity, rows.filter((row) => row.severity === severity).length]).filter(([, count]) => count > 0);
  return replace(element,
    h("span", { class: `badge ${isGood ? "good" : "bad"}` }, `Would be ${answer.outcome} (${answer.status})`),
    answer.reason && h("strong", { class: "nowrap" }, answer.reason),
    mayFail && h("a", { class: "badge warn", href: "#/faults", title: "A fault is on that may hit this push" }, "A fault may answer instead"),
    counts.map(([severity, count]) => h("span", { class: `badge ${KINDS[severity]}` }, plural(count, severity))),
    answer.message && foreign(answer.message, { class: "clip muted", title: answer.message }));
}

/** The list of findings. `remedies` says what to do, by rule; `onGo(offset)` shows a place in the JSON. */
export function showFindings(element, rows, remedies, onGo) {
  if (rows.length === 0) return replace(element, h("p", { class: "muted" }, "No findings."));
  return replace(element, h("ul", { class: "findings" }, rows.map(({ rule, severity, path, message, line, offset }) => h("li", { class: `finding ${KINDS[severity]}` },
    h("div", { class: "row" },
      h("span", { class: `badge ${KINDS[severity]}` }, severity),
      line !== null && h("button", { type: "button", class: "quiet place", on: { click: () => onGo(offset) } }, `line ${line}`),
      path && foreign(path, { tag: "code", limit: 120 }), ruleLink(rule)),
    foreign(message, { tag: "p", limit: 2000 }),
    remedies[rule] && h("p", { class: "muted" }, remedies[rule])))));
}
