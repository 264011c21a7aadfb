// Inspect: says what a key, token, certificate, account or payload is, and what is wrong with it.

import { all, Problem, post } from "../core/api.js";
import { foreign, h, replace } from "../core/dom.js";
import { attempt } from "../core/notice.js";
import { ruleLink } from "./compose/verdict.js";
import { acceptFiles } from "./compose/files.js";

export const title = "Inspect";
const PAUSE = 250;
const SEVERITIES = { error: "bad", warning: "warn", note: "note" };
const EVIDENCE = { documented: "good", observed: "note", assumed: "warn" };
const KINDS = "a provider token or other JWT, a .p8 key, a service account, google-services.json, a certificate or .p12 file, a device token, an FCM token, a payload";

export function open() {
  return new Inspect();
}

class Inspect {
  #timer = null;
  #turn = 0;

  constructor() {
    this.area = h("textarea", {
      class: "inspect-text", rows: 8, spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-label": "What to inspect",
      placeholder: "Paste something, or drop a file here.", on: { input: () => this.#typed() },
    });
    const file = h("input", { type: "file", hidden: true, "aria-label": "File" });
    this.result = h("div", { role: "status", "aria-label": "Report", class: "stack" });
    const empty = () => { this.area.value = ""; this.#clear(); this.area.focus(); };
    this.element = h("div", { class: "scroll" }, h("div", { class: "page inspect" },
      h("div", { class: "stack" }, h("h1", {}, "Inspect"), h("p", { class: "muted" }, `Find out what something is, and why it does not work: ${KINDS}. The gateway checks it and keeps no copy.`)),
      h("div", { class: "drop" }, this.area, h("div", { class: "row" },
        h("button", { type: "button", on: { click: () => file.click() } }, "Open a file…"),
        h("button", { type: "button", class: "quiet", on: { click: empty } }, "Clear"), file)),
      this.result));
    acceptFiles(this.element, file, (value) => {
      this.area.value = "";
      this.#inspect(value);
    }, readFile);
  }

  #clear() {
    clearTimeout(this.#timer);
    this.#turn++;
    replace(this.result);
  }

  #typed() {
    this.#clear();
    const text = this.area.value;
    if (text.trim() !== "") this.#timer = setTimeout(() => this.#inspect({ text }), PAUSE);
  }

  /** The newest question wins. */
  #inspect(value) {
    this.#clear();
    const mine = this.#turn;
    return attempt(async () => {
      try {
        const report = await post("/inspect", value);
        const rules = await knownRules();
        if (mine === this.#turn) replace(this.result, reportCard(report, value.name, rules));
      } catch (problem) {
        if (!(problem instanceof Problem) || mine !== this.#turn) throw problem;
        replace(this.result, h("div", { class: "card problem" }, problem.message));
      }
    });
  }

  close() {
    this.#clear();
  }
}

let rules = null;

/** The ids of the rules that the view of rules has. */
async function knownRules() {
  rules ??= all("/rules", "rules").then((rows) => new Set(rows.map(({ id }) => id)));
  rules.catch(() => (rules = null));
  return rules;
}

/** A file as POST /inspect takes it. */
async function readFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { name: file.name, base64: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
}

function reportCard({ kind, title: heading, facts, problems, answers }, name, known) {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const verdict = errors ? ["bad", "Does not work"] : kind === "unknown" ? ["", "Unknown"] : problems.length ? ["warn", "Works, with warnings"] : ["good", "Nothing is wrong"];
  return h("section", { class: "card inspection", "aria-label": "Report" },
    h("div", { class: "spread" }, h("h2", {}, heading), h("span", { class: `badge ${verdict[0]}` }, verdict[1])),
    h("p", { class: "row" }, h("code", { class: "badge" }, kind), name && foreign(name, { class: "muted", limit: 200 })),
    facts.length > 0 && h("table", {}, facts.map(factRow)),
    problems.length > 0 && [h("h3", {}, "Problems"), h("ul", { class: "findings" }, problems.map((problem) => problemItem(problem, known)))],
    answers.length > 0 && [h("h3", {}, "What the services would answer"), h("ul", { class: "stack" }, answers.map(({ service, answer, evidence }) =>
      h("li", { class: "row" }, h("strong", {}, service), foreign(answer, { limit: 500 }), h("span", { class: `badge ${EVIDENCE[evidence] ?? ""}` }, evidence))))]);
}

/** A fact is a text such as `key id: ABCDE12345`. */
function factRow(fact) {
  const colon = fact.indexOf(": ");
  if (colon < 0) return h("tr", {}, h("td", { colspan: 2 }, foreign(fact, { limit: 1000 })));
  return h("tr", {}, h("th", { scope: "row" }, fact.slice(0, colon)), h("td", {}, foreign(fact.slice(colon + 2), { limit: 1000 })));
}

function problemItem({ severity, message, remedy, rule }, known) {
  return h("li", { class: `finding ${SEVERITIES[severity]}` },
    h("div", { class: "row" }, h("span", { class: `badge ${SEVERITIES[severity]}` }, severity), known.has(rule) ? ruleLink(rule) : rule && h("code", { class: "muted" }, rule)),
    foreign(message, { tag: "p", limit: 2000 }), remedy && h("p", { class: "muted" }, remedy));
}
